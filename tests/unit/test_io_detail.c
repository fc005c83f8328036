/* SPDX-License-Identifier: MIT */
/* Where the time of an I/O went, and how many were on their way: what fio prints. */
#include "bench/io/job.h"

#include "tests/unit/fake_engine.h"
#include "tests/unit/tap.h"

static struct io_outcome out;

static uint64_t sum_of(const uint64_t *map)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < out.map_n; i++)
		sum += map[i];
	return sum;
}

static void sums(const char *what)
{
	for (int i = 0; i < IO_SIDES; i++) {
		const struct io_side *side = &out.side[i];

		is_uint(side->slat.count, side->ios, "%s: each I/O has a submission", what);
		is_uint(side->lat.count, side->ios, "and a whole latency");
		is_uint(side->clat.count, side->ios, "and a completion");
		ok(side->lat.sum_ns == side->slat.sum_ns + side->clat.sum_ns,
		   "which add up to the last nanosecond");
	}
	ok(out.lat.sum_ns == out.side[0].lat.sum_ns + out.side[1].lat.sum_ns,
	   "those of both directions are those of the job");
	is_uint(sum_of(out.depth_map), out.issued_ios, "each I/O issued has a depth");
}

static void splits(void)
{
	struct io_job job = fake_job(1);

	fake_reset();
	fake.submit_ns = 2 * MS;
	fake.pause_ns = 300000;
	io_job_run_on(&fake_engine, &job, &out);
	ok(!out.has_detail && !out.map_n, "not asked for, not there");
	is_uint(out.side[0].lat.count + out.side[0].clat.count, 0, "nor counted");
	is_uint(out.side[0].ios, out.ios, "but the I/Os of each direction");
	job.detail = true;
	io_job_run_on(&fake_engine, &job, &out);
	ok(out.has_detail && out.map_n == IO_MAP_N, "asked for and there");
	sums("one at a time");
	ok(out.side[0].slat.min_ns >= 2 * MS, "what a submit call takes is submission");
	ok(out.side[0].clat.min_ns >= 300000 &&
	   out.side[0].clat.sum_ns < out.side[0].slat.sum_ns, "what a reap takes is completion");
	is_uint(out.depth_map[0], out.issued_ios, "one at a time is a depth of one");
	is_uint(out.clock_error_ns, 0, "and has its own time");
	fake_reset();
	job.access = IO_MIX;
	job.read_percent = 40;
	job.depth = 64;
	io_job_run_on(&fake_engine, &job, &out);
	sums("64 at a time, both directions");
	ok(out.side[0].ios > 100 && out.side[1].ios > 100, "there are both");
	fake_reset();
	job.jobs = 3;
	io_job_run_on(&fake_engine, &job, &out);
	sums("three jobs");
	is_uint(out.jobs_used, 3, "all three");
}

static void maps(void)
{
	struct io_job job = fake_job(64);

	fake_reset();
	job.detail = true;
	io_job_run_on(&fake_engine, &job, &out);
	/* 1, 2..3, 4..7, 8..15, 16..31, 32..63 while the queue fills, then 33 and more */
	is_uint(out.depth_map[0], 1, "one was the first");
	is_uint(out.depth_map[1], 2, "two the second and third");
	is_uint(out.depth_map[2], 4, "then four");
	is_uint(out.depth_map[3], 8, "eight");
	is_uint(out.depth_map[4], 16, "sixteen");
	ok(out.depth_map[5] >= 32 && out.depth_map[6] > 10, "and the rest at depth");
	is_uint(out.submit_map[4], fake.submits, "each submit took a batch of 32");
	is_uint(sum_of(out.submit_map), fake.submits, "each was counted");
	ok(out.complete_map[4] > 0 && sum_of(out.complete_map) <= fake.reaps,
	   "each reap brought as many");
	fake_reset();
	job.depth = 1024;
	io_job_run_on(&fake_engine, &job, &out);
	is_uint(sum_of(out.depth_map), out.issued_ios, "64 and more are one");
	fake_reset();
	fake.take_max = 4;
	fake.room = 5;
	fake.hiccups = true;
	io_job_run_on(&fake_engine, &job, &out);
	is_uint(out.submit_map[2] + out.submit_map[3], 0, "an engine that takes four");
	ok(out.submit_map[1] > 10, "takes one to four");
	ok(out.submit_map[0] > 10, "or nothing when it is full");
	ok(out.complete_map[0] > 10, "a reap in vain brings nothing");
	ok(out.complete_map[2] > 0, "or five");
	fake_reset();
	job = fake_job(8);
	job.detail = true;
	job.ramp_ns = 50 * MS;
	io_job_run_on(&fake_engine, &job, &out);
	ok(sum_of(out.depth_map) < out.issued_ios, "the ramp is not counted");
}

int main(void)
{
	fake_devices();
	splits();
	maps();
	return tap_done();
}
