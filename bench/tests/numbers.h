/* SPDX-License-Identifier: MIT */
/* Steps that tests of several files share: the area they work on, and metrics of latency. */
#ifndef BENCH_TESTS_NUMBERS_H
#define BENCH_TESTS_NUMBERS_H

#include <stdint.h>

#include "bench/stats/hist.h"
#include "bench/tests/test.h"

/* The part of the disk that `c` measures on; all of it where the context names none. */
void numbers_area(const struct test_context *c, uint64_t *offset_bytes, uint64_t *bytes);

/*
 * Appends lat_mean, lat_stdev, lat_min, lat_p50, lat_p90, lat_p99, lat_p999 and lat_max. A
 * percentile is a number only where at least one I/O lies beyond it. Returns lat_mean's metric, or
 * NULL where `h` is empty: then there are none.
 */
struct metric *numbers_latency(struct result *r, const struct hist *h);

#endif
