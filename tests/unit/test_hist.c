/* SPDX-License-Identifier: MIT */
/* The histogram: the bound its header states, exact sums, percentiles by nearest rank. */
#include "bench/stats/hist.h"

#include "tests/unit/tap.h"

static struct hist h, other;

/* Every bucket follows the one before it, and each of its values comes back to it. */
static void buckets_join(void)
{
	size_t bad = 0;

	is_uint(hist_bucket_low(0), 0, "the first bucket begins at 0");
	is_uint(hist_bucket_end(HIST_BUCKETS - 1), UINT64_C(1) << HIST_MAX_BITS,
		"the last bucket ends where `over` begins");
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		uint64_t low = hist_bucket_low(i), end = hist_bucket_end(i);

		bad += end <= low || hist_index(low) != i || hist_index(end - 1) != i;
		bad += i + 1 < HIST_BUCKETS && hist_bucket_low(i + 1) != end;
	}
	is_uint(bad, 0, "all %d buckets join without gap or overlap", HIST_BUCKETS);
}

static void worked_table(void)
{
	static const struct { uint64_t low, width; } row[] = {
		{ 0, 1 }, { 127, 1 }, { 128, 2 }, { 254, 2 }, { 4096, 64 },
		{ UINT64_C(1) << 20, 16384 }, { UINT64_C(1) << 34, 268435456 },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		size_t at = hist_index(row[i].low);

		is_uint(hist_bucket_end(at) - hist_bucket_low(at), row[i].width,
			"at %llu ns a bucket is %llu ns wide", (unsigned long long)row[i].low,
			(unsigned long long)row[i].width);
	}
}

/* Any single value is given back within 1/128 of itself, whichever end of its bucket it lies at. */
static void error_bound(void)
{
	double worst = 0;

	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		uint64_t edge[2] = { hist_bucket_low(i), hist_bucket_end(i) - 1 };

		for (int e = 0; e < 2; e++) {
			double value = (double)edge[e], got, off;

			hist_init(&h);
			hist_add(&h, edge[e], 1);
			hist_add(&h, 0, 1);	/* so that min and max do not mend the middle */
			hist_add(&h, UINT64_MAX, 1);
			got = (double)hist_percentile(&h, 200.0 / 3);
			off = value > 0 ? fabs(got - value) / value : 0;
			worst = off > worst ? off : worst;
		}
	}
	ok(worst <= 1.0 / 128, "no value is off by more than 1/128 (worst %.5f)", worst);
	ok(worst > 1.0 / 130, "and the bound is tight");
}

static void sums(void)
{
	hist_init(&h);
	is_uint(h.min_ns, UINT64_MAX, "empty: minimum is UINT64_MAX");
	is_near(hist_mean(&h), 0, 0, "empty: mean 0");
	is_near(hist_stdev(&h), 0, 0, "empty: deviation 0");
	is_uint(hist_percentile(&h, 99), 0, "empty: percentile 0");
	hist_add(&h, 1000, 0);
	is_uint(h.count, 0, "adding nothing adds nothing");
	is_uint(h.min_ns, UINT64_MAX, "and leaves the minimum alone");

	/* 2 4 4 4 5 5 7 9, scaled: mean 5, sum of squared deviations 32 */
	hist_add(&h, 2000001, 1);
	hist_add(&h, 4000001, 3);
	hist_add(&h, 5000001, 2);
	hist_add(&h, 7000001, 1);
	is_near(hist_stdev(&h), sqrt(13.714285714285714 / 6) * 1e6, 1,
		"deviation divides by n - 1");
	hist_add(&h, 9000001, 1);
	is_uint(h.count, 8, "count");
	is_near(hist_mean(&h), 5000001, 1e-6, "the mean is exact, not a bucket's middle");
	is_near(hist_stdev(&h), sqrt(32.0 / 7) * 1e6, 1e-3, "so is the deviation");
	is_uint(h.min_ns, 2000001, "minimum");
	is_uint(h.max_ns, 9000001, "maximum");
	hist_init(&h);
	for (int i = 0; i < 1000; i++)
		hist_add(&h, 123456789, 1);
	is_near(hist_stdev(&h), 0, 1e-3, "equal values do not deviate, whatever rounding does");
}

/* 1 .. 1000 each once, below 128 in a bucket of its own: the rank can be read off. */
static void percentiles(void)
{
	hist_init(&h);
	for (uint64_t i = 1; i <= 100; i++)
		hist_add(&h, i, 10);
	is_uint(hist_percentile(&h, 1), 1, "p1 of 1..100, ten of each");
	is_uint(hist_percentile(&h, 1.01), 2, "just above it the next value");
	is_uint(hist_percentile(&h, 50), 50, "p50");
	is_uint(hist_percentile(&h, 99), 99, "p99");
	is_uint(hist_percentile(&h, 99.9), 100, "p99.9");
	is_uint(hist_percentile(&h, 100), 100, "p100 is the maximum");
	hist_init(&h);
	hist_add(&h, 10, 999);
	hist_add(&h, 20, 1);
	is_uint(hist_percentile(&h, 99.9), 10, "p99.9 of 1000 is number 999");
	is_uint(hist_percentile(&h, 99.91), 20, "p99.91 is number 1000");
	hist_init(&h);
	hist_add(&h, 1000003, 5);
	is_uint(hist_percentile(&h, 50), 1000003, "one value: kept within minimum and maximum");
}

static void large_values(void)
{
	const uint64_t edge = UINT64_C(1) << HIST_MAX_BITS;

	hist_init(&h);
	hist_add(&h, edge - 1, 1);
	is_uint(h.over, 0, "the last value in range has a bucket");
	is_near((double)hist_percentile(&h, 50), (double)edge, (double)edge / 128,
		"73 minutes come back");
	hist_add(&h, edge, 2);
	hist_add(&h, UINT64_MAX, 1);
	is_uint(h.over, 3, "what lies above is counted in `over`");
	is_uint(h.count, 4, "and in the count");
	is_uint(h.max_ns, UINT64_MAX, "and in the maximum");
	is_uint(hist_percentile(&h, 25), edge - 1, "a percentile below them is not touched");
	is_uint(hist_percentile(&h, 50), UINT64_MAX, "one among them says so");
	is_near(hist_mean(&h) / ldexp(1, 62), 1, 1e-2, "the mean has them in it");
}

static void merge(void)
{
	hist_init(&h);
	hist_init(&other);
	hist_add(&h, 100, 3);
	hist_merge(&h, &other);
	is_uint(h.min_ns, 100, "merging an empty one changes nothing");
	hist_add(&other, 50, 1);
	hist_add(&other, UINT64_MAX, 1);
	hist_add(&other, 3000, 5);
	hist_merge(&h, &other);
	is_uint(h.count, 10, "merged count");
	is_uint(h.over, 1, "merged over");
	is_uint(h.min_ns, 50, "merged minimum");
	is_uint(h.max_ns, UINT64_MAX, "merged maximum");
	is_uint(h.bucket[100], 3, "own bucket kept");
	is_uint(h.bucket[hist_index(3000)], 5, "other's bucket added");
	is_near(h.sum_ns / ldexp(1, 64), 1, 1e-9, "merged sum");
}

int main(void)
{
	buckets_join();
	worked_table();
	error_bound();
	sums();
	percentiles();
	large_values();
	merge();
	return tap_done();
}
