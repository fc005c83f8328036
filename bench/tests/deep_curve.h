/* SPDX-License-Identifier: MIT */
/* The read rate over the disk with many reads in flight. */
#ifndef BENCH_TESTS_DEEP_CURVE_H
#define BENCH_TESTS_DEEP_CURVE_H

#include "bench/tests/test.h"

extern const struct test test_deep_curve;

#define DEEP_CURVE_PLACES 100
#define DEEP_CURVE_BLOCK_BYTES (UINT32_C(256) << 10)
#define DEEP_CURVE_DEPTH 32
#define DEEP_CURVE_PLACE_BYTES (UINT64_C(64) << 20)	/* read at each place, at most */

#endif
