/* SPDX-License-Identifier: MIT */
/* What counts as a report, and which may replace which. */
#include <string.h>

#include "collector/reports.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

#define ID "01234567-89ab-4def-8123-456789abcdef"
#define RUN "\"run\":{\"id\":\"" ID "\",\"state\":\"complete\"}"
#define SCHEMA "\"schema\":\"bootmark/1\""

/* Checks a copy of exactly its size, so that a sanitizer sees a read beyond. */
static enum reports_verdict check(const char *text, size_t len, struct report_head *head)
{
	char *copy = malloc(len ? len : 1), why[REPORTS_WHY_BYTES];
	enum reports_verdict verdict;

	memcpy(copy, text, len);
	verdict = reports_check(copy, len, head, why);
	ok(memcmp(copy, text, len) == 0, "the body is only read");
	ok((verdict == REPORTS_FINE) == !why[0], "a reason where there is one to give");
	free(copy);
	return verdict;
}

static void test_ids(void)
{
	char id[] = ID;

	ok(reports_is_id(ID), "a UUID");
	ok(!reports_is_id("") && !reports_is_id(ID "0") && !reports_is_id("0" ID), "other lengths");
	for (size_t i = 0; i < strlen(ID); i++) {
		memcpy(id, ID, sizeof(id));
		id[i] = id[i] == '-' ? 'a' : 'G';
		if (reports_is_id(id))
			ok(false, "another character at %zu", i);
		memcpy(id, ID, sizeof(id));
		id[i] = '\0';
		if (reports_is_id(id))
			ok(false, "cut at %zu", i);
	}
	ok(!reports_is_id("01234567-89AB-4def-8123-456789abcdef"), "upper case");
}

static void test_heads(void)
{
	static const char full[] = "{" SCHEMA ",\"run\":{\"id\":\"" ID "\",\"state\":\"partial\","
				   "\"label\":\" a\\u0000\\nb\\u001b \"},"
				   "\"machine\":{\"product\":\"R720\"},\"disks\":[1,{},[]]}";
	static const char odd[] =
		"{" SCHEMA "," RUN ",\"machine\":[],\"disks\":{\"a\":1},\"n\":1e999}";
	struct report_head head;

	is_int((int)check(full, strlen(full), &head), REPORTS_FINE, "a report");
	is_str(head.id, ID, "its id");
	is_int((int)head.state, REPORT_PARTIAL, "its state");
	ok(text_is_utf8(head.label, strlen(head.label)) && !strpbrk(head.label, "\n\x1b"),
	   "its label, clean");
	is_str(head.product, "R720", "its machine");
	is_uint(head.disk_n, 3, "its disks");
	is_int((int)check(odd, strlen(odd), &head), REPORTS_FINE, "other parts of another form");
	is_str(head.product, "", "no machine");
	is_uint(head.disk_n, 0, "no disks");
}

static void test_refused(void)
{
	static const struct {
		enum reports_verdict verdict;
		const char *text;
	} rows[] = {
		{ REPORTS_NOT_JSON, "" },
		{ REPORTS_NOT_JSON, " " },
		{ REPORTS_NOT_JSON, "{" },
		{ REPORTS_NOT_JSON, "{" SCHEMA "," RUN },
		{ REPORTS_NOT_JSON, "{" SCHEMA "," RUN "}}" },
		{ REPORTS_NOT_JSON, "{" SCHEMA "," RUN ",\"x\":\"\xff\"}" },
		{ REPORTS_NOT_JSON, "{" SCHEMA "," RUN ",\"x\":\"\xed\xa0\x80\"}" },
		{ REPORTS_NOT_JSON, "{" SCHEMA "," RUN ",\"x\":'a'}" },
		{ REPORTS_NOT_JSON, "{" SCHEMA "," RUN ",\"x\":01}" },
		{ REPORTS_NOT_JSON, "{" SCHEMA "," RUN ",\"x\":Infinity}" },
		{ REPORTS_NOT_REPORT, "null" },
		{ REPORTS_NOT_REPORT, "[]" },
		{ REPORTS_NOT_REPORT, "{}" },
		{ REPORTS_NOT_REPORT, "{" RUN "}" },
		{ REPORTS_NOT_REPORT, "{" SCHEMA "}" },
		{ REPORTS_NOT_REPORT, "{\"schema\":\"bootmark\"," RUN "}" },
		{ REPORTS_NOT_REPORT, "{\"schema\":\"\"," RUN "}" },
		{ REPORTS_NOT_REPORT, "{" SCHEMA "," SCHEMA "," RUN "}" },
		{ REPORTS_NOT_REPORT, "{" SCHEMA "," RUN "," RUN "}" },
		{ REPORTS_NOT_REPORT, "{" SCHEMA ",\"run\":[]}" },
		{ REPORTS_NOT_REPORT, "{" SCHEMA ",\"run\":{\"id\":\"" ID "\"}}" },
		{ REPORTS_NOT_REPORT, "{" SCHEMA ",\"run\":{\"state\":\"complete\"}}" },
		{ REPORTS_NOT_REPORT,
		  "{" SCHEMA ",\"run\":{\"id\":\"" ID "\\u0000\",\"state\":\"complete\"}}" },
		{ REPORTS_NOT_REPORT,
		  "{" SCHEMA ",\"run\":{\"id\":\"" ID "\",\"state\":\"complete\\u0000\"}}" },
		{ REPORTS_NOT_REPORT, "{" SCHEMA ",\"run\":{\"id\":\"" ID
				      "\",\"state\":\"running\",\"state\":\"x\"}}" },
	};
	static const char nul[] = "{" SCHEMA "," RUN ",\"x\":\"a\0b\"}";
	struct report_head head;
	char *deep = malloc(200001);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int((int)check(rows[i].text, strlen(rows[i].text), &head), (int)rows[i].verdict,
		       "row %zu", i);
	is_int((int)check(nul, sizeof(nul) - 1, &head), REPORTS_NOT_JSON, "a raw NUL");
	memset(deep, '[', 100000);
	memset(deep + 100000, ']', 100000);
	is_int((int)check(deep, 200000, &head), REPORTS_NOT_REPORT, "deep nesting does no harm");
	free(deep);
}

static void test_replacing(void)
{
	static const bool may[REPORT_STATES][REPORT_STATES] = {
		[REPORT_RUNNING] = { true, true, true },
		[REPORT_PARTIAL] = { false, true, true },
		[REPORT_COMPLETE] = { false, false, false },
	};

	for (int have = 0; have < REPORT_STATES; have++)
		for (int given = 0; given < REPORT_STATES; given++)
			ok(reports_may_replace((enum report_state)have, (enum report_state)given) ==
			   may[have][given], "%s by %s", reports_state_words[have],
			   reports_state_words[given]);
}

static void test_time(void)
{
	char text[40];

	reports_time(text, sizeof(text), 0);
	is_str(text, "1970-01-01T00:00:00.000Z", "the beginning");
	reports_time(text, sizeof(text), 1796048327042);
	is_str(text, "2026-11-30T14:18:47.042Z", "another time");
}

int main(void)
{
	test_ids();
	test_heads();
	test_refused();
	test_replacing();
	test_time();
	return tap_done();
}
