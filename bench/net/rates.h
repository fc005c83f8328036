/* SPDX-License-Identifier: MIT */
/* Bytes by the time they came: the rate over time, and once slow start is over. */
#ifndef BENCH_NET_RATES_H
#define BENCH_NET_RATES_H

#include <stdint.h>

#include "bench/model/result.h"

#define RATES_INTERVAL_NS UINT64_C(100000000)
#define RATES_MAX 600		/* a minute; later bytes count in the sum alone */
#define RATES_STEADY_LEAST 5	/* intervals that a steady rate is made from */

struct rates {
	uint64_t bytes;			/* all */
	uint64_t last_ns;		/* when the last of them came, since the first */
	uint64_t interval_bytes[RATES_MAX];
};

/* Counts bytes that came `at_ns` after the first. Times do not go back. */
void rates_add(struct rates *rates, uint64_t at_ns, uint64_t bytes);

/* Whole intervals within the first `elapsed_ns`. */
uint32_t rates_intervals(uint64_t elapsed_ns);

/*
 * The first interval after slow start: the first one, but the very first (whatever lay ready in
 * queues), whose rate is at least nine tenths of the median of the second half. Slow start, in
 * which a connection doubles its rate each round trip, is what comes before. Returns `n` where
 * there is none, also where the second half stood still.
 */
uint32_t rates_steady_from(const struct rates *rates, uint32_t n);

/*
 * Bytes per second over `elapsed_ns`, from the steady interval on; NAN where fewer than
 * RATES_STEADY_LEAST intervals are left.
 */
double rates_steady(const struct rates *rates, uint64_t elapsed_ns);

/* Adds a point for each interval: its end in ns, its bytes per second. `series` may be NULL. */
void rates_series(const struct rates *rates, uint64_t elapsed_ns, struct series *series);

#endif
