/* SPDX-License-Identifier: MIT */
/*
 * Steady state, after the SNIA's performance test specification: the whole disk is written once in
 * order (precondition), then rounds of random 4 KiB writes follow until the last five are alike
 * (see bench/stats/steady_rounds.h). What a new disk does in its first minutes is not what it does
 * when it is full.
 *
 * The rounds are the intervals of one job, without gaps. Other than the specification asks for, the
 * precondition is one pass and not two, rounds last what the budget leaves and not a minute, and
 * there is one thread: what a person with an hour has. All of that stands in the result.
 */
#include "bench/tests/steady_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/report/units.h"
#include "bench/stats/steady_rounds.h"
#include "bench/tests/io_verdict.h"
#include "lib/clock.h"

#define BLOCK_BYTES UINT32_C(4096)
#define DEPTH 32
#define FILL_BLOCK_BYTES (UINT32_C(1) << 20)
#define FILL_SHARE 2			/* of the budget, at most */
#define AREA_MIN_BYTES (UINT64_C(64) << 20)

struct steady {
	const struct test_context *c;
	const struct steady_state_param *param;
	struct result *r;
	uint64_t start_ns, written_bytes, round_ns;
	uint32_t n;
	double iops[IO_SERIES_MAX];
	bool is_steady;
	struct steady_rounds last;
};

static void tell(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	const struct steady *s = context;

	(void)elapsed_ns;	/* of this job alone */
	if (s->c->progress)
		s->c->progress(s->c->progress_context, clock_ns() - s->start_ns,
			       s->written_bytes + bytes);
}

static bool take_round(void *context, uint64_t bytes)
{
	struct steady *s = context;

	s->iops[s->n++] = (double)bytes / BLOCK_BYTES / ((double)s->round_ns / 1e9);
	s->is_steady = steady_rounds(s->iops, s->n, &s->last);
	return s->is_steady || s->n == s->param->rounds_max || s->n == IO_SERIES_MAX;
}

static struct io_job job_of(struct steady *s, uint32_t block_bytes, uint64_t runtime_ns)
{
	uint64_t room = s->c->memory_bytes / block_bytes, bytes = s->c->disk->size_bytes;

	return (struct io_job) {
		.fd = s->c->write_fd, .engine = "libaio", .access = IO_WRITE,
		.block_bytes = block_bytes, .align_bytes = s->c->disk->logical_block_bytes,
		.depth = s->c->memory_bytes && room < DEPTH ? (room ? (uint32_t)room : 1) : DEPTH,
		.area_bytes = bytes / block_bytes * block_bytes,
		.numa_node = s->c->disk->numa_node, .runtime_ns = runtime_ns,
		.stall_ns = s->c->stall_ns, .seed = 1, .progress = tell, .context = s,
	};
}

static void run_job(struct steady *s, const struct io_job *job, struct io_outcome *out)
{
	if (s->param->engine)
		(void)io_job_run_on(s->param->engine, job, out);
	else
		(void)io_job_run(job, out);
	s->written_bytes += out->issued_ios * job->block_bytes;
}

/* Writes the disk once from its start, as far as the time allows. */
static enum result_status fill(struct steady *s, char *why, size_t why_bytes)
{
	struct io_job job = job_of(s, FILL_BLOCK_BYTES, s->c->budget_ns / FILL_SHARE);
	struct io_outcome out;

	job.order = IO_SEQUENTIAL;
	job.bytes_max = job.area_bytes;
	run_job(s, &job, &out);
	(void)result_metric(s->r, "precondition_bytes", UNIT_BYTES, (double)out.bytes);
	(void)result_metric(s->r, "precondition_share", UNIT_PERCENT,
			    (double)out.bytes / (double)job.area_bytes * 100);
	return io_verdict(&job, &out, why, why_bytes);
}

static enum result_status rounds(struct steady *s, char *why, size_t why_bytes)
{
	uint64_t spent_ns = clock_ns() - s->start_ns, left_ns;
	struct io_job job;

	left_ns = s->c->budget_ns > spent_ns ? s->c->budget_ns - spent_ns : 0;
	s->round_ns = left_ns / s->param->rounds_max;
	if (s->round_ns < s->param->round_min_ns)
		s->round_ns = s->param->round_min_ns;
	if (s->round_ns > s->param->round_max_ns)
		s->round_ns = s->param->round_max_ns;
	/* at least one round; the last one must not be cut off by a hair */
	if (left_ns < s->round_ns)
		left_ns = s->round_ns;
	job = job_of(s, BLOCK_BYTES, left_ns + s->round_ns / 20);
	job.order = IO_RANDOM;
	job.series_ns = s->round_ns;
	job.interval = take_round;
	run_job(s, &job, &s->r->io);
	s->r->has_io = true;
	s->r->depth = s->r->io.depth_used ? s->r->io.depth_used : job.depth;
	s->r->area_bytes = job.area_bytes;
	s->r->seed = job.seed;
	s->r->series_ns = job.series_ns;
	return io_verdict(&job, &s->r->io, why, why_bytes);
}

static void add_metrics(struct steady *s)
{
	struct series *rounds = result_series(s->r, "rounds", UNIT_COUNT, UNIT_IOPS);
	struct metric *m;

	for (uint32_t i = 0; i < s->n; i++)
		series_add(rounds, i + 1, s->iops[i]);
	/* what counts are the last five rounds; the samples show the way there */
	m = result_metric(s->r, "iops", UNIT_IOPS, s->last.mean);
	metric_samples(m, s->iops, s->n);
	(void)result_metric(s->r, "throughput", UNIT_BYTES_PER_S, s->last.mean * BLOCK_BYTES);
	(void)result_metric(s->r, "rounds", UNIT_COUNT, s->n);
	(void)result_metric(s->r, "steady", UNIT_COUNT, s->is_steady);
	(void)result_metric(s->r, "iops_first_round", UNIT_IOPS, s->iops[0]);
	(void)result_metric(s->r, "range_percent", UNIT_PERCENT, s->last.range_share * 100);
	(void)result_metric(s->r, "slope_percent", UNIT_PERCENT, s->last.slope_share * 100);
	(void)result_metric(s->r, "bytes_written", UNIT_BYTES, (double)s->written_bytes);
}

/* "steady after 7 rounds of 30.0 s", or what is missing. */
static void end_well(struct steady *s, const char *note)
{
	const char *between = note[0] ? "; " : "";
	const struct metric *filled = result_find(s->r, "precondition_share");
	char part[64] = "";

	if (filled && filled->value < 99.9)
		snprintf(part, sizeof(part), "; %.0f %% of the disk had been written before",
			 filled->value);
	if (s->is_steady)
		result_end(s->r, RESULT_OK, "%s%ssteady after %" PRIu32 " rounds of %s%s", note,
			   between, s->n, units_time(UNITS_BUF, s->round_ns), part);
	else if (s->n < STEADY_ROUNDS)
		result_end(s->r, RESULT_OK, "%s%snot steady: time for %" PRIu32 " round%s of %s%s",
			   note, between, s->n, s->n == 1 ? "" : "s",
			   units_time(UNITS_BUF, s->round_ns), part);
	else
		result_end(s->r, RESULT_OK, "%s%snot steady after %" PRIu32 " rounds of %s: the "
			   "last five span %.0f %% and change by %.0f %%%s", note, between, s->n,
			   units_time(UNITS_BUF, s->round_ns), s->last.range_share * 100,
			   s->last.slope_share * 100, part);
}

static enum result_status steady_fits(const struct test *test, const struct disk *disk, char *why,
				      size_t why_bytes)
{
	uint32_t logical = disk->logical_block_bytes;

	(void)test;
	why[0] = '\0';
	if (!logical || logical % 512 || BLOCK_BYTES % logical) {
		snprintf(why, why_bytes, "writes of 4 KiB do not fit its logical blocks of %u "
			 "bytes", logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < AREA_MIN_BYTES) {
		snprintf(why, why_bytes, "a disk smaller than 64 MiB has no steady state to find");
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

static void steady_run(const struct test_context *c, struct result *r)
{
	struct steady s = { .c = c, .param = c->test->param, .r = r, .start_ns = clock_ns() };
	char why[RESULT_REASON_BYTES];
	enum result_status status = c->test->fits(c->test, c->disk, why, sizeof(why));

	if (status == RESULT_OK && c->write_fd < 0) {
		status = RESULT_SKIPPED;
		snprintf(why, sizeof(why), "it writes, and there is no consent to that");
	}
	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	snprintf(r->engine, sizeof(r->engine), "libaio");
	snprintf(r->access, sizeof(r->access), "write");
	snprintf(r->order, sizeof(r->order), "random");
	snprintf(r->data, sizeof(r->data), "random");
	snprintf(r->via, sizeof(r->via), "device");
	r->block_bytes = BLOCK_BYTES;
	r->depth_asked = DEPTH;
	r->jobs = 1;
	r->area_bytes = c->disk->size_bytes;
	status = fill(&s, why, sizeof(why));
	if (status == RESULT_OK)
		status = rounds(&s, why, sizeof(why));
	if (status == RESULT_OK && !s.n) {
		status = RESULT_FAILED;
		snprintf(why, sizeof(why), "not one round of %s was completed",
			 units_time(UNITS_BUF, s.round_ns));
	}
	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	add_metrics(&s);
	end_well(&s, why);
}

const struct test test_steady_state = {
	.name = "steady-state",
	.title = "steady state, random write 4 KiB",
	.help = "Writes the whole disk once, then blocks of 4 KiB at random places, 32 in flight, "
		"in rounds until the last five are alike (SNIA: span 20 %, slope 10 %).",
	.family = "", .access = TEST_WRITES, .rank = 70,
	.time = { { 0, 0 }, { 0, 0 }, { 120000, 1800000 } },
	.param = &(const struct steady_state_param){
		.round_min_ns = NS_PER_S, .round_max_ns = 60 * NS_PER_S, .rounds_max = 25,
	},
	.fits = steady_fits, .run = steady_run,
};
