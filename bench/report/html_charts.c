/* SPDX-License-Identifier: MIT */
/* The charts of one disk; a chart without numbers is not there. */
#include <math.h>
#include <string.h>

#include "bench/report/chart.h"
#include "bench/report/html.h"

#define BINS_PER_DECADE 12
#define BINS (13 * BINS_PER_DECADE)
#define DISTRIBUTIONS 2		/* that one chart shows */

static const struct result *find_result(const struct report *r, const struct disk *d,
					const char *test)
{
	for (size_t i = 0; i < r->result_n; i++)
		if (!strcmp(r->result[i].target, d->name) && !strcmp(r->result[i].test, test))
			return &r->result[i];
	return NULL;
}

/* The series of that name in the first of a disk's results that has one. */
static const struct series *find_series(const struct report *r, const struct disk *d,
					const char *test, const char *name)
{
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];
		const struct series *s;

		if (strcmp(t->target, d->name) || (test && strcmp(t->test, test)))
			continue;
		s = result_find_series(t, name);
		if (s && s->point_n)
			return s;
	}
	return NULL;
}

static struct chart_range y_range(const struct series *s)
{
	struct chart_range range = CHART_NONE;

	for (uint32_t i = 0; i < s->point_n; i++)
		chart_range_add(&range, s->point[i].y);
	return range;
}

/* As GNOME Disks draws it: rates as a line over the disk, access times as dots. */
static void put_curve(FILE *out, const struct report *r, const struct disk *d)
{
	const struct series *curve = find_series(r, d, "gnome-curve", "transfer");
	const struct series *access = find_series(r, d, "gnome-access", "access");
	const struct series *deep = find_series(r, d, "deep-curve", "transfer");
	struct chart_range rate = CHART_NONE, time = CHART_NONE;
	struct chart_axis right = { .is_log = true, .unit = UNIT_NS, .name = "access time" };
	struct chart_axis y = { .from_zero = true, .unit = UNIT_BYTES_PER_S, .name = "read" };
	const struct chart_axis x = { .max = (double)d->size_bytes, .unit = UNIT_BYTES,
				      .name = "position on the disk" };
	struct chart c;

	if (!curve && !deep)
		return;
	if (curve)
		rate = y_range(curve);
	for (uint32_t i = 0; deep && i < deep->point_n; i++)
		chart_range_add(&rate, deep->point[i].y);
	y.max = rate.max;
	if (access) {
		time = y_range(access);
		right.min = fmax(1, time.min);
		right.max = time.max;
	}
	chart_begin(&c, out, "Transfer rate and access time over the disk", &x, &y,
		    access ? &right : NULL);
	if (access)
		chart_dots(&c, 1, access->point, access->point_n, true);
	if (curve)
		chart_line(&c, 0, curve->point, curve->point_n, false);
	if (deep)
		chart_line(&c, 2, deep->point, deep->point_n, false);
	if (curve)
		chart_legend(&c, 0, "one at a time");
	if (deep)
		chart_legend(&c, 2, "many in flight");
	if (access)
		chart_legend(&c, 1, "access time");
	chart_end(&c);
}

/* The upper end of bin `i`: twelve to a power of ten. */
static double bin_end(unsigned i)
{
	return pow(10, (i + 1) / (double)BINS_PER_DECADE);
}

static void fill_bins(const struct hist *h, double share[BINS])
{
	memset(share, 0, BINS * sizeof(*share));
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		double middle = (double)(hist_bucket_low(i) + hist_bucket_end(i)) / 2;
		int bin = middle > 1 ? (int)(log10(middle) * BINS_PER_DECADE) : 0;

		if (h->bucket[i])
			share[bin < BINS ? bin : BINS - 1] += 100 * (double)h->bucket[i] /
							      (double)h->count;
	}
}

/* Shares of all I/Os over their latency; the line goes along the tops of the bins. */
static void put_distribution(FILE *out, const struct report *r, const struct disk *d)
{
	static const char *const tests[] = { "rand-read-qd1", "rand-read-qd64", "fio-read-iops",
					     "rand-read-qd32" };
	static const char *const names[] = { "random, QD 1", "random, QD 64", "fio, QD 64",
					     "random, QD 32" };
	double share[DISTRIBUTIONS][BINS];
	const char *name[DISTRIBUTIONS];
	struct chart_range times = CHART_NONE, most = CHART_NONE;
	struct chart_axis x = { .is_log = true, .unit = UNIT_NS, .name = "latency" };
	struct chart_axis y = { .from_zero = true, .unit = UNIT_PERCENT, .name = "of all reads" };
	unsigned n = 0;
	struct chart c;

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests) && n < DISTRIBUTIONS; i++) {
		const struct result *t = find_result(r, d, tests[i]);

		if (!t || !t->has_io || !t->io.lat.count)
			continue;
		fill_bins(&t->io.lat, share[n]);
		chart_range_add(&times, fmax(1, (double)t->io.lat.min_ns));
		chart_range_add(&times, (double)t->io.lat.max_ns);
		for (unsigned k = 0; k < BINS; k++)
			chart_range_add(&most, share[n][k]);
		name[n++] = names[i];
	}
	if (!n)
		return;
	x.min = times.min;
	x.max = times.max;
	y.max = most.max;
	chart_begin(&c, out, "Latency: how many reads took how long", &x, &y, NULL);
	for (unsigned i = 0; i < n; i++) {
		struct point step[2 * BINS];
		uint32_t points = 0;

		for (unsigned k = 0; k < BINS; k++) {
			if (bin_end(k) < c.x.min || (k && bin_end(k - 1) > c.x.max))
				continue;
			step[points++] = (struct point){ k ? bin_end(k - 1) : 1, share[i][k] };
			step[points++] = (struct point){ bin_end(k), share[i][k] };
		}
		chart_line(&c, i, step, points, false);
		chart_legend(&c, i, name[i]);
	}
	chart_end(&c);
}

/* Speed over time, with the disk's temperature where it was read: long writes before all others. */
static void put_time(FILE *out, const struct report *r, const struct disk *d)
{
	const struct series *rate = find_series(r, d, NULL, "throughput");
	const struct series *heat = find_series(r, d, NULL, "temperature");
	struct chart_range range, warm = CHART_NONE, time = CHART_NONE;
	struct chart_axis x = { .from_zero = true, .unit = UNIT_NS, .name = "time" };
	struct chart_axis y = { .from_zero = true, .unit = UNIT_BYTES_PER_S, .name = "write" };
	struct chart_axis right = { .unit = UNIT_CELSIUS, .name = "disk" };
	struct chart c;

	if (!rate)
		return;
	range = y_range(rate);
	for (uint32_t i = 0; i < rate->point_n; i++)
		chart_range_add(&time, rate->point[i].x);
	if (heat) {
		warm = y_range(heat);
		right.min = warm.min;
		right.max = warm.max;
	}
	x.max = time.max;
	y.max = range.max;
	chart_begin(&c, out, "Sustained write over time", &x, &y, heat ? &right : NULL);
	chart_line(&c, 0, rate->point, rate->point_n, false);
	if (heat)
		chart_line(&c, 1, heat->point, heat->point_n, true);
	chart_legend(&c, 0, "speed");
	if (heat)
		chart_legend(&c, 1, "temperature");
	chart_end(&c);
}

/* What one test did in each interval of its time. */
static void put_intervals(FILE *out, const struct report *r, const struct disk *d)
{
	static const char *const tests[] = { "seq-read-qd32", "seq-read-qd64", "seq-read-qd1",
					     "fio-read-throughput" };
	struct chart_range range = CHART_NONE;
	struct chart_axis x = { .from_zero = true, .unit = UNIT_NS, .name = "time" };
	struct chart_axis y = { .from_zero = true, .unit = UNIT_BYTES_PER_S, .name = "read" };
	const struct result *t = NULL;
	struct point point[IO_SERIES_MAX];
	struct chart c;
	char title[96];

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests) && !t; i++) {
		t = find_result(r, d, tests[i]);
		if (t && (!t->has_io || t->io.series_n < 2 || !t->series_ns))
			t = NULL;
	}
	if (!t)
		return;
	for (uint32_t i = 0; i < t->io.series_n && i < IO_SERIES_MAX; i++) {
		point[i].x = (double)(i + 1) * (double)t->series_ns;
		point[i].y = (double)t->io.series_bytes[i] * 1e9 / (double)t->series_ns;
		chart_range_add(&range, point[i].y);
		x.max = point[i].x;
	}
	y.max = range.max;
	snprintf(title, sizeof(title), "Sequential read over time (%.40s)", t->test);
	chart_begin(&c, out, title, &x, &y, NULL);
	chart_line(&c, 0, point, t->io.series_n < IO_SERIES_MAX ? t->io.series_n : IO_SERIES_MAX,
		   false);
	chart_end(&c);
}

static void put_sweep(FILE *out, const struct report *r, const struct disk *d)
{
	static const char *const names[] = { "sweep-iops", "sweep-iops-2-jobs",
					     "sweep-iops-4-jobs" };
	static const char *const shown[] = { "one thread", "two threads", "four threads" };
	struct chart_range range = CHART_NONE, depth = CHART_NONE;
	struct chart_axis x = { .is_log = true, .unit = UNIT_COUNT, .name = "I/Os in flight" };
	struct chart_axis y = { .from_zero = true, .unit = UNIT_IOPS, .name = "random read" };
	const struct series *series[3];
	struct chart c;

	for (int k = 0; k < 3; k++) {
		series[k] = find_series(r, d, NULL, names[k]);
		for (uint32_t i = 0; series[k] && i < series[k]->point_n; i++) {
			chart_range_add(&range, series[k]->point[i].y);
			chart_range_add(&depth, series[k]->point[i].x);
		}
	}
	if (chart_range_empty(&range))
		return;
	x.min = depth.min;
	x.max = depth.max;
	y.max = range.max;
	chart_begin(&c, out, "Queue depth: IOPS with so many I/Os in flight", &x, &y, NULL);
	for (unsigned k = 0; k < 3; k++) {
		if (!series[k])
			continue;
		chart_line(&c, k, series[k]->point, series[k]->point_n, false);
		chart_dots(&c, k, series[k]->point, series[k]->point_n, false);
		chart_legend(&c, k, shown[k]);
	}
	chart_end(&c);
}

static double rate_of(const struct result *t, const char *metric)
{
	const struct metric *m = t ? result_find(t, metric) : NULL;

	return m ? m->value : (double)NAN;
}

static void put_together(FILE *out, const struct report *r, const struct disk *d)
{
	const struct result *read = find_result(r, d, "seq-read-together");
	const struct result *random = find_result(r, d, "rand-read-together");

	if (read && read->status != RESULT_SKIPPED) {
		const struct chart_bar bars[] = {
			{ "alone", rate_of(find_result(r, d, "seq-read-qd32"), "throughput"), 0 },
			{ "with all other disks", rate_of(read, "throughput"), 1 },
		};

		chart_bars(out, "Sequential read: alone and with all disks at once",
			   UNIT_BYTES_PER_S, bars, 2);
	}
	if (random && random->status != RESULT_SKIPPED) {
		const struct chart_bar bars[] = {
			{ "alone", rate_of(find_result(r, d, "rand-read-qd32"), "iops"), 0 },
			{ "with all other disks", rate_of(random, "iops"), 1 },
		};

		chart_bars(out, "Random read: alone and with all disks at once", UNIT_IOPS, bars,
			   2);
	}
}

void html_put_charts(FILE *out, const struct report *r, const struct disk *d)
{
	put_curve(out, r, d);
	put_distribution(out, r, d);
	put_time(out, r, d);
	put_intervals(out, r, d);
	put_sweep(out, r, d);
	put_together(out, r, d);
}
