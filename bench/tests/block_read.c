/* SPDX-License-Identifier: MIT */
/*
 * Reads from the raw device: sequential in large blocks for throughput, random in small ones for
 * I/Os per second, each one at a time (the latency a single caller sees) and 64 at once (what it
 * can do).
 */
#include "bench/tests/block_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tests/io_verdict.h"
#include "lib/clock.h"
#include "lib/file.h"

#define RAMP_SHARE 10			/* of the budget, at most RAMP_MAX_NS */
#define RAMP_MAX_NS (2 * NS_PER_S)
/*
 * Limiters (block cgroups, cloud volumes) hand out credit at round intervals, 100 ms or 1 s. The
 * window opens with a reply, so at the start of a burst; were it as long as a multiple of the
 * interval, it would end just where another begins, now with that one counted and now without.
 */
#define OFF_BEAT_NS (47 * NS_PER_MS)
#define SERIES_STEP_NS (100 * NS_PER_MS)	/* intervals are whole multiples of it */
#define SERIES_POINTS 50		/* aimed at, where the run is long enough */

#define KIB UINT32_C(1024)
#define MIB (UINT32_C(1024) * KIB)

/* Exact, in the largest binary unit that leaves no fraction. */
static const char *size_text(uint64_t bytes, char *text, size_t text_bytes)
{
	if (bytes && bytes % MIB == 0)
		snprintf(text, text_bytes, "%" PRIu64 " MiB", bytes / MIB);
	else if (bytes && bytes % KIB == 0)
		snprintf(text, text_bytes, "%" PRIu64 " KiB", bytes / KIB);
	else
		snprintf(text, text_bytes, "%" PRIu64 " bytes", bytes);
	return text;
}

struct block_read {
	enum io_order order;
	uint32_t block_bytes;
	uint32_t depth;
};

static enum result_status block_read_fits(const struct test *test, const struct disk *disk,
					  char *why, size_t why_bytes)
{
	const struct block_read *param = test->param;
	uint32_t logical = disk->logical_block_bytes;
	uint64_t least = (uint64_t)param->block_bytes * BLOCK_READ_BLOCKS_MIN;
	char size[32], needed[32], block[32];

	why[0] = '\0';
	if (!logical || logical % 512) {
		snprintf(why, why_bytes, "the kernel states a logical block of %u bytes", logical);
		return RESULT_UNSUPPORTED;
	}
	if (param->block_bytes % logical) {
		snprintf(why, why_bytes, "reads of %s do not fit its logical blocks of %u bytes",
			 size_text(param->block_bytes, block, sizeof(block)), logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < least) {
		snprintf(why, why_bytes,
			 "a disk of %s is smaller than the %s this test needs (%d reads of %s)",
			 size_text(disk->size_bytes, size, sizeof(size)),
			 size_text(least, needed, sizeof(needed)), BLOCK_READ_BLOCKS_MIN,
			 size_text(param->block_bytes, block, sizeof(block)));
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

/* MemAvailable of /proc/meminfo, UINT64_MAX where it cannot be read. */
static uint64_t memory_available_bytes(void)
{
	static const char key[] = "MemAvailable:";
	char text[4096];
	const char *at;

	if (file_read("/proc/meminfo", text, sizeof(text)) < 0)
		return UINT64_MAX;
	at = strstr(text, key);
	return at ? strtoull(at + sizeof(key) - 1, NULL, 10) * 1024 : UINT64_MAX;
}

/* FNV-1a, 32 bits: each test reads blocks of its own, so that none warms a cache for the next. */
static uint32_t seed_of(const char *name)
{
	uint32_t hash = 2166136261U;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619U;
	return hash;
}

static uint32_t depth_for(const struct test_context *c, uint64_t available_bytes, char *note,
			  size_t note_bytes)
{
	const struct block_read *param = c->test->param;
	uint32_t asked = param->depth, depth = asked;
	uint64_t blocks = c->disk->size_bytes / param->block_bytes;
	uint64_t room = available_bytes / BLOCK_READ_MEMORY_SHARE / param->block_bytes;
	const char *cause = NULL;

	note[0] = '\0';
	if (blocks < depth) {
		depth = (uint32_t)blocks;
		cause = "the disk holds no more such blocks";
	}
	if (room < depth) {
		depth = room ? (uint32_t)room : 1;
		cause = "more buffers would not fit into a quarter of the free memory";
	}
	if (depth < asked)
		snprintf(note, note_bytes, "queue depth %u instead of %u: %s", depth, asked, cause);
	return depth;
}

void block_read_job(const struct test_context *c, uint64_t available_bytes, struct io_job *job,
		    char *note, size_t note_bytes)
{
	const struct block_read *param = c->test->param;
	uint64_t ramp_ns = c->budget_ns / RAMP_SHARE;
	uint64_t off_beat_ns = c->budget_ns >= NS_PER_S ? OFF_BEAT_NS : 0;

	if (ramp_ns > RAMP_MAX_NS)
		ramp_ns = RAMP_MAX_NS;
	*job = (struct io_job) {
		.fd = c->fd,
		.engine = "libaio",
		.order = param->order,
		.block_bytes = param->block_bytes,
		.align_bytes = c->disk->logical_block_bytes,
		.depth = depth_for(c, available_bytes, note, note_bytes),
		.area_bytes = c->disk->size_bytes / param->block_bytes * param->block_bytes,
		.ramp_ns = ramp_ns,
		.runtime_ns = c->budget_ns - ramp_ns - off_beat_ns,
		.stall_ns = c->stall_ns,
		.seed = seed_of(c->test->name),
		.progress = c->progress,
		.context = c->progress_context,
	};
	job->series_ns = (job->runtime_ns / SERIES_POINTS + SERIES_STEP_NS - 1) / SERIES_STEP_NS *
			 SERIES_STEP_NS;
}

static void set_parameters(struct result *r, const struct test *t, const struct io_job *job)
{
	const struct block_read *param = t->param;

	snprintf(r->engine, sizeof(r->engine), "%s", job->engine);
	snprintf(r->access, sizeof(r->access), "read");
	snprintf(r->order, sizeof(r->order), "%s",
		 job->order == IO_RANDOM ? "random" : "sequential");
	r->block_bytes = job->block_bytes;
	r->depth = r->io.depth_used ? r->io.depth_used : job->depth;
	r->depth_asked = param->depth;
	r->jobs = 1;
	r->area_offset_bytes = job->area_offset_bytes;
	r->area_bytes = job->area_bytes;
	r->ramp_ns = job->ramp_ns;
	r->seed = job->seed;
	r->series_ns = job->series_ns;
}

/* A percentile is a number only where at least one I/O lies beyond it. */
static void add_percentile(struct result *r, const char *name, double percent)
{
	uint64_t ns = hist_percentile(&r->io.lat, percent);

	if ((double)r->io.lat.count * (100 - percent) / 100 >= 1 - 1e-9 && ns != UINT64_MAX)
		(void)result_metric(r, name, UNIT_NS, (double)ns);
}

static void add_metrics(struct result *r)
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
	(void)result_metric(r, "lat_mean", UNIT_NS, hist_mean(&out->lat));
	(void)result_metric(r, "lat_stdev", UNIT_NS, hist_stdev(&out->lat));
	(void)result_metric(r, "lat_min", UNIT_NS, (double)out->lat.min_ns);
	add_percentile(r, "lat_p50", 50);
	add_percentile(r, "lat_p90", 90);
	add_percentile(r, "lat_p99", 99);
	add_percentile(r, "lat_p999", 99.9);
	(void)result_metric(r, "lat_max", UNIT_NS, (double)out->lat.max_ns);
	(void)result_metric(r, "cpu_percent", UNIT_PERCENT,
			    cpu_ns / (double)out->measured_ns * 100);
	(void)result_metric(r, "errors", UNIT_COUNT,
			    (double)(out->error_ios + out->short_ios + out->zero_ios));
}

static void block_read_run(const struct test_context *c, struct result *r)
{
	char why[RESULT_REASON_BYTES], note[IO_NOTE_BYTES];
	enum result_status status;
	struct io_job job;

	/* the plan asked already; a disk of no blocks must not reach the job all the same */
	status = c->test->fits(c->test, c->disk, why, sizeof(why));
	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	block_read_job(c, memory_available_bytes(), &job, note, sizeof(note));
	(void)io_job_run(&job, &r->io);		/* what failed is in the outcome */
	r->has_io = true;
	set_parameters(r, c->test, &job);
	status = io_verdict(&job, &r->io, why, sizeof(why));
	result_end(r, status, "%s%s%s", note, note[0] && why[0] ? "; " : "", why);
	if (status == RESULT_OK)
		add_metrics(r);
}

const struct test test_seq_read_qd1 = {
	.name = "seq-read-qd1",
	.title = "sequential read 1 MiB, QD 1",
	.help = "Reads the device from its start in blocks of 1 MiB, one after the other.",
	.family = "", .rank = 10,
	.time = { { 1000, 5000 }, { 3000, 30000 }, { 10000, 60000 } },
	.param = &(const struct block_read){ IO_SEQUENTIAL, MIB, 1 },
	.fits = block_read_fits, .run = block_read_run,
};

const struct test test_seq_read_qd64 = {
	.name = "seq-read-qd64",
	.title = "sequential read 1 MiB, QD 64",
	.help = "Reads the device from its start in blocks of 1 MiB with 64 of them in flight: "
		"the most it delivers.",
	.family = "", .rank = 20,
	.time = { { 1000, 5000 }, { 3000, 30000 }, { 10000, 60000 } },
	.param = &(const struct block_read){ IO_SEQUENTIAL, MIB, 64 },
	.fits = block_read_fits, .run = block_read_run,
};

const struct test test_rand_read_qd1 = {
	.name = "rand-read-qd1",
	.title = "random read 4 KiB, QD 1",
	.help = "Reads blocks of 4 KiB at random places of the whole device, one after the other: "
		"the latency of a single request.",
	.family = "", .rank = 10,
	.time = { { 1000, 5000 }, { 3000, 30000 }, { 10000, 60000 } },
	.param = &(const struct block_read){ IO_RANDOM, 4 * KIB, 1 },
	.fits = block_read_fits, .run = block_read_run,
};

const struct test test_rand_read_qd64 = {
	.name = "rand-read-qd64",
	.title = "random read 4 KiB, QD 64",
	.help = "Reads blocks of 4 KiB at random places of the whole device with 64 of them in "
		"flight.",
	.family = "", .rank = 20,
	.time = { { 1000, 5000 }, { 3000, 30000 }, { 10000, 60000 } },
	.param = &(const struct block_read){ IO_RANDOM, 4 * KIB, 64 },
	.fits = block_read_fits, .run = block_read_run,
};
