/* SPDX-License-Identifier: MIT */
/* Curves as text; see text_curve.h. */
#include "bench/report/text_curve.h"

#include <stdio.h>
#include <string.h>

#include "bench/report/units.h"

#define COLUMNS 60
#define POINTS_MIN 4	/* fewer make no picture */

/* From next to nothing up to the curve's maximum; where no sample lies there is a question mark. */
static const char levels[] = ".,:-=+*#";
#define LEVELS (sizeof(levels) - 1)

/* Means per column over the area; n is 0 where no sample lies. */
static void columns_of(const struct result *t, const struct series *s, double mean[COLUMNS],
		       unsigned n[COLUMNS], unsigned columns)
{
	memset(mean, 0, COLUMNS * sizeof(*mean));
	memset(n, 0, COLUMNS * sizeof(*n));
	for (uint32_t i = 0; i < s->point_n; i++) {
		double share = (s->point[i].x - (double)t->area_offset_bytes) /
			       (double)t->area_bytes;
		unsigned at = share > 0 ? share < 1 ? (unsigned)(share * columns) : columns - 1 : 0;

		mean[at] += s->point[i].y;
		n[at]++;
	}
	for (unsigned i = 0; i < columns; i++)
		if (n[i])
			mean[i] /= n[i];
}

static void put_transfer(struct page *p, unsigned indent, const struct result *t,
			 const struct series *s)
{
	unsigned columns = s->point_n < COLUMNS ? s->point_n : COLUMNS, n[COLUMNS];
	double mean[COLUMNS], low = s->point[0].y, high = low;
	char line[COLUMNS + 1];

	columns_of(t, s, mean, n, columns);
	for (uint32_t i = 1; i < s->point_n; i++) {
		low = s->point[i].y < low ? s->point[i].y : low;
		high = s->point[i].y > high ? s->point[i].y : high;
	}
	if (!(high > 0))
		return;
	for (unsigned i = 0; i < columns; i++) {
		unsigned level = (unsigned)(mean[i] / high * LEVELS);

		line[i] = !n[i] ? '?' : levels[level < LEVELS ? level : LEVELS - 1];
	}
	line[columns] = '\0';
	page_to(p, indent);
	page_left(p, 1, "|");
	page_left(p, columns, line);
	page_left(p, 1, "|");
	page_end(p);
	page_to(p, indent);
	page_printf(p, indent, "over the disk: %s to %s", units_rate(UNITS_BUF, low),
		    units_rate(UNITS_BUF, high));
	page_end(p);
}

static void put_sweep(struct page *p, unsigned indent, const struct series *s)
{
	char text[PAGE_TEXT_BYTES] = "", iops[UNITS_BYTES];

	for (uint32_t i = 0; i < s->point_n; i++) {
		size_t used = strlen(text);

		units_iops(iops, sizeof(iops), s->point[i].y);
		*strstr(iops, " IOPS") = '\0';
		snprintf(text + used, sizeof(text) - used, "%s %.0f: %s",
			 i ? "," : "IOPS at QD", s->point[i].x, iops);
	}
	page_to(p, indent);
	page_wrap(p, indent, text);
	page_end(p);
}

void text_put_curve(struct page *p, unsigned indent, const struct result *t)
{
	const struct series *transfer = result_find_series(t, "transfer");
	const struct series *sweep = result_find_series(t, "sweep-iops");

	if (transfer && transfer->point_n >= POINTS_MIN && t->area_bytes)
		put_transfer(p, indent, t, transfer);
	if (sweep && sweep->point_n)
		put_sweep(p, indent, sweep);
}
