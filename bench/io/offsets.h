/* SPDX-License-Identifier: MIT */
/*
 * Where the next block lies: ascending, or uniformly random over every block of the area.
 *
 * The generator is splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", OOPSLA 2014; constants of Vigna's public-domain version): one word of state, period
 * 2^64, good enough for BigCrush. A 64-bit number times the number of blocks, upper half of 128
 * bits (Lemire: "Fast random integer generation in an interval", 2019), is the block: no division,
 * every block of any device can come, and the chance of a block differs from that of another by at
 * most blocks / 2^64 of itself (10^-9 for 64 TB in blocks of 4 KiB).
 *
 * Random order is with replacement: a block may come again before all others came.
 */
#ifndef BENCH_IO_OFFSETS_H
#define BENCH_IO_OFFSETS_H

#include <stdint.h>

#include "bench/io/job.h"

/* The generator: the next 64 random bits of a stream, which begins with any number as `state`. */
static inline uint64_t io_offsets_draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

struct io_offsets {
	enum io_order order;
	uint32_t block_bytes;
	uint64_t base_bytes;
	uint64_t blocks;	/* whole blocks in the area */
	uint64_t next;		/* sequential: block to come */
	uint64_t state;		/* random: of the generator */
};

/* The job's area must hold at least one block. */
static inline void io_offsets_init(struct io_offsets *o, const struct io_job *job)
{
	o->order = job->order;
	o->block_bytes = job->block_bytes;
	o->base_bytes = job->area_offset_bytes;
	o->blocks = job->area_bytes / job->block_bytes;
	o->next = 0;
	o->state = job->seed;
}

/* Offset in bytes from the start of the device. */
static inline uint64_t io_offsets_next(struct io_offsets *o)
{
	uint64_t block;

	if (o->order == IO_RANDOM) {
		__extension__ unsigned __int128 wide = io_offsets_draw(&o->state);

		block = (uint64_t)((wide * o->blocks) >> 64);
	} else {
		block = o->next++;
		if (o->next == o->blocks)
			o->next = 0;
	}
	return o->base_bytes + block * o->block_bytes;
}

#endif
