/* SPDX-License-Identifier: MIT */
/* What a disk makes of more and more requests in flight, and where it is saturated. */
#ifndef BENCH_TESTS_SWEEP_H
#define BENCH_TESTS_SWEEP_H

#include "bench/tests/test.h"

extern const struct test test_sweep_read;

#define SWEEP_GAIN 0.1		/* a doubling that brings less brings nothing */
#define SWEEP_STEPS_MAX 20

/* One step: `jobs` threads with `depth` requests in flight each, and what that reached. */
struct sweep_step {
	uint32_t jobs, depth;
	double iops, p99_ns;	/* p99_ns: 0 where there were too few I/Os for one */
};

/*
 * Lists the steps in their order: one job at each depth, then more jobs at the same totals, as far
 * as `cpus`, `memory_bytes` (0: not known), `blocks` of the area and the time allow. Returns their
 * number.
 */
unsigned sweep_steps(struct sweep_step *step, unsigned cpus, uint64_t memory_bytes, uint64_t blocks,
		     uint64_t budget_ns);

/*
 * Puts series, metrics and the sentence on the saturation (into `text`) for the first n steps. The
 * steps of one job come first.
 */
void sweep_conclude(struct result *r, const struct sweep_step *step, unsigned n, char *text,
		    size_t text_bytes);

#endif
