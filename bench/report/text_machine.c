/* SPDX-License-Identifier: MIT */
/*
 * What was measured of processors and memory: a line for each test, in the columns that its numbers
 * are made for. A number without a column stands below by its name; what it ran beside is left to
 * report.json.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/report/text.h"
#include "bench/report/text_row.h"
#include "bench/report/units.h"

#define INDENT 2
#define TEST_COLUMNS 21
#define RATE_COLUMNS 13
#define SHARE_COLUMNS 9
#define MEGA 1e6

/* Numbers of one thread, of each core and of all, as processors have them. */
static bool has_threads(const struct result *t)
{
	return result_find(t, "single") && result_find(t, "all");
}

static const char *const thread_metrics[] = { "single", "per_core", "all", "efficiency" };

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len > n && !strcmp(text + len - n, end);
}

/* The rate of all threads that belongs to one of a single thread, "copy_all" to "copy_single". */
static const struct metric *all_of(const struct result *t, const struct metric *single)
{
	char name[sizeof(single->name)];

	if (single->unit != UNIT_BYTES_PER_S || !ends_with(single->name, "_single"))
		return NULL;
	snprintf(name, sizeof(name), "%.*s_all",
		 (int)(strlen(single->name) - strlen("_single")), single->name);
	return result_find(t, name);
}

static bool has_pairs(const struct result *t)
{
	for (uint32_t i = 0; i < t->metric_n; i++)
		if (all_of(t, &t->metric[i]))
			return true;
	return false;
}

/* True for a number that stands in a column already. */
static bool is_shown(const struct result *t, const struct metric *m)
{
	for (size_t i = 0; has_threads(t) && i < sizeof(thread_metrics) / sizeof(char *); i++)
		if (!strcmp(m->name, thread_metrics[i]))
			return true;
	if (m->unit != UNIT_BYTES_PER_S)
		return false;
	for (uint32_t i = 0; i < t->metric_n; i++)
		if (&t->metric[i] == m ? all_of(t, m) != NULL : all_of(t, &t->metric[i]) == m)
			return true;
	return false;
}

static bool is_cache(const struct metric *m)
{
	return m->name[0] == 'l' && m->name[1] >= '1' && m->name[1] <= '4' && !m->name[2];
}

/* Takes a part out of a name where it is there: the unit follows the number. */
static void cut(char *name, const char *part)
{
	char *at = strstr(name, part);

	if (at && *part)
		memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
}

/* "l1" is written "L1", "tested_bytes" "tested". */
static void name_text(char *buf, size_t size, const struct metric *m)
{
	bool is_level = is_cache(m) || !strcmp(m->name, "dram");

	snprintf(buf, size, "%s", m->name);
	cut(buf, m->unit == UNIT_BYTES ? "_bytes" : m->unit == UNIT_PERCENT ? "_percent" : "");
	for (char *c = buf; *c; c++)
		*c = *c == '_' ? ' ' : is_level && *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
}

/* Memory is binary. */
static const char *value_text(char *buf, size_t size, const struct metric *m)
{
	if (m->unit == UNIT_BYTES && m->value >= 0 && m->value < 1e18)
		return units_bytes_binary(buf, size, (uint64_t)m->value);
	return units_metric(buf, size, m->unit, m->value);
}

/* Where and beside what it ran: of interest where a mark says so, which then has it in words. */
static bool is_context(const struct metric *m)
{
	static const char *const name[] = {
		"single_cpu", "cores", "threads", "steal_percent", "taken_percent", "switches",
	};

	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		if (!strcmp(m->name, name[i]))
			return true;
	return false;
}

/* The numbers without a column, by their names; caches first. */
static void join_rest(char *text, const struct result *t)
{
	char name[sizeof(t->metric[0].name)];

	for (uint32_t k = 0; k < 2 * t->metric_n; k++) {
		uint32_t i = k % t->metric_n;

		if (is_shown(t, &t->metric[i]) || is_context(&t->metric[i]) ||
		    is_cache(&t->metric[i]) != (k == i))
			continue;
		name_text(name, sizeof(name), &t->metric[i]);
		text_row_join(text, ", ", "%s %s", name, value_text(UNITS_BUF, &t->metric[i]));
	}
}

static void put_spread(struct page *p, const struct metric *m)
{
	char text[UNITS_BYTES] = "-";

	if (m && m->sample_n > 1 && m->median > 0)
		snprintf(text, sizeof(text), "%.1f %%", m->mad / m->median * 100);
	page_right(p, SHARE_COLUMNS, text);
}

static void put_threads(struct page *p, const struct result *t)
{
	char rest[PAGE_TEXT_BYTES] = "";

	for (size_t i = 0; i < sizeof(thread_metrics) / sizeof(thread_metrics[0]); i++) {
		const struct metric *m = result_find(t, thread_metrics[i]);

		page_right(p, m && m->unit == UNIT_PERCENT ? SHARE_COLUMNS : i == 3 ? SHARE_COLUMNS
			   : RATE_COLUMNS, m ? value_text(UNITS_BUF, m) : "-");
	}
	put_spread(p, result_find(t, "all"));
	page_end(p);
	join_rest(rest, t);
	text_put_note(p, rest);
}

static void put_rate(struct page *p, const struct metric *m)
{
	char text[UNITS_BYTES + 8];

	if (m->value >= 0 && m->value < 1e18)
		snprintf(text, sizeof(text), "%s MB/s",
			 units_count(UNITS_BUF, (uint64_t)(m->value / MEGA + 0.5)));
	else
		snprintf(text, sizeof(text), "%s", units_rate(UNITS_BUF, m->value));
	page_right(p, RATE_COLUMNS, text);
}

static void put_pairs(struct page *p, const struct result *t)
{
	char rest[PAGE_TEXT_BYTES] = "", name[sizeof(t->metric[0].name)];

	page_right(p, RATE_COLUMNS, "one thread");
	page_right(p, RATE_COLUMNS, "all threads");
	page_right(p, SHARE_COLUMNS, "spread");
	page_end(p);
	for (uint32_t i = 0; i < t->metric_n; i++) {
		const struct metric *m = &t->metric[i], *all = all_of(t, m);

		if (!all)
			continue;
		name_text(name, sizeof(name), m);
		*strstr(name, " single") = '\0';
		page_to(p, INDENT + 2);
		page_left(p, TEST_COLUMNS - 2, name);
		put_rate(p, m);
		put_rate(p, all);
		put_spread(p, all);
		page_end(p);
	}
	join_rest(rest, t);
	if (strstr(t->test, "stream"))
		text_row_join(rest, ". ", "Based on a variant of the STREAM benchmark code; "
			      "MB = 10^6 bytes");
	text_put_note(p, rest);
}

static void put_thread_head(struct page *p)
{
	page_to(p, INDENT);
	page_left(p, TEST_COLUMNS, "test");
	page_right(p, RATE_COLUMNS, "one thread");
	page_right(p, RATE_COLUMNS, "one per core");
	page_right(p, RATE_COLUMNS, "all threads");
	page_right(p, SHARE_COLUMNS, "scaling");
	page_right(p, SHARE_COLUMNS, "spread");
	page_end(p);
}

static void put_result(struct page *p, const struct result *t)
{
	char rest[PAGE_TEXT_BYTES] = "";

	page_to(p, INDENT);
	page_left(p, TEST_COLUMNS - 1, t->test);
	page_to(p, INDENT + TEST_COLUMNS);
	if (t->status != RESULT_OK) {
		text_put_status(p, INDENT + TEST_COLUMNS, t);
	} else if (has_threads(t)) {
		put_threads(p, t);
	} else if (has_pairs(t)) {
		put_pairs(p, t);
	} else {
		join_rest(rest, t);
		page_wrap(p, INDENT + TEST_COLUMNS, *rest ? rest : "ok");
		page_end(p);
	}
	if (t->status == RESULT_OK)
		text_put_note(p, t->reason);
	text_put_marks(p, t);
}

void text_put_machine(struct page *p, const struct report *r)
{
	bool has_title = false, has_head = false, has_scaling = false;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!result_is_of_machine(t))
			continue;
		if (!has_title) {
			page_wrap(p, 0, "PROCESSORS AND MEMORY, measured while no disk was busy");
			page_end(p);
		}
		has_title = true;
		if (text_is_left_out(t)) {
			text_put_left_out(p, r, i);
			continue;
		}
		if (t->status == RESULT_OK && has_threads(t) && !has_head)
			put_thread_head(p);
		has_head = t->status == RESULT_OK && has_threads(t);
		has_scaling |= has_head;
		put_result(p, t);
	}
	if (has_scaling) {
		page_wrap(p, 0, "one per core, all threads: sums. scaling: all threads beside so "
			  "many times one. spread: median deviation over time.");
		page_end(p);
	}
	if (has_title)
		page_rule(p);
}
