/* SPDX-License-Identifier: MIT */
/* A disk with a cache that fills and empties at known rates is measured as what it is. */
#include "bench/stats/pace.h"

#include <stdint.h>

#include "lib/clock.h"
#include "tests/unit/tap.h"

#define MB 1e6
#define MIB 1048576.0
#define INTERVAL_NS (100 * NS_PER_MS)

/*
 * QEMU's burst bucket: writes raise its level, time lowers it by `rate`; below `room` they run at
 * `burst`, else at `rate`. Completions come in heaps of so many bytes.
 */
struct bucket {
	double rate, burst, room, heap, level, moved, counted;
};

static uint64_t step(struct bucket *b, double seconds)
{
	uint64_t heaps;

	/* within 1 ms nothing changes */
	for (int i = 0; i < (int)(seconds * 1000 + 0.5); i++) {
		double speed = b->level < b->room ? b->burst : b->rate;

		b->level += (speed - b->rate) / 1000;
		b->moved += speed / 1000;
	}
	heaps = (uint64_t)((b->moved - b->counted) / b->heap);
	b->counted += (double)heaps * b->heap;
	return heaps * (uint64_t)b->heap;
}

static void idle(struct bucket *b, double seconds)
{
	b->level -= seconds * b->rate;
	b->level = b->level < 0 ? 0 : b->level;
}

static void finds_the_bucket(double heap, double share)
{
	struct bucket disk = { .rate = 20 * MB, .burst = 80 * MB, .room = 640 * MB, .heap = heap };
	struct pace p;
	struct pace_drop d = { .drops = 0 };
	uint32_t n = 0;

	pace_init(&p, INTERVAL_NS);
	for (; n < 600; n++) {
		pace_add(&p, step(&disk, 0.1));
		if (n % 10 == 0 && pace_find_drop(&p, &d) && pace_is_settled(&p, &d))
			break;
	}
	is_int(d.drops, 1, "in heaps of %.0f: one drop", heap);
	is_near((double)d.at_ns / 1e9, 640.0 / 60, share * 640.0 / 60, "when the bucket is full");
	is_near(d.at_bytes, 853.3 * MB, share * 853.3 * MB, "after 853 MB");
	is_near(d.before, 80 * MB, share * 80 * MB, "at the burst rate");
	is_near(d.after, 20 * MB, share * 20 * MB, "down to its rate");
	ok(n / 10.0 > 640.0 / 60 + 5 && n / 10.0 < 640.0 / 60 + 12, "settled 5 s later (%u)", n);

	for (int i = 0; i < 3; i++) {
		static const double pause[] = { 5, 15, 30 };
		double fast = pause[i] * 80 * 20 / 60 * MB;
		struct burst b;

		idle(&disk, pause[i]);
		disk.moved = disk.counted;
		burst_init(&b, d.before / 10, d.after / 10, 8 * MB);
		while (!burst_add(&b, step(&disk, 0.1)) && b.n < 300)
			;
		ok(b.n < 300, "after %g s of idle the burst ends", pause[i]);
		is_near(burst_fast_bytes(&b), fast, share * fast, "when it should");
		is_near(burst_first_share(&b), 1, 0.05, "and begins at full speed");
	}
}

/* Nothing for 0.4 s, then 32 MiB, until the drop; then 2 MiB in each interval. */
static void heaps_alone(void)
{
	struct pace p;
	struct pace_drop d;

	pace_init(&p, INTERVAL_NS);
	for (int i = 0; i < 170; i++)
		pace_add(&p, i < 100 ? (i % 4 == 3) * 32 * (uint64_t)MIB : 2 * (uint64_t)MIB);
	if (ok(pace_find_drop(&p, &d), "a drop from heaps to a steady flow")) {
		is_near((double)d.at_ns / 1e9, 10, 0.4, "at 10 s");
		is_near(d.before, 80 * MIB, 4 * MIB, "from 80 MiB/s");
		is_near(d.after, 20 * MIB, 1 * MIB, "to 20");
	}
	pace_init(&p, INTERVAL_NS);
	for (int i = 0; i < 170; i++)
		pace_add(&p, i < 100 ? 2 * (uint64_t)MIB : (i % 4 == 3) * 32 * (uint64_t)MIB);
	ok(!pace_find_drop(&p, &d), "from a steady flow to faster heaps there is none");
}

static void bursts(void)
{
	struct burst b;

	burst_init(&b, 46 * MB, 20 * MB, 8 * MB);
	is_near(burst_first_share(&b), 0, 0, "no interval, no share");
	is_near(burst_fast_bytes(&b), 0, 0, "nor bytes");
	for (int i = 0; i < 9; i++)
		ok(!burst_add(&b, (uint64_t)(20 * MB)), "interval %d does not end it", i);
	ok(burst_add(&b, (uint64_t)(21 * MB)), "the tenth slow one does");
	is_near(burst_fast_bytes(&b), 0, 0, "nothing of it was fast");
	is_near(burst_first_share(&b), 20.1 / 46, 0.005, "its share of the fast level");

	/* 46 MB in flight at 4.6 MB per interval, in one heap each second, one of them late */
	burst_init(&b, 4.6 * MB, 2 * MB, 46 * MB);
	for (int i = 0; i < 40; i++)
		ok(!burst_add(&b, i == 9 || i == 22 || i == 29 || i == 39 ?
				  (uint64_t)(46 * MB) : 0),
		   "a heap of all that was in flight may take long");
	burst_init(&b, 46 * MB, 20 * MB, 8 * MB);
	for (int i = 0; i < 20; i++)
		ok(!burst_add(&b, i == 7 ? 0 : (uint64_t)(46 * MB)), "a short pause is no end");
	is_near(burst_fast_bytes(&b), 19 * 46 * MB, 1, "all of it was fast");

	burst_init(&b, 46 * MB, 20 * MB, 8 * MB);
	for (int i = 0; i < 5; i++)
		(void)burst_add(&b, (uint64_t)(46 * MB));
	(void)burst_add(&b, (uint64_t)(26.5 * MB));	/* a quarter of an interval */
	while (!burst_add(&b, (uint64_t)(20 * MB)))
		;
	is_near(burst_fast_bytes(&b), 5.25 * 46 * MB, 1, "also a part of an interval");
	while (b.n < PACE_VALUES_MAX)
		(void)burst_add(&b, (uint64_t)(46 * MB));
	ok(burst_add(&b, 1), "one that goes on for ever is ended");
}

static void longer_than_its_room(void)
{
	struct pace p;
	struct pace_drop d;
	double all = 0;

	/* 300 s at 50, then 100 s at 30 MB per interval of 100 ms */
	pace_init(&p, INTERVAL_NS);
	for (int i = 0; i < 4000; i++)
		pace_add(&p, (uint64_t)((i < 3001 ? 50 : 30) * MB));
	is_uint(p.interval_ns, 4 * INTERVAL_NS, "intervals grow with the time");
	is_uint(p.n, 1000, "and their number does not");
	for (uint32_t i = 0; i < p.n; i++)
		all += p.bytes[i];
	is_near(all, 3001 * 50 * MB + 999 * 30 * MB, 1, "no byte is lost");
	ok(pace_find_drop(&p, &d), "a drop");
	is_near((double)d.at_ns, 3001.0 * INTERVAL_NS, 1, "in its place");
	is_near(d.at_bytes, 3001 * 50 * MB, 1, "and amount");
	is_near(d.before, 500 * MB, 1, "speed before");
	is_near(d.after, 300 * MB, 1, "speed after");
	ok(pace_is_settled(&p, &d), "settled after 60 s at most");
	d.after_ns = 59 * NS_PER_S;
	ok(!pace_is_settled(&p, &d), "not before, when it took so long to drop");

	pace_init(&p, INTERVAL_NS);
	for (int i = 0; i < 4000; i++)
		pace_add(&p, (uint64_t)(i < 500 ? 50 * MB : i < 2000 ? 30 * MB : 10 * MB));
	ok(pace_find_drop(&p, &d) && d.drops == 2, "two drops");
	is_near(d.before, 500 * MB, 1, "the speed before the first");
	is_near(d.at_bytes, 500 * 50 * MB, 1, "the amount of the first");
	is_near(d.after, 100 * MB, 1, "the speed after the last");
	pace_init(&p, INTERVAL_NS);
	for (int i = 0; i < 400; i++)
		pace_add(&p, (uint64_t)(50 * MB));
	ok(!pace_find_drop(&p, &d), "none");
}

int main(void)
{
	finds_the_bucket(MIB / 4, 0.01);
	finds_the_bucket(8 * MIB, 0.08);
	heaps_alone();
	bursts();
	longer_than_its_room();
	return tap_done();
}
