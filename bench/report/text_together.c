/* SPDX-License-Identifier: MIT */
/* All disks at once beside the sum of each alone, in the text report. */
#include "bench/report/text.h"

#include <stdio.h>

#include "bench/report/units.h"

#define INDENT 2
#define TEST_COLUMNS 20
#define WHERE_COLUMNS 24
#define RATE_COLUMNS 12
#define SHARE_COLUMNS 7

static void put_rate(struct page *p, const struct shared_limit *l, double value)
{
	page_right(p, RATE_COLUMNS, l->unit == UNIT_IOPS ? units_iops(UNITS_BUF, value)
							 : units_rate(UNITS_BUF, value));
}

void text_put_together(struct page *p, const struct report *r)
{
	char where[64], share[UNITS_BYTES];

	if (r->shared_limit_n == 0)
		return;
	page_left(p, INDENT + TEST_COLUMNS, "All disks at once");
	page_left(p, WHERE_COLUMNS, "disks");
	page_right(p, RATE_COLUMNS, "sum alone");
	page_right(p, RATE_COLUMNS, "together");
	page_right(p, SHARE_COLUMNS, "share");
	page_end(p);
	for (size_t i = 0; i < r->shared_limit_n; i++) {
		const struct shared_limit *l = &r->shared_limit[i];

		snprintf(where, sizeof(where), "%u%s%.40s", l->disk_n,
			 l->controller[0] ? " at " : "", l->controller);
		snprintf(share, sizeof(share), "%.0f %%", l->together / l->alone * 100);
		page_to(p, INDENT);
		page_left(p, TEST_COLUMNS - 1, l->test);
		page_to(p, INDENT + TEST_COLUMNS);
		page_left(p, WHERE_COLUMNS, where);
		put_rate(p, l, l->alone);
		put_rate(p, l, l->together);
		page_right(p, SHARE_COLUMNS, l->alone > 0 ? share : "-");
		page_end(p);
		if (!l->limited)
			continue;
		page_to(p, INDENT + 4);
		page_wrap(p, INDENT + 4, "limited by something these disks share");
		page_end(p);
	}
	page_rule(p);
}
