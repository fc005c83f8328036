/* SPDX-License-Identifier: MIT */
/*
 * All disks at once, and the same work of each disk alone to compare it with. What all of them
 * share (a controller, its link, an expander, memory, CPUs) shows only here.
 */
#include "bench/tests/together.h"

#include "bench/tests/block.h"

#define KIB UINT32_C(1024)
#define MIB (UINT32_C(1024) * KIB)

/* The depth at which others compare disks alone and together (eDeploy's AHC). */
#define DEPTH 32

static const struct block_param sequential = {
	.order = IO_SEQUENTIAL, .block_bytes = MIB, .depth = DEPTH, .part = BLOCK_FIRST,
};
static const struct block_param random_order = {
	.order = IO_RANDOM, .block_bytes = 4 * KIB, .depth = DEPTH,
};

#define TIMES { { 1000, 5000 }, { 3000, 12000 }, { 10000, 30000 } }

const struct test test_seq_read_qd32 = {
	.name = "seq-read-qd32",
	.title = "sequential read 1 MiB, QD 32",
	.help = "Reads in blocks of 1 MiB with 32 of them in flight: what seq-read-together is "
		"compared with. Only where there is more than one disk.",
	.family = "", .rank = 30, .needs_others = true,
	.time = TIMES, .param = &sequential, .fits = block_fits, .run = block_run,
};

const struct test test_rand_read_qd32 = {
	.name = "rand-read-qd32",
	.title = "random read 4 KiB, QD 32",
	.help = "Reads blocks of 4 KiB at random places with 32 of them in flight: what "
		"rand-read-together is compared with. Only where there is more than one disk.",
	.family = "", .rank = 30, .needs_others = true,
	.time = TIMES, .param = &random_order, .fits = block_fits, .run = block_run,
};

const struct test test_seq_read_together = {
	.name = "seq-read-together",
	.title = "all at once: 1 MiB, QD 32",
	.help = "The same on all disks at once, started together: does their sum add up?",
	.family = "", .rank = 30, .needs_others = true, .phase = PHASE_TOGETHER,
	.time = TIMES, .param = &sequential, .fits = block_fits, .run = block_run,
};

const struct test test_rand_read_together = {
	.name = "rand-read-together",
	.title = "all at once: 4 KiB random, QD 32",
	.help = "The same on all disks at once, started together: does their sum add up?",
	.family = "", .rank = 30, .needs_others = true, .phase = PHASE_TOGETHER,
	.time = TIMES, .param = &random_order, .fits = block_fits, .run = block_run,
};
