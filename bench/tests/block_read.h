/* SPDX-License-Identifier: MIT */
/* Reads from the raw device at one block size, order and depth. */
#ifndef BENCH_TESTS_BLOCK_READ_H
#define BENCH_TESTS_BLOCK_READ_H

#include "bench/tests/test.h"

extern const struct test test_seq_read_qd1, test_seq_read_qd64;
extern const struct test test_rand_read_qd1, test_rand_read_qd64;
extern const struct test test_rand_read_qd64_4jobs;
extern const struct test test_rand_read_qd1_uring, test_rand_read_qd64_uring;

#endif
