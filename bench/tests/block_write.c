/* SPDX-License-Identifier: MIT */
/*
 * Writes to the raw device, always of random bytes: the first one fills the area that all later
 * tests work on, so that no read is answered without the medium.
 */
#include "bench/tests/block_write.h"

#include "bench/tests/block.h"

#define KIB UINT32_C(1024)
#define MIB (UINT32_C(1024) * KIB)

const struct test test_fill_area = {
	.name = "fill-area",
	.title = "fill: sequential write 1 MiB",
	.help = "Writes the disk from its start with random bytes, blocks of 1 MiB, 32 in flight, "
		"once over it or as far as the time allows. Later tests stay within that part.",
	.family = "", .rank = 0, .access = TEST_WRITES,
	.time = { { 1000, 8000 }, { 5000, 60000 }, { 20000, 120000 } },
	.param = &(const struct block_param){
		.access = IO_WRITE, .order = IO_SEQUENTIAL, .block_bytes = MIB, .depth = 32,
		.once = true,
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_seq_write_qd64 = {
	.name = "seq-write-qd64",
	.title = "sequential write 1 MiB, QD 64",
	.help = "Writes random bytes in blocks of 1 MiB with 64 of them in flight.",
	.family = "", .rank = 30, .access = TEST_WRITES,
	.time = { { 1000, 5000 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.access = IO_WRITE, .order = IO_SEQUENTIAL, .block_bytes = MIB, .depth = 64,
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_rand_write_qd1 = {
	.name = "rand-write-qd1",
	.title = "random write 4 KiB, QD 1",
	.help = "Writes blocks of 4 KiB of random bytes at random places, one after the other.",
	.family = "", .rank = 30, .access = TEST_WRITES,
	.time = { { 1000, 5000 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.access = IO_WRITE, .order = IO_RANDOM, .block_bytes = 4 * KIB, .depth = 1,
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_rand_write_qd64 = {
	.name = "rand-write-qd64",
	.title = "random write 4 KiB, QD 64",
	.help = "Writes blocks of 4 KiB of random bytes at random places with 64 of them in "
		"flight.",
	.family = "", .rank = 20, .access = TEST_WRITES,
	.time = { { 1000, 5000 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.access = IO_WRITE, .order = IO_RANDOM, .block_bytes = 4 * KIB, .depth = 64,
	},
	.fits = block_fits, .run = block_run,
};
