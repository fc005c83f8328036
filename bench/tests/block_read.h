/* SPDX-License-Identifier: MIT */
/* Reads from the raw device at one block size, order and depth. */
#ifndef BENCH_TESTS_BLOCK_READ_H
#define BENCH_TESTS_BLOCK_READ_H

#include <stddef.h>
#include <stdint.h>

#include "bench/io/job.h"
#include "bench/tests/test.h"

extern const struct test test_seq_read_qd1, test_seq_read_qd64;
extern const struct test test_rand_read_qd1, test_rand_read_qd64;

/* A device of fewer blocks has nothing to measure: the same few would be read over and over. */
#define BLOCK_READ_BLOCKS_MIN 16
/* The buffers of one job take at most this share of the memory that is available. */
#define BLOCK_READ_MEMORY_SHARE 4

/*
 * The job that measures `c`, within `available_bytes` of memory (UINT64_MAX: not known). Where
 * depth had to be lowered `note` says so, else it is "".
 */
void block_read_job(const struct test_context *c, uint64_t available_bytes, struct io_job *job,
		    char *note, size_t note_bytes);

#endif
