/* SPDX-License-Identifier: MIT */
/* What tests of several files share; see numbers.h. */
#include "bench/tests/numbers.h"

#include <string.h>

void numbers_area(const struct test_context *c, uint64_t *offset_bytes, uint64_t *bytes)
{
	*offset_bytes = c->area_bytes ? c->area_offset_bytes : 0;
	*bytes = c->area_bytes ? c->area_bytes : c->disk->size_bytes;
}

double numbers_next_place(double n, uint32_t places, uint64_t left_ns, uint64_t each_ns)
{
	double rest = places - (n + 1);
	double affordable = each_ns ? (double)left_ns / (double)each_ns : rest;

	if (affordable >= rest)
		return n + 1;
	return affordable < 1 ? places : n + 1 + (rest - affordable) / affordable;
}

static void add_error(struct io_outcome *all, const struct io_error *e)
{
	uint32_t i = 0;

	while (i < all->error_n && all->error[i].err != e->err)
		i++;
	if (i == IO_ERRORS_MAX)
		return;
	if (i == all->error_n) {
		all->error[all->error_n++] = *e;
		return;
	}
	all->error[i].count += e->count;
}

void numbers_add_outcome(struct io_outcome *all, const struct io_outcome *one)
{
	all->end = one->end;
	all->setup_errno = one->setup_errno;
	memcpy(all->setup_what, one->setup_what, sizeof(all->setup_what));
	memcpy(all->note, one->note, sizeof(all->note));
	all->depth_used = one->depth_used;
	all->jobs_used = one->jobs_used;
	all->measured_ns += one->measured_ns;
	all->ios += one->ios;
	all->bytes += one->bytes;
	all->issued_ios += one->issued_ios;
	all->short_ios += one->short_ios;
	all->zero_ios += one->zero_ios;
	all->error_ios += one->error_ios;
	all->unanswered_ios += one->unanswered_ios;
	all->silent_ns = one->silent_ns;
	all->trouble_ns = one->trouble_ns;
	for (uint32_t i = 0; i < one->error_n; i++)
		add_error(all, &one->error[i]);
	all->sampled_buffers += one->sampled_buffers;
	all->zero_buffers += one->zero_buffers;
	if (one->clock_error_ns > all->clock_error_ns)
		all->clock_error_ns = one->clock_error_ns;
	all->clock_read_ns = one->clock_read_ns;
	all->user_cpu_ns += one->user_cpu_ns;
	all->system_cpu_ns += one->system_cpu_ns;
	all->huge_pages = one->huge_pages;
	hist_merge(&all->lat, &one->lat);
}

bool numbers_can_go_on(enum io_end end)
{
	return end != IO_END_VANISHED && end != IO_END_SHRUNK && end != IO_END_STALLED &&
	       end != IO_END_SETUP && end != IO_END_NO_IO;
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
