/* SPDX-License-Identifier: MIT */
/*
 * The text form of six reports, against texts that a person has looked at; the same reports as JSON
 * are stored beside them, for tests/golden/reports.t.
 */
#include "bench/report/page.h"
#include "tests/unit/golden.h"
#include "tests/unit/report_fixtures.h"

/*
 * Every line of `text` is at most 80 columns wide; counted as page.c does (reports.t counts anew).
 */
static bool fits(const char *text)
{
	while (*text) {
		char line[4096];
		size_t len = strcspn(text, "\n");

		if (len >= sizeof(line))
			return false;
		memcpy(line, text, len);
		line[len] = '\0';
		if (page_width(line) > PAGE_COLUMNS) {
			tap_diag("too wide: %s", line);
			return false;
		}
		text += len + (text[len] == '\n');
	}
	return true;
}

static void test_fixture(const struct fixture *f)
{
	struct report r, again;
	char path[100], why[200];
	size_t json_len, text_len, len;
	char *json, *text, *same;

	f->fill(&r);
	is_int(report_find(&r), 0, "%s: rules ran", f->name);
	json = report_json_write(&r, &json_len);
	text = report_text_write(&r, &text_len);
	snprintf(path, sizeof(path), "tests/golden/%s.json", f->name);
	golden_is(path, json, json_len);
	ok(fits(text), "%s: 80 columns", f->name);
	ok(text_len == strlen(text), "%s: no NUL in it", f->name);
	is_int(report_json_read(&again, json, json_len, why, sizeof(why)), 0,
	       "%s: is read back: %s", f->name, why);
	same = report_text_write(&again, &len);
	snprintf(path, sizeof(path), "tests/golden/%s.txt", f->name);
	golden_is(path, same, len);
	/* cleaning makes some bytes longer, so a raw text may be cut elsewhere */
	ok(f->is_raw || (len == text_len && !memcmp(same, text, len)),
	   "%s: the text is the same before and after storing", f->name);
	ok(fits(same), "%s: 80 columns after it too", f->name);
	free(same);
	free(json);
	free(text);
	report_free(&r);
	report_free(&again);
}

static void test_absent_is_no_number(void)
{
	struct report r;
	size_t len;
	char *text;

	fixture_minimal(&r);
	text = report_text_write(&r, &len);
	ok(strstr(text, "Number of cores      : not known\n"), "no cores are not 0 cores");
	ok(strstr(text, "Total amount of Mem  : not known\n"), "no memory is not 0 bytes");
	ok(strstr(text, "No test has run."), "no results are said to be none");
	ok(strstr(text, "PARTIAL: ended early"), "its end comes first");
	free(text);
	report_free(&r);
}

static void test_page(void)
{
	struct page p = { 0 };
	size_t len;
	char *text;

	is_uint(page_width("abc"), 3, "letters take a column");
	is_uint(page_width("\xe7\xa3\x81\xe7\x9b\x98"), 4, "East Asian letters take two");
	is_uint(page_width("a\xcc\x81"), 1, "a combining accent takes none");
	is_uint(page_width("\xf0\x9f\x92\xa5"), 2, "emoji take two");
	page_left(&p, 5, "abcdefgh");
	page_right(&p, 5, "xy");
	page_left(&p, 3, "\xe7\xa3\x81\xe7\x9b\x98");
	page_left(&p, 2, "|");
	page_end(&p);
	page_to(&p, 70);
	page_wrap(&p, 75, "one two \xe7\xa3\x81\xe7\x9b\x98\xe9\xa9\xb1 123456789");
	page_end(&p);
	text = page_take(&p, &len);
	is_str(text, "abcde   xy\xe7\xa3\x81 |\n"
	       "                                                                      one two\n"
	       "                                                                           "
	       "\xe7\xa3\x81\xe7\x9b\x98\n"
	       "                                                                           "
	       "\xe9\xa9\xb1\n"
	       "                                                                           "
	       "12345\n"
	       "                                                                           "
	       "6789\n", "cells cut and filled, words broken where they must");
	free(text);
}

int main(void)
{
	for (size_t i = 0; i < FIXTURES; i++)
		test_fixture(&fixtures[i]);
	test_absent_is_no_number();
	test_page();
	return tap_done();
}
