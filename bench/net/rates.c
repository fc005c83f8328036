/* SPDX-License-Identifier: MIT */
/* Bytes by the time they came: the rate over time, and once slow start is over. */
#include "bench/net/rates.h"

#include <math.h>

#include "bench/stats/summary.h"
#include "lib/clock.h"

#define STEADY_PART 0.9		/* of the median of the second half */

void rates_add(struct rates *rates, uint64_t at_ns, uint64_t bytes)
{
	uint64_t interval = at_ns / RATES_INTERVAL_NS;

	rates->bytes += bytes;
	rates->last_ns = at_ns;
	if (interval < RATES_MAX)
		rates->interval_bytes[interval] += bytes;
}

uint32_t rates_intervals(uint64_t elapsed_ns)
{
	uint64_t n = elapsed_ns / RATES_INTERVAL_NS;

	return n < RATES_MAX ? (uint32_t)n : RATES_MAX;
}

uint32_t rates_steady_from(const struct rates *rates, uint32_t n)
{
	double half[RATES_MAX], least;
	uint32_t half_n = 0, from;

	if (n > RATES_MAX)
		n = RATES_MAX;
	for (uint32_t i = n / 2; i < n; i++)
		half[half_n++] = (double)rates->interval_bytes[i];
	if (half_n == 0)
		return n;
	least = STEADY_PART * stats_median(half, half_n);
	if (least <= 0)
		return n;	/* it came to rest: that is no rate */
	for (from = 1; from < n; from++)
		if ((double)rates->interval_bytes[from] >= least)
			break;
	return from;
}

double rates_steady(const struct rates *rates, uint64_t elapsed_ns)
{
	uint32_t n = rates_intervals(elapsed_ns), from = rates_steady_from(rates, n);
	double bytes = 0;

	if (n < from + RATES_STEADY_LEAST)
		return NAN;
	for (uint32_t i = from; i < n; i++)
		bytes += (double)rates->interval_bytes[i];
	return bytes / ((double)(n - from) * (double)RATES_INTERVAL_NS) * (double)NS_PER_S;
}

void rates_series(const struct rates *rates, uint64_t elapsed_ns, struct series *series)
{
	uint32_t n = rates_intervals(elapsed_ns);

	for (uint32_t i = 0; i < n; i++)
		series_add(series, (double)((i + 1) * RATES_INTERVAL_NS),
			   (double)rates->interval_bytes[i] * (double)NS_PER_S /
			   (double)RATES_INTERVAL_NS);
}
