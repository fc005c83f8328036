/* SPDX-License-Identifier: MIT */
/*
 * Summaries of a few samples: median, median absolute deviation, extremes, mean.
 *
 * An empty set has no summary: each function gives NAN for n = 0, never 0. The caller owns the
 * array; functions that say so reorder or overwrite it, none allocates.
 */
#ifndef BENCH_STATS_SUMMARY_H
#define BENCH_STATS_SUMMARY_H

#include <stddef.h>

/* Median; the mean of the two middle values where n is even. Sorts `v` in place. */
double stats_median(double *v, size_t n);
/*
 * Median absolute deviation from `median`, unscaled (multiply by 1.4826 to compare it with the
 * standard deviation of normally distributed values). Overwrites `v`.
 */
double stats_mad(double *v, size_t n, double median);
double stats_min(const double *v, size_t n);
double stats_max(const double *v, size_t n);
double stats_mean(const double *v, size_t n);

#endif
