/* SPDX-License-Identifier: MIT */
/* A job ends early only where its mean is known, and never because it was looked at often. */
#include "bench/io/steady.h"

#include "tests/unit/fake_engine.h"
#include "tests/unit/tap.h"

#define MEAN 1000000.0

static struct io_outcome out;
static uint64_t series[IO_SERIES_MAX];

static unsigned long random_state = 1;

/* Nearly normal with deviation 1: the sum of twelve even ones. */
static double noise(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		random_state = (random_state * 1103515245 + 12345) % 2147483648;
		sum += (double)random_state / 2147483648;
	}
	return sum - 6;
}

/* A rate that drifts by `drift` of itself over `n` intervals, with noise of a share `spread`. */
static void make_series(uint32_t n, double drift, double spread)
{
	for (uint32_t i = 0; i < n; i++)
		series[i] = (uint64_t)(MEAN * (1 + drift * i / n) * (1 + spread * noise()));
}

static struct io_job job_of(uint32_t planned)
{
	struct io_job job = fake_job(4);

	job.series_ns = 100 * MS;
	job.runtime_ns = planned * job.series_ns;
	job.steady.share = 0.01;
	return job;
}

/* After how many intervals a job of `planned` ends; `planned` + 1: not early. */
static uint32_t ends_after(const struct io_job *job, uint32_t planned)
{
	struct io_steady_state state = { 0 };
	uint64_t bytes = 0;

	for (uint32_t n = 1; n <= planned; n++) {
		bytes += series[n - 1];
		if (io_steady_reached(&state, job, series, n, n * job->series_ns, bytes))
			return n;
	}
	return planned + 1;
}

static double mean_of(uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += (double)series[i];
	return sum / n;
}

static void decides(void)
{
	struct io_job job = job_of(200);
	struct io_steady_state state = { 0 };
	unsigned wrong = 0, early = 0, slow = 0, late = 0;

	make_series(200, 0, 0);
	is_uint(ends_after(&job, 200), IO_STEADY_MIN, "an even rate ends as soon as is allowed");
	(void)io_steady_reached(&state, &job, series, 19, 2 * NS_PER_S, UINT64_MAX);
	is_uint(state.next, 0, "19 intervals are too few to look at");
	(void)io_steady_reached(&state, &job, series, 20, 2 * NS_PER_S, UINT64_MAX);
	is_uint(state.next, 25, "after a look at 20 the next one is at 25");
	ok(!io_steady_reached(&state, &job, series, 24, 2 * NS_PER_S, UINT64_MAX) &&
	   io_steady_reached(&state, &job, series, 25, 2 * NS_PER_S, UINT64_MAX),
	   "and not before");
	job.steady.min_ns = 5 * NS_PER_S;
	is_uint(ends_after(&job, 200), 50, "not before min_ns");
	job.steady.min_bytes = (uint64_t)(MEAN * 80);
	is_uint(ends_after(&job, 200), 80, "nor before min_bytes");
	job = job_of(200);
	for (int i = 0; i < 200; i++) {
		uint32_t n;

		make_series(200, 0, 0.01);
		n = ends_after(&job, 200);
		late += n > 100;
		wrong += fabs(mean_of(n) / MEAN - 1) > 0.01;
	}
	is_uint(late, 0, "1 %% of noise: known after half of the time at most, in 200 jobs");
	is_uint(wrong, 0, "and within the share asked for");
	for (int i = 0; i < 200; i++) {
		make_series(200, 0, 0.3);
		early += ends_after(&job, 200) <= 200;
		make_series(200, -0.2, 0.01);
		slow += ends_after(&job, 200) <= 200;
		make_series(200, 0.12, 0.001);
		slow += ends_after(&job, 200) <= 200;
	}
	is_uint(early, 0, "30 %% of noise never ends early");
	is_uint(slow, 0, "a rate that falls or rises never does, however slowly it began");
}

/* Long waves look even while one is looked at. */
static void is_not_fooled(void)
{
	struct io_job job = job_of(400);
	unsigned wrong = 0, early = 0;

	for (int i = 0; i < 200; i++) {
		double x = 0;
		uint32_t n;

		for (int j = -200; j < 400; j++) {
			x = 0.9 * x + noise() * 0.03 * sqrt(1 - 0.81);
			if (j >= 0)
				series[j] = (uint64_t)(MEAN * (1 + x));
		}
		n = ends_after(&job, 400);
		early += n <= 400;
		wrong += n <= 400 && fabs(mean_of(n) / MEAN - 1) > 0.03;
	}
	ok(early < 60, "3 %% in long waves is seldom known to 1 %% (%u of 200)", early);
	ok(wrong <= 2, "and hardly ever wrong by 3 %% (%u of 200)", wrong);
}

/* ---- in a job ---- */

static uint64_t slower_and_slower(uint64_t n)
{
	return 100000 + n * 4000;
}

static void ends_a_job(void)
{
	struct io_job job = fake_job(4);

	fake_reset();
	fake.pause_ns = 200000;
	job.series_ns = 20 * MS;
	job.runtime_ns = 10 * NS_PER_S;
	job.steady.share = 0.9;		/* a busy machine is not even */
	io_job_run_on(&fake_engine, &job, &out);
	is_int(out.end, IO_END_STEADY, "a job of an even device ends early");
	ok(out.measured_ns >= 400 * MS && out.measured_ns < 8 * NS_PER_S, "long before its time");
	ok(out.has_rate_ci && out.rate_ci_share > 0 && out.rate_ci_share <= 0.9,
	   "with its interval (%.3f)", out.rate_ci_share);
	is_uint(out.trouble_ns, 0, "which is no trouble");
	ok(fake.torn_down == 1 && out.ios > 100, "and all is told");
	job.steady.min_bytes = out.bytes * 2;
	fake_reset();
	fake.pause_ns = 200000;
	io_job_run_on(&fake_engine, &job, &out);
	ok(out.end == IO_END_STEADY && out.bytes >= job.steady.min_bytes, "not before min_bytes");
	job.steady.min_bytes = 0;
	job.steady.min_ns = 600 * MS;
	job.jobs = 3;
	job.split_area = true;
	fake_reset();
	fake.pause_ns = 200000;
	io_job_run_on(&fake_engine, &job, &out);
	is_int(out.end, IO_END_STEADY, "several jobs end together");
	is_uint(out.jobs_used, 3, "all of them");
	ok(out.measured_ns >= 600 * MS && out.measured_ns < 8 * NS_PER_S, "not before min_ns");
	ok(out.has_rate_ci, "with the interval of their sum");
	job = fake_job(4);
	job.series_ns = 10 * MS;
	job.runtime_ns = NS_PER_S;
	job.steady.share = 0.05;
	fake_reset();
	fake.pause_of = slower_and_slower;
	io_job_run_on(&fake_engine, &job, &out);
	is_int(out.end, IO_END_TIME, "a device that slows down is measured to the end");
	job.series_ns = 20 * MS;
	job.runtime_ns = 100 * MS;
	job.steady.share = 0;
	io_job_run_on(&fake_engine, &job, &out);
	ok(!out.has_rate_ci, "few intervals say nothing of the mean");
}

int main(void)
{
	fake_devices();
	decides();
	is_not_fooled();
	ends_a_job();
	return tap_done();
}
