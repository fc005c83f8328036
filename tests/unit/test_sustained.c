/* SPDX-License-Identifier: MIT */
/*
 * The sustained write on a made-up disk that writes fast until an allowance is used up, and gets
 * that back with time.
 */
#include "bench/tests/sustained.h"

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
#define BLOCK (MIB / 4)
#define DISK_BYTES (UINT64_C(4) << 30)

/* As QEMU's burst bucket, in real time: see tests/unit/test_pace.c. */
static struct bucket {
	double rate, burst, room;	/* bytes per second, bytes */
	uint64_t fail_at;		/* this write fails, and all behind it; 0: none */
	/* own */
	double level, moved, taken;
	uint64_t at_ns, asked, next_bytes, breaks;
	uint32_t first, n, slot[IO_DEPTH_MAX];
} disk;

static void flow(void)
{
	uint64_t now_ns = clock_ns();

	for (; disk.at_ns + 100000 <= now_ns; disk.at_ns += 100000) {
		double speed = disk.level < disk.room ? disk.burst : disk.rate;
		double left = (double)disk.asked * (double)BLOCK - disk.moved;
		double moved = speed / 10000 < left ? speed / 10000 : left;

		disk.moved += moved;
		disk.level += moved - disk.rate / 10000;
		disk.level = disk.level < 0 ? 0 : disk.level;
	}
}

static int setup(void *state, struct io_engine_setup *s)
{
	(void)state;
	(void)s;
	disk.first = disk.n = 0;
	flow();
	return 0;
}

static int submit(void *state, const struct io_request *request, uint32_t n)
{
	(void)state;
	flow();
	for (uint32_t i = 0; i < n; i++) {
		if (disk.fail_at && disk.asked >= disk.fail_at)
			return i ? (int)i : -ENODEV;
		disk.breaks += request[i].offset_bytes != disk.next_bytes % DISK_BYTES;
		disk.next_bytes = request[i].offset_bytes + BLOCK;
		disk.slot[(disk.first + disk.n++) % IO_DEPTH_MAX] = request[i].slot;
		disk.asked++;
	}
	return (int)n;
}

static int reap(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns)
{
	const struct timespec pause = { .tv_nsec = 300000 };
	uint64_t end_ns = clock_ns() + wait_ns;
	uint32_t n = 0;

	(void)state;
	do {
		flow();
		for (; n < room && disk.n && disk.taken + (double)BLOCK <= disk.moved + 1; n++) {
			done[n] = (struct io_done){ disk.slot[disk.first], (int64_t)BLOCK };
			disk.first = (disk.first + 1) % IO_DEPTH_MAX;
			disk.n--;
			disk.taken += (double)BLOCK;
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
	.name = "bucket", .help = "a disk with an allowance", .setup = setup, .submit = submit,
	.reap = reap, .teardown = teardown,
};

static struct sustained_param param = {
	.interval_ns = 20 * NS_PER_MS,
	.pause_ns = { 100 * NS_PER_MS, 300 * NS_PER_MS, 600 * NS_PER_MS, 4 * NS_PER_S,
		      6 * NS_PER_S },
	.engine = &engine,
};

static struct result r;
static uint64_t last_progress_bytes;

static void progress(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	(void)context;
	(void)elapsed_ns;
	ok(bytes >= last_progress_bytes, "progress does not go back");
	last_progress_bytes = bytes;
}

static void run(const struct bucket *b, uint64_t budget_ns, int fd)
{
	struct disk d = { .name = "none", .size_bytes = DISK_BYTES, .logical_block_bytes = 4096 };
	struct test test = test_sustained_write;
	struct test_context c = {
		.test = &test, .disk = &d, .fd = -1, .write_fd = fd, .budget_ns = budget_ns,
		.stall_ns = 5 * NS_PER_S, .progress = progress,
	};

	test.param = &param;
	disk = *b;
	disk.at_ns = clock_ns();
	last_progress_bytes = 0;
	result_init(&r, test.name, d.name);
	test.run(&c, &r);
}

static double value(const char *name)
{
	const struct metric *m = result_find(&r, name);

	return m ? m->value : (double)NAN;
}

/* 800 MB/s for 640 MB, then 200 MB/s: full after 1.07 s and 853 MB; 1 s of idle frees 200 MB. */
static const struct bucket drops = { .rate = 200 * MB, .burst = 800 * MB, .room = 640 * MB };

static void a_disk_that_drops(int fd)
{
	const struct series *s;

	run(&drops, 20 * NS_PER_S, fd);
	is_str(result_status_words[r.status], "ok", "it is measured");
	is_str(r.reason, "", "with nothing to add");
	is_near(value("drops"), 1, 0, "one drop");
	is_near(value("bytes_at_drop"), 853 * MB, 85 * MB, "after 853 MB");
	is_near(value("time_at_drop") / 1e9, 1.067, 0.15, "and 1.07 s");
	is_near(value("speed_before"), 800 * MB, 80 * MB, "from 800 MB/s");
	is_near(value("speed_after"), 200 * MB, 20 * MB, "to 200 MB/s");
	/* what 0.1 and 0.3 s free is written in 0.03 and 0.1 s; a burst is judged by 0.2 s */
	is_near(value("recovery_time") / 1e9, 0.6, 0.15, "full speed after the third pause");
	/* a byte that comes free is written at 800 while another 0.25 come free */
	is_near(value("refill"), 200 * MB * 4 / 3, 40 * MB, "what comes back per idle second");
	is_near(value("bytes_written"), (double)disk.asked * (double)BLOCK, 1,
		"all that it wrote is stated");
	ok(value("recovery_tried") >= 4e9 && value("recovery_tried") < 6e9,
	   "it ends when all is back");
	is_uint(disk.breaks, 0, "one stream, also over pauses");
	is_int(r.io.end, IO_END_ENOUGH, "the long write ended when it knew enough");
	ok(isnan(value("temperature_start")), "no sensor, no temperature");
	s = result_find_series(&r, "throughput");
	ok(s && s->point_n > 70, "the pace over time");
	s = result_find_series(&r, "recovery");
	if (ok(s && s->point_n == 4, "four bursts"))
		is_near(s->point[2].y, 800 * MB, 100 * MB, "each with its speed");
	s = result_find_series(&r, "refill");
	if (ok(s && s->point_n == 4, "and amount")) {
		is_near(s->point[2].x / 1e9, 0.6, 0.15, "after 0.6 s of idle");
		is_near(s->point[2].y / s->point[2].x, 200 * 4 / 3.0 * MB / 1e9, 0.04,
			"160 MB are written fast");
		is_near(s->point[3].y, 853 * MB, 85 * MB, "after 4 s all of it is back");
	}
}

static void a_disk_that_does_not(int fd)
{
	static const struct bucket steady = { .rate = 300 * MB, .burst = 300 * MB, .room = 1 };

	run(&steady, 4 * NS_PER_S, fd);
	is_str(result_status_words[r.status], "ok", "a steady disk is measured");
	is_near(value("drops"), 0, 0, "no drop");
	ok(!strncmp(r.reason, "no drop within 7", 16), "and plainly so: %s", r.reason);
	ok(isnan(value("speed_before")) && isnan(value("recovery_time")), "nothing is made up");
	is_near(value("throughput"), 300 * MB, 30 * MB, "its speed");
	ok(!result_find_series(&r, "recovery"), "no pauses");
	is_int(r.io.end, IO_END_TIME, "it wrote until its time was over");
}

static void short_of_time(int fd)
{
	run(&drops, 2800 * NS_PER_MS, fd);
	is_str(result_status_words[r.status], "ok", "too short for the new level");
	ok(strstr(r.reason, "fell shortly before") != NULL, "which it says: %s", r.reason);
	param.pause_ns[0] = 5 * NS_PER_S;
	run(&drops, 4 * NS_PER_S, fd);
	param.pause_ns[0] = 100 * NS_PER_MS;
	ok(!strcmp(r.reason, "no time was left to watch it recover") && value("drops") > 0,
	   "too short for a pause: %s", r.reason);
}

static void bad_disks(int fd)
{
	struct bucket gone = drops;

	gone.fail_at = 1600;
	run(&gone, 20 * NS_PER_S, fd);
	is_str(result_status_words[r.status], "failed", "a disk that fails while it is written to");
	ok(result_find_series(&r, "throughput") && result_find_series(&r, "throughput")->point_n,
	   "what it did before is kept");
	/* 853 MB and 0.5 s of 200 MB/s are 910 MiB */
	gone.fail_at = 4400;
	run(&gone, 20 * NS_PER_S, fd);
	is_str(result_status_words[r.status], "failed", "and one that fails in a burst");
	run(&drops, NS_PER_S, -1);
	is_str(result_status_words[r.status], "skipped", "nothing is written without consent");
	is_uint(disk.asked, 0, "not one block");
}

static void fits(void)
{
	struct disk d = { .size_bytes = 64 * MIB, .logical_block_bytes = 512 };
	char why[RESULT_REASON_BYTES];
	const struct test *t = &test_sustained_write;

	is_int(t->fits(t, &d, why, sizeof(why)), RESULT_OK, "64 MiB are enough");
	d.size_bytes--;
	is_int(t->fits(t, &d, why, sizeof(why)), RESULT_UNSUPPORTED, "less is not");
	d.size_bytes++;
	d.logical_block_bytes = 520;
	is_int(t->fits(t, &d, why, sizeof(why)), RESULT_UNSUPPORTED, "odd sectors are not");
	ok(t->access == TEST_WRITES && !t->time[PROFILE_QUICK].max_ms &&
	   !t->time[PROFILE_STANDARD].max_ms && t->time[PROFILE_FULL].max_ms,
	   "it destroys data and is part of the full profile alone");
}

int main(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	fits();
	a_disk_that_drops(fd);
	a_disk_that_does_not(fd);
	short_of_time(fd);
	bad_disks(fd);
	close(fd);
	return tap_done();
}
