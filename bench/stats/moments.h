/* SPDX-License-Identifier: MIT */
/*
 * Count, extremes, mean and standard deviation of values that need no histogram.
 *
 * Sums are doubles: exact to 2^53 ns (104 days) for the sum; the squares lose digits long after
 * that matters for a deviation.
 */
#ifndef BENCH_STATS_MOMENTS_H
#define BENCH_STATS_MOMENTS_H

#include <math.h>
#include <stdint.h>

struct moments {
	uint64_t count, min_ns, max_ns;	/* min and max mean nothing while count is 0 */
	double sum_ns, sum_sq_ns2;
};

static inline void moments_add(struct moments *m, uint64_t ns)
{
	if (!m->count || ns < m->min_ns)
		m->min_ns = ns;
	if (ns > m->max_ns)
		m->max_ns = ns;
	m->count++;
	m->sum_ns += (double)ns;
	m->sum_sq_ns2 += (double)ns * (double)ns;
}

static inline void moments_merge(struct moments *m, const struct moments *from)
{
	if (!from->count)
		return;
	if (!m->count || from->min_ns < m->min_ns)
		m->min_ns = from->min_ns;
	if (from->max_ns > m->max_ns)
		m->max_ns = from->max_ns;
	m->count += from->count;
	m->sum_ns += from->sum_ns;
	m->sum_sq_ns2 += from->sum_sq_ns2;
}

/* NAN while there are no values. */
static inline double moments_mean(const struct moments *m)
{
	return m->count ? m->sum_ns / (double)m->count : (double)NAN;
}

/* Of a sample (n - 1); 0 for a single value, NAN for none. */
static inline double moments_stdev(const struct moments *m)
{
	double n = (double)m->count, mean, variance;

	if (m->count < 2)
		return m->count ? 0 : (double)NAN;
	mean = m->sum_ns / n;
	variance = (m->sum_sq_ns2 - n * mean * mean) / (n - 1);
	return variance > 0 ? sqrt(variance) : 0;
}

#endif
