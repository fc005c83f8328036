/* SPDX-License-Identifier: MIT */
/*
 * What the network reaches: a table as bench.sh prints it, one line per node. A node that is not
 * reached has its reason there, never a 0.
 */
#include <stdio.h>
#include <string.h>

#include "bench/report/text.h"
#include "bench/report/text_row.h"
#include "bench/report/units.h"

#define NODE_COLUMNS 21
#define ADDRESS_COLUMNS 17
#define RATE_COLUMNS 11
#define TIME_COLUMNS 10
#define INDENT 2
#define NOTE_INDENT 6

static bool is_ours(const struct result *t)
{
	return !strcmp(t->phase, "network");
}

static bool is_of(const struct result *t, const char *target)
{
	return is_ours(t) && !strcmp(t->target, target);
}

/* A number of a node, whichever of its tests measured it. */
static const struct metric *number_of(const struct report *r, const char *target, const char *name)
{
	for (size_t i = 0; i < r->result_n; i++) {
		const struct metric *m = NULL;

		if (is_of(&r->result[i], target) && r->result[i].status == RESULT_OK)
			m = result_find(&r->result[i], name);
		if (m)
			return m;
	}
	return NULL;
}

static const char *address_of(const struct report *r, const char *target)
{
	for (size_t i = 0; i < r->result_n; i++)
		if (is_of(&r->result[i], target) && *r->result[i].path)
			return r->result[i].path;
	return "";
}

static const struct {
	const char *name;	/* of the metric */
	const char *head;
	unsigned columns;
} table[] = {
	{ "download", "Download", RATE_COLUMNS },
	{ "upload", "Upload", RATE_COLUMNS },
	{ "connect", "connect", TIME_COLUMNS },
	{ "ttfb", "1st byte", TIME_COLUMNS },
};
#define TABLE_N (sizeof(table) / sizeof(table[0]))

static bool has_column(const char *metric)
{
	for (size_t i = 0; i < TABLE_N; i++)
		if (!strcmp(table[i].name, metric))
			return true;
	return false;
}

static void put_note(struct page *p, const char *text)
{
	page_to(p, NOTE_INDENT);
	page_wrap(p, NOTE_INDENT, text);
	page_end(p);
}

/* What the columns do not say: other numbers, what went wrong, marks. */
static void put_rest(struct page *p, const struct report *r, const char *target, bool any)
{
	char text[PAGE_TEXT_BYTES] = "";

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!is_of(t, target) || t->status != RESULT_OK)
			continue;
		for (uint32_t k = 0; k < t->metric_n; k++)
			if (!has_column(t->metric[k].name))
				text_row_join(text, ", ", "%s %s", t->metric[k].name,
					      units_metric(UNITS_BUF, t->metric[k].unit,
							   t->metric[k].value));
		if (*t->reason)
			text_row_join(text, "; ", "%s", t->reason);
	}
	if (*text)
		put_note(p, text);
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!is_of(t, target))
			continue;
		if (any && t->status != RESULT_OK) {
			page_to(p, NOTE_INDENT);
			page_printf(p, NOTE_INDENT, "%s:", t->test);
			page_to(p, p->column + 1);
			text_put_status(p, NOTE_INDENT, t);
		}
		text_put_marks(p, t);
	}
}

/* Why nothing of a node is known: the reason of the first of its tests. */
static void put_unreached(struct page *p, const struct report *r, const char *target)
{
	for (size_t i = 0; i < r->result_n; i++)
		if (is_of(&r->result[i], target)) {
			text_put_status(p, NODE_COLUMNS, &r->result[i]);
			return;
		}
}

static void put_node(struct page *p, const struct report *r, const char *target)
{
	const char *address = address_of(r, target);
	bool any = false;

	for (size_t i = 0; i < TABLE_N; i++)
		any |= number_of(r, target, table[i].name) != NULL;
	page_wrap(p, INDENT, target);
	if (p->column >= NODE_COLUMNS)
		page_end(p);
	page_to(p, NODE_COLUMNS);
	if (!any) {
		put_unreached(p, r, target);
		put_rest(p, r, target, false);
		return;
	}
	page_wrap(p, NODE_COLUMNS, address);
	if (p->column >= NODE_COLUMNS + ADDRESS_COLUMNS)	/* one of version 6 is long */
		page_end(p);
	page_to(p, NODE_COLUMNS + ADDRESS_COLUMNS);
	for (size_t i = 0; i < TABLE_N; i++) {
		const struct metric *m = number_of(r, target, table[i].name);

		page_right(p, table[i].columns,
			   m ? units_metric(UNITS_BUF, m->unit, m->value) : "-");
	}
	page_end(p);
	put_rest(p, r, target, true);
}

static void put_table_head(struct page *p)
{
	page_left(p, NODE_COLUMNS, "Node Name");
	page_left(p, ADDRESS_COLUMNS, "IP address");
	for (size_t i = 0; i < TABLE_N; i++)
		page_right(p, table[i].columns, table[i].head);
	page_end(p);
}

/* A test without targets: its numbers by their names. */
static void put_single(struct page *p, const struct report *r, size_t i)
{
	const struct result *t = &r->result[i];
	char text[PAGE_TEXT_BYTES] = "";

	if (text_is_left_out(t)) {
		text_put_left_out(p, r, i);
		return;
	}
	page_to(p, INDENT);
	page_left(p, NODE_COLUMNS - INDENT - 1, t->test);
	page_to(p, NODE_COLUMNS);
	if (t->status != RESULT_OK) {
		text_put_status(p, NODE_COLUMNS, t);
	} else {
		for (uint32_t k = 0; k < t->metric_n; k++)
			text_row_join(text, ", ", "%s %s", t->metric[k].name,
				      units_metric(UNITS_BUF, t->metric[k].unit,
						   t->metric[k].value));
		if (*t->reason)
			text_row_join(text, "; ", "%s", t->reason);
		page_wrap(p, NODE_COLUMNS, *text ? text : "ok");
		page_end(p);
	}
	text_put_marks(p, t);
}

static bool is_first_of_node(const struct report *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_of(&r->result[k], r->result[i].target))
			return false;
	return true;
}

void text_put_network(struct page *p, const struct report *r)
{
	bool has_title = false, has_head = false;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!is_ours(t))
			continue;
		if (!has_title) {
			page_wrap(p, 0, "NETWORK");
			page_end(p);
		}
		has_title = true;
		if (!*t->target)
			put_single(p, r, i);
	}
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!is_ours(t) || !*t->target || !is_first_of_node(r, i))
			continue;
		if (!has_head)
			put_table_head(p);
		has_head = true;
		put_node(p, r, t->target);
	}
	if (has_title)
		page_rule(p);
}
