/* SPDX-License-Identifier: MIT */
/* The order of blocks: ascending with wraps, uniform over all of any area, or each of them once. */
#include "bench/io/offsets.h"

#include "tests/unit/tap.h"

static struct io_offsets o;

static void init(enum io_order order, uint32_t block, uint64_t base, uint64_t area, uint64_t seed)
{
	struct io_job job = {
		.order = order, .block_bytes = block, .area_offset_bytes = base, .area_bytes = area,
		.seed = seed,
	};

	io_offsets_init(&o, &job);
}

static void sequential(void)
{
	init(IO_SEQUENTIAL, 4096, 8192, 3 * 4096 + 512, 1);
	is_uint(io_offsets_next(&o), 8192, "begins at the area");
	is_uint(io_offsets_next(&o), 8192 + 4096, "goes up");
	is_uint(io_offsets_next(&o), 8192 + 8192, "to the last whole block");
	is_uint(io_offsets_next(&o), 8192, "and wraps: the rest is no block");
	init(IO_SEQUENTIAL, 4096, 0, 4096, 1);
	is_uint(io_offsets_next(&o) + io_offsets_next(&o), 0, "one block is read again and again");
}

/* splitmix64's published first outputs for seed 1234567 (Rosetta Code). */
static void generator(void)
{
	init(IO_RANDOM, 512, 0, 512, 1234567);
	is_uint(io_offsets_draw(&o.state), UINT64_C(6457827717110365317), "splitmix64, first");
	is_uint(io_offsets_draw(&o.state), UINT64_C(3203168211198807973), "second value");
}

static void uniform(void)
{
	static unsigned hits[1000];
	const unsigned draws = 1000000;
	double chi = 0;
	uint64_t first, bad = 0;

	init(IO_RANDOM, 4096, 1 << 20, 1000 * 4096, 42);
	first = io_offsets_next(&o);
	init(IO_RANDOM, 4096, 1 << 20, 1000 * 4096, 42);
	is_uint(io_offsets_next(&o), first, "the same seed gives the same order");
	for (unsigned i = 0; i < draws; i++) {
		uint64_t at = io_offsets_next(&o) - (1 << 20);

		bad += at % 4096 || at / 4096 >= 1000;
		if (at / 4096 < 1000)
			hits[at / 4096]++;
	}
	is_uint(bad, 0, "every offset is a block of the area");
	for (int i = 0; i < 1000; i++)
		chi += (hits[i] - draws / 1000.0) * (hits[i] - draws / 1000.0) / (draws / 1000.0);
	/* 999 degrees of freedom: mean 999, deviation 45 */
	ok(chi > 999 - 5 * 45 && chi < 999 + 5 * 45, "uniform: chi squared %.0f", chi);
}

/* Each 1/256th of the area is reached, and low bits of the block number are not stuck. */
static void large(uint64_t area, uint32_t block, const char *what)
{
	unsigned char seen[256] = { 0 };
	uint64_t blocks = area / block, bits = 0, top = 0;
	unsigned missed = 0;

	init(IO_RANDOM, block, 0, area, 3);
	for (int i = 0; i < 20000; i++) {
		uint64_t at = io_offsets_next(&o) / block;

		if (at >= blocks)
			missed++;
		seen[(unsigned)((double)at / (double)blocks * 256) & 255] = 1;
		bits |= at;
		top = at > top ? at : top;
	}
	for (int i = 0; i < 256; i++)
		missed += !seen[i];
	is_uint(missed, 0, "%s: all parts are reached", what);
	ok((bits & 0xffffffff) == 0xffffffff, "%s: at odd and even blocks", what);
	ok((double)top > (double)blocks * 0.999, "%s: up to its end", what);
}

/* Whole passes: each block comes once in each, and not in the same order twice. */
static void once_each(uint64_t blocks)
{
	static unsigned char seen[70000];
	static uint32_t order[70000];
	unsigned bad = 0, repeated = 0;

	init(IO_RANDOM_ONCE, 512, 1 << 20, blocks * 512, blocks);
	for (unsigned pass = 1; pass <= 3; pass++) {
		for (uint64_t i = 0; i < blocks; i++) {
			uint64_t at = (io_offsets_next(&o) - (1 << 20)) / 512;

			if (at >= blocks || seen[at] != pass - 1) {
				bad++;
				continue;
			}
			seen[at] = (unsigned char)pass;
			repeated += pass > 1 && order[i] == at;
			order[i] = (uint32_t)at;
		}
	}
	memset(seen, 0, blocks);
	is_uint(bad, 0, "%u blocks: each once in each of three passes", (unsigned)blocks);
	/* two random orders agree in one place on average */
	ok(blocks < 100 || repeated < 20, "in another order each time (%u equal)", repeated);
}

/* Chi squared of 64 * 64 counts: 4095 degrees of freedom, deviation 90. */
static void is_uniform(unsigned hits[64][64], int draws, const char *what)
{
	double chi = 0, expected = draws / 4096.0;

	for (int i = 0; i < 64 * 64; i++)
		chi += (hits[i / 64][i % 64] - expected) * (hits[i / 64][i % 64] - expected) /
		       expected;
	ok(chi > 4095 - 5 * 90 && chi < 4095 + 5 * 90, "%s: chi squared %.0f", what, chi);
}

/*
 * Once-each order is random: successive blocks lie as far apart as random ones do (a third of the
 * area), rise as often as they fall, and pairs of them show no pattern in their high or low bits.
 */
static void once_random(uint64_t area, uint32_t block)
{
	const int draws = 100000;
	static unsigned high[64][64], low[64][64];
	double apart = 0;
	uint64_t blocks = area / block, last;
	int rises = 0;

	memset(high, 0, sizeof(high));
	memset(low, 0, sizeof(low));
	init(IO_RANDOM_ONCE, block, 0, area, 11);
	last = io_offsets_next(&o) / block;
	for (int i = 0; i < draws; i++) {
		uint64_t at = io_offsets_next(&o) / block;

		apart += fabs((double)at - (double)last) / (double)blocks / draws;
		rises += at > last;
		high[(unsigned)((double)at / (double)blocks * 64) & 63]
		    [(unsigned)((double)last / (double)blocks * 64) & 63]++;
		low[at & 63][last & 63]++;
		last = at;
	}
	is_near(apart, 1 / 3.0, 0.01, "once over %g bytes: far apart", (double)area);
	is_near((double)rises / draws, 0.5, 0.01, "up and down");
	is_uniform(high, draws, "all over the area");
	is_uniform(low, draws, "at odd and even blocks");
}

/* Where each of `jobs` threads starts and how often two of them are at the same block. */
static unsigned coincide(enum io_order order, bool split, uint32_t jobs)
{
	static struct io_offsets of[16];
	static uint64_t at[16][1000];
	struct io_job job = {
		.order = order, .block_bytes = 4096, .area_offset_bytes = 4096, .jobs = jobs,
		.area_bytes = UINT64_C(1) << 40, .split_area = split, .seed = 99,
	};
	uint64_t part = job.area_bytes / jobs / 4096 * 4096;
	unsigned same = 0, outside = 0;

	for (uint32_t j = 0; j < jobs; j++) {
		io_offsets_init_thread(&of[j], &job, j);
		for (int i = 0; i < 1000; i++) {
			at[j][i] = io_offsets_next(&of[j]) - 4096;
			outside += at[j][i] >= job.area_bytes;
			outside += split && at[j][i] / part != j;
		}
	}
	for (uint32_t a = 0; a < jobs; a++)
		for (uint32_t b = 0; b < a; b++)
			for (int i = 0; i < 1000; i++)
				for (int k = 0; k < 1000; k++)
					same += at[a][i] == at[b][k];
	is_uint(outside, 0, "order %d, %u threads: each within its part", order, jobs);
	return same;
}

static void threads(void)
{
	struct io_offsets alone;
	struct io_job job = { .order = IO_RANDOM, .block_bytes = 512, .area_bytes = 1 << 30,
			      .seed = 5 };

	for (int order = IO_SEQUENTIAL; order <= IO_RANDOM_ONCE; order++) {
		is_uint(coincide((enum io_order)order, true, 8), 0, "no block is read by two");
		/* 28 pairs of streams of 1000 out of 2^28 blocks: 0.1 are expected */
		ok(coincide((enum io_order)order, false, 8) <= 2, "nor where all share the area");
	}
	is_uint(coincide(IO_SEQUENTIAL, true, 7), 0, "seven parts of an area no seven divides");
	io_offsets_init(&o, &job);
	io_offsets_init_thread(&alone, &job, 0);
	is_uint(io_offsets_next(&alone), io_offsets_next(&o), "one thread is as no threads");
}

int main(void)
{
	static const uint64_t sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 31, 100, 127, 128, 129, 1000,
					  4095, 4097, 65536, 65537, 69999 };

	sequential();
	generator();
	uniform();
	large(UINT64_C(64) << 40, 4096, "64 TiB");
	large(UINT64_C(20) << 40, 512, "20 TiB in 512");
	large(UINT64_C(4) << 60, 4096, "4 EiB");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		once_each(sizes[i]);
	once_random(UINT64_C(64) << 40, 4096);
	once_random((UINT64_C(20) << 40) + 12288, 512);
	once_random(UINT64_C(4) << 60, 512);
	threads();
	return tap_done();
}
