/* SPDX-License-Identifier: MIT */
/* What tests of several files share; see numbers.h. */
#include "bench/tests/numbers.h"

void numbers_area(const struct test_context *c, uint64_t *offset_bytes, uint64_t *bytes)
{
	*offset_bytes = c->area_bytes ? c->area_offset_bytes : 0;
	*bytes = c->area_bytes ? c->area_bytes : c->disk->size_bytes;
}

static void add_percentile(struct result *r, const struct hist *h, const char *name, double percent)
{
	uint64_t ns = hist_percentile(h, percent);

	if ((double)h->count * (100 - percent) / 100 >= 1 - 1e-9 && ns != UINT64_MAX)
		(void)result_metric(r, name, UNIT_NS, (double)ns);
}

struct metric *numbers_latency(struct result *r, const struct hist *h)
{
	struct metric *mean;

	if (!h->count)
		return NULL;
	mean = result_metric(r, "lat_mean", UNIT_NS, hist_mean(h));
	(void)result_metric(r, "lat_stdev", UNIT_NS, hist_stdev(h));
	(void)result_metric(r, "lat_min", UNIT_NS, (double)h->min_ns);
	add_percentile(r, h, "lat_p50", 50);
	add_percentile(r, h, "lat_p90", 90);
	add_percentile(r, h, "lat_p99", 99);
	add_percentile(r, h, "lat_p999", 99.9);
	(void)result_metric(r, "lat_max", UNIT_NS, (double)h->max_ns);
	return mean;
}
