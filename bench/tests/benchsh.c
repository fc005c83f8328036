/* SPDX-License-Identifier: MIT */
/*
 * bench.sh's I/O test: three times dd if=/dev/zero bs=512k count=2048 conv=fdatasync on a file that
 * is removed in between (since 2023; older versions wrote bs=64k count=16k, which is dd-write-1g).
 *
 * Its average multiplies what dd printed in GB/s by 1024; ours is the mean of bytes per second.
 */
#include "bench/tests/benchsh.h"

#include <stdio.h>

#include "bench/report/units.h"
#include "bench/stats/summary.h"
#include "bench/tests/stream_test.h"
#include "lib/clock.h"

#define BLOCK_BYTES (UINT32_C(512) << 10)
#define BLOCKS 2048

static enum result_status benchsh_fits(const struct test *test, const struct disk *disk, char *why,
				       size_t why_bytes)
{
	(void)test;
	why[0] = '\0';
	if (disk->size_bytes >= 16 * (uint64_t)BLOCK_BYTES)
		return RESULT_OK;
	snprintf(why, why_bytes, "a disk of %s is smaller than 16 blocks of 512 KiB",
		 units_bytes(UNITS_BUF, disk->size_bytes));
	return RESULT_UNSUPPORTED;
}

/* The mean of the runs' rates, each run counting the same however long it took. */
static void add_average(struct result *r, const struct series *runs)
{
	double rate[BENCHSH_RUNS];
	uint32_t n = 0;

	for (uint32_t i = 0; i < runs->point_n && n < BENCHSH_RUNS; i++)
		rate[n++] = runs->point[i].y / runs->point[i].x * 1e9;
	metric_samples(result_metric(r, "throughput", UNIT_BYTES_PER_S, stats_mean(rate, n)), rate,
		       n);
}

static void benchsh_run(const struct test_context *c, struct result *r)
{
	struct series *runs = result_series(r, "runs", UNIT_NS, UNIT_BYTES);
	struct stream form = stream_test_init(c, -1, BLOCK_BYTES);
	uint64_t end_ns = clock_ns() + c->budget_ns;
	char told[RESULT_REASON_BYTES] = "";

	form.write = true;
	form.data = STREAM_ZEROS;
	form.close = STREAM_FDATASYNC;
	r->block_bytes = BLOCK_BYTES;
	snprintf(r->data, sizeof(r->data), "zeros");
	for (unsigned i = 0; i < BENCHSH_RUNS; i++) {
		uint64_t now_ns = clock_ns(), left_ns = end_ns > now_ns ? end_ns - now_ns : 1;

		if (!stream_test_write(c, &form, (uint64_t)BLOCK_BYTES * BLOCKS,
				       left_ns / (BENCHSH_RUNS - i), r, runs))
			return;
		if (*r->reason && !*told)
			snprintf(told, sizeof(told), "run %u: %.200s", i + 1, r->reason);
	}
	result_end(r, RESULT_OK, "%s", told);
	add_average(r, runs);
}

const struct test test_benchsh_write = {
	.name = "benchsh-write",
	.title = "bench.sh I/O speed, three runs",
	.help = "dd if=/dev/zero bs=512k count=2048 conv=fdatasync three times, as bench.sh does "
		"since 2023, and the mean of the three.",
	.family = "bench.sh", .access = TEST_WRITES_OR_FILE, .rank = 16,
	.time = { { 3000, 30000 }, { 9000, 60000 }, { 60000, 240000 } },
	.fits = benchsh_fits, .run = benchsh_run,
};
