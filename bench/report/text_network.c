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

static bool is_of(const struct result *t, const char *target)
{
	return result_is_of_network(t) && !strcmp(t->target, target);
}

/* An interface of this machine; all other targets are nodes far away. */
static bool is_link(const struct result *t)
{
	return !strcmp(t->test, "net-link");
}

static const struct {
	const char *name;	/* of the metric, before "_ipv4" */
	const char *head;
	unsigned columns;
} table[] = {
	{ "download", "Download", RATE_COLUMNS },
	{ "upload", "Upload", RATE_COLUMNS },
	{ "connect", "connect", TIME_COLUMNS },
	{ "ttfb", "1st byte", TIME_COLUMNS },
};
#define TABLE_N (sizeof(table) / sizeof(table[0]))

/* How a node was reached: each way has a line. */
enum way { WAY_IPV4, WAY_IPV6, WAYS };
static const char *const way_ends[WAYS] = { "_ipv4", "_ipv6" };

/* Length of a metric's name without the way; 0: it is of another way, or of none. */
static size_t name_length(const char *name, enum way way)
{
	size_t len = strlen(name), end = strlen(way_ends[way]);

	return len > end && !strcmp(name + len - end, way_ends[way]) ? len - end : 0;
}

/* The column of a metric; TABLE_N: it has none. */
static size_t column_of(const char *name, size_t len)
{
	size_t i = 0;

	while (i < TABLE_N && (strlen(table[i].name) != len || strncmp(table[i].name, name, len)))
		i++;
	return i;
}

/* Each metric of the node that is of that way; `at` begins at 0. NULL: there is no further one. */
static const struct metric *next_of(const struct report *r, const char *target, enum way way,
				    size_t *at)
{
	for (; *at < r->result_n * RESULT_METRICS_MAX; (*at)++) {
		const struct result *t = &r->result[*at / RESULT_METRICS_MAX];
		size_t k = *at % RESULT_METRICS_MAX;

		if (is_of(t, target) && t->status == RESULT_OK && k < t->metric_n &&
		    name_length(t->metric[k].name, way))
			return &t->metric[(*at)++ % RESULT_METRICS_MAX];
	}
	return NULL;
}

/* The node's address: of the words of a path the one that looks like it. */
static void find_address(const struct report *r, const char *target, enum way way, char *address,
			 size_t size)
{
	*address = '\0';
	for (size_t i = 0; i < r->result_n; i++) {
		const char *word = is_of(&r->result[i], target) ? r->result[i].path : "";

		while (*word && !*address) {
			size_t len = strcspn(word, " ");
			bool is_v6 = memchr(word, ':', len) != NULL;

			if (memchr(word, '/', len))	/* a URL */
				break;
			if (is_v6 == (way == WAY_IPV6))
				snprintf(address, size, "%.*s", (int)len, word);
			word += len;
			word += strspn(word, " ");
		}
	}
}

/* A number by its name: "tls 12.3 ms", "rx errors 0". */
static void join_metric(char *text, const struct metric *m, size_t len)
{
	char name[sizeof(m->name)];

	snprintf(name, sizeof(name), "%.*s", (int)len, m->name);
	for (char *c = name; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	if (!strcmp(m->name, "link_speed") && m->value >= 0 && m->value < 1e14)
		text_row_join(text, ", ", "%s",
			      units_link(UNITS_BUF, (uint32_t)(m->value * 8 / 1e6)));
	else
		text_row_join(text, ", ", "%s %s", name,
			      units_metric(UNITS_BUF, m->unit, m->value));
}

/* The line of one way; false where it has no number. */
static bool put_way(struct page *p, const struct report *r, const char *target, enum way way)
{
	const struct metric *cell[TABLE_N] = { NULL }, *m;
	char address[sizeof(r->result[0].path)], rest[PAGE_TEXT_BYTES] = "";
	bool any = false;

	for (size_t at = 0; (m = next_of(r, target, way, &at));) {
		size_t len = name_length(m->name, way), i = column_of(m->name, len);

		any = true;
		if (i < TABLE_N && !cell[i])
			cell[i] = m;
		else
			join_metric(rest, m, len);
	}
	if (!any)
		return false;
	find_address(r, target, way, address, sizeof(address));
	page_to(p, NODE_COLUMNS);
	page_wrap(p, NODE_COLUMNS, *address ? address : way == WAY_IPV6 ? "IPv6" : "IPv4");
	if (p->column >= NODE_COLUMNS + ADDRESS_COLUMNS)	/* one of version 6 is long */
		page_end(p);
	page_to(p, NODE_COLUMNS + ADDRESS_COLUMNS);
	for (size_t i = 0; i < TABLE_N; i++)
		page_right(p, table[i].columns, cell[i] ? units_metric(UNITS_BUF, cell[i]->unit,
								       cell[i]->value) : "-");
	page_end(p);
	text_put_note(p, rest);
	return true;
}

/* What went wrong, and marks. `any`: there were numbers, so each test that has none is named. */
static void put_trouble(struct page *p, const struct report *r, const char *target, bool any)
{
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!is_of(t, target) || is_link(t))
			continue;
		if (t->status == RESULT_OK) {
			text_put_note(p, t->reason);
		} else if (any) {
			page_to(p, TEXT_NOTE_INDENT);
			page_printf(p, TEXT_NOTE_INDENT, "%s:", t->test);
			page_to(p, p->column + 1);
			text_put_status(p, TEXT_NOTE_INDENT, t);
		}
		text_put_marks(p, t);
	}
}

static void put_node(struct page *p, const struct report *r, size_t first)
{
	const char *target = r->result[first].target;
	bool any = false;

	page_wrap(p, INDENT, target);
	if (p->column >= NODE_COLUMNS)
		page_end(p);
	for (enum way way = 0; way < WAYS; way++)
		any |= put_way(p, r, target, way);
	if (!any) {
		page_to(p, NODE_COLUMNS);
		text_put_status(p, NODE_COLUMNS, &r->result[first]);
	}
	put_trouble(p, r, target, any);
}

static void put_table_head(struct page *p)
{
	page_left(p, NODE_COLUMNS, "Node Name");
	page_left(p, ADDRESS_COLUMNS, "IP address");
	for (size_t i = 0; i < TABLE_N; i++)
		page_right(p, table[i].columns, table[i].head);
	page_end(p);
}

/* A test without a node, or a link of this machine: its numbers by their names. */
static void put_single(struct page *p, const struct report *r, size_t i)
{
	const struct result *t = &r->result[i];
	char text[PAGE_TEXT_BYTES] = "";

	if (text_is_left_out(t) && !*t->target) {
		text_put_left_out(p, r, i);
		return;
	}
	page_left(p, NODE_COLUMNS - 1, *t->target ? t->target : t->test);
	page_to(p, NODE_COLUMNS);
	if (t->status != RESULT_OK) {
		text_put_status(p, NODE_COLUMNS, t);
	} else {
		for (uint32_t k = 0; k < t->metric_n; k++)
			join_metric(text, &t->metric[k], strlen(t->metric[k].name));
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
		if (is_of(&r->result[k], r->result[i].target) && !is_link(&r->result[k]))
			return false;
	return true;
}

void text_put_network(struct page *p, const struct report *r)
{
	bool has_title = false, has_head = false;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!result_is_of_network(t))
			continue;
		if (!has_title) {
			page_wrap(p, 0, "NETWORK");
			page_end(p);
		}
		has_title = true;
		if (!*t->target || is_link(t))
			put_single(p, r, i);
	}
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!result_is_of_network(t) || !*t->target || is_link(t) ||
		    !is_first_of_node(r, i))
			continue;
		if (!has_head)
			put_table_head(p);
		has_head = true;
		put_node(p, r, i);
	}
	if (has_title)
		page_rule(p);
}
