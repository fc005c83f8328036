/* SPDX-License-Identifier: MIT */
/* All disks at once, and what that is compared with. */
#ifndef BENCH_TESTS_TOGETHER_H
#define BENCH_TESTS_TOGETHER_H

#include "bench/tests/test.h"

extern const struct test test_seq_read_qd32, test_rand_read_qd32;
extern const struct test test_seq_read_together, test_rand_read_together;

#endif
