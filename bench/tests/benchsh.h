/* SPDX-License-Identifier: MIT */
/* The three writes of bench.sh. */
#ifndef BENCH_TESTS_BENCHSH_H
#define BENCH_TESTS_BENCHSH_H

#include "bench/tests/test.h"

#define BENCHSH_RUNS 3

extern const struct test test_benchsh_write;

#endif
