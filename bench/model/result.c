/* SPDX-License-Identifier: MIT */
/* What one test found on one target: filling and reading it. */
#include "bench/model/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/stats/summary.h"
#include "lib/text.h"

const char *const result_status_words[RESULT_STATUS_COUNT] = {
	[RESULT_PLANNED] = "planned",
	[RESULT_RUNNING] = "running",
	[RESULT_OK] = "ok",
	[RESULT_FAILED] = "failed",
	[RESULT_SKIPPED] = "skipped",
	[RESULT_TIMEOUT] = "timeout",
	[RESULT_UNSUPPORTED] = "unsupported",
};

const char *const metric_unit_words[UNIT_UNITS] = {
	[UNIT_BYTES_PER_S] = "bytes_per_s",
	[UNIT_IOPS] = "iops",
	[UNIT_NS] = "ns",
	[UNIT_BYTES] = "bytes",
	[UNIT_COUNT] = "count",
	[UNIT_PERCENT] = "percent",
	[UNIT_CELSIUS] = "celsius",
	[UNIT_PER_S] = "per_s",
	[UNIT_HERTZ] = "hertz",
	[UNIT_WATTS] = "watts",
	[UNIT_VOLTS] = "volts",
	[UNIT_AMPERES] = "amperes",
	[UNIT_RPM] = "rpm",
};

void result_init(struct result *r, const char *test, const char *target)
{
	memset(r, 0, sizeof(*r));
	text_clean_str(r->test, sizeof(r->test), test);
	text_clean_str(r->target, sizeof(r->target), target);
	r->status = RESULT_PLANNED;
	hist_init(&r->io.lat);
	for (int i = 0; i < IO_SIDES; i++)
		hist_init(&r->io.side[i].clat);
}

struct metric *result_metric(struct result *r, const char *name, enum metric_unit unit,
			     double value)
{
	struct metric *m;

	if (r->metric_n >= RESULT_METRICS_MAX || !isfinite(value))
		return NULL;
	m = &r->metric[r->metric_n++];
	memset(m, 0, sizeof(*m));
	text_copy(m->name, sizeof(m->name), name);
	m->unit = unit;
	m->value = value;
	return m;
}

void metric_samples(struct metric *m, const double *value, uint32_t n)
{
	double sorted[METRIC_SAMPLES_MAX];
	uint32_t each, left = n;

	if (!m)
		return;
	m->sample_n = 0;
	if (n == 0)
		return;
	/*
	 * runs of `each` values become one; what is left over in the end makes a last, shorter run
	 */
	each = (n + METRIC_SAMPLES_MAX - 1) / METRIC_SAMPLES_MAX;
	for (const double *v = value; left > 0; m->sample_n++) {
		uint32_t take = left < each ? left : each;

		m->sample[m->sample_n] = stats_mean(v, take);
		v += take;
		left -= take;
	}
	m->min = stats_min(value, n);
	m->max = stats_max(value, n);
	memcpy(sorted, m->sample, m->sample_n * sizeof(*sorted));
	m->median = stats_median(sorted, m->sample_n);
	m->mad = stats_mad(sorted, m->sample_n, m->median);
}

const struct metric *result_find(const struct result *r, const char *name)
{
	for (uint32_t i = 0; i < r->metric_n && i < RESULT_METRICS_MAX; i++)
		if (!strcmp(r->metric[i].name, name))
			return &r->metric[i];
	return NULL;
}

const struct mark *result_find_mark(const struct result *r, const char *word)
{
	for (uint32_t i = 0; i < r->mark_n && i < RESULT_MARKS_MAX; i++)
		if (!strcmp(r->mark[i].word, word))
			return &r->mark[i];
	return NULL;
}

bool result_has_mark(const struct result *r, const char *word)
{
	return result_find_mark(r, word);
}

bool result_is_doubtful(const struct result *r)
{
	return result_has_mark(r, "all-zero") || result_has_mark(r, "cached") ||
	       result_has_mark(r, "above-link");
}

bool result_is_together(const struct result *r)
{
	return !strcmp(r->phase, "together");
}

bool result_is_of_machine(const struct result *r)
{
	return !strcmp(r->phase, "machine");
}

bool result_is_of_network(const struct result *r)
{
	return !strcmp(r->phase, "network");
}

void result_mark(struct result *r, const char *word, const char *fmt, ...)
{
	char text[2 * RESULT_REASON_BYTES];
	struct mark *m;
	va_list args;

	if (r->mark_n >= RESULT_MARKS_MAX || result_has_mark(r, word))
		return;
	m = &r->mark[r->mark_n++];
	text_copy(m->word, sizeof(m->word), word);
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text_clean_str(m->text, sizeof(m->text), text);
}

struct series *result_series(struct result *r, const char *name, enum metric_unit x_unit,
			     enum metric_unit y_unit)
{
	struct series *s;

	if (r->series_n >= RESULT_SERIES_MAX)
		return NULL;
	s = &r->series[r->series_n++];
	text_copy(s->name, sizeof(s->name), name);
	s->x_unit = x_unit;
	s->y_unit = y_unit;
	s->point_n = 0;
	s->points_lost = 0;
	return s;
}

void series_add(struct series *s, double x, double y)
{
	if (!s || !isfinite(x) || !isfinite(y))
		return;
	if (s->point_n >= SERIES_POINTS_MAX) {
		s->points_lost++;
		return;
	}
	s->point[s->point_n].x = x;
	s->point[s->point_n].y = y;
	s->point_n++;
}

const struct series *result_find_series(const struct result *r, const char *name)
{
	for (uint32_t i = 0; i < r->series_n && i < RESULT_SERIES_MAX; i++)
		if (!strcmp(r->series[i].name, name))
			return &r->series[i];
	return NULL;
}

void result_end(struct result *r, enum result_status status, const char *fmt, ...)
{
	char text[2 * RESULT_REASON_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	r->status = status;
	text_clean_str(r->reason, sizeof(r->reason), text);
}
