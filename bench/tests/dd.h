/* SPDX-License-Identifier: MIT */
/* The reads and writes that people make with dd. */
#ifndef BENCH_TESTS_DD_H
#define BENCH_TESTS_DD_H

#include "bench/tests/test.h"

extern const struct test test_dd_write_1g, test_dd_write_2g, test_dd_write_16g;
extern const struct test test_dd_write_8k_sync, test_dd_write_1g_random, test_dd_read;

#endif
