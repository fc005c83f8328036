/* SPDX-License-Identifier: MIT */
/*
 * A sweep over queue depth and number of jobs: random reads of 4 KiB with 1, 2, 4 ... 256 in
 * flight from one thread, then from more threads, and the depth at which the disk is saturated.
 */
#include "bench/tests/sweep.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/stats/saturation.h"
#include "bench/tests/io_verdict.h"
#include "bench/tests/numbers.h"
#include "lib/clock.h"

#define BLOCK_BYTES UINT32_C(4096)
#define BLOCKS_MIN 16
#define DEPTH_MAX 256
#define JOBS_FROM 32		/* in flight; below that one thread is never the limit */
#define JOBS_MAX 4
#define STEP_MIN_NS (150 * NS_PER_MS)	/* several jobs only where each step gets so much */
#define RAMP_SHARE 10
/* Limiters hand out credit at round intervals: no window ends just where another one begins. */
#define OFF_BEAT_NS (47 * NS_PER_MS)
#define SETUP_NS (10 * NS_PER_MS)	/* what starting and ending a job takes */

static bool step_fits(uint32_t in_flight, uint64_t memory_bytes, uint64_t blocks)
{
	return in_flight <= blocks &&
	       (!memory_bytes || (uint64_t)in_flight * BLOCK_BYTES <= memory_bytes);
}

unsigned sweep_steps(struct sweep_step *step, unsigned cpus, uint64_t memory_bytes, uint64_t blocks,
		     uint64_t budget_ns)
{
	unsigned n = 0, alone;

	for (uint32_t depth = 1; depth <= DEPTH_MAX; depth *= 2)
		if (step_fits(depth, memory_bytes, blocks))
			step[n++] = (struct sweep_step){ .jobs = 1, .depth = depth };
	alone = n;
	for (uint32_t jobs = 2; jobs <= JOBS_MAX && jobs <= cpus; jobs *= 2)
		for (uint32_t total = JOBS_FROM; total <= DEPTH_MAX; total *= 2)
			if (step_fits(total, memory_bytes, blocks) && n < SWEEP_STEPS_MAX)
				step[n++] = (struct sweep_step){ .jobs = jobs,
								 .depth = total / jobs };
	return n && budget_ns / n >= STEP_MIN_NS ? n : alone;
}

/* ---- what it says ---- */

__attribute__((format(printf, 3, 4)))
static void add(char *text, size_t bytes, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;

	if (used + 1 >= bytes)
		return;
	va_start(args, fmt);
	vsnprintf(text + used, bytes - used, fmt, args);
	va_end(args);
}

static void add_series(struct result *r, const struct sweep_step *step, unsigned n, uint32_t jobs)
{
	const char *name = jobs == 1 ? "sweep-iops" : jobs == 2 ? "sweep-iops-2-jobs" :
								   "sweep-iops-4-jobs";
	struct series *iops = result_series(r, name, UNIT_COUNT, UNIT_IOPS), *p99 = NULL;

	if (jobs == 1)
		p99 = result_series(r, "sweep-p99", UNIT_COUNT, UNIT_NS);
	for (unsigned i = 0; i < n; i++) {
		double in_flight = (double)step[i].jobs * step[i].depth;

		if (step[i].jobs != jobs)
			continue;
		series_add(iops, in_flight, step[i].iops);
		if (step[i].p99_ns > 0)
			series_add(p99, in_flight, step[i].p99_ns);
	}
}

static unsigned count_jobs(const struct sweep_step *step, unsigned n, uint32_t jobs)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++)
		count += step[i].jobs == jobs;
	return count;
}

/* The best of more jobs, where it is worth a word: one thread was the limit, not the disk. */
static void say_jobs(const struct sweep_step *step, unsigned n, double alone_iops, char *text,
		     size_t text_bytes)
{
	const struct sweep_step *best = NULL;

	for (unsigned i = 0; i < n; i++)
		if (step[i].jobs > 1 && (!best || step[i].iops > best->iops))
			best = &step[i];
	if (!best)
		return;
	if (best->iops > alone_iops * (1 + SWEEP_GAIN))
		add(text, text_bytes, "; one thread is the limit: %" PRIu32 " with %" PRIu32
		    " in flight each reach %.0f IOPS", best->jobs, best->depth, best->iops);
	else
		add(text, text_bytes, "; more threads bring no more");
}

void sweep_conclude(struct result *r, const struct sweep_step *step, unsigned n, char *text,
		    size_t text_bytes)
{
	double rate[SWEEP_STEPS_MAX], best = 0, best_alone = 0;
	unsigned alone = count_jobs(step, n, 1), at;

	text[0] = '\0';
	if (!n)
		return;
	for (unsigned i = 0; i < n; i++)
		best = step[i].iops > best ? step[i].iops : best;
	for (unsigned i = 0; i < alone; i++) {
		rate[i] = step[i].iops;
		best_alone = rate[i] > best_alone ? rate[i] : best_alone;
	}
	for (uint32_t jobs = 1; jobs <= JOBS_MAX; jobs *= 2)
		if (count_jobs(step, n, jobs))
			add_series(r, step, n, jobs);
	at = (unsigned)saturation_find(rate, alone, SWEEP_GAIN);
	(void)result_metric(r, "iops", UNIT_IOPS, best);
	(void)result_metric(r, "iops_qd1", UNIT_IOPS, step[0].iops);
	if (at < alone) {
		(void)result_metric(r, "saturation_depth", UNIT_COUNT, step[at].depth);
		(void)result_metric(r, "saturation_iops", UNIT_IOPS, step[at].iops);
		if (step[at].p99_ns > 0)
			(void)result_metric(r, "lat_p99", UNIT_NS, step[at].p99_ns);
		add(text, text_bytes, "saturated with %" PRIu32 " in flight at %.0f IOPS: from "
		    "there on no doubling gains more than %.0f %%", step[at].depth, step[at].iops,
		    SWEEP_GAIN * 100);
	} else if (alone > 1) {
		add(text, text_bytes, "not saturated with %" PRIu32 " in flight at %.0f IOPS: the "
		    "last doubling still gained %.0f %%", step[alone - 1].depth, rate[alone - 1],
		    (rate[alone - 1] / rate[alone - 2] - 1) * 100);
	}
	say_jobs(step, n, best_alone, text, text_bytes);
}

/* ---- the test ---- */

static enum result_status fits(const struct test *test, const struct disk *disk, char *why,
			       size_t why_bytes)
{
	uint32_t logical = disk->logical_block_bytes;

	(void)test;
	why[0] = '\0';
	if (!logical || logical % 512 || BLOCK_BYTES % logical) {
		snprintf(why, why_bytes, "reads of 4 KiB do not fit its logical blocks of %" PRIu32
			 " bytes", logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < (uint64_t)BLOCKS_MIN * BLOCK_BYTES) {
		snprintf(why, why_bytes, "a disk of %" PRIu64 " bytes is smaller than the 64 KiB "
			 "this test needs", disk->size_bytes);
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

static struct io_job job_for(const struct test_context *c)
{
	struct io_job job = {
		.fd = c->fd, .engine = "libaio", .access = IO_READ, .order = IO_RANDOM,
		.block_bytes = BLOCK_BYTES, .align_bytes = c->disk->logical_block_bytes,
		.numa_node = c->disk->numa_node, .stall_ns = c->stall_ns,
		.progress = c->progress, .context = c->progress_context,
	};

	numbers_area(c, &job.area_offset_bytes, &job.area_bytes);
	job.area_bytes -= job.area_bytes % BLOCK_BYTES;
	return job;
}

/* Gives the job its share of the time that is left. */
static void set_time(struct io_job *job, uint64_t step_ns)
{
	uint64_t off_ns = SETUP_NS + (step_ns >= NS_PER_S ? OFF_BEAT_NS : 0);

	job->ramp_ns = step_ns / RAMP_SHARE;
	job->runtime_ns = NS_PER_MS;
	if (step_ns > job->ramp_ns + off_ns + NS_PER_MS)
		job->runtime_ns = step_ns - job->ramp_ns - off_ns;
}

static void take(struct sweep_step *step, const struct io_outcome *out)
{
	uint64_t p99_ns = hist_percentile(&out->lat, 99);

	step->iops = (double)out->ios * 1e9 / (double)out->measured_ns;
	step->p99_ns = out->lat.count >= 100 && p99_ns != UINT64_MAX ? (double)p99_ns : 0;
}

static void set_parameters(struct result *r, const struct io_job *job)
{
	snprintf(r->engine, sizeof(r->engine), "%s", job->engine);
	snprintf(r->access, sizeof(r->access), "read");
	snprintf(r->order, sizeof(r->order), "random");
	snprintf(r->via, sizeof(r->via), "device");
	r->block_bytes = job->block_bytes;
	r->depth = r->depth_asked = r->io.depth_used;
	r->jobs = r->io.jobs_used;
	r->area_offset_bytes = job->area_offset_bytes;
	r->area_bytes = job->area_bytes;
	r->ramp_ns = job->ramp_ns;
}

/*
 * The steps, until one does not go on or the time is over. Keeps the outcome of the best one (of
 * the first, where that failed), and in `why` what went wrong first. Returns how many have their
 * numbers; *end is how the last one ended.
 */
static unsigned run_steps(struct io_job *job, struct sweep_step *step, unsigned n,
			  uint64_t end_ns, struct result *r, enum io_end *end, char *why,
			  size_t why_bytes)
{
	static struct io_outcome out;
	char sentence[RESULT_REASON_BYTES - 40];
	unsigned done = 0, best = 0;
	uint64_t now_ns;

	*end = IO_END_TIME;
	for (; done < n; done++) {
		enum result_status status;

		now_ns = clock_ns();
		if (done && now_ns >= end_ns) {
			snprintf(why, why_bytes, "the disk was too slow for more in the time");
			break;
		}
		set_time(job, now_ns < end_ns ? (end_ns - now_ns) / (n - done) : 0);
		job->depth = step[done].depth;
		job->jobs = step[done].jobs;
		job->seed = done + 1;	/* no step reads what the one before has left in a cache */
		(void)io_job_run(job, &out);
		/* too little time for a depth is no fault of the disk: the last one tried */
		if (done && out.end == IO_END_NO_IO) {
			snprintf(why, why_bytes, "the disk was too slow for more in the time");
			break;
		}
		*end = out.end;
		status = io_verdict(job, &out, sentence, sizeof(sentence));
		if (sentence[0] && !why[0])
			snprintf(why, why_bytes, "with %" PRIu32 " in flight: %s",
				 job->depth * job->jobs, sentence);
		if (status == RESULT_OK)
			take(&step[done], &out);
		if (!done || (status == RESULT_OK && step[done].iops > step[best].iops)) {
			best = done;
			r->io = out;
		}
		/* where the kernel allows no more, more would be the same */
		if (status != RESULT_OK || out.depth_used < job->depth)
			break;
	}
	return done;
}

static void run(const struct test_context *c, struct result *r)
{
	struct sweep_step step[SWEEP_STEPS_MAX];
	char why[RESULT_REASON_BYTES] = "", text[RESULT_REASON_BYTES];
	enum result_status status = c->test->fits(c->test, c->disk, text, sizeof(text));
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct io_job job = job_for(c);
	unsigned n, done;
	enum io_end end;

	if (status != RESULT_OK) {
		result_end(r, status, "%s", text);
		return;
	}
	n = sweep_steps(step, cpus > 0 ? (unsigned)cpus : 1, c->memory_bytes,
			job.area_bytes / BLOCK_BYTES, c->budget_ns);
	done = run_steps(&job, step, n, clock_ns() + c->budget_ns, r, &end, why, sizeof(why));
	r->has_io = n > 0;
	set_parameters(r, &job);
	/* two steps make a curve */
	if (done < 2) {
		result_end(r, done && numbers_can_go_on(end) ? RESULT_SKIPPED : RESULT_FAILED, "%s",
			   why[0] ? why : "too few depths could be tried");
		return;
	}
	sweep_conclude(r, step, done, text, sizeof(text));
	if (numbers_can_go_on(end)) {
		result_end(r, RESULT_OK, "%s%s%s", text, why[0] ? "; " : "", why);
		return;
	}
	/* what hangs or is gone has no speed, but the points it gave before stay */
	r->metric_n = 0;
	result_end(r, RESULT_FAILED, "%s; the %u depths before are kept", why, done);
}

const struct test test_sweep_read = {
	.name = "sweep-read",
	.family = "",
	.title = "random read 4 KiB, QD 1 to 256",
	.help = "Random reads of 4 KiB with 1, 2, 4 ... 256 in flight, then from 2 and 4 threads, "
		"and the depth at which the disk is saturated: the smallest from which on no "
		"doubling gains more than 10 %.",
	.access = TEST_READS, .rank = 40,
	.time = { { 3000, 9000 }, { 5000, 34000 }, { 17000, 68000 } },
	.fits = fits, .run = run,
};
