/* SPDX-License-Identifier: MIT */
/* Summaries of a few samples; see summary.h. */
#include "bench/stats/summary.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double stats_median(double *v, size_t n)
{
	if (!n)
		return NAN;
	qsort(v, n, sizeof(*v), by_value);
	if (n % 2)
		return v[n / 2];
	/* halved before the addition: the sum of two large values must not overflow */
	return v[n / 2 - 1] / 2 + v[n / 2] / 2;
}

double stats_mad(double *v, size_t n, double median)
{
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - median);
	return stats_median(v, n);
}

double stats_min(const double *v, size_t n)
{
	double low = n ? v[0] : NAN;

	for (size_t i = 1; i < n; i++)
		low = v[i] < low ? v[i] : low;
	return low;
}

double stats_max(const double *v, size_t n)
{
	double high = n ? v[0] : NAN;

	for (size_t i = 1; i < n; i++)
		high = v[i] > high ? v[i] : high;
	return high;
}

double stats_mean(const double *v, size_t n)
{
	double mean = NAN;

	/* running mean: no sum that grows with n */
	for (size_t i = 0; i < n; i++)
		mean = i ? mean + (v[i] - mean) / (double)(i + 1) : v[0];
	return mean;
}
