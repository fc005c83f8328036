/* SPDX-License-Identifier: MIT */
/*
 * Reads or writes of one block size, order and depth on the disk itself: what all of our own block
 * tests share. A member of the family is a row with a struct block_param.
 */
#ifndef BENCH_TESTS_BLOCK_H
#define BENCH_TESTS_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "bench/io/job.h"
#include "bench/tests/test.h"

/* A device of fewer blocks has nothing to measure: the same few would be read over and over. */
#define BLOCK_BLOCKS_MIN 16

/*
 * Which part of the context's area. Two sequential readers must not read the same place: a cache
 * that the first has filled would serve the second. Both parts lie at the start of the area, where
 * a rotating disk has one speed, and are no longer than they need to be for any cache.
 */
enum block_part {
	BLOCK_WHOLE,
	BLOCK_FIRST,		/* BLOCK_PART_MAX_BYTES, or half of the area where that is less */
	BLOCK_SECOND,		/* as much behind it */
};
#define BLOCK_PART_MAX_BYTES (UINT64_C(64) << 30)

struct block_param {
	enum io_access access;
	enum io_order order;
	uint32_t block_bytes;
	uint32_t depth;
	const char *engine;	/* NULL: libaio */
	uint32_t jobs;		/* 0: one */
	enum block_part part;
	bool once;		/* ends when it has been over its area once; has no ramp */
};

/* struct test's hooks, for tests whose `param` is a struct block_param. */
enum result_status block_fits(const struct test *test, const struct disk *disk, char *why,
			      size_t why_bytes);
void block_run(const struct test_context *c, struct result *r);

/*
 * The job that measures `c`: within its area, memory and time, with one thread for each of `cpus`
 * CPUs at most. Where depth or threads had to be fewer `note` says why, else it is "".
 */
void block_job(const struct test_context *c, uint32_t cpus, struct io_job *job, char *note,
	       size_t note_bytes);

/*
 * How much a test must have moved before it may end early: what the caches in front of the disk are
 * taken to hold (see docs/measuring.md).
 */
uint64_t block_cache_bytes(const struct disk *disk);

/*
 * Of a job that wrote its area in ascending order from the start: how many bytes from there on, in
 * whole blocks, are certainly written.
 */
uint64_t block_written_bytes(const struct io_job *job, const struct io_outcome *out);

#endif
