/* SPDX-License-Identifier: MIT */
/* The hooks of our own block tests; see block.h. */
#include "bench/tests/block.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/io/place.h"
#include "bench/tests/io_verdict.h"
#include "bench/tests/numbers.h"

#define KIB UINT32_C(1024)
#define MIB (UINT32_C(1024) * KIB)

static const struct {
	const char *word, *plural;
} access_words[] = {
	[IO_READ] = { "read", "reads" },
	[IO_WRITE] = { "write", "writes" },
	[IO_MIX] = { "mixed", "I/Os" },
};

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

enum result_status block_fits(const struct test *test, const struct disk *disk, char *why,
			      size_t why_bytes)
{
	const struct block_param *param = test->param;
	const char *plural = access_words[param->access].plural;
	uint32_t logical = disk->logical_block_bytes;
	uint64_t least = (uint64_t)param->block_bytes * BLOCK_BLOCKS_MIN;
	char size[32], needed[32], block[32];

	why[0] = '\0';
	if (!logical || logical % 512) {
		snprintf(why, why_bytes, "the kernel states a logical block of %u bytes", logical);
		return RESULT_UNSUPPORTED;
	}
	if (param->block_bytes % logical) {
		snprintf(why, why_bytes, "%s of %s do not fit its logical blocks of %u bytes",
			 plural, size_text(param->block_bytes, block, sizeof(block)), logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < least) {
		snprintf(why, why_bytes,
			 "a disk of %s is smaller than the %s this test needs (%d %s of %s)",
			 size_text(disk->size_bytes, size, sizeof(size)),
			 size_text(least, needed, sizeof(needed)), BLOCK_BLOCKS_MIN, plural,
			 size_text(param->block_bytes, block, sizeof(block)));
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

static void set_parameters(const struct test_context *c, const struct io_job *job, struct result *r)
{
	const struct block_param *param = c->test->param;

	snprintf(r->engine, sizeof(r->engine), "%s", job->engine);
	snprintf(r->access, sizeof(r->access), "%s", access_words[job->access].word);
	snprintf(r->data, sizeof(r->data), "%s", job->access == IO_READ ? "" : "random");
	snprintf(r->via, sizeof(r->via), "device");
	snprintf(r->order, sizeof(r->order), "%s",
		 job->order == IO_SEQUENTIAL ? "sequential" : "random");
	r->block_bytes = job->block_bytes;
	r->depth = r->io.depth_used ? r->io.depth_used : job->depth;
	r->depth_asked = param->depth;
	r->jobs = r->io.jobs_used ? r->io.jobs_used : job->jobs;
	r->area_offset_bytes = job->area_offset_bytes;
	r->area_bytes = job->area_bytes;
	r->area_written = c->area_written;
	r->ramp_ns = job->ramp_ns;
	r->seed = job->seed;
	r->series_ns = job->series_ns;
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
	(void)numbers_latency(r, &out->lat);
	(void)result_metric(r, "cpu_percent", UNIT_PERCENT,
			    cpu_ns / (double)out->measured_ns * 100);
	(void)result_metric(r, "errors", UNIT_COUNT,
			    (double)(out->error_ios + out->short_ios + out->zero_ios));
}

/* An engine this kernel does not offer says nothing about the disk. */
static bool is_engine_missing(const struct io_job *job, const struct io_outcome *out)
{
	return out->end == IO_END_SETUP && !strcmp(job->engine, "io_uring") &&
	       !strcmp(out->setup_what, "io_uring_setup") &&
	       (out->setup_errno == ENOSYS || out->setup_errno == EPERM);
}

/* True where there is nothing to run, with the reason in `r`. */
static bool is_pointless(const struct test_context *c, int cpus, struct result *r)
{
	const struct block_param *param = c->test->param;
	char why[RESULT_REASON_BYTES];
	/* the plan asked already; a disk of no blocks must not reach the job all the same */
	enum result_status status = c->test->fits(c->test, c->disk, why, sizeof(why));

	if (status != RESULT_OK)
		result_end(r, status, "%s", why);
	else if (param->access != IO_READ && c->write_fd < 0)
		result_end(r, RESULT_SKIPPED, "%s", c->disk->consent_why[0] ? c->disk->consent_why :
			   "there is no consent to write to this disk");
	else if (param->jobs > 1 && cpus == 1)
		result_end(r, RESULT_SKIPPED,
			   "there is one CPU alone: it would be the same test with one thread");
	return r->status != RESULT_PLANNED;
}

void block_run(const struct test_context *c, struct result *r)
{
	const struct block_param *param = c->test->param;
	char why[RESULT_REASON_BYTES], note[IO_NOTE_BYTES];
	int cpus = place_cpus();
	enum result_status status;
	struct io_job job;

	if (is_pointless(c, cpus, r))
		return;
	block_job(c, cpus > 0 ? (uint32_t)cpus : UINT32_MAX, &job, note, sizeof(note));
	(void)io_job_run(&job, &r->io);		/* what failed is in the outcome */
	if (is_engine_missing(&job, &r->io)) {
		result_end(r, RESULT_UNSUPPORTED, "%s", r->io.note);
		return;
	}
	r->has_io = true;
	set_parameters(c, &job, r);
	status = io_verdict(&job, &r->io, why, sizeof(why));
	result_end(r, status, "%s%s%s", note, note[0] && why[0] ? "; " : "", why);
	if (param->once)
		r->area_bytes = block_written_bytes(&job, &r->io);
	if (status == RESULT_OK)
		add_metrics(r);
}
