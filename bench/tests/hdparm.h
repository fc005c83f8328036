/* SPDX-License-Identifier: MIT */
/* hdparm's timings: -T, -t and -t --direct. */
#ifndef BENCH_TESTS_HDPARM_H
#define BENCH_TESTS_HDPARM_H

#include "bench/tests/test.h"

#define HDPARM_SAMPLES_MAX 5	/* as people repeat it */
#define HDPARM_BLOCK_BYTES (UINT32_C(2) << 20)

extern const struct test test_hdparm_cached, test_hdparm_buffered, test_hdparm_direct;

#endif
