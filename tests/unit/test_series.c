/* SPDX-License-Identifier: MIT */
/* Summaries of samples. */
#include "bench/stats/summary.h"

#include "tests/unit/tap.h"

int main(void)
{
	double odd[] = { 5, 1, 4, 2, 3 }, even[] = { 10, 1, 2, 4 }, one[] = { 7 };
	double spread[] = { 1, 1, 2, 2, 4, 6, 9 }, huge[] = { 1.7e308, 1.7e308 };
	double rates[] = { 100, 300, 200 };

	is_near(stats_median(odd, 5), 3, 0, "median of an odd number");
	is_near(odd[0], 1, 0, "the array is sorted");
	is_near(odd[4], 5, 0, "up to its end");
	is_near(stats_median(even, 4), 3, 0, "median of an even number is the mean of the middle");
	is_near(stats_median(one, 1), 7, 0, "median of one");
	is_near(stats_median(huge, 2), 1.7e308, 0, "no overflow on the way");
	is_near(stats_mad(spread, 7, 2), 1, 0, "median absolute deviation of 1 1 2 2 4 6 9 is 1");
	is_near(stats_mad(one, 1, 7), 0, 0, "of one value 0");
	is_near(stats_min(rates, 3), 100, 0, "minimum");
	is_near(stats_max(rates, 3), 300, 0, "maximum");
	is_near(stats_mean(rates, 3), 200, 1e-12, "mean");
	is_near(stats_mean(huge, 2), 1.7e308, 0, "mean without overflow");
	ok(isnan(stats_median(one, 0)), "nothing has no median");
	ok(isnan(stats_mad(one, 0, 0)), "no deviation");
	ok(isnan(stats_min(one, 0)) && isnan(stats_max(one, 0)), "no extremes");
	ok(isnan(stats_mean(one, 0)), "and no mean");
	return tap_done();
}
