/* SPDX-License-Identifier: MIT */
/* Steady state of the last five rounds; see steady_rounds.h. */
#include "bench/stats/steady_rounds.h"

#include <math.h>

#include "bench/stats/summary.h"

bool steady_rounds(const double *v, size_t n, struct steady_rounds *s)
{
	size_t k = n < STEADY_ROUNDS ? n : STEADY_ROUNDS;
	double middle = k ? (double)(k - 1) / 2 : 0, xy = 0, xx = 0;

	v += n - k;
	s->mean = stats_mean(v, k);
	s->range_share = s->slope_share = (double)NAN;
	if (!k || !(s->mean > 0))
		return false;
	for (size_t i = 0; i < k; i++) {
		double x = (double)i - middle;

		xy += x * (v[i] - s->mean);
		xx += x * x;
	}
	s->range_share = (stats_max(v, k) - stats_min(v, k)) / s->mean;
	s->slope_share = xx > 0 ? fabs(xy / xx) * (double)(k - 1) / s->mean : 0;
	return k == STEADY_ROUNDS && s->range_share <= STEADY_RANGE_SHARE &&
		s->slope_share <= STEADY_SLOPE_SHARE;
}
