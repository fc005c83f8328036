/* SPDX-License-Identifier: MIT */
/* What was read from pasted text; see text_import.h. */
#include "bench/report/text_import.h"

#include <string.h>

#include "bench/import/import.h"
#include "bench/report/page.h"
#include "bench/report/units.h"

#define INDENT 4

static void put_numbers(struct page *p, const struct result *t)
{
	for (uint32_t i = 0; i < t->metric_n && i < RESULT_METRICS_MAX; i++) {
		const struct metric *m = &t->metric[i];

		page_to(p, i ? p->column : INDENT);
		page_printf(p, INDENT, "%s%s %s", i ? ", " : "= ", m->name,
			    units_metric(UNITS_BUF, m->unit, m->value));
		if (m->sample_n > 1)
			page_printf(p, INDENT, " (%u samples, %s to %s)", m->sample_n,
				    units_metric(UNITS_BUF, m->unit, m->min),
				    units_metric(UNITS_BUF, m->unit, m->max));
	}
	page_end(p);
}

static void put_result(struct page *p, const struct result *t, const char *context_before)
{
	if (*t->context && strcmp(t->context, context_before)) {
		page_wrap(p, 0, t->context);
		page_end(p);
	}
	page_to(p, 2);
	page_printf(p, INDENT, "%s%s%s: %s", t->test, *t->target ? " " : "", t->target, t->as_read);
	page_end(p);
	put_numbers(p, t);
	if (*t->reason) {
		page_to(p, INDENT);
		page_wrap(p, INDENT, t->reason);
		page_end(p);
	}
	for (uint32_t i = 0; i < t->mark_n && i < RESULT_MARKS_MAX; i++) {
		page_to(p, INDENT);
		page_printf(p, INDENT + 2, "! %s: %s", t->mark[i].word, t->mark[i].text);
		page_end(p);
	}
}

char *text_import_write(const struct report *r, size_t *len_bytes)
{
	struct page p = { 0 };
	bool title = false;

	for (size_t i = 0; i < r->result_n; i++)
		put_result(&p, &r->result[i], i ? r->result[i - 1].context : "");
	for (size_t i = 0; i < r->note_n; i++) {
		if (strcmp(r->note[i].name, IMPORT_NOTE_UNREAD))
			continue;
		if (!title) {
			page_wrap(&p, 0, "Not read, though it looks like a figure:");
			page_end(&p);
		}
		title = true;
		page_to(&p, 2);
		page_wrap(&p, 4, r->note[i].text);
		page_end(&p);
	}
	page_printf(&p, 0, "%zu result%s.", r->result_n, r->result_n == 1 ? "" : "s");
	page_end(&p);
	return page_take(&p, len_bytes);
}
