/* SPDX-License-Identifier: MIT */
/*
 * Steady state of a disk, by the rule of the SNIA Solid State Storage Performance Test
 * Specification (Enterprise, version 2.0.2, "steady state"): in the last five rounds the values
 * span no more than 20 % of their mean, and the straight line through them rises or falls by no
 * more than 10 % of it.
 */
#ifndef BENCH_STATS_STEADY_ROUNDS_H
#define BENCH_STATS_STEADY_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

#define STEADY_ROUNDS 5
#define STEADY_RANGE_SHARE 0.20
#define STEADY_SLOPE_SHARE 0.10

struct steady_rounds {
	double mean;		/* of the last five rounds, or of what there is; NAN for none */
	double range_share;	/* largest minus smallest, as a share of the mean */
	double slope_share;	/* what the line of least squares changes by, first to last */
};

/*
 * Looks at the last five of `n` finite values, one for each round of equal length; fills `s` also
 * where there are fewer. Returns whether the state is steady; never with fewer than five rounds or
 * a mean of 0.
 */
bool steady_rounds(const double *v, size_t n, struct steady_rounds *s);

#endif
