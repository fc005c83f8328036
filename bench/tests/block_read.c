/* SPDX-License-Identifier: MIT */
/*
 * Reads from the raw device: sequential in large blocks for throughput, random in small ones for
 * I/Os per second, each one at a time (the latency a single caller sees) and 64 at once (what it
 * can do).
 */
#include "bench/tests/block_read.h"

#include "bench/tests/block.h"

#define KIB UINT32_C(1024)
#define MIB (UINT32_C(1024) * KIB)

const struct test test_seq_read_qd1 = {
	.name = "seq-read-qd1",
	.title = "sequential read 1 MiB, QD 1",
	.help = "Reads from the start of the disk (or of what was written before) in blocks of "
		"1 MiB, one after the other.",
	.family = "", .rank = 10,
	.time = { { 1000, 5000 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.order = IO_SEQUENTIAL, .block_bytes = MIB, .depth = 1, .part = BLOCK_FIRST,
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_seq_read_qd64 = {
	.name = "seq-read-qd64",
	.title = "sequential read 1 MiB, QD 64",
	.help = "Reads in blocks of 1 MiB with 64 of them in flight, behind the part that "
		"seq-read-qd1 reads: the most the disk delivers.",
	.family = "", .rank = 20,
	.time = { { 1000, 5000 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.order = IO_SEQUENTIAL, .block_bytes = MIB, .depth = 64, .part = BLOCK_SECOND,
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_rand_read_qd1 = {
	.name = "rand-read-qd1",
	.title = "random read 4 KiB, QD 1",
	.help = "Reads blocks of 4 KiB at random places, one after the other: the latency of a "
		"single request.",
	.family = "", .rank = 10,
	.time = { { 1000, 5000 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.order = IO_RANDOM, .block_bytes = 4 * KIB, .depth = 1,
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_rand_read_qd64 = {
	.name = "rand-read-qd64",
	.title = "random read 4 KiB, QD 64",
	.help = "Reads blocks of 4 KiB at random places with 64 of them in flight.",
	.family = "", .rank = 20,
	.time = { { 1000, 5000 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.order = IO_RANDOM, .block_bytes = 4 * KIB, .depth = 64,
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_rand_read_qd64_4jobs = {
	.name = "rand-read-qd64-4jobs",
	.title = "random read 4 KiB, QD 64, 4 jobs",
	.help = "The same from four threads with 64 in flight each: more than rand-read-qd64 where "
		"one CPU, not the disk, was the limit.",
	.family = "", .rank = 50,
	.time = { { 0, 0 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.order = IO_RANDOM, .block_bytes = 4 * KIB, .depth = 64, .jobs = 4,
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_rand_read_qd1_uring = {
	.name = "rand-read-qd1-uring",
	.title = "random read 4 KiB, QD 1, io_uring",
	.help = "rand-read-qd1 through io_uring with registered buffers and file.",
	.family = "", .rank = 60,
	.time = { { 0, 0 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.order = IO_RANDOM, .block_bytes = 4 * KIB, .depth = 1, .engine = "io_uring",
	},
	.fits = block_fits, .run = block_run,
};

const struct test test_rand_read_qd64_uring = {
	.name = "rand-read-qd64-uring",
	.title = "random read 4 KiB, QD 64, io_uring",
	.help = "rand-read-qd64 through io_uring with registered buffers and file.",
	.family = "", .rank = 60,
	.time = { { 0, 0 }, { 3000, 15000 }, { 10000, 60000 } },
	.param = &(const struct block_param){
		.order = IO_RANDOM, .block_bytes = 4 * KIB, .depth = 64, .engine = "io_uring",
	},
	.fits = block_fits, .run = block_run,
};
