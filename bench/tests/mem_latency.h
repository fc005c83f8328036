/* SPDX-License-Identifier: MIT */
/* How long one load takes, by the amount of data it is out of. */
#ifndef BENCH_TESTS_MEM_LATENCY_H
#define BENCH_TESTS_MEM_LATENCY_H

#include "bench/tests/test.h"

#define MEM_LATENCY_SIZES_MAX 96

extern const struct test test_mem_latency;

/*
 * The sizes to measure: 4 KiB, 6 KiB, 8 KiB, 12 KiB ... up to the first that is `most_bytes` or
 * more, or the last that is within `room_bytes`. Returns their number.
 */
unsigned mem_latency_sizes(uint64_t most_bytes, uint64_t room_bytes,
			   uint64_t size[MEM_LATENCY_SIZES_MAX]);

#endif
