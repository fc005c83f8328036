/* SPDX-License-Identifier: MIT */
/* The steady state of a made-up disk whose random writes slow down while it fills. */
#include "bench/tests/steady_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"
#include "tests/unit/tap.h"

#define MB 1e6
#define MIB (UINT64_C(1) << 20)
#define DISK_BYTES (128 * MIB)

static struct slowing {
	double first, last;		/* bytes per second of random writes */
	double per_second;		/* share of the difference that goes in a second */
	bool zigzag;			/* fast and slow in turn, 0.25 s each */
	uint64_t fail_at;		/* this write fails, and all behind it; 0: none */
	/* own */
	uint32_t block;
	double moved, taken, due, rate;
	uint64_t at_ns, begin_ns, asked, sequential, random, next_bytes;
	uint32_t first_slot, n, slot[IO_DEPTH_MAX];
} disk;

static void flow(void)
{
	uint64_t now_ns = clock_ns();

	for (; disk.at_ns + 100000 <= now_ns; disk.at_ns += 100000) {
		double left = disk.due - disk.moved, moved;
		double seconds = (double)(disk.at_ns - disk.begin_ns) / 1e9, rate = 2000 * MB;

		if (disk.random) {
			disk.rate += (disk.last - disk.rate) * disk.per_second / 10000;
			rate = disk.rate;
			if (disk.zigzag)
				rate *= (uint64_t)(seconds / 0.25) % 2 ? 1.5 : 0.5;
		}
		moved = rate / 10000 < left ? rate / 10000 : left;
		disk.moved += moved;
	}
}

static int setup(void *state, struct io_engine_setup *s)
{
	(void)state;
	disk.block = s->block_bytes;
	disk.first_slot = disk.n = 0;
	disk.at_ns = disk.begin_ns = clock_ns();
	disk.due = disk.moved = disk.taken = 0;
	disk.rate = disk.first;
	return 0;
}

static int submit(void *state, const struct io_request *request, uint32_t n)
{
	(void)state;
	flow();
	for (uint32_t i = 0; i < n; i++) {
		if (disk.fail_at && disk.asked >= disk.fail_at)
			return i ? (int)i : -ENODEV;
		if (disk.block == 4096)
			disk.random++;
		else
			disk.sequential++;
		disk.slot[(disk.first_slot + disk.n++) % IO_DEPTH_MAX] = request[i].slot;
		disk.due += disk.block;
		disk.asked++;
	}
	return (int)n;
}

static int reap(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns)
{
	const struct timespec pause = { .tv_nsec = 200000 };
	uint64_t end_ns = clock_ns() + wait_ns;
	uint32_t n = 0;

	(void)state;
	do {
		flow();
		for (; n < room && disk.n && disk.taken + disk.block <= disk.moved + 1; n++) {
			done[n] = (struct io_done){ disk.slot[disk.first_slot], disk.block };
			disk.first_slot = (disk.first_slot + 1) % IO_DEPTH_MAX;
			disk.n--;
			disk.taken += disk.block;
		}
		if (!n)
			nanosleep(&pause, NULL);
	} while (!n && clock_ns() < end_ns);
	return (int)n;
}

static void teardown(void *state)
{
	(void)state;
}

static const struct io_engine engine = {
	.name = "slowing", .help = "a disk that fills", .setup = setup, .submit = submit,
	.reap = reap, .teardown = teardown,
};

static const struct steady_state_param param = {
	.round_min_ns = 100 * NS_PER_MS, .round_max_ns = NS_PER_S, .rounds_max = 25,
	.engine = &engine,
};

static struct result r;

static void run(const struct slowing *s, uint64_t budget_ns, int fd)
{
	struct disk d = { .name = "none", .size_bytes = DISK_BYTES, .logical_block_bytes = 512 };
	struct test test = test_steady_state;
	struct test_context c = {
		.test = &test, .disk = &d, .fd = -1, .write_fd = fd, .budget_ns = budget_ns,
		.stall_ns = 5 * NS_PER_S,
	};

	test.param = &param;
	disk = *s;
	result_init(&r, test.name, d.name);
	test.run(&c, &r);
}

static double value(const char *name)
{
	const struct metric *m = result_find(&r, name);

	return m ? m->value : (double)NAN;
}

int main(void)
{
	static const struct slowing slowing = { .first = 80 * MB, .last = 20 * MB,
						.per_second = 3 };
	struct slowing other = slowing;
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	const struct series *s;

	run(&slowing, 4 * NS_PER_S, fd);
	is_str(result_status_words[r.status], "ok", "a disk that slows down is measured");
	is_near(value("steady"), 1, 0, "it becomes steady: %s", r.reason);
	ok(value("rounds") > 6 && value("rounds") < 25, "after some rounds (%g)", value("rounds"));
	ok(value("iops") < 0.5 * value("iops_first_round"), "at far less than it began with");
	ok(value("range_percent") <= 20 && value("slope_percent") <= 10, "by the rule");
	is_uint(disk.sequential, DISK_BYTES / MIB, "the whole disk had been written once");
	is_near(value("precondition_share"), 100, 1e-9, "and the result says so");
	is_int(r.io.end, IO_END_ENOUGH, "it ends when it is steady");
	s = result_find_series(&r, "rounds");
	ok(s && s->point_n == (uint32_t)value("rounds") && s->point[s->point_n - 1].x == s->point_n,
	   "each round is in the result");
	is_near(value("throughput"), value("iops") * 4096, 1, "bytes follow from that");

	other.zigzag = true;
	run(&other, 3 * NS_PER_S, fd);
	is_str(result_status_words[r.status], "ok", "a disk that never comes to rest");
	is_near(value("steady"), 0, 0, "is not called steady: %s", r.reason);
	ok(!strncmp(r.reason, "not steady after", 16), "plainly");
	ok(value("rounds") > 5 && value("rounds") <= 25, "when the rounds are over");

	run(&slowing, 300 * NS_PER_MS, fd);
	ok(!strncmp(r.reason, "not steady: time for", 20), "too short: %s", r.reason);
	run(&slowing, 60 * NS_PER_MS, fd);
	ok(strstr(r.reason, "of the disk had been written") != NULL,
	   "a disk that could not be written once says so: %s", r.reason);

	other.fail_at = 64;
	run(&other, NS_PER_S, fd);
	is_str(result_status_words[r.status], "failed", "one that fails while it is filled");
	other.fail_at = 300;
	run(&other, NS_PER_S, fd);
	is_str(result_status_words[r.status], "failed", "or in a round");
	run(&slowing, NS_PER_S, -1);
	is_str(result_status_words[r.status], "skipped", "nothing is written without consent");
	is_uint(disk.asked, 0, "not one block");
	close(fd);
	return tap_done();
}
