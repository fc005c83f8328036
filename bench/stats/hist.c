/* SPDX-License-Identifier: MIT */
/* Latency histogram; buckets and error bound are derived in hist.h. */
#include "bench/stats/hist.h"

#include <math.h>
#include <string.h>

#define SUB_COUNT ((size_t)1 << HIST_SUB_BITS)

void hist_init(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min_ns = UINT64_MAX;
}

void hist_add(struct hist *h, uint64_t ns, uint64_t n)
{
	double value = (double)ns, times = (double)n;

	if (!n)
		return;
	h->count += n;
	h->sum_ns += value * times;
	h->sum_sq_ns2 += value * value * times;
	if (ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
	if (ns >> HIST_MAX_BITS)
		h->over += n;
	else
		h->bucket[hist_index(ns)] += n;
}

void hist_merge(struct hist *h, const struct hist *from)
{
	h->count += from->count;
	h->over += from->over;
	h->sum_ns += from->sum_ns;
	h->sum_sq_ns2 += from->sum_sq_ns2;
	if (from->min_ns < h->min_ns)
		h->min_ns = from->min_ns;
	if (from->max_ns > h->max_ns)
		h->max_ns = from->max_ns;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		h->bucket[i] += from->bucket[i];
}

double hist_mean(const struct hist *h)
{
	return h->count ? h->sum_ns / (double)h->count : 0;
}

double hist_stdev(const struct hist *h)
{
	double n = (double)h->count, squares;

	if (h->count < 2)
		return 0;
	squares = h->sum_sq_ns2 - h->sum_ns / n * h->sum_ns;
	/* rounding may leave a little less than nothing where all values are equal */
	return squares > 0 ? sqrt(squares / (n - 1)) : 0;
}

uint64_t hist_percentile(const struct hist *h, double percent)
{
	double exact = (double)h->count * percent / 100;
	/* 99.9 % of 1000 is 999, also where the binary fraction of 99.9 lies a little above it */
	double rank = ceil(exact - exact * 1e-12);
	uint64_t seen = 0, middle;

	if (!h->count)
		return 0;
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (!seen || (double)seen < rank)
			continue;
		middle = hist_bucket_low(i) + (hist_bucket_end(i) - hist_bucket_low(i)) / 2;
		if (middle < h->min_ns)
			return h->min_ns;
		return middle > h->max_ns ? h->max_ns : middle;
	}
	return UINT64_MAX;
}

uint64_t hist_bucket_low(size_t index)
{
	size_t shift = index < 2 * SUB_COUNT ? 0 : index / SUB_COUNT - 1;

	return (uint64_t)(index - shift * SUB_COUNT) << shift;
}

uint64_t hist_bucket_end(size_t index)
{
	size_t shift = index < 2 * SUB_COUNT ? 0 : index / SUB_COUNT - 1;

	return hist_bucket_low(index) + (UINT64_C(1) << shift);
}
