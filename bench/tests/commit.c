/* SPDX-License-Identifier: MIT */
/*
 * Commit latency: one write of 4 KiB and a flush, again and again, in ascending order round a log
 * of 64 MiB, on the disk itself or in a file that has all its blocks already (a log that is used
 * again, so that no commit waits for the file system's own journal).
 *
 * A flush that never comes back cannot be left, so all of it is done in a thread that can be given
 * up.
 */
#include "bench/tests/commit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/consent/scratch.h"
#include "bench/tests/io_verdict.h"
#include "bench/tests/numbers.h"
#include "bench/tests/watched.h"
#include "lib/clock.h"
#include "lib/file.h"

#define RING_BYTES_MIN (UINT64_C(1) << 20)
#define RAMP_SHARE 10
#define OFF_BEAT_NS (47 * NS_PER_MS)	/* no window ends just where a limiter's next one begins */
#define SERIES_STEP_NS (100 * NS_PER_MS)
#define SERIES_POINTS 50
#define FILL_SHARE 4			/* of the budget, to give a file its blocks */
#define FILL_BLOCK_BYTES (UINT32_C(256) << 10)
#define BEAT_NS NS_PER_S		/* a job shows its progress so often */
#define STEADY_SHARE 0.01
#define STEADY_MIN_NS (3 * NS_PER_S)

struct commit {
	struct watched watched;
	struct io_job job;
	bool is_file;
	struct io_outcome fill, out;
};

static void beat(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	struct watched *w = context;

	(void)elapsed_ns;
	(void)watched_beat(w, bytes);
}

/* Gives the file its blocks; the ring is what there was time for. Returns false on failure. */
static bool fill_file(struct commit *m, uint64_t budget_ns)
{
	struct io_job fill = m->job;

	fill.flush = false;
	fill.block_bytes = FILL_BLOCK_BYTES;
	fill.bytes_max = fill.area_bytes;
	fill.ramp_ns = 0;
	fill.runtime_ns = budget_ns / FILL_SHARE;
	fill.series_ns = 0;
	fill.steady = (struct io_steady){ 0 };
	if (io_job_run(&fill, &m->fill) || (m->fill.end != IO_END_BYTES &&
					    m->fill.end != IO_END_TIME))
		return false;
	(void)watched_beat(&m->watched, 0);
	if (fsync(m->job.fd)) {
		m->fill.end = IO_END_SETUP;
		m->fill.setup_errno = errno;
		snprintf(m->fill.setup_what, sizeof(m->fill.setup_what), "fsync");
		return false;
	}
	if (m->fill.bytes < m->job.area_bytes)
		m->job.area_bytes = m->fill.bytes;
	return m->job.area_bytes >= COMMIT_BLOCK_BYTES;
}

static void work(struct watched *w)
{
	struct commit *m = w->context;
	uint64_t start_ns = clock_ns(), spent_ns;

	if (m->is_file) {
		if (!fill_file(m, m->job.runtime_ns)) {
			m->out = m->fill;
			return;
		}
		spent_ns = clock_ns() - start_ns;
		m->job.runtime_ns -= spent_ns < m->job.runtime_ns / 2 ? spent_ns :
									m->job.runtime_ns / 2;
	}
	if (watched_beat(w, 0))
		(void)io_job_run(&m->job, &m->out);
}

static struct io_job job_for(const struct test_context *c, struct watched *w)
{
	uint64_t off_beat_ns = c->budget_ns >= NS_PER_S ? OFF_BEAT_NS : 0;
	struct io_job job = {
		.fd = c->write_fd, .engine = "sync", .access = IO_WRITE, .order = IO_SEQUENTIAL,
		.flush = true, .block_bytes = COMMIT_BLOCK_BYTES,
		.align_bytes = c->disk->logical_block_bytes, .depth = 1,
		.numa_node = c->disk->numa_node, .ramp_ns = c->budget_ns / RAMP_SHARE,
		.stall_ns = c->stall_ns, .seed = 1, .progress = beat, .context = w,
	};

	job.runtime_ns = c->budget_ns - job.ramp_ns - off_beat_ns;
	job.series_ns = (job.runtime_ns / SERIES_POINTS + SERIES_STEP_NS - 1) / SERIES_STEP_NS *
			SERIES_STEP_NS;
	if (c->may_end_early)
		job.steady = (struct io_steady){ .share = STEADY_SHARE, .min_ns = STEADY_MIN_NS };
	numbers_area(c, &job.area_offset_bytes, &job.area_bytes);
	if (job.area_bytes > COMMIT_RING_BYTES)
		job.area_bytes = COMMIT_RING_BYTES;
	job.area_bytes -= job.area_bytes % COMMIT_BLOCK_BYTES;
	return job;
}

static enum result_status fits(const struct test *test, const struct disk *disk, char *why,
			       size_t why_bytes)
{
	uint32_t logical = disk->logical_block_bytes;

	why[0] = '\0';
	if (test->access == TEST_FILES)
		return RESULT_OK;
	if (!logical || logical % 512 || COMMIT_BLOCK_BYTES % logical) {
		snprintf(why, why_bytes, "writes of 4 KiB do not fit its logical blocks of %" PRIu32
			 " bytes", logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->read_only) {
		snprintf(why, why_bytes, "the disk is read-only");
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < RING_BYTES_MIN) {
		snprintf(why, why_bytes, "a disk of %" PRIu64 " bytes is smaller than the 1 MiB "
			 "this test needs", disk->size_bytes);
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

/* Whether the kernel sends flushes at all: without them a commit is only a write. */
static void say_cache(const struct disk *disk, char *text, size_t text_bytes)
{
	char path[DISK_NAME_BYTES + 40], cache[32];

	text[0] = '\0';
	snprintf(path, sizeof(path), "/sys/block/%s/queue/write_cache", disk->name);
	if (file_read(path, cache, sizeof(cache)) > 0 && !strncmp(cache, "write through", 13))
		snprintf(text, text_bytes, "the disk states no volatile cache, so no flush is sent "
			 "to it");
}

static void set_parameters(struct result *r, const struct test_context *c, const struct commit *m)
{
	snprintf(r->engine, sizeof(r->engine), "%s", m->job.engine);
	snprintf(r->access, sizeof(r->access), "write");
	snprintf(r->order, sizeof(r->order), "sequential");
	snprintf(r->data, sizeof(r->data), "random");
	snprintf(r->via, sizeof(r->via), "%s", m->is_file ? "file" : "device");
	if (m->is_file)
		snprintf(r->path, sizeof(r->path), "%s", c->dir);
	r->block_bytes = COMMIT_BLOCK_BYTES;
	r->depth = r->depth_asked = r->jobs = 1;
	r->area_offset_bytes = m->job.area_offset_bytes;
	r->area_bytes = m->job.area_bytes;
	r->ramp_ns = m->job.ramp_ns;
	r->seed = m->job.seed;
	r->series_ns = m->job.series_ns;
}

static void add_metrics(struct result *r)
{
	double iops[IO_SERIES_MAX];

	for (uint32_t i = 0; i < r->io.series_n; i++)
		iops[i] = (double)r->io.series_bytes[i] / COMMIT_BLOCK_BYTES * 1e9 /
			  (double)r->series_ns;
	metric_samples(result_metric(r, "iops", UNIT_IOPS,
				     (double)r->io.ios * 1e9 / (double)r->io.measured_ns),
		       iops, r->io.series_n);
	(void)numbers_latency(r, &r->io.lat);
	(void)result_metric(r, "errors", UNIT_COUNT,
			    (double)(r->io.error_ios + r->io.short_ios + r->io.zero_ios));
}

static void conclude(struct result *r, const struct test_context *c, struct commit *m, bool silent)
{
	char why[RESULT_REASON_BYTES], note[80];
	enum result_status status;

	r->io = m->out;
	r->has_io = true;
	if (silent) {
		uint64_t beat_ns = atomic_load(&m->watched.beat_ns);

		r->io.end = IO_END_STALLED;
		r->io.unanswered_ios = 1;
		r->io.silent_ns = clock_ns() - beat_ns;
	}
	set_parameters(r, c, m);
	status = io_verdict(&m->job, &r->io, why, sizeof(why));
	say_cache(c->disk, note, sizeof(note));
	result_end(r, status, "%s%s%s", why, why[0] && note[0] ? "; " : "", note);
	if (status == RESULT_OK)
		add_metrics(r);
}

/* `fd` is open for writing on the disk or on a file. */
static void run_on(const struct test_context *c, int fd, bool is_file, struct result *r)
{
	struct commit *m = watched_memory(sizeof(*m));
	int err;

	if (!m) {
		result_end(r, RESULT_FAILED, "out of memory");
		return;
	}
	m->watched = (struct watched) {
		.work = work, .context = m, .stall_ns = c->stall_ns + BEAT_NS,
		.progress = c->progress, .progress_context = c->progress_context,
	};
	m->is_file = is_file;
	m->job = job_for(c, &m->watched);
	m->job.fd = fd;
	hist_init(&m->out.lat);
	if (is_file) {
		m->job.area_offset_bytes = 0;
		m->job.area_bytes = COMMIT_RING_BYTES;
		m->job.align_bytes = 512;
	}
	err = watched_run(&m->watched);
	if (err && err != -ETIMEDOUT)
		result_end(r, RESULT_FAILED, "no thread could be started: %s", strerror(-err));
	else
		conclude(r, c, m, err == -ETIMEDOUT);
	if (err != -ETIMEDOUT)
		watched_memory_free(m, sizeof(*m));
}

static void run_disk(const struct test_context *c, struct result *r)
{
	char why[RESULT_REASON_BYTES];
	enum result_status status = c->test->fits(c->test, c->disk, why, sizeof(why));

	if (status != RESULT_OK)
		result_end(r, status, "%s", why);
	else if (c->write_fd < 0)
		result_end(r, RESULT_SKIPPED, "writes, and there is no consent to write");
	else
		run_on(c, c->write_fd, false, r);
}

static void run_file(const struct test_context *c, struct result *r)
{
	char why[RESULT_REASON_BYTES];
	int fd;

	if (!c->dir) {
		result_end(r, RESULT_SKIPPED, "there is no folder to write a file in");
		return;
	}
	fd = scratch_open(c->dir, COMMIT_RING_BYTES, 0, why, sizeof(why));
	if (fd < 0) {
		result_end(r, RESULT_FAILED, "%s", why);
		return;
	}
	run_on(c, fd, true, r);
	/* where a call still hangs on it, closing would hang as well; its end closes it */
	if (!r->has_io || r->io.end != IO_END_STALLED)
		close(fd);
}

const struct test test_commit_latency = {
	.name = "commit-latency",
	.family = "",
	.title = "commit: 4 KiB write and flush",
	.help = "What a database waits for: writes of 4 KiB, each followed by a flush of the "
		"disk's cache, one after the other in ascending order round a log of 64 MiB. "
		"Commits per second, and the time of one.",
	.access = TEST_WRITES, .rank = 20,
	.time = { { 1000, 4000 }, { 3000, 15000 }, { 10000, 30000 } },
	.fits = fits, .run = run_disk,
};

const struct test test_commit_latency_file = {
	.name = "commit-latency-file",
	.family = "",
	.title = "commit in a file: 4 KiB, fdatasync",
	.help = "What a database waits for: writes of 4 KiB, each followed by fdatasync, one after "
		"the other in ascending order round a file of 64 MiB that has its blocks already.",
	.access = TEST_FILES, .rank = 45,
	.time = { { 0, 0 }, { 3000, 12000 }, { 10000, 30000 } },
	.fits = fits, .run = run_file,
};
