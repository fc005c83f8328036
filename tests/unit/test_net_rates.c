/* SPDX-License-Identifier: MIT */
/* Bytes by the time they came: intervals, slow start left out, what is not known absent. */
#include "bench/net/rates.h"

#include "lib/clock.h"
#include "tests/unit/tap.h"

static struct rates rates;
static struct series series;

/* Intervals of so many bytes each, as 10 pieces; ends with 0. */
static void fill(const uint64_t *bytes, uint32_t n)
{
	memset(&rates, 0, sizeof(rates));
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < 10; k++)
			rates_add(&rates, i * RATES_INTERVAL_NS + k * RATES_INTERVAL_NS / 10,
				  bytes[i] / 10);
}

static uint64_t whole(uint32_t n)
{
	return n * RATES_INTERVAL_NS;
}

static void slow_start(void)
{
	static const uint64_t ramp[] = { 1000, 2000, 4000, 8000, 10000, 10000, 10000, 10000, 10000,
					 10000 };
	static const uint64_t burst[] = { 90000, 10000, 10000, 10000, 10000, 10000, 10000 };
	static const uint64_t steady[] = { 10000, 10000, 10000, 10000, 10000, 10000 };
	static const uint64_t still[] = { 10000, 10000, 0, 0, 0, 0, 0, 0, 0, 0 };

	fill(ramp, 10);
	is_uint(rates.bytes, 75000, "all bytes are counted");
	is_uint(rates_steady_from(&rates, 10), 4, "steady once nine tenths are reached");
	is_near(rates_steady(&rates, whole(10)), 100000, 1e-6, "the rate from then on");
	is_near(rates_steady(&rates, whole(10) + 5), 100000, 1e-6, "parts of an interval are not");
	ok(isnan(rates_steady(&rates, whole(8))), "four intervals are too few for a rate");
	fill(burst, 7);
	is_uint(rates_steady_from(&rates, 7), 1, "the very first interval never counts");
	is_near(rates_steady(&rates, whole(7)), 100000, 1e-6, "so that a queue's burst is no rate");
	fill(steady, 6);
	is_near(rates_steady(&rates, whole(6)), 100000, 1e-6, "five are enough");
	fill(still, 10);
	ok(isnan(rates_steady(&rates, whole(10))), "what stands still has no rate, and no 0");
}

static void edges(void)
{
	memset(&rates, 0, sizeof(rates));
	ok(isnan(rates_steady(&rates, 0)), "nothing has no rate");
	is_uint(rates_steady_from(&rates, 0), 0, "and no interval");
	ok(isnan(rates_steady(&rates, whole(10))), "nor has a time without bytes");
	rates_add(&rates, 0, 5);
	ok(isnan(rates_steady(&rates, whole(1))), "one interval has none");
	rates_add(&rates, UINT64_MAX, 7);
	rates_add(&rates, whole(RATES_MAX), 7);
	is_uint(rates.bytes, 19, "bytes after the last interval count in the sum");
	is_uint(rates_intervals(UINT64_MAX), RATES_MAX, "there are no more intervals than that");
	ok(isnan(rates_steady(&rates, UINT64_MAX)), "a very long time is safe");
}

static void course(void)
{
	static const uint64_t bytes[] = { 1000, 0, 3000 };

	fill(bytes, 3);
	rates_series(&rates, whole(3) + 1, &series);
	if (!is_uint(series.point_n, 3, "a point for each whole interval"))
		return;
	is_near(series.point[2].x, 300e6, 1e-6, "at its end");
	is_near(series.point[2].y, 30000, 1e-6, "with its rate");
	is_near(series.point[1].y, 0, 1e-6, "a pause shows");
	rates_series(&rates, whole(3), NULL);
	ok(true, "no series, no points");
}

int main(void)
{
	slow_start();
	edges();
	course();
	return tap_done();
}
