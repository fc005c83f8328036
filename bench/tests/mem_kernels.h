/* SPDX-License-Identifier: MIT */
/*
 * The loops whose speed the memory tests measure.
 *
 * The first four are those of the STREAM benchmark (J. D. McCalpin, "Memory Bandwidth and Machine
 * Balance in Current High Performance Computers", IEEE TCCA Newsletter, December 1995): results are
 * based on a variant of the STREAM benchmark code. Its factor 3 is sqrt(2) - 1 here: then a round
 * of all four leaves a[] as it was, and any number of rounds keeps the numbers small.
 *
 * Each also has a `step`: the same for one element, by which the outcome is checked.
 */
#ifndef BENCH_TESTS_MEM_KERNELS_H
#define BENCH_TESTS_MEM_KERNELS_H

#include <stddef.h>

enum { MEM_A, MEM_B, MEM_C, MEM_ARRAYS };

struct mem_kernel {
	const char *name;
	unsigned bytes;		/* that count, for each element */
	/* on `n` elements of each array; the arrays do not overlap */
	void (*run)(double *const array[MEM_ARRAYS], size_t n);
	void (*step)(double value[MEM_ARRAYS]);
};

#define MEM_KERNEL_FACTOR 0.41421356237309503	/* sqrt(2) - 1 */

extern const struct mem_kernel mem_kernel_copy;		/* c = a */
extern const struct mem_kernel mem_kernel_scale;	/* b = factor * c */
extern const struct mem_kernel mem_kernel_add;		/* c = a + b */
extern const struct mem_kernel mem_kernel_triad;	/* a = b + factor * c */
/* b = a by the C library's memcpy; bytes copied count once */
extern const struct mem_kernel mem_kernel_memcpy;
/*
 * c = a with stores that go past the caches, so that what is overwritten is not read first; `run`
 * is NULL where the processor has none (x86-64 always has).
 */
extern const struct mem_kernel mem_kernel_past;

#endif
