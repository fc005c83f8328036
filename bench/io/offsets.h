/* SPDX-License-Identifier: MIT */
/*
 * Where the next block lies: ascending, uniformly random, or each block once in a random order.
 *
 * The generator is splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", OOPSLA 2014; constants of Vigna's public-domain version): one word of state, period
 * 2^64, good enough for BigCrush. A 64-bit number times the number of blocks, upper half of 128
 * bits (Lemire: "Fast random integer generation in an interval", 2019), is the block: no division,
 * every block of any device can come, and the chance of a block differs from that of another by at
 * most blocks / 2^64 of itself (10^-9 for 64 TB in blocks of 4 KiB). IO_RANDOM is with replacement:
 * a block may come again before all others came.
 *
 * IO_RANDOM_ONCE keeps no map of what came already, which for 64 TB would take 2 GiB: it counts,
 * and puts the count through a keyed permutation of the numbers below the next power of two (xor
 * with a key, multiply by an odd number, xor with the upper half: each can be undone, so no two
 * numbers give the same one). A result that is no block goes through it again until it is one
 * (cycle walking; Black, Rogaway: "Ciphers with arbitrary finite domains", 2002), which keeps it a
 * permutation and takes less than two rounds on average. The keys change with each pass.
 */
#ifndef BENCH_IO_OFFSETS_H
#define BENCH_IO_OFFSETS_H

#include <stdint.h>

#include "bench/io/job.h"

#define IO_OFFSETS_ROUNDS 3

struct io_offsets {
	enum io_order order;
	uint32_t block_bytes;
	uint64_t base_bytes;
	uint64_t blocks;	/* whole blocks in the area */
	uint64_t next;		/* sequential: block to come; once: how many came in this pass */
	uint64_t state;		/* random: of the generator */
	uint64_t mask;		/* once: of the power of two that holds all blocks */
	unsigned shift;		/* once: half of its bits, at least 1 */
	uint64_t key[IO_OFFSETS_ROUNDS];
};

/* The job's area must hold at least one block. */
void io_offsets_init(struct io_offsets *o, const struct io_job *job);
/*
 * The same for thread `number` (from 0) of the job->jobs of a job: with split_area a part of the
 * area of its own (all of one size; there must be a block for each), else the whole of it in random
 * numbers of its own, or, where it ascends, from a start of its own. Number 0 of 1 is
 * io_offsets_init().
 */
void io_offsets_init_thread(struct io_offsets *o, const struct io_job *job, uint32_t number);
/* For io_offsets_next(): another pass over all blocks, in another order. */
void io_offsets_new_pass(struct io_offsets *o);

#define IO_OFFSETS_STEP UINT64_C(0x9e3779b97f4a7c15)

/*
 * The generator: the next 64 random bits of a stream, which begins with any number as `state`. It
 * grows by IO_OFFSETS_STEP each time.
 */
static inline uint64_t io_offsets_draw(uint64_t *state)
{
	uint64_t z = *state += IO_OFFSETS_STEP;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Once: the block that the permutation of this pass puts at place `x` < blocks. */
static inline uint64_t io_offsets_permuted(const struct io_offsets *o, uint64_t x)
{
	static const uint64_t factor[IO_OFFSETS_ROUNDS] = {	/* odd; those of splitmix64 */
		UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
		UINT64_C(0x94d049bb133111eb),
	};

	do {
		for (int i = 0; i < IO_OFFSETS_ROUNDS; i++) {
			x = ((x ^ o->key[i]) * factor[i]) & o->mask;
			x ^= x >> o->shift;
		}
	} while (x >= o->blocks);
	return x;
}

/* Offset in bytes from the start of the device. */
static inline uint64_t io_offsets_next(struct io_offsets *o)
{
	uint64_t block;

	if (o->order == IO_RANDOM) {
		__extension__ unsigned __int128 wide = io_offsets_draw(&o->state);

		block = (uint64_t)((wide * o->blocks) >> 64);
	} else if (o->order == IO_RANDOM_ONCE) {
		block = io_offsets_permuted(o, o->next++);
		if (o->next == o->blocks)
			io_offsets_new_pass(o);
	} else {
		block = o->next++;
		if (o->next == o->blocks)
			o->next = 0;
	}
	return o->base_bytes + block * o->block_bytes;
}

#endif
