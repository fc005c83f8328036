/* SPDX-License-Identifier: MIT */
/*
 * A chain through memory: each cache line holds the address of another, all of them on one cycle of
 * random order. Nothing can be loaded before what comes before it has arrived, and nothing tells a
 * prefetcher where it goes on.
 *
 * The cycle is made as S. Sattolo does ("An algorithm to generate a random cyclic permutation",
 * Information Processing Letters 22, 1986), line by line from the inside: line n is put behind one
 * of those before it, drawn at random. So a chain can grow, and is one cycle at any length.
 */
#ifndef BENCH_TESTS_MEM_CHAIN_H
#define BENCH_TESTS_MEM_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#define MEM_CHAIN_UNROLL 32

struct mem_chain {
	char *at;
	size_t line_bytes;	/* a multiple of the size of a pointer */
	size_t lines;		/* on the cycle so far */
	uint64_t random;	/* state of the generator; its first value is the seed */
};

/* Begins one of no lines; `at` is the caller's and must have room for all that it grows to. */
void mem_chain_init(struct mem_chain *c, void *at, size_t line_bytes, uint64_t seed);
/* Grows it to `lines`; stops early, after some more lines, at clock_ns() `until_ns`. */
void mem_chain_grow(struct mem_chain *c, size_t lines, uint64_t until_ns);
/* Reads each line once, in the order of addresses, so that caches hold what they can. */
void mem_chain_warm(const struct mem_chain *c);
/*
 * Follows the chain from line `from` over `loads` lines, rounded up to a multiple of
 * MEM_CHAIN_UNROLL. Returns where it came to, from which it can go on.
 */
void *mem_chain_walk(void *from, uint64_t loads);
#define MEM_CHAIN_BATCHES 21

/*
 * Nanoseconds for each load, in up to MEM_CHAIN_BATCHES batches; each goes on where the one before
 * it ended. All take about slot_ns at most, with finding out how long a batch is. Batches in which
 * the thread had to leave its CPU to another are not counted, unless all were such. Returns how
 * many of `ns` were filled, at least one.
 */
size_t mem_chain_time(const struct mem_chain *c, uint64_t slot_ns, double ns[MEM_CHAIN_BATCHES]);

#endif
