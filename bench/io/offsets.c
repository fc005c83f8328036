/* SPDX-License-Identifier: MIT */
/* The start of a stream of offsets; see offsets.h. */
#include "bench/io/offsets.h"

void io_offsets_new_pass(struct io_offsets *o)
{
	o->next = 0;
	for (int i = 0; i < IO_OFFSETS_ROUNDS; i++)
		o->key[i] = io_offsets_draw(&o->state) & o->mask;
}

void io_offsets_init_thread(struct io_offsets *o, const struct io_job *job, uint32_t number)
{
	uint64_t blocks = job->area_bytes / job->block_bytes;
	uint32_t jobs = job->jobs > 1 ? job->jobs : 1;
	uint64_t first = blocks / jobs * number;	/* of this thread's part */
	uint64_t state = job->seed;
	unsigned bits;

	*o = (struct io_offsets) {
		.order = job->order,
		.block_bytes = job->block_bytes,
		.base_bytes = job->area_offset_bytes,
		.blocks = blocks,
		.next = first,
	};
	if (job->split_area) {
		o->base_bytes += first * job->block_bytes;
		o->blocks = blocks / jobs;
		o->next = 0;
	}
	/*
	 * A stream's states are `seed` plus multiples of one constant. To add to the seed could put
	 * one thread on the states of another, some steps behind; a number drawn from the seed is
	 * as good as any of the 2^64.
	 */
	o->state = state;
	for (uint32_t i = 0; i < number; i++)
		o->state = io_offsets_draw(&state);
	bits = o->blocks > 1 ? 64 - (unsigned)__builtin_clzll(o->blocks - 1) : 0;
	o->mask = bits ? UINT64_MAX >> (64 - bits) : 0;
	o->shift = bits > 1 ? (bits + 1) / 2 : 1;
	if (o->order == IO_RANDOM_ONCE)
		io_offsets_new_pass(o);
}

void io_offsets_init(struct io_offsets *o, const struct io_job *job)
{
	struct io_job alone = *job;

	alone.jobs = 1;
	alone.split_area = false;
	io_offsets_init_thread(o, &alone, 0);
}
