/* SPDX-License-Identifier: MIT */
/*
 * The health of the text report: what each disk says of itself, a line for each, and below it what
 * needs words. Findings judge; here stands what was read.
 *
 * Invariant: a number that is doubted has a question mark and its reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/report/text.h"
#include "bench/report/text_row.h"
#include "bench/report/units.h"

#define NAME_COLUMNS 9
#define INDENT 4
#define HOURS_PER_YEAR 8766.0
#define CELL_BYTES 32
#define TAIL_COLUMN 73	/* behind all columns */

enum column { HOURS, YEARS, WEAR, WRITTEN, MOVED, PENDING, ERRORS, CRC, HEAT, COLUMNS };

static const struct {
	unsigned columns;
	const char *head;
	const char *keys;	/* of doubts that are about it, each between blanks */
} table[COLUMNS] = {
	[HOURS] = { 8, "hours", " power_on_hours " },
	[YEARS] = { 6, "years", "" },
	[WEAR] = { 7, "wear", " wear_percent " },
	[WRITTEN] = { 9, "written", " written_bytes " },
	[MOVED] = { 8, "realloc", " reallocated " },
	[PENDING] = { 8, "pending", " pending " },
	[ERRORS] = { 7, "errors", " media_errors uncorrectable " },
	[CRC] = { 5, "CRC", " crc_errors " },
	[HEAT] = { 6, "temp", " temperature_celsius " },
};

/* A count that fits a narrow column whatever it is: "9999", "66k", "1.2M". */
static const char *short_count(char *buf, size_t size, int64_t n)
{
	static const char letter[] = { 'k', 'M', 'G', 'T', 'P', 'E' };
	double value = (double)n;
	size_t i = 0;

	if (n < 0)
		return "-";
	if (n < 10000) {
		snprintf(buf, size, "%" PRId64, n);
		return buf;
	}
	for (value /= 1000; value >= 999.5 && i + 1 < sizeof(letter); i++)
		value /= 1000;
	snprintf(buf, size, "%.*f%c", value < 9.95 ? 1 : 0, value, letter[i]);
	return buf;
}

static int64_t errors_of(const struct health *h)
{
	return h->media_errors >= 0 ? h->media_errors : h->uncorrectable;
}

static void cell_text(char cell[CELL_BYTES], const struct health *h, enum column column)
{
	char text[CELL_BYTES] = "-";
	const char *from = text;

	switch (column) {
	case HOURS:
		if (h->power_on_hours >= 0 && h->power_on_hours < 1000000)
			from = units_count(text, sizeof(text), (uint64_t)h->power_on_hours);
		else
			from = short_count(text, sizeof(text), h->power_on_hours);
		break;
	case YEARS:
		if (h->power_on_hours >= 0 && h->power_on_hours < 1000 * HOURS_PER_YEAR)
			snprintf(text, sizeof(text), "%.1f",
				 (double)h->power_on_hours / HOURS_PER_YEAR);
		break;
	case WEAR:
		if (h->wear_percent > 999)
			from = ">999 %";
		else if (h->wear_percent >= 0)
			snprintf(text, sizeof(text), "%" PRId32 " %%", h->wear_percent);
		break;
	case WRITTEN:
		if (h->written_bytes >= 0)
			units_bytes(text, sizeof(text), (uint64_t)h->written_bytes);
		break;
	case MOVED:
		from = short_count(text, sizeof(text), h->reallocated);
		break;
	case PENDING:
		from = short_count(text, sizeof(text), h->pending);
		break;
	case ERRORS:
		from = short_count(text, sizeof(text), errors_of(h));
		break;
	case CRC:
		from = short_count(text, sizeof(text), h->crc_errors);
		break;
	case HEAT:
		if (h->temperature_celsius > -100 && h->temperature_celsius < 1000)
			snprintf(text, sizeof(text), "%" PRId32 " C", h->temperature_celsius);
		break;
	case COLUMNS:
		break;
	}
	snprintf(cell, CELL_BYTES, "%s", from);
}

static bool is_doubted(const struct health *h, enum column column)
{
	char key[sizeof(h->doubt[0].name) + 3];

	for (size_t i = 0; i < REPORT_KEPT(h->doubt_n, h->doubt); i++) {
		snprintf(key, sizeof(key), " %s ", h->doubt[i].name);
		if (strstr(table[column].keys, key))
			return true;
	}
	return false;
}

/* The log of self-tests in one word. */
static const char *self_test_word(const struct health *h)
{
	for (size_t i = 0; i < REPORT_KEPT(h->self_tests_n, h->self_tests); i++)
		if (h->self_tests[i].failed)
			return "FAILED";
	return h->self_tests_n ? "passed" : "none";
}

static void put_line(struct page *p, unsigned indent, const char *text)
{
	page_to(p, indent);
	page_wrap(p, indent + 2, text);
	page_end(p);
}

/* The name of a disk as the table of disks has it; of one behind a RAID controller, its way. */
static void put_name(struct page *p, const struct health *h)
{
	const char *name = *h->target ? h->target : *h->device ? h->device : "a disk";
	char text[PAGE_TEXT_BYTES] = "";

	if (*h->target && page_width(name) < NAME_COLUMNS) {
		page_left(p, NAME_COLUMNS, name);
		return;
	}
	text_row_join(text, "", "%s", name);
	if (!*h->target && (*h->model || *h->serial))
		text_row_join(text, ": ", "%s%s%s", h->model, *h->serial ? ", serial " : "",
			      h->serial);
	page_wrap(p, 2, text);
	page_end(p);
	page_to(p, NAME_COLUMNS);
}

/* What needs words. */
static void put_words(struct page *p, const struct health *h)
{
	char text[PAGE_TEXT_BYTES];

	if (h->passed == TRI_NO)
		put_line(p, INDENT, "! the drive says of itself that it is failing");
	for (size_t i = 0; i < REPORT_KEPT(h->warning_n, h->warning); i++) {
		snprintf(text, sizeof(text), "! warning of the drive, %s: %s", h->warning[i].word,
			 h->warning[i].text);
		put_line(p, INDENT, text);
	}
	for (size_t i = 0; i < REPORT_KEPT(h->self_tests_n, h->self_tests); i++) {
		const struct self_test *t = &h->self_tests[i];

		if (!t->failed)
			continue;
		snprintf(text, sizeof(text), "! self-test %s: %s", t->type, t->result);
		if (t->hours >= 0)
			text_row_join(text, ", ", "at %s hours",
				      units_count(UNITS_BUF, (uint64_t)t->hours));
		if (t->lba >= 0)
			text_row_join(text, ", ", "first at block %" PRId64, t->lba);
		put_line(p, INDENT, text);
		break;
	}
	if (h->spare_percent >= 0 && h->spare_threshold_percent >= 0 &&
	    h->spare_percent < h->spare_threshold_percent) {
		snprintf(text, sizeof(text), "! %" PRId32 " %% of its spare blocks are left; it "
			 "warns below %" PRId32 " %%", h->spare_percent,
			 h->spare_threshold_percent);
		put_line(p, INDENT, text);
	}
	for (size_t i = 0; i < REPORT_KEPT(h->doubt_n, h->doubt); i++) {
		snprintf(text, sizeof(text), "? %s: %s", h->doubt[i].name, h->doubt[i].text);
		put_line(p, INDENT, text);
	}
}

static const char *const state_texts[HEALTH_STATE_COUNT] = {
	[HEALTH_READ] = "read",
	[HEALTH_STANDBY] = "asleep, and not woken for this",
	[HEALTH_UNSUPPORTED] = "it has no health log that can be read",
	[HEALTH_FAILED] = "NOT READ",
	[HEALTH_TIMEOUT] = "NO ANSWER in time",
};

/* How a counter of trouble moved while the run went on. */
static void put_growth(struct page *p, const char *what, int64_t before, int64_t after)
{
	char text[160], a[CELL_BYTES], b[CELL_BYTES];

	if (before < 0 || after <= before)
		return;
	snprintf(text, sizeof(text), "! during this run: %s %s -> %s", what,
		 short_count(a, sizeof(a), before), short_count(b, sizeof(b), after));
	put_line(p, INDENT, text);
}

static void put_growths(struct page *p, const struct report *r, const struct health *h)
{
	const struct health *before = report_health_before(r, h);

	if (!before)
		return;
	put_growth(p, "reallocated sectors", before->reallocated, h->reallocated);
	put_growth(p, "pending sectors", before->pending, h->pending);
	put_growth(p, "errors", errors_of(before), errors_of(h));
	put_growth(p, "CRC errors", before->crc_errors, h->crc_errors);
}

static void put_disk(struct page *p, const struct report *r, const struct health *h)
{
	put_name(p, h);
	if (h->state != HEALTH_READ) {
		page_to(p, p->column + 1);
		page_printf(p, NAME_COLUMNS + 1, "%s%s%s", state_texts[h->state],
			    *h->reason ? ": " : "", h->reason);
		page_end(p);
		return;
	}
	for (enum column c = 0; c < COLUMNS; c++) {
		char cell[CELL_BYTES + 1];

		cell_text(cell, h, c);
		if (is_doubted(h, c))
			strcat(cell, "?");
		page_right(p, table[c].columns, cell);
	}
	page_to(p, TAIL_COLUMN + 1);
	page_wrap(p, INDENT, self_test_word(h));
	page_end(p);
	put_words(p, h);
	put_growths(p, r, h);
	if (*h->reason)		/* not all of it */
		put_line(p, INDENT, h->reason);
}

static void put_table_head(struct page *p)
{
	page_left(p, NAME_COLUMNS, "HEALTH");
	for (enum column c = 0; c < COLUMNS; c++)
		page_right(p, table[c].columns, table[c].head);
	page_to(p, TAIL_COLUMN + 1);
	page_wrap(p, 0, "tests");
	page_end(p);
}

void text_put_health(struct page *p, const struct report *r)
{
	bool any = false;

	if (r->health_n == 0)
		return;
	for (size_t i = 0; i < r->health_n; i++)
		any |= r->health[i].state == HEALTH_READ;
	if (any) {
		put_table_head(p);
	} else {
		page_wrap(p, 0, "HEALTH");
		page_end(p);
	}
	for (size_t i = 0; i < r->health_n; i++)
		if (report_health_last(r, i))
			put_disk(p, r, &r->health[i]);
	if (any) {
		page_wrap(p, 0, "As the disks say themselves. wear: endurance used. realloc: "
			  "sectors replaced. pending: sectors that could not be read. errors: data "
			  "lost or not corrected. CRC: on the cable. tests: self-tests.");
		page_end(p);
	}
	page_rule(p);
}
