/* SPDX-License-Identifier: MIT */
/*
 * What people measure with dd: blocks of zeros through the page cache and flushed, and reads.
 *
 * The flush is inside of the time, as conv=fdatasync and `&& sync` have it. A disk too slow for the
 * whole amount writes what fits in the time, and the result says so; dd would go on.
 */
#include "bench/tests/dd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/report/units.h"
#include "bench/tests/stream_test.h"
#include "lib/clock.h"

#define KIB UINT32_C(1024)
#define BLOCKS_MIN 16			/* a smaller disk has nothing to measure */
#define COLD_PERCENT 70			/* of the budget: the cached read is the faster one */
#define CACHED_UNKNOWN (UINT64_C(64) << 20)	/* read from the cache where memory is not known */

struct dd {
	uint32_t block_bytes;
	uint32_t count;
	enum stream_data data;
	enum stream_close close;
};

static enum result_status dd_fits(const struct test *test, const struct disk *disk, char *why,
				  size_t why_bytes)
{
	const struct dd *dd = test->param;

	why[0] = '\0';
	if (disk->size_bytes >= (uint64_t)dd->block_bytes * BLOCKS_MIN)
		return RESULT_OK;
	snprintf(why, why_bytes, "a disk of %s is smaller than %d blocks of this test",
		 units_bytes(UNITS_BUF, disk->size_bytes), BLOCKS_MIN);
	return RESULT_UNSUPPORTED;
}

static void dd_write_run(const struct test_context *c, struct result *r)
{
	const struct dd *dd = c->test->param;
	struct series *runs = result_series(r, "runs", UNIT_NS, UNIT_BYTES);
	struct stream form = stream_test_init(c, -1, dd->block_bytes);

	form.write = true;
	form.data = dd->data;
	form.close = dd->close;
	r->block_bytes = dd->block_bytes;
	snprintf(r->data, sizeof(r->data), "%s", dd->data == STREAM_ZEROS ? "zeros" : "random");
	if (stream_test_write(c, &form, (uint64_t)dd->block_bytes * dd->count, c->budget_ns, r,
			      runs))
		stream_test_median(r, "throughput", runs);
}

/* Reads once more what is in the page cache now; brings it there first where it was too much. */
static void read_cached(const struct test_context *c, struct stream *s, uint64_t budget_ns,
			struct result *r, bool *left_behind)
{
	uint64_t room = c->memory_bytes ? c->memory_bytes : CACHED_UNKNOWN;
	uint64_t start_ns = clock_ns(), spent_ns;
	struct series *runs = result_series(r, "runs-cached", UNIT_NS, UNIT_BYTES);
	struct io_outcome cold = r->io;

	if (s->bytes > room)
		s->bytes = room / s->block_bytes * s->block_bytes;
	s->budget_ns = budget_ns;
	if (s->bytes < s->block_bytes || !stream_test_run(s, r, NULL, left_behind))
		return;
	spent_ns = clock_ns() - start_ns;
	s->budget_ns = budget_ns > spent_ns ? budget_ns - spent_ns : 1;
	if (!stream_test_run(s, r, runs, left_behind))
		return;
	/* what the report shows of I/O is the disk's */
	r->io = cold;
	stream_test_median(r, "throughput_cached", runs);
}

static void dd_read_run(const struct test_context *c, struct result *r)
{
	const struct dd *dd = c->test->param;
	uint64_t asked = (uint64_t)dd->block_bytes * dd->count, start_ns = clock_ns(), cold_ns;
	struct series *runs = result_series(r, "runs", UNIT_NS, UNIT_BYTES);
	bool left_behind = false;
	struct stream s;
	int fd = stream_test_open(c);

	if (fd < 0) {
		result_end(r, RESULT_FAILED, "%s cannot be opened: %s", c->disk->node,
			   strerror(-fd));
		return;
	}
	s = stream_test_init(c, fd, dd->block_bytes);
	s.null_sink = true;
	if (s.bytes > asked)
		s.bytes = asked;
	s.budget_ns = c->budget_ns / 100 * COLD_PERCENT;
	snprintf(r->access, sizeof(r->access), "read");
	snprintf(r->order, sizeof(r->order), "sequential");
	snprintf(r->via, sizeof(r->via), "page-cache");
	r->block_bytes = dd->block_bytes;
	r->depth = r->depth_asked = r->jobs = 1;
	r->area_offset_bytes = s.offset_bytes;
	r->area_bytes = s.bytes;
	(void)stream_drop_cache(fd);
	if (stream_test_run(&s, r, runs, &left_behind)) {
		char told[RESULT_REASON_BYTES] = "";

		stream_test_median(r, "throughput", runs);
		if (r->io.bytes < asked)
			snprintf(told, sizeof(told), "%s of %s: %s",
				 units_bytes(UNITS_BUF, r->io.bytes), units_bytes(UNITS_BUF, asked),
				 r->io.bytes < s.bytes ? "its time was over"
						       : "the disk has no more");
		cold_ns = clock_ns() - start_ns;
		s.bytes = r->io.bytes;
		if (cold_ns < c->budget_ns)
			read_cached(c, &s, c->budget_ns - cold_ns, r, &left_behind);
		if (r->status == RESULT_OK)
			result_end(r, RESULT_OK, "%s", told);
	}
	stream_test_leave(c, left_behind);
	if (!left_behind) {
		(void)stream_drop_cache(fd);
		close(fd);
	}
}

const struct test test_dd_write_1g = {
	.name = "dd-write-1g",
	.title = "dd write 1 GiB, fdatasync",
	.help = "dd if=/dev/zero bs=64k count=16k conv=fdatasync: 1 GiB of zeros through the page "
		"cache, the flush inside of the time.",
	.family = "dd", .access = TEST_WRITES_OR_FILE, .rank = 14,
	.time = { { 2000, 15000 }, { 4000, 30000 }, { 20000, 120000 } },
	.param = &(const struct dd){ 64 * KIB, 16 * KIB, STREAM_ZEROS, STREAM_FDATASYNC },
	.fits = dd_fits, .run = dd_write_run,
};

const struct test test_dd_write_2g = {
	.name = "dd-write-2g",
	.title = "dd write 2 GiB, fdatasync",
	.help = "dd if=/dev/zero bs=64K count=32K conv=fdatasync: the same with 2 GiB.",
	.family = "dd", .access = TEST_WRITES_OR_FILE, .rank = 40,
	.time = { { 0, 0 }, { 4000, 30000 }, { 20000, 120000 } },
	.param = &(const struct dd){ 64 * KIB, 32 * KIB, STREAM_ZEROS, STREAM_FDATASYNC },
	.fits = dd_fits, .run = dd_write_run,
};

const struct test test_dd_write_16g = {
	.name = "dd-write-16g",
	.title = "dd write 16 GiB, fdatasync",
	.help = "dd if=/dev/zero bs=64K count=256K conv=fdatasync: the same with 16 GiB, more than "
		"the memory of many machines.",
	.family = "dd", .access = TEST_WRITES_OR_FILE, .rank = 60,
	.time = { { 0, 0 }, { 8000, 60000 }, { 60000, 600000 } },
	.param = &(const struct dd){ 64 * KIB, 256 * KIB, STREAM_ZEROS, STREAM_FDATASYNC },
	.fits = dd_fits, .run = dd_write_run,
};

const struct test test_dd_write_8k_sync = {
	.name = "dd-write-8k-sync",
	.title = "dd write 250,000 x 8 KiB, sync",
	.help = "dd if=/dev/zero bs=8k count=250000 && sync, timed together.",
	.family = "dd", .access = TEST_WRITES_OR_FILE, .rank = 38,
	.time = { { 0, 0 }, { 4000, 30000 }, { 20000, 120000 } },
	.param = &(const struct dd){ 8 * KIB, 250000, STREAM_ZEROS, STREAM_SYNC },
	.fits = dd_fits, .run = dd_write_run,
};

const struct test test_dd_write_1g_random = {
	.name = "dd-write-1g-random",
	.title = "the same, incompressible data",
	.help = "As dd-write-1g with data that neither compresses nor repeats: some controllers "
		"shorten zeros.",
	.family = "dd", .access = TEST_WRITES_OR_FILE, .rank = 36,
	.time = { { 0, 0 }, { 4000, 30000 }, { 20000, 120000 } },
	.param = &(const struct dd){ 64 * KIB, 16 * KIB, STREAM_RANDOM, STREAM_FDATASYNC },
	.fits = dd_fits, .run = dd_write_run,
};

const struct test test_dd_read = {
	.name = "dd-read",
	.title = "dd read 2 GiB, cold and cached",
	.help = "dd of=/dev/null bs=64k count=32k: 2 GiB of the disk after its cache was emptied, "
		"and apart from that the same from the page cache, which is the speed of memory.",
	.family = "dd", .rank = 32,
	.time = { { 1500, 8000 }, { 3000, 25000 }, { 20000, 60000 } },
	.param = &(const struct dd){ 64 * KIB, 32 * KIB, STREAM_ZEROS, STREAM_LEAVE },
	.fits = dd_fits, .run = dd_read_run,
};
