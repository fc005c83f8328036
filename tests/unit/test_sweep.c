/* SPDX-License-Identifier: MIT */
/* The queue-depth sweep: its steps, the saturation of made-up curves, and a run on a file. */
#include "bench/tests/sweep.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/stats/saturation.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

static struct result r;

static void saturation(void)
{
	static const struct { double rate[9]; size_t n, want; const char *what; } row[] = {
		{ { 10, 20, 40, 80, 84, 85, 85, 85, 85 }, 9, 3, "grows to 8, then stands" },
		{ { 10, 20, 40, 80, 160, 320, 640, 1280, 2560 }, 9, 9, "grows all the way" },
		{ { 10, 10, 10, 10, 10, 10, 10, 10, 10 }, 9, 0, "no more than one at a time" },
		{ { 100, 105, 130, 150, 180, 210, 215, 215, 216 }, 9, 5,
		  "a rotating disk: the flat step at 1 is not its end" },
		{ { 10, 20, 40, 80, 70, 60, 50, 40, 30 }, 9, 3, "gets worse beyond" },
		{ { 10, 20, 21, 21, 21, 21, 21, 21, 24 }, 9, 9, "grows again at the last" },
		{ { 100, 110, 121 }, 3, 0, "10 % is no gain" },
		{ { 100, 110.2, 121 }, 3, 1, "more than 10 % is" },
		{ { 10 }, 1, 1, "one step says nothing" },
		{ { 0 }, 0, 0, "none neither" },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		is_uint(saturation_find(row[i].rate, row[i].n, 0.1), row[i].want, "%s",
			row[i].what);
}

static void steps(void)
{
	struct sweep_step step[SWEEP_STEPS_MAX];

	is_uint(sweep_steps(step, 1, 0, 1 << 20, 9 * NS_PER_S), 9, "one CPU: one job");
	is_uint(step[8].depth, 256, "up to 256");
	is_uint(sweep_steps(step, 8, 0, 1 << 20, 17 * NS_PER_S), 17, "more CPUs: more jobs");
	is_uint(step[9].jobs, 2, "two");
	is_uint(step[9].depth, 16, "at the same totals");
	is_uint(step[16].jobs, 4, "then four");
	is_uint(step[16].depth, 64, "up to 256 in all");
	is_uint(sweep_steps(step, 3, 0, 1 << 20, 17 * NS_PER_S), 13, "three CPUs: two jobs");
	is_uint(sweep_steps(step, 8, 0, 1 << 20, NS_PER_S), 9, "little time: one job");
	is_uint(sweep_steps(step, 8, 0, 16, 17 * NS_PER_S), 5, "no more in flight than blocks");
	is_uint(sweep_steps(step, 8, 64 << 10, 1 << 20, 17 * NS_PER_S), 5, "nor than memory");
	is_uint(sweep_steps(step, 8, 1, 1 << 20, 17 * NS_PER_S), 0, "no memory, no step");
}

static void conclude(const struct sweep_step *step, unsigned n, const char *want)
{
	char text[RESULT_REASON_BYTES];

	result_init(&r, "sweep-read", "fake");
	sweep_conclude(&r, step, n, text, sizeof(text));
	is_str(text, want, "what it says");
}

static double metric(const char *name)
{
	const struct metric *m = result_find(&r, name);

	return m ? m->value : -1;
}

static void conclusions(void)
{
	static const struct sweep_step flat[] = {
		{ 1, 1, 1000, 5e5 }, { 1, 2, 2000, 6e5 }, { 1, 4, 2100, 9e5 }, { 1, 8, 2110, 0 },
		{ 2, 2, 2120, 7e5 },
	};
	static const struct sweep_step grows[] = {
		{ 1, 1, 1000, 5e5 }, { 1, 2, 1800, 6e5 }, { 2, 1, 2500, 7e5 }, { 4, 1, 3000, 7e5 },
	};

	conclude(flat, 5,
		 "saturated with 2 in flight at 2000 IOPS: from there on no doubling gains "
		 "more than 10 %; more threads bring no more");
	is_near(metric("saturation_depth"), 2, 0, "depth");
	is_near(metric("saturation_iops"), 2000, 0, "IOPS");
	is_near(metric("lat_p99"), 6e5, 0, "latency there");
	is_near(metric("iops"), 2120, 0, "the best");
	is_uint(result_find_series(&r, "sweep-iops")->point_n, 4, "a point for each depth");
	is_uint(result_find_series(&r, "sweep-p99")->point_n, 3, "no p99 where there is none");
	is_near(result_find_series(&r, "sweep-iops-2-jobs")->point[0].x, 4, 0,
		"jobs count by what is in flight in all");
	conclude(grows, 4, "not saturated with 2 in flight at 1800 IOPS: the last doubling still "
		 "gained 80 %; one thread is the limit: 4 with 1 in flight each reach 3000 IOPS");
	is_near(metric("saturation_depth"), -1, 0, "no depth where there is none");
	is_uint(r.series_n, 4, "four series");
}

static void runs(uint64_t file_bytes, uint64_t disk_bytes, enum result_status want)
{
	struct disk d = { .name = "fake", .size_bytes = disk_bytes, .logical_block_bytes = 512,
			  .numa_node = -1 };
	struct test_context c = { .test = &test_sweep_read, .disk = &d, .write_fd = -1,
				  .fd = memfd_create("disk", MFD_CLOEXEC),
				  .budget_ns = 900 * NS_PER_MS, .stall_ns = NS_PER_S };

	if (c.fd < 0 || ftruncate(c.fd, (off_t)file_bytes))
		tap_bail("no memory file");
	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	is_int(r.status, want, "a file of %llu bytes for %llu: %s", (unsigned long long)file_bytes,
	       (unsigned long long)disk_bytes, r.reason);
	close(c.fd);
}

static void *shrink(void *context)
{
	nanosleep(&(struct timespec){ .tv_nsec = 500000000 }, NULL);
	if (ftruncate(*(int *)context, 0))
		tap_bail("no memory file");
	return NULL;
}

/* The device goes away in the middle of the sweep. */
static void vanishes(void)
{
	struct disk d = { .name = "fake", .size_bytes = 32 << 20, .logical_block_bytes = 512,
			  .numa_node = -1 };
	struct test_context c = { .test = &test_sweep_read, .disk = &d, .write_fd = -1,
				  .fd = memfd_create("disk", MFD_CLOEXEC),
				  .budget_ns = 900 * NS_PER_MS, .stall_ns = NS_PER_S };
	pthread_t thread;

	if (c.fd < 0 || ftruncate(c.fd, 32 << 20) || pthread_create(&thread, NULL, shrink, &c.fd))
		tap_bail("no memory file");
	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	pthread_join(thread, NULL);
	close(c.fd);
	is_int(r.status, RESULT_FAILED, "a device that vanishes: %s", r.reason);
	ok(strstr(r.reason, "gone") && strstr(r.reason, "depths before are kept"), "is told");
	ok(r.series_n && result_find_series(&r, "sweep-iops")->point_n >= 2, "points are kept");
	is_uint(r.metric_n, 0, "without numbers");
}

int main(void)
{
	saturation();
	steps();
	conclusions();
	runs(32 << 20, 32 << 20, RESULT_OK);
	is_uint(result_find_series(&r, "sweep-iops")->point_n, 9, "all depths");
	ok(metric("iops_qd1") > 0, "and a rate");
	runs(0, 32 << 20, RESULT_FAILED);
	is_uint(r.metric_n, 0, "without numbers");
	runs(4096, 4096, RESULT_UNSUPPORTED);
	vanishes();
	return tap_done();
}
