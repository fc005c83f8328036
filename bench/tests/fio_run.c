/* SPDX-License-Identifier: MIT */
/* Runs a job of fio's shape and turns its outcome into metrics; see fio_run.h. */
#include "bench/tests/fio_run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/tests/io_verdict.h"
#include "lib/clock.h"

#define RAMP_SHARE_MAX 5	/* the ramp takes at most one in so many parts of the budget */
/* Kept off the beat of limiters that hand out credit at round intervals; see docs/measuring.md. */
#define OFF_BEAT_NS (47 * NS_PER_MS)
#define SERIES_NS (500 * NS_PER_MS)	/* fio's bwavgtime and iopsavgtime */
#define SERIES_SHORT_NS (100 * NS_PER_MS)	/* of runs too short for ten of these */
/*
 * A window may close early only after amounts no cache of a disk or controller holds, and never in
 * a job that writes: the write cache of an SSD takes hundreds of gigabytes.
 */
#define STEADY_SHARE 0.01
#define STEADY_MIN_NS (5 * NS_PER_S)
#define STEADY_MIN_BYTES (UINT64_C(16) << 30)

__attribute__((format(printf, 3, 4)))
static void add_note(char *note, size_t bytes, const char *fmt, ...)
{
	size_t used = strlen(note);
	va_list args;

	if (used && used + 2 < bytes) {
		memcpy(note + used, "; ", 3);
		used += 2;
	}
	va_start(args, fmt);
	vsnprintf(note + used, bytes - used, fmt, args);
	va_end(args);
}

/* FNV-1a: each test has offsets of its own, the same in every run. */
static uint32_t seed_of(const char *name)
{
	uint32_t hash = 2166136261U;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619U;
	return hash;
}

enum result_status fio_run_fits(const struct test *test, const struct disk *disk, char *why,
				size_t why_bytes)
{
	const struct fio_param *p = test->param;
	uint32_t logical = disk->logical_block_bytes;
	uint64_t least = (uint64_t)p->block_bytes * FIO_RUN_BLOCKS_MIN;

	why[0] = '\0';
	if (!logical || logical % 512 || p->block_bytes % logical) {
		snprintf(why, why_bytes,
			 "I/Os of %u bytes do not fit its logical blocks of %u bytes",
			 p->block_bytes, logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < least) {
		snprintf(why, why_bytes,
			 "a disk of %" PRIu64 " bytes is smaller than the %" PRIu64
			 " this test needs (%d I/Os of %u)",
			 disk->size_bytes, least, FIO_RUN_BLOCKS_MIN, p->block_bytes);
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

/* Fewer buffers where memory or blocks do not allow all: first fewer of each job, then jobs. */
static void fit_buffers(struct io_job *job, const struct fio_param *p, uint64_t memory_bytes,
			char *note, size_t note_bytes)
{
	uint64_t room = memory_bytes ? memory_bytes / p->block_bytes : UINT64_MAX;
	uint64_t blocks = job->area_bytes / p->block_bytes / (p->shared ? 1 : job->jobs);

	if (blocks < job->depth) {
		job->depth = (uint32_t)blocks;
		add_note(note, note_bytes, "queue depth %u instead of %u: %s holds no more blocks",
			 job->depth, p->depth, job->jobs > 1 ? "a job's region" : "the disk");
	}
	if (room / job->jobs >= job->depth)
		return;
	job->depth = (uint32_t)(room / job->jobs);
	if (!job->depth) {
		job->depth = 1;
		job->jobs = room ? (uint32_t)room : 1;
	}
	if (job->jobs < p->jobs)
		add_note(note, note_bytes, "%u of %u jobs, queue depth %u instead of %u", job->jobs,
			 p->jobs, job->depth, p->depth);
	else
		add_note(note, note_bytes, "queue depth %u instead of %u", job->depth, p->depth);
	add_note(note, note_bytes, "more buffers would not fit into a quarter of the free memory");
}

/* Where the jobs' files would be: regions of fio's `size` side by side, smaller on a small disk. */
static void place(struct io_job *job, const struct fio_param *p, const struct test_context *c,
		  char *note, size_t note_bytes)
{
	uint64_t area = c->area_bytes ? c->area_bytes : c->disk->size_bytes;
	uint32_t files = p->shared ? 1 : p->jobs;
	uint64_t region = area / files < p->size_bytes ? area / files : p->size_bytes;

	region = region / p->block_bytes * p->block_bytes;
	if (region < p->block_bytes) {	/* not even a block for each: all share what there is */
		region = area / p->block_bytes * p->block_bytes;
		files = 1;
	}
	job->split_area = files > 1;
	job->area_offset_bytes = c->area_offset_bytes;
	job->area_bytes = region * files;
	if (files > 1)
		add_note(note, note_bytes, "each of %u jobs in a region of its own of %" PRIu64
			 " MiB, one behind the other", files, region >> 20);
	else if (p->jobs > 1)
		add_note(note, note_bytes, "%u jobs in one region of %" PRIu64 " MiB", p->jobs,
			 region >> 20);
}

void fio_run_job(const struct test_context *c, struct io_job *job, char *note, size_t note_bytes)
{
	const struct fio_param *p = c->test->param;
	uint64_t ramp_ns = c->budget_ns / RAMP_SHARE_MAX;
	uint64_t off_beat_ns = c->budget_ns >= NS_PER_S ? OFF_BEAT_NS : 0;

	if (ramp_ns > p->ramp_ns)
		ramp_ns = p->ramp_ns;
	note[0] = '\0';
	*job = (struct io_job) {
		.fd = p->access == IO_READ ? c->fd : c->write_fd,
		.engine = "libaio",
		.access = p->access,
		.read_percent = 50,
		.order = p->order,
		.block_bytes = p->block_bytes,
		.align_bytes = c->disk->logical_block_bytes,
		.depth = p->depth,
		.jobs = p->jobs,
		.detail = true,
		.numa_node = c->disk->numa_node,
		.ramp_ns = ramp_ns,
		.runtime_ns = c->budget_ns - ramp_ns - off_beat_ns,
		.total_ns = c->budget_ns,
		.stall_ns = c->stall_ns,
		.seed = seed_of(c->test->name),
		.progress = c->progress,
		.gate = c->gate,
		.context = c->progress_context,
	};
	if (c->may_end_early && p->access == IO_READ)
		job->steady = (struct io_steady){ STEADY_SHARE, STEADY_MIN_NS, STEADY_MIN_BYTES };
	job->series_ns = job->runtime_ns < 10 * SERIES_NS ? SERIES_SHORT_NS : SERIES_NS;
	place(job, p, c, note, note_bytes);
	fit_buffers(job, p, c->memory_bytes, note, note_bytes);
}

static void set_parameters(struct result *r, const struct test_context *c,
			   const struct io_job *job)
{
	static const char *const access[] = {
		[IO_READ] = "read", [IO_WRITE] = "write", [IO_MIX] = "mixed",
	};
	const struct fio_param *p = c->test->param;

	snprintf(r->engine, sizeof(r->engine), "%s", job->engine);
	snprintf(r->access, sizeof(r->access), "%s", access[job->access]);
	snprintf(r->order, sizeof(r->order), "%s",
		 job->order == IO_SEQUENTIAL ? "sequential" : "random");
	snprintf(r->via, sizeof(r->via), "device");
	if (job->access != IO_READ)
		snprintf(r->data, sizeof(r->data), "random");
	r->block_bytes = job->block_bytes;
	r->depth = r->io.depth_used ? r->io.depth_used : job->depth;
	r->depth_asked = p->depth;
	r->jobs = r->io.jobs_used ? r->io.jobs_used : job->jobs;
	r->area_offset_bytes = job->area_offset_bytes;
	r->area_bytes = job->area_bytes;
	r->area_written = c->area_written;
	r->ramp_ns = job->ramp_ns;
	r->seed = job->seed;
	r->series_ns = job->series_ns;
}

/* A percentile is a number only where at least one I/O lies beyond it. */
static void add_percentile(struct result *r, const char *name, const struct hist *h, double percent)
{
	uint64_t ns = hist_percentile(h, percent);

	if ((double)h->count * (100 - percent) / 100 >= 1 - 1e-9 && ns != UINT64_MAX)
		(void)result_metric(r, name, UNIT_NS, (double)ns);
}

/* Both directions of a mix; of one alone the sums say all. */
static void add_sides(struct result *r, double measured_s)
{
	static const char *const names[IO_SIDES][2] = {
		[IO_SIDE_READ] = { "read_throughput", "read_iops" },
		[IO_SIDE_WRITE] = { "write_throughput", "write_iops" },
	};

	for (int i = 0; i < IO_SIDES; i++) {
		const struct io_side *side = &r->io.side[i];

		(void)result_metric(r, names[i][0], UNIT_BYTES_PER_S,
				    (double)side->bytes / measured_s);
		(void)result_metric(r, names[i][1], UNIT_IOPS, (double)side->ios / measured_s);
	}
}

/* The parts of the latency, of one direction; those of a mix are in the detail alone. */
static void add_parts(struct result *r, const struct io_side *side)
{
	(void)result_metric(r, "slat_mean", UNIT_NS, moments_mean(&side->slat));
	if (!side->clat.count)
		return;
	(void)result_metric(r, "clat_mean", UNIT_NS, hist_mean(&side->clat));
	(void)result_metric(r, "clat_stdev", UNIT_NS, hist_stdev(&side->clat));
	add_percentile(r, "clat_p50", &side->clat, 50);
	add_percentile(r, "clat_p99", &side->clat, 99);
}

static void add_metrics(struct result *r, enum io_access access)
{
	const struct io_outcome *out = &r->io;
	double bytes_per_s[IO_SERIES_MAX], iops[IO_SERIES_MAX];
	double measured_s = (double)out->measured_ns / 1e9, interval_s = (double)r->series_ns / 1e9;
	double cpu_ns = (double)(out->user_cpu_ns + out->system_cpu_ns);
	struct metric *m;

	for (uint32_t i = 0; i < out->series_n; i++) {
		bytes_per_s[i] = (double)out->series_bytes[i] / interval_s;
		iops[i] = bytes_per_s[i] / r->block_bytes;
	}
	m = result_metric(r, "throughput", UNIT_BYTES_PER_S, (double)out->bytes / measured_s);
	metric_samples(m, bytes_per_s, out->series_n);
	m = result_metric(r, "iops", UNIT_IOPS, (double)out->ios / measured_s);
	metric_samples(m, iops, out->series_n);
	if (access == IO_MIX && out->has_detail)
		add_sides(r, measured_s);
	(void)result_metric(r, "lat_mean", UNIT_NS, hist_mean(&out->lat));
	(void)result_metric(r, "lat_stdev", UNIT_NS, hist_stdev(&out->lat));
	(void)result_metric(r, "lat_min", UNIT_NS, (double)out->lat.min_ns);
	add_percentile(r, "lat_p50", &out->lat, 50);
	add_percentile(r, "lat_p90", &out->lat, 90);
	add_percentile(r, "lat_p99", &out->lat, 99);
	add_percentile(r, "lat_p999", &out->lat, 99.9);
	(void)result_metric(r, "lat_max", UNIT_NS, (double)out->lat.max_ns);
	if (access != IO_MIX && out->has_detail)
		add_parts(r, &out->side[access == IO_READ ? IO_SIDE_READ : IO_SIDE_WRITE]);
	(void)result_metric(r, "cpu_percent", UNIT_PERCENT,
			    cpu_ns / (double)out->measured_ns * 100);
	(void)result_metric(r, "errors", UNIT_COUNT,
			    (double)(out->error_ios + out->short_ios + out->zero_ios));
}

void fio_run(const struct test_context *c, struct result *r)
{
	const struct fio_param *p = c->test->param;
	char why[RESULT_REASON_BYTES], note[RESULT_REASON_BYTES];
	enum result_status status;
	struct io_job job;

	/* the plan asked already; a disk of no blocks must not reach the job all the same */
	status = fio_run_fits(c->test, c->disk, why, sizeof(why));
	if (status == RESULT_OK && p->access != IO_READ && c->write_fd < 0) {
		status = RESULT_SKIPPED;
		snprintf(why, sizeof(why), "it writes, and nobody allowed that");
	}
	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	fio_run_job(c, &job, note, sizeof(note));
	(void)io_job_run(&job, &r->io);		/* what failed is in the outcome */
	r->has_io = true;
	set_parameters(r, c, &job);
	status = io_verdict(&job, &r->io, why, sizeof(why));
	result_end(r, status, "%s%s%s", note, note[0] && why[0] ? "; " : "", why);
	if (status == RESULT_OK)
		add_metrics(r, p->access);
}
