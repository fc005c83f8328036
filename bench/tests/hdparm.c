/* SPDX-License-Identifier: MIT */
/*
 * What `hdparm -T`, `hdparm -t` and `hdparm -t --direct` measure (version 9.65, by what it does):
 * one buffer of 2 MiB, locked in memory, read again and again, one byte of every 512 touched.
 *
 * Before each sample the tool calls sync and sleeps for 3 s, so that a disk has come to rest; -T
 * sleeps for 1 s more after it has emptied the cache. All of these pauses are kept. Only sync is
 * narrower here, this disk's alone: what other disks are sent must not delay this one.
 */
#include "bench/tests/hdparm.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/report/units.h"
#include "bench/tests/stream_test.h"
#include "lib/clock.h"

#define REST_NS (3 * NS_PER_S)		/* before each sample */
#define EMPTY_NS NS_PER_S		/* -T: after the cache was emptied */
#define BUFFERED_NS (3 * NS_PER_S)	/* -t reads for so long */
#define CACHED_NS (2 * NS_PER_S)	/* -T */
#define SPARE_NS (100 * NS_PER_MS)	/* syncing, emptying, the last block */

struct hdparm {
	bool cached, direct;
};

static enum result_status hdparm_fits(const struct test *test, const struct disk *disk, char *why,
				      size_t why_bytes)
{
	(void)test;
	why[0] = '\0';
	if (disk->size_bytes >= HDPARM_BLOCK_BYTES)
		return RESULT_OK;
	snprintf(why, why_bytes, "a disk of %s is smaller than the 2 MiB that hdparm reads at once",
		 units_bytes(UNITS_BUF, disk->size_bytes));
	return RESULT_UNSUPPORTED;
}

static uint64_t sample_ns(const struct hdparm *h)
{
	return REST_NS + (h->cached ? EMPTY_NS + CACHED_NS : BUFFERED_NS) + SPARE_NS;
}

/* One block into the cache, which is then emptied: the first read of the sample is from disk. */
static bool prime(const struct test_context *c, const struct stream *sample, struct result *r,
		  bool *left_behind)
{
	struct stream s = *sample;

	s.again = false;
	s.bytes = HDPARM_BLOCK_BYTES;
	s.runtime_ns = 0;
	if (!stream_test_run(&s, r, NULL, left_behind))
		return false;
	(void)stream_drop_cache(s.fd);
	stream_test_pause(c, EMPTY_NS);
	return true;
}

static void take_samples(const struct test_context *c, struct stream *s, struct result *r,
			 bool *left_behind)
{
	const struct hdparm *h = c->test->param;
	uint64_t start_ns = clock_ns();
	struct series *runs = result_series(r, "runs", UNIT_NS, UNIT_BYTES);

	for (unsigned i = 0; i < HDPARM_SAMPLES_MAX; i++) {
		uint64_t spent_ns = clock_ns() - start_ns;

		if (i > 0 && spent_ns + sample_ns(h) > c->budget_ns)
			break;
		s->budget_ns = c->budget_ns - (spent_ns < c->budget_ns ? spent_ns : c->budget_ns);
		(void)stream_drop_cache(s->fd);
		stream_test_pause(c, REST_NS);
		if (h->cached && !prime(c, s, r, left_behind))
			return;
		if (!stream_test_run(s, r, runs, left_behind))
			return;
	}
	stream_test_median(r, h->cached ? "throughput_cached" : "throughput", runs);
}

static void set_parameters(struct result *r, const struct stream *s, const struct hdparm *h)
{
	snprintf(r->access, sizeof(r->access), "read");
	snprintf(r->order, sizeof(r->order), "sequential");
	snprintf(r->via, sizeof(r->via), "%s", h->direct ? "device" : "page-cache");
	r->block_bytes = HDPARM_BLOCK_BYTES;
	r->depth = r->depth_asked = r->jobs = 1;
	r->area_offset_bytes = s->offset_bytes;
	r->area_bytes = h->cached ? HDPARM_BLOCK_BYTES : s->bytes;
}

static void hdparm_run(const struct test_context *c, struct result *r)
{
	const struct hdparm *h = c->test->param;
	char why[RESULT_REASON_BYTES];
	enum result_status status = c->test->fits(c->test, c->disk, why, sizeof(why));
	bool left_behind = false;
	struct stream s;
	int fd = c->fd;

	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	if (c->budget_ns < sample_ns(h)) {
		result_end(r, RESULT_SKIPPED,
			   "a sample takes %.1f s, its pause included, and there were %.1f s",
			   (double)sample_ns(h) / 1e9, (double)c->budget_ns / 1e9);
		return;
	}
	if (!h->direct)
		fd = stream_test_open(c);
	if (fd < 0) {
		result_end(r, RESULT_FAILED, "%s cannot be opened: %s", c->disk->node,
			   strerror(-fd));
		return;
	}
	s = stream_test_init(c, fd, HDPARM_BLOCK_BYTES);
	set_parameters(r, &s, h);
	s.touch = true;
	s.again = h->cached;
	s.runtime_ns = h->cached ? CACHED_NS : BUFFERED_NS;
	if (h->cached)
		s.bytes = 0;
	take_samples(c, &s, r, &left_behind);
	stream_test_leave(c, left_behind);
	if (!h->direct && !left_behind) {
		(void)stream_drop_cache(fd);
		close(fd);
	}
}

const struct test test_hdparm_cached = {
	.name = "hdparm-T",
	.title = "hdparm -T, cached reads",
	.help = "Reads the same 2 MiB from the page cache for 2 s, as hdparm -T does: the speed of "
		"memory and processor, not of the disk. Up to five samples, their median.",
	.family = "hdparm", .rank = 30,
	.time = { { 6200, 6200 }, { 6200, 31000 }, { 31000, 31000 } },
	.param = &(const struct hdparm){ .cached = true },
	.fits = hdparm_fits, .run = hdparm_run,
};

const struct test test_hdparm_buffered = {
	.name = "hdparm-t",
	.title = "hdparm -t, buffered disk reads",
	.help = "Reads the disk from its start through the page cache, 2 MiB at a time for 3 s, as "
		"hdparm -t does. Up to five samples, their median.",
	.family = "hdparm", .rank = 12,
	.time = { { 6200, 6200 }, { 6200, 31000 }, { 31000, 31000 } },
	.param = &(const struct hdparm){ 0 },
	.fits = hdparm_fits, .run = hdparm_run,
};

const struct test test_hdparm_direct = {
	.name = "hdparm-t-direct",
	.title = "hdparm -t --direct, disk reads",
	.help = "The same past the page cache (O_DIRECT), as hdparm -t --direct does.",
	.family = "hdparm", .rank = 35,
	.time = { { 0, 0 }, { 6200, 31000 }, { 31000, 31000 } },
	.param = &(const struct hdparm){ .direct = true },
	.fits = hdparm_fits, .run = hdparm_run,
};
