/* SPDX-License-Identifier: MIT */
/* The lines under a sustained write; see text_sustained.h. */
#include "bench/report/text_sustained.h"

#include <inttypes.h>
#include <stdio.h>

#include "bench/report/units.h"

static void put_drop(struct page *p, unsigned indent, const struct result *t)
{
	const struct metric *before = result_find(t, "speed_before");
	const struct metric *after = result_find(t, "speed_after");
	const struct metric *bytes = result_find(t, "bytes_at_drop");
	const struct metric *time = result_find(t, "time_at_drop");

	if (!before || !after || !bytes || !time || bytes->value < 0 || time->value < 0)
		return;
	page_to(p, indent);
	page_printf(p, indent, "falls from %s to %s after %s (%s)",
		    units_rate(UNITS_BUF, before->value), units_rate(UNITS_BUF, after->value),
		    units_bytes(UNITS_BUF, (uint64_t)bytes->value),
		    units_time(UNITS_BUF, (uint64_t)time->value));
	page_end(p);
}

/* "idle 5.00 s: 210 MB/s, 15.0 s: 460 MB/s" */
static void put_bursts(struct page *p, unsigned indent, const struct result *t)
{
	const struct series *s = result_find_series(t, "recovery");

	if (!s || !s->point_n)
		return;
	page_to(p, indent);
	page_printf(p, indent + 2, "bursts after idle:");
	for (uint32_t i = 0; i < s->point_n && i < SERIES_POINTS_MAX; i++) {
		page_to(p, p->column + 1);
		page_printf(p, indent + 2, "%s %s%s",
			    units_time(UNITS_BUF, (uint64_t)s->point[i].x),
			    units_rate(UNITS_BUF, s->point[i].y), i + 1 < s->point_n ? "," : "");
	}
	page_end(p);
}

static void put_recovery(struct page *p, unsigned indent, const struct result *t)
{
	const struct metric *back = result_find(t, "recovery_time");
	const struct metric *tried = result_find(t, "recovery_tried");
	const struct metric *refill = result_find(t, "refill");
	const struct series *s = result_find_series(t, "recovery");
	/* the first pause was long enough: a shorter one may have been */
	bool is_first = back && s && s->point_n && s->point[0].x >= back->value;

	if (!tried || tried->value < 0)
		return;
	page_to(p, indent);
	if (back && back->value >= 0)
		page_printf(p, indent + 2, "95 %% of the speed is back after %s of idle%s",
			    units_time(UNITS_BUF, (uint64_t)back->value),
			    is_first ? " or less" : "");
	else
		page_printf(p, indent + 2, "95 %% of the speed is not back after %s of idle",
			    units_time(UNITS_BUF, (uint64_t)tried->value));
	if (refill && refill->value >= 0)
		page_printf(p, indent + 2, "; a second of it brings %s of fast writes",
			    units_bytes(UNITS_BUF, (uint64_t)refill->value));
	page_end(p);
}

static void put_temperature(struct page *p, unsigned indent, const struct result *t)
{
	const struct metric *start = result_find(t, "temperature_start");
	const struct metric *drop = result_find(t, "temperature_at_drop");
	const struct metric *most = result_find(t, "temperature_max");

	if (!start || !most)
		return;
	page_to(p, indent);
	page_printf(p, indent + 2, "temperature: %.0f C at the start", start->value);
	if (drop)
		page_printf(p, indent + 2, ", %.0f C at the drop", drop->value);
	page_printf(p, indent + 2, ", %.0f C at most", most->value);
	page_end(p);
}

void text_put_sustained(struct page *p, unsigned indent, const struct result *t)
{
	if (t->status != RESULT_OK || !result_find(t, "drops"))
		return;
	put_drop(p, indent, t);
	put_bursts(p, indent, t);
	put_recovery(p, indent, t);
	put_temperature(p, indent, t);
}
