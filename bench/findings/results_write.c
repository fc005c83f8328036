/* SPDX-License-Identifier: MIT */
/* The finding rule over sustained writes: disks that write fast for a while only. */
#include <stdbool.h>
#include <stdio.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"

/* "; 95 % of the speed is back after 60.0 s of idle" */
static void tell_recovery(const struct result *t, char *text, size_t text_bytes)
{
	const struct metric *back = result_find(t, "recovery_time");
	const struct metric *tried = result_find(t, "recovery_tried");
	const struct series *s = result_find_series(t, "recovery");
	/* the first pause was long enough: a shorter one may have been */
	bool is_first = back && s && s->point_n && s->point[0].x >= back->value;

	text[0] = '\0';
	if (back && back->value >= 0)
		snprintf(text, text_bytes, "; 95 %% of the speed is back after %s of idle%s",
			 units_time(UNITS_BUF, (uint64_t)back->value), is_first ? " or less" : "");
	else if (tried && tried->value >= 0)
		snprintf(text, text_bytes, "; after %s of idle it is not back",
			 units_time(UNITS_BUF, (uint64_t)tried->value));
}

int find_write_drop(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];
		const struct metric *before = result_find(t, "speed_before");
		const struct metric *after = result_find(t, "speed_after");
		const struct metric *bytes = result_find(t, "bytes_at_drop");
		char recovery[96];

		if (t->status != RESULT_OK || !before || !after || !bytes || bytes->value < 0)
			continue;
		tell_recovery(t, recovery, sizeof(recovery));
		err = ADD(t->target, "%s: writes fall from %s to %s after %s%s.", LABEL(t->target),
			  units_rate(UNITS_BUF, before->value),
			  units_rate(UNITS_BUF, after->value),
			  units_bytes(UNITS_BUF, (uint64_t)bytes->value), recovery);
	}
	return err;
}
