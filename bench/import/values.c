/* SPDX-License-Identifier: MIT */
/* What the patterns share: numbers, units, results that grow. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/import/import.h"
#include "bench/stats/summary.h"
#include "lib/text.h"

bool import_has(regmatch_t m)
{
	return m.rm_so >= 0 && m.rm_eo > m.rm_so;
}

void import_copy(const struct import *im, regmatch_t m, char *to, size_t size)
{
	to[0] = '\0';
	if (import_has(m))
		text_clean(to, size, im->text + m.rm_so, (size_t)(m.rm_eo - m.rm_so));
}

double import_number(const struct import *im, regmatch_t m)
{
	char digits[40], *end;
	double value;

	import_copy(im, m, digits, sizeof(digits));
	if (!digits[0])
		return (double)NAN;
	for (char *c = digits; *c; c++)
		if (*c == ',')
			*c = '.';
	value = strtod(digits, &end);
	return *end || !isfinite(value) ? (double)NAN : value;
}

uint32_t import_count_text(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return end == text || !(value >= 0) || value > UINT32_MAX ? 0 : (uint32_t)value;
}

uint32_t import_count(const struct import *im, regmatch_t m)
{
	char digits[40];

	import_copy(im, m, digits, sizeof(digits));
	return import_count_text(digits);
}

double import_factor(const struct import *im, regmatch_t m)
{
	static const char letters[] = "kKmMgGtTpP";
	char unit[24];
	const char *at;
	double step;

	import_copy(im, m, unit, sizeof(unit));
	at = strchr(letters, unit[0]);
	if (!unit[0] || !at)
		return 1;
	step = unit[1] == 'i' ? 1024 : 1000;
	return pow(step, (double)((at - letters) / 2 + 1));
}

struct result *import_add(struct import *im, const char *test, const char *family,
			  const regmatch_t *m)
{
	static struct result r;		/* large, and copied at once */

	result_init(&r, test, im->device);
	text_copy(r.family, sizeof(r.family), family);
	text_copy(r.context, sizeof(r.context), im->context);
	import_copy(im, m[0], r.as_read, sizeof(r.as_read));
	result_end(&r, RESULT_OK, "%s", "");
	if (report_add_result(im->report, &r))
		return NULL;
	im->last = im->report->result_n - 1;
	return &im->report->result[im->last];
}

struct result *import_same(struct import *im, const char *test)
{
	struct result *r;

	if (im->last == SIZE_MAX)
		return NULL;
	r = &im->report->result[im->last];
	return strcmp(r->test, test) || strcmp(r->target, im->device) ? NULL : r;
}

void import_run(struct result *r, const char *metric, double ns, double bytes)
{
	double rate[METRIC_SAMPLES_MAX], sorted[METRIC_SAMPLES_MAX];
	struct series *runs = r->series_n ? &r->series[0]
					  : result_series(r, "runs", UNIT_NS, UNIT_BYTES);
	struct metric *m;
	uint32_t n = 0;

	series_add(runs, ns, bytes);
	for (uint32_t i = 0; runs && i < runs->point_n && n < METRIC_SAMPLES_MAX; i++)
		if (runs->point[i].x > 0)
			rate[n++] = runs->point[i].y / runs->point[i].x * 1e9;
	if (n == 0)
		return;
	memcpy(sorted, rate, n * sizeof(*rate));
	r->metric_n = 0;
	m = result_metric(r, metric, UNIT_BYTES_PER_S, stats_median(sorted, n));
	if (n > 1)
		metric_samples(m, rate, n);
}
