/* SPDX-License-Identifier: MIT */
/*
 * Where the level of a series changes: finds the drop of a disk that writes fast for a while.
 *
 * Binary segmentation by rank. Each stretch is split where the values before it most often exceed
 * (or stay below) those behind it: the largest |U_k| of all k, U_k being the sum over all pairs of
 * sign(before - behind) (A. N. Pettitt, A non-parametric approach to the change-point problem,
 * Applied Statistics 28, 1979). Ranks do not care how far out an outlier lies, so neither single
 * spikes nor short dips that come again and again move it. The exact place is then where two
 * levels, the medians of both sides, fit best. A split counts only where all of these hold:
 *
 *   - both sides last for segment_min values or more;
 *   - U_k / (k * (n - k)), Cliff's delta, is 0.7 or more: 17 of 20 pairs go that way;
 *   - it is 3.5 standard deviations of the rank-sum statistic away from chance, or more;
 *   - the medians of the two sides differ by share_min of the higher one, or more, and so do those
 *     of the values next to it alone: a slope is not a step;
 *   - two levels fit the stretch better than a straight line does.
 *
 * Values over time are rarely independent: 3.5 deviations are no probability. It is share_min that
 * keeps a wandering disk from being called one that drops. A change that is undone again before the
 * series ends is a dip, and not found.
 */
#ifndef BENCH_STATS_CHANGEPOINT_H
#define BENCH_STATS_CHANGEPOINT_H

#include <stddef.h>

#define CHANGEPOINT_VALUES_MAX 1024
#define CHANGEPOINT_SPLITS_MAX 16	/* rises and drops */

struct changepoint_rule {
	size_t segment_min;	/* values that a level must last for; at least 4 are taken */
	double share_min;	/* the smallest change, as a share of the higher level */
};

struct changepoint {
	size_t index;		/* the first value of the lower level */
	/*
	 * The same with fractions: a value at the border that lies between the levels belongs to
	 * each in part. In values since the start of the series: time = position * interval.
	 */
	double position;
	double before, after;	/* medians from the last change to this one, and on to the next */
};

/*
 * Finds the drops in `n` finite values at equal intervals, in their order; what is beyond
 * CHANGEPOINT_VALUES_MAX values is not looked at. Rises separate levels but are not given. Returns
 * how many of `out` (at most `room`) were filled; 0: no drop. Takes about 1 ms for 1024 values.
 */
size_t changepoint_drops(const double *v, size_t n, const struct changepoint_rule *rule,
			 struct changepoint *out, size_t room);

#endif
