/* SPDX-License-Identifier: MIT */
/*
 * Runs loops over three arrays on some CPUs, round after round, as the STREAM benchmark does: each
 * thread works on the part that it touched first, a loop's time is from the start of all to the end
 * of the slowest, and in the end every element is checked.
 *
 * The arrays are as large as asked for, or as what could be touched within a quarter of the time.
 */
#ifndef BENCH_TESTS_MEM_LOOPS_H
#define BENCH_TESTS_MEM_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "bench/tests/mem_kernels.h"

#define MEM_LOOPS_MAX 4
#define MEM_LOOPS_ROUNDS_MAX 1024

struct mem_loops {
	const struct mem_kernel *const *kernel;	/* one round: each of them, in this order */
	size_t kernel_n;
	const unsigned *cpu;	/* a thread on each */
	size_t cpu_n;
	uint64_t bytes;		/* of all three arrays together */
	uint64_t budget_ns;
	uint64_t bound_ns;	/* see crew.h; more than the budget */
	/* says where the memory is to lie, before it is touched; 0 or -errno; may be NULL */
	int (*place)(void *place_context, void *at, uint64_t bytes);
	void *place_context;
	void (*tick)(void *tick_context, uint64_t elapsed_ns);
	void *tick_context;
};

struct mem_loops_outcome {
	uint64_t bytes;		/* of all arrays, as touched */
	uint32_t rounds;	/* the first one included */
	/* of each loop, from the second round on (rounds - 1 of them): bytes per second */
	double rate[MEM_LOOPS_MAX][MEM_LOOPS_ROUNDS_MAX];
	double best[MEM_LOOPS_MAX];
	uint64_t wrong;		/* elements that do not hold what they should */
	double wrong_value, right_value;	/* the first of them */
	uint64_t wrong_at;	/* its number, counted over the threads' parts */
};

/*
 * Returns 0, -ENOMEM, another -errno of the threads or of `place`; after -ETIMEDOUT the memory
 * stays mapped, see crew_run.
 */
int mem_loops_run(const struct mem_loops *l, struct mem_loops_outcome *out);

#endif
