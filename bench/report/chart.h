/* SPDX-License-Identifier: MIT */
/*
 * Charts as SVG: axes with round ticks, lines, dots, steps and bars. Every shape has a class; the
 * page that holds it has the colours. Texts are escaped here.
 *
 * Invariant: no label leaves the picture, and no two labels of an axis overlap: there are at most
 * CHART_TICKS of them, and each is at most CHART_LABEL characters long.
 */
#ifndef BENCH_REPORT_CHART_H
#define BENCH_REPORT_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/model/result.h"

#define CHART_WIDTH 520
#define CHART_HEIGHT 260
#define CHART_TICKS 6
#define CHART_LABEL 6
#define CHART_SERIES_MAX 4	/* that a legend has room for */

struct chart_axis {
	double min, max;	/* widened to round numbers by chart_begin; log: both above 0 */
	bool is_log;
	bool from_zero;		/* min becomes 0 */
	enum metric_unit unit;
	const char *name;	/* what it measures, a few words */
	/* chart_begin fills these: shown = value / scale in that unit */
	double scale;
	const char *unit_name;
	double tick[CHART_TICKS];
	unsigned tick_n;
};

struct chart {
	FILE *out;
	struct chart_axis x, y, right;	/* right: a second vertical axis, with has_right */
	unsigned legend_n;
	bool has_right;
};

/* Text as it may stand between tags and within quoted attributes. */
void chart_text(FILE *out, const char *text);

/* The largest and smallest finite values so far; begin with CHART_NONE. */
struct chart_range {
	double min, max;
};
#define CHART_NONE ((struct chart_range){ 1, 0 })
void chart_range_add(struct chart_range *r, double value);
bool chart_range_empty(const struct chart_range *r);

/*
 * Opens the picture: `title` is read aloud and shown above it. Axes are as the caller fills them;
 * `right` may be NULL.
 */
void chart_begin(struct chart *c, FILE *out, const char *title, const struct chart_axis *x,
		 const struct chart_axis *y, const struct chart_axis *right);
/* A line through points; class "line sN" with N = series. On the right axis with `right`. */
void chart_line(struct chart *c, unsigned series, const struct point *point, uint32_t n,
		bool right);
/* The same as separate dots. */
void chart_dots(struct chart *c, unsigned series, const struct point *point, uint32_t n,
		bool right);
/* A bar from the axis to y over x1 .. x2. */
void chart_box(struct chart *c, unsigned series, double x1, double x2, double y);
/* A vertical line at x with a word beside it. */
void chart_marker(struct chart *c, double x, const char *word);
/* Names a series above the picture. */
void chart_legend(struct chart *c, unsigned series, const char *name);
void chart_end(struct chart *c);

/* Bars beside each other with a name and a value each, horizontal: `n` rows. */
struct chart_bar {
	const char *name;	/* cut to what has room */
	double value;		/* not finite: "not measured" stands in its place */
	unsigned series;
};
void chart_bars(FILE *out, const char *title, enum metric_unit unit, const struct chart_bar *bar,
		unsigned n);

#endif
