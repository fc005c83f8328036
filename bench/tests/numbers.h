/* SPDX-License-Identifier: MIT */
/* Steps that tests of several files share: the area they work on, and metrics of latency. */
#ifndef BENCH_TESTS_NUMBERS_H
#define BENCH_TESTS_NUMBERS_H

#include <stdint.h>

#include "bench/io/job.h"
#include "bench/stats/hist.h"
#include "bench/tests/test.h"

/* The part of the disk that `c` measures on; all of it where the context names none. */
void numbers_area(const struct test_context *c, uint64_t *offset_bytes, uint64_t *bytes);

/*
 * The place that follows place n of `places`, where `left_ns` are left and each takes `each_ns`:
 * the next one, or one as much further as spreads what can still be taken evenly over the rest.
 */
double numbers_next_place(double n, uint32_t places, uint64_t left_ns, uint64_t each_ns);

/*
 * Adds what a further job on the same disk met: counts, times, latencies and kinds of errors. The
 * last one's end and note are those of all.
 */
void numbers_add_outcome(struct io_outcome *all, const struct io_outcome *one);

/* True where the disk can still be asked for more after a job that ended this way. */
bool numbers_can_go_on(enum io_end end);

/*
 * Appends lat_mean, lat_stdev, lat_min, lat_p50, lat_p90, lat_p99, lat_p999 and lat_max. A
 * percentile is a number only where at least one I/O lies beyond it. Returns lat_mean's metric, or
 * NULL where `h` is empty: then there are none.
 */
struct metric *numbers_latency(struct result *r, const struct hist *h);

#endif
