/* SPDX-License-Identifier: MIT */
/* The confidence interval of a series' mean; see ci.h. */
#include "bench/stats/ci.h"

#include <math.h>

double ci_student(double freedom)
{
	/* the 97.5 % quantile; to be found in any book */
	static const double table[] = {
		12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
		2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
		2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
	};
	static const size_t last = sizeof(table) / sizeof(table[0]);
	static const double normal = 1.9600;

	if (freedom < 1)
		return NAN;
	if (freedom < (double)last + 1)
		return table[(size_t)freedom - 1];
	/* nearly straight in 1 / freedom: 2.000 for 60 (a table says 2.0003) */
	return normal + (table[last - 1] - normal) * (double)last / floor(freedom);
}

static double slice_mean(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

/* Correlation of neighbours: sum of products over sum of squares, less its bias; not below 0. */
static double correlation(const double *x, size_t n, double mean, double squares)
{
	double products = 0, r;

	for (size_t i = 0; i + 1 < n; i++)
		products += (x[i] - mean) * (x[i + 1] - mean);
	r = ((double)n * (products / squares) + 1) / ((double)n - 4);
	return r > 0 ? r : 0;
}

static double half_width(const double *x, size_t n, double mean, double squares)
{
	double r = correlation(x, n, mean, squares), count = (double)n, worth, variance, far = 0;

	worth = r < 1 ? count * (1 - r) / (1 + r) : 0;
	if (worth >= 2) {
		variance = squares / (count - 1) * (worth * (count - 1)) / (count * (worth - 1));
		return ci_student(worth - 1) * sqrt(variance / worth);
	}
	for (size_t i = 0; i < n; i++)
		far = fabs(x[i] - mean) > far ? fabs(x[i] - mean) : far;
	return CI_WANDER * far;
}

/* The steepest straight line that 95 % allow, per batch. */
static double steepest(const double *x, size_t n, double mean, double squares)
{
	double count = (double)n, spread = count * (count * count - 1) / 12, slope = 0, rest;

	for (size_t i = 0; i < n; i++)
		slope += ((double)i - (count - 1) / 2) * (x[i] - mean);
	slope /= spread;
	/* rounding may leave a little less than nothing */
	rest = fmax(squares - slope * slope * spread, 0);
	return fabs(slope) + ci_student(count - 2) * sqrt(rest / (count - 2) / spread);
}

struct ci ci_mean(const double *v, size_t n)
{
	struct ci ci = { 0, NAN, NAN, NAN };
	double x[CI_BATCHES_MAX], squares = 0;
	size_t size = 1;

	if (n < CI_VALUES_MIN)
		return ci;
	while (n / size > CI_BATCHES_MAX)
		size *= 2;
	ci.batches = n / size;
	for (size_t i = 0; i < ci.batches; i++)
		x[i] = slice_mean(v + n % size + i * size, size);
	ci.mean = slice_mean(x, ci.batches);
	for (size_t i = 0; i < ci.batches; i++)
		squares += (x[i] - ci.mean) * (x[i] - ci.mean);
	ci.half = ci.drift = 0;
	if (squares > 0) {
		ci.half = half_width(x, ci.batches, ci.mean, squares);
		ci.drift = steepest(x, ci.batches, ci.mean, squares) / (double)size;
	}
	return ci;
}
