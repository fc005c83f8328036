/* SPDX-License-Identifier: MIT */
/*
 * The benchmark of GNOME Disks: the rate of single large reads (or of writing the same data back)
 * at a hundred places over the disk, and the time of single-page reads at random places.
 *
 * Places, sizes, order and averages are the tool's (gnome-disk-utility, the benchmark dialog); so
 * is that each transfer is one plain system call. What differs: an error costs its own sample only,
 * and a disk too small or too slow for it gets smaller or fewer samples, which the result says.
 */
#include "bench/tests/gnome.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/io/buffers.h"
#include "bench/io/trouble.h"
#include "bench/tests/io_verdict.h"
#include "bench/tests/numbers.h"
#include "bench/tests/watched.h"
#include "lib/clock.h"

#define PAGE_BYTES UINT32_C(4096)	/* what sysconf says on every x86-64 machine */
#define PROBE_BYTES (UINT32_C(256) << 10)
/* A sample that would take longer than this share of the stall time is made smaller. */
#define SLOW_SHARE 2
#define ACCESS_PAGES_MIN 16		/* a disk of fewer pages has no random places */

struct gnome_kind {
	bool access;	/* times of single pages, not rates of large samples */
	bool writes;
};

/* All that the thread needs: its own copy, as it may outlive the test. */
struct gnome {
	struct watched watched;
	const struct gnome_kind *kind;
	struct io_job job;		/* by which failures are judged */
	uint64_t start_ns, end_ns;
	uint32_t sample_bytes, asked_bytes;
	unsigned char *buffer;
	size_t buffer_bytes;
	struct gnome_rand rand;
	/* with watched.lock held */
	struct io_outcome out;
	struct io_trouble trouble;
	struct series series;
	bool over;			/* out.end is final */
	bool out_of_time;
};

uint64_t gnome_sample_offset(uint32_t n, uint64_t size_bytes, uint32_t page_bytes)
{
	return n * size_bytes / GNOME_SAMPLES & ~((uint64_t)page_bytes - 1);
}

uint64_t gnome_access_offset(struct gnome_rand *r, uint64_t size_bytes, uint32_t page_bytes)
{
	uint64_t place = (uint64_t)(gnome_rand_double(r) * (double)size_bytes);

	return place & ~((uint64_t)page_bytes - 1);
}

/* ---- in the thread ---- */

static void note_bad(struct gnome *g, uint64_t offset_bytes, int64_t result)
{
	enum io_end end;

	pthread_mutex_lock(&g->watched.lock);
	g->out.issued_ios++;
	if (io_trouble_add(&g->trouble, &g->job, &g->out, offset_bytes, result, clock_ns(), &end)) {
		g->out.end = end;
		g->out.trouble_ns = g->trouble.row_ns - g->start_ns;
		g->over = true;
	}
	pthread_mutex_unlock(&g->watched.lock);
}

static void note_good(struct gnome *g, uint64_t offset_bytes, uint64_t bytes, uint64_t ns)
{
	bool zero = !g->kind->writes && io_buffer_is_zero(g->buffer, bytes / 64 * 64);
	uint64_t at_bytes = offset_bytes;

	if (!ns)	/* a clock this coarse cannot time it */
		ns = 1;
	pthread_mutex_lock(&g->watched.lock);
	g->out.issued_ios++;
	g->out.ios++;
	g->out.bytes += bytes;
	g->out.measured_ns += ns;
	g->out.sampled_buffers += !g->kind->writes;
	g->out.zero_buffers += zero;
	hist_add(&g->out.lat, ns, 1);
	g->trouble.bad_row = g->trouble.zero_row = 0;
	series_add(&g->series, (double)at_bytes,
		   g->kind->access ? (double)ns : (double)bytes * 1e9 / (double)ns);
	pthread_mutex_unlock(&g->watched.lock);
}

/* Returns what pread gives, or -errno; -ECANCELED where the test was given up. */
static int64_t read_at(struct gnome *g, uint64_t bytes, uint64_t offset_bytes, uint64_t *ns)
{
	uint64_t before_ns;
	ssize_t got;

	if (!watched_beat(&g->watched, g->out.bytes))
		return -ECANCELED;
	before_ns = clock_ns();
	got = pread(g->job.fd, g->buffer, bytes, (off_t)offset_bytes);
	*ns = clock_ns() - before_ns;
	return got < 0 ? -errno : got;
}

/* Writes what is in the buffer, as through a descriptor with O_SYNC, and syncs. */
static int64_t write_at(struct gnome *g, uint64_t bytes, uint64_t offset_bytes, uint64_t *ns)
{
	struct iovec data = { .iov_base = g->buffer, .iov_len = bytes };
	uint64_t before_ns;
	ssize_t got;

	if (!watched_beat(&g->watched, g->out.bytes))
		return -ECANCELED;
	before_ns = clock_ns();
	got = pwritev2(g->job.fd, &data, 1, (off_t)offset_bytes, RWF_SYNC);
	if (got >= 0 && fsync(g->job.fd))
		got = -1;
	*ns = clock_ns() - before_ns;
	return got < 0 ? -errno : got;
}

/* One sample at a place: the head is brought there by one page, then one transfer is timed. */
static void take_sample(struct gnome *g, uint64_t offset_bytes)
{
	uint64_t left_bytes = g->job.area_offset_bytes + g->job.area_bytes - offset_bytes;
	uint64_t bytes = left_bytes < g->sample_bytes ? left_bytes : g->sample_bytes, ns;
	uint64_t page = left_bytes < PAGE_BYTES ? left_bytes : PAGE_BYTES, want = page;
	int64_t got = read_at(g, page, offset_bytes, &ns);

	if (got == (int64_t)page) {
		want = bytes;
		got = read_at(g, bytes, offset_bytes, &ns);
	}
	/* what was not read in whole is never written */
	if (g->kind->writes && want == bytes && got == (int64_t)bytes) {
		got = read_at(g, page, offset_bytes, &ns);
		want = page;
		if (got == (int64_t)page) {
			want = bytes;
			got = write_at(g, bytes, offset_bytes, &ns);
		}
	}
	if (got == -ECANCELED)
		return;
	if (want == bytes && got == (int64_t)bytes)
		note_good(g, offset_bytes, bytes, ns);
	else
		note_bad(g, offset_bytes, got);
}

static void take_access(struct gnome *g, uint64_t offset_bytes)
{
	uint64_t left_bytes = g->job.area_offset_bytes + g->job.area_bytes - offset_bytes, ns;
	uint64_t bytes = left_bytes < PAGE_BYTES ? left_bytes : PAGE_BYTES;
	int64_t got = read_at(g, bytes, offset_bytes, &ns);

	if (got == -ECANCELED)
		return;
	if (got == (int64_t)bytes)
		note_good(g, offset_bytes, bytes, ns);
	else
		note_bad(g, offset_bytes, got);
}

/*
 * A disk of kilobytes per second would keep a sample of 10 MiB for minutes, in one call that cannot
 * be ended. So a little of the end of the area, where no sample lies, is read first.
 */
static void fit_sample(struct gnome *g)
{
	uint64_t end_bytes = g->job.area_offset_bytes + g->job.area_bytes;
	uint64_t offset_bytes = (end_bytes - PROBE_BYTES) & ~((uint64_t)PAGE_BYTES - 1), ns;
	uint64_t limit_ns = g->watched.stall_ns / SLOW_SHARE;
	double bytes;

	if (read_at(g, PAGE_BYTES, offset_bytes, &ns) != PAGE_BYTES ||
	    read_at(g, PROBE_BYTES, offset_bytes, &ns) != PROBE_BYTES)
		return;		/* the samples will say why */
	bytes = (double)PROBE_BYTES * (double)limit_ns / (double)(ns ? ns : 1);
	if (bytes >= g->sample_bytes)
		return;
	g->sample_bytes = (uint32_t)(bytes / 2) & ~(PAGE_BYTES - 1);
	if (g->sample_bytes < GNOME_SAMPLE_BYTES_MIN)
		g->sample_bytes = GNOME_SAMPLE_BYTES_MIN;
}

static void work_samples(struct gnome *g)
{
	double n = 0;

	fit_sample(g);
	for (uint64_t began_ns = clock_ns(), taken = 0; n < GNOME_SAMPLES && !g->over; ) {
		uint64_t now_ns, each_ns;

		if (atomic_load(&g->watched.given_up))
			return;
		take_sample(g, g->job.area_offset_bytes +
				    gnome_sample_offset((uint32_t)n, g->job.area_bytes,
							PAGE_BYTES));
		now_ns = clock_ns();
		each_ns = (now_ns - began_ns) / ++taken;
		n = numbers_next_place(n, GNOME_SAMPLES,
				       g->end_ns > now_ns ? g->end_ns - now_ns : 0, each_ns);
	}
}

static void work_accesses(struct gnome *g)
{
	gnome_rand_init(&g->rand, GNOME_SEED);
	for (uint32_t n = 0; n < GNOME_ACCESSES && !g->over; n++) {
		if (atomic_load(&g->watched.given_up) || clock_ns() >= g->end_ns)
			return;
		take_access(g, g->job.area_offset_bytes +
				    gnome_access_offset(&g->rand, g->job.area_bytes, PAGE_BYTES));
	}
}

static void work(struct watched *w)
{
	struct gnome *g = w->context;

	if (g->kind->access)
		work_accesses(g);
	else
		work_samples(g);
}

/* ---- beside it ---- */

static enum result_status fits(const struct test *test, const struct disk *disk, char *why,
			       size_t why_bytes)
{
	const struct gnome_kind *kind = test->param;
	uint32_t logical = disk->logical_block_bytes;
	uint64_t least = kind->access ? ACCESS_PAGES_MIN * (uint64_t)PAGE_BYTES
				      : GNOME_SAMPLES * (uint64_t)GNOME_SAMPLE_BYTES_MIN;

	why[0] = '\0';
	if (!logical || logical % 512 || PAGE_BYTES % logical) {
		snprintf(why, why_bytes, "pages of %u bytes do not fit its logical blocks of %u "
			 "bytes", PAGE_BYTES, logical);
		return RESULT_UNSUPPORTED;
	}
	if (kind->writes && disk->read_only) {
		snprintf(why, why_bytes, "the disk is read-only");
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < least) {
		snprintf(why, why_bytes, "a disk of %" PRIu64 " bytes is smaller than the %" PRIu64
			 " this test needs", disk->size_bytes, least);
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

/* The sample for this disk and this memory: samples must not overlap. */
static uint32_t sample_bytes_for(const struct test_context *c, uint64_t area_bytes)
{
	uint64_t bytes = GNOME_SAMPLE_BYTES, apart_bytes = area_bytes / GNOME_SAMPLES;

	if (bytes > apart_bytes)
		bytes = apart_bytes;
	if (c->memory_bytes && bytes > c->memory_bytes)
		bytes = c->memory_bytes;
	if (bytes < GNOME_SAMPLE_BYTES_MIN)
		bytes = GNOME_SAMPLE_BYTES_MIN;
	return (uint32_t)bytes & ~(PAGE_BYTES - 1);
}

static struct gnome *prepare(const struct test_context *c, struct result *r)
{
	struct gnome *g = watched_memory(sizeof(*g));

	if (!g) {
		result_end(r, RESULT_FAILED, "out of memory");
		return NULL;
	}
	g->kind = c->test->param;
	g->job = (struct io_job) {
		.fd = g->kind->writes ? c->write_fd : c->fd,
		.access = g->kind->writes ? IO_WRITE : IO_READ,
		.order = g->kind->access ? IO_RANDOM : IO_SEQUENTIAL,
		.align_bytes = c->disk->logical_block_bytes, .depth = 1,
		.numa_node = c->disk->numa_node, .runtime_ns = c->budget_ns,
		.stall_ns = c->stall_ns, .seed = GNOME_SEED,
	};
	numbers_area(c, &g->job.area_offset_bytes, &g->job.area_bytes);
	g->sample_bytes = g->kind->access ? PAGE_BYTES : sample_bytes_for(c, g->job.area_bytes);
	g->asked_bytes = g->sample_bytes;
	g->job.block_bytes = g->sample_bytes;
	/* ordinary pages, as the tool has: larger ones would make larger requests of a sample */
	g->buffer_bytes = g->sample_bytes < PROBE_BYTES ? PROBE_BYTES : g->sample_bytes;
	g->buffer = watched_memory(g->buffer_bytes);
	if (!g->buffer) {
		result_end(r, RESULT_FAILED, "no memory for a sample of %u bytes", g->sample_bytes);
		watched_memory_free(g, sizeof(*g));
		return NULL;
	}
	/* all pages are there before the clock runs */
	memset(g->buffer, 0x5a, g->buffer_bytes);
	g->watched = (struct watched) {
		.work = work, .context = g, .stall_ns = c->stall_ns, .progress = c->progress,
		.progress_context = c->progress_context,
	};
	hist_init(&g->out.lat);
	g->out.depth_used = 1;
	g->start_ns = clock_ns();
	g->end_ns = g->start_ns + c->budget_ns;
	return g;
}

static void set_parameters(struct result *r, const struct gnome *g)
{
	snprintf(r->engine, sizeof(r->engine), "sync");
	snprintf(r->access, sizeof(r->access), "%s", g->kind->writes ? "write" : "read");
	snprintf(r->order, sizeof(r->order), "%s", g->kind->access ? "random" : "sequential");
	snprintf(r->via, sizeof(r->via), "device");
	if (g->kind->writes)
		snprintf(r->data, sizeof(r->data), "as-read");
	r->block_bytes = g->sample_bytes;
	r->depth = r->depth_asked = r->jobs = 1;
	r->area_offset_bytes = g->job.area_offset_bytes;
	r->area_bytes = g->job.area_bytes;
	r->seed = g->kind->access ? GNOME_SEED : 0;
}

static void add_metrics(struct result *r, const struct series *s)
{
	double value[SERIES_POINTS_MAX], sum = 0;
	bool access = s->y_unit == UNIT_NS;
	struct metric *m;

	for (uint32_t i = 0; i < s->point_n; i++)
		sum += value[i] = s->point[i].y;
	if (!access) {
		m = result_metric(r, "throughput", UNIT_BYTES_PER_S, sum / s->point_n);
		metric_samples(m, value, s->point_n);
	}
	m = numbers_latency(r, &r->io.lat);
	if (access)
		metric_samples(m, value, s->point_n);
	(void)result_metric(r, "samples", UNIT_COUNT, s->point_n);
	(void)result_metric(r, "errors", UNIT_COUNT,
			    (double)(r->io.error_ios + r->io.short_ios + r->io.zero_ios));
}

/* "samples of 640 KiB instead of 10 MiB: ...", "87 samples instead of 100: ..." */
static void describe(const struct gnome *g, char *text, size_t text_bytes)
{
	uint32_t all = g->kind->access ? GNOME_ACCESSES : GNOME_SAMPLES;
	const char *what = g->kind->access ? "reads" : "samples";
	size_t used = 0;

	text[0] = '\0';
	if (!g->kind->access && g->sample_bytes < GNOME_SAMPLE_BYTES)
		snprintf(text, text_bytes, "samples of %u KiB instead of 10 MiB, as the %s",
			 g->sample_bytes >> 10,
			 g->sample_bytes < g->asked_bytes ? "disk is very slow" :
			 g->job.area_bytes / GNOME_SAMPLES < GNOME_SAMPLE_BYTES ?
			 "area is small" : "memory is");
	used = strlen(text);
	if (g->out.issued_ios && g->out.issued_ios < all && g->out.end == IO_END_TIME)
		snprintf(text + used, text_bytes - used, "%s%" PRIu64 " %s instead of %u%s: there "
			 "was no time for more", used ? "; " : "", g->out.issued_ios, what, all,
			 g->kind->access ? "" : ", spread evenly");
}

/* The series and the status: as long as half of the samples could be taken they are a curve. */
static void conclude(const struct gnome *g, struct result *r)
{
	char why[RESULT_REASON_BYTES], note[RESULT_REASON_BYTES];
	enum result_status status = io_verdict(&g->job, &r->io, why, sizeof(why));
	struct series *s = result_series(r, g->kind->access ? "access" : "transfer", UNIT_BYTES,
					 g->kind->access ? UNIT_NS : UNIT_BYTES_PER_S);

	if (s) {
		s->point_n = g->series.point_n;
		s->points_lost = g->series.points_lost;
		memcpy(s->point, g->series.point, s->point_n * sizeof(s->point[0]));
	}
	if (r->io.end == IO_END_TIME && r->io.ios && 2 * r->io.ios >= r->io.issued_ios)
		status = RESULT_OK;
	describe(g, note, sizeof(note));
	if (status != RESULT_OK && r->io.ios)
		result_end(r, status, "%s%s%s; the %" PRIu64 " samples taken before are kept",
			   note, note[0] ? "; " : "", why, r->io.ios);
	else
		result_end(r, status, "%s%s%s", note, note[0] && why[0] ? "; " : "", why);
	if (status == RESULT_OK && s)
		add_metrics(r, s);
}

static void run(const struct test_context *c, struct result *r)
{
	char why[RESULT_REASON_BYTES];
	enum result_status status = c->test->fits(c->test, c->disk, why, sizeof(why));
	struct gnome *g;
	int err;

	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	g = prepare(c, r);
	if (!g)
		return;
	err = watched_run(&g->watched);
	if (err && err != -ETIMEDOUT) {
		result_end(r, RESULT_FAILED, "no thread could be started: %s", strerror(-err));
	} else {
		pthread_mutex_lock(&g->watched.lock);
		if (err) {
			uint64_t beat_ns = atomic_load(&g->watched.beat_ns);

			g->out.end = IO_END_STALLED;
			g->out.unanswered_ios = 1;
			g->out.silent_ns = clock_ns() - beat_ns;
			g->out.trouble_ns = beat_ns - g->start_ns;
		} else if (!g->over && !g->out.ios) {
			g->out.end = g->out.issued_ios ? IO_END_ERRORS : IO_END_NO_IO;
		}
		r->io = g->out;
		r->has_io = true;
		set_parameters(r, g);
		conclude(g, r);
		pthread_mutex_unlock(&g->watched.lock);
	}
	if (err == -ETIMEDOUT)
		return;		/* the thread still has it all */
	watched_memory_free(g->buffer, g->buffer_bytes);
	watched_memory_free(g, sizeof(*g));
}

static void run_write(const struct test_context *c, struct result *r)
{
	if (c->write_fd < 0) {
		result_end(r, RESULT_SKIPPED, "writes the disk's data back, and there is no "
			   "consent to write");
		return;
	}
	run(c, r);
}

const struct test test_gnome_curve = {
	.name = "gnome-curve",
	.family = "gnome-disks",
	.title = "GNOME Disks: read curve",
	.help = "As GNOME Disks measures: 100 samples over the whole disk, each one read of 10 MiB "
		"behind a read of one page; the average is the mean of their rates. One read at a "
		"time shows less than an NVMe disk can do: see deep-curve.",
	.access = TEST_READS, .rank = 30,
	.time = { { 2000, 6000 }, { 4000, 30000 }, { 10000, 60000 } },
	.param = &(const struct gnome_kind){ .access = false },
	.fits = fits, .run = run,
};

const struct test test_gnome_access = {
	.name = "gnome-access",
	.family = "gnome-disks",
	.title = "GNOME Disks: access time",
	.help = "As GNOME Disks measures: the times of 1000 reads of one page at random places of "
		"the whole disk, one at a time, the same places on every disk of this size.",
	.access = TEST_READS, .rank = 30,
	.time = { { 1000, 4000 }, { 2000, 15000 }, { 5000, 30000 } },
	.param = &(const struct gnome_kind){ .access = true },
	.fits = fits, .run = run,
};

const struct test test_gnome_write = {
	.name = "gnome-write",
	.family = "gnome-disks",
	.title = "GNOME Disks: write-back curve",
	.help = "As GNOME Disks measures: 100 samples of 10 MiB over the whole disk, each read and "
		"then written back with the same data, synced within its time. The disk's data "
		"stays as it is. Only where power is lost in the middle of such a write may blocks "
		"of the sample under way (10 MiB) be damaged.",
	.access = TEST_WRITES_BACK, .rank = 60,
	.time = { { 0, 0 }, { 6000, 45000 }, { 20000, 90000 } },
	.param = &(const struct gnome_kind){ .writes = true },
	.fits = fits, .run = run_write,
};
