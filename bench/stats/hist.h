/* SPDX-License-Identifier: MIT */
/*
 * Latency histogram: 64 buckets for each power of two.
 *
 * A value below 128 ns has a bucket of its own. Above, a bucket spans 1/64 of its power of two, so
 * the middle of a bucket differs from any value in it by at most 1/128 of the value (0.79 %).
 * Range: values up to 2^42 - 1 ns (73 minutes) are recorded; larger ones are counted in `over` and
 * in the sum and maximum, never clamped into a bucket unseen. Memory: 2,368 counters, 18.5 KiB.
 *
 *   value (ns)     bucket width (ns)   worst error of the middle
 *   0 .. 127                       1   0
 *   128 .. 255                     2   0.79 %
 *   4,096 .. 8,191                64   0.79 %
 *   ~1 ms                     16,384   0.79 %
 *   ~17 s (fio's end)    268,435,456   0.79 %
 */
#ifndef BENCH_STATS_HIST_H
#define BENCH_STATS_HIST_H

#include <stddef.h>
#include <stdint.h>

#define HIST_SUB_BITS 6
#define HIST_MAX_BITS 42
#define HIST_BUCKETS ((HIST_MAX_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS)

struct hist {
	uint64_t count;		/* all values, also those in `over` */
	uint64_t over;		/* values >= 2^HIST_MAX_BITS */
	uint64_t min_ns, max_ns;	/* of all values; min is UINT64_MAX while count is 0 */
	double sum_ns, sum_sq_ns2;	/* for mean and standard deviation */
	uint64_t bucket[HIST_BUCKETS];
};

/*
 * Bucket of a value below 2^HIST_MAX_BITS: the power of two picks the group, the next 6 bits the
 * bucket.
 */
static inline size_t hist_index(uint64_t ns)
{
	unsigned shift = (63 - HIST_SUB_BITS) -
			 (unsigned)__builtin_clzll(ns | (UINT64_C(1) << HIST_SUB_BITS));

	return ((size_t)shift << HIST_SUB_BITS) + (size_t)(ns >> shift);
}

/* Empties the histogram. */
void hist_init(struct hist *h);
/* Records `n` values of `ns`. */
void hist_add(struct hist *h, uint64_t ns, uint64_t n);
/* Adds all values of `from` to `h`. */
void hist_merge(struct hist *h, const struct hist *from);
/*
 * Mean and standard deviation (of a sample: n - 1) in ns, from exact sums, not from buckets; 0 for
 * an empty histogram (callers look at count first).
 */
double hist_mean(const struct hist *h);
double hist_stdev(const struct hist *h);
/*
 * The value that `percent` (0 < percent <= 100) of the values do not exceed, by nearest rank: the
 * value number ceil(count * percent / 100) in ascending order, as fio counts. Given as the middle
 * of its bucket, kept within min and max. UINT64_MAX where it lies among `over`. 0 for an empty
 * histogram.
 */
uint64_t hist_percentile(const struct hist *h, double percent);
/* Lowest value and first value past the end of bucket `index`, in ns. */
uint64_t hist_bucket_low(size_t index);
uint64_t hist_bucket_end(size_t index);

#endif
