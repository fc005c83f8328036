/* SPDX-License-Identifier: MIT */
/* Where more requests in flight stop bringing more. */
#ifndef BENCH_STATS_SATURATION_H
#define BENCH_STATS_SATURATION_H

#include <stddef.h>

/*
 * `rate` holds what was reached at n depths, each the double of the one before. Returns the index
 * of the smallest depth from which on no doubling gains more than `gain` (0.1: a tenth), so that a
 * lone flat step at the beginning is not taken for the end. At least one doubling must have been
 * tried: n where the rate still grew at the last one, or where n < 2.
 */
size_t saturation_find(const double *rate, size_t n, double gain);

#endif
