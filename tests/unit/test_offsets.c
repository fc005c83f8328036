/* SPDX-License-Identifier: MIT */
/* The order of blocks: ascending with wraps, or uniform over every block of any area. */
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

int main(void)
{
	sequential();
	generator();
	uniform();
	large(UINT64_C(64) << 40, 4096, "64 TiB");
	large(UINT64_C(20) << 40, 512, "20 TiB in 512");
	large(UINT64_C(4) << 60, 4096, "4 EiB");
	return tap_done();
}
