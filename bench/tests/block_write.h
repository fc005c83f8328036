/* SPDX-License-Identifier: MIT */
/* Writes to the raw device at one block size, order and depth: what was there is lost. */
#ifndef BENCH_TESTS_BLOCK_WRITE_H
#define BENCH_TESTS_BLOCK_WRITE_H

#include "bench/tests/test.h"

/*
 * The first test of a disk with consent to write. Its result's area is the part from the start that
 * is written without a gap; the tests that follow read there.
 */
extern const struct test test_fill_area;
extern const struct test test_seq_write_qd64;
extern const struct test test_rand_write_qd1, test_rand_write_qd64;

#endif
