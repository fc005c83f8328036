/* SPDX-License-Identifier: MIT */
/* The results of the text report: one table per disk, below what identifies the disk. */
#include "bench/report/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/report/text_curve.h"
#include "bench/report/text_sustained.h"
#include "bench/report/units.h"

#define TEST_COLUMNS 21
#define DEPTH_COLUMNS 6
#define SPEED_COLUMNS 11
#define IOPS_COLUMNS 9
#define SPREAD_COLUMNS 7
#define TIME_COLUMNS 8
#define INDENT 2

/* A status other than ok is what the eye should find. */
static const char *const status_marks[RESULT_STATUS_COUNT] = {
	[RESULT_PLANNED] = "not reached yet",
	[RESULT_RUNNING] = "still running",
	[RESULT_OK] = "ok",
	[RESULT_FAILED] = "FAILED",
	[RESULT_SKIPPED] = "not run",
	[RESULT_TIMEOUT] = "TIMEOUT",
	[RESULT_UNSUPPORTED] = "not run",
};

void text_put_status(struct page *p, unsigned indent, const struct result *t)
{
	page_printf(p, indent, "%s%s%s", status_marks[t->status], *t->reason ? ": " : "",
		    t->reason);
	page_end(p);
}

void text_put_note(struct page *p, const char *text)
{
	if (!*text)
		return;
	page_to(p, TEXT_NOTE_INDENT);
	page_wrap(p, TEXT_NOTE_INDENT, text);
	page_end(p);
}

static void put_time(struct page *p, const struct metric *m)
{
	page_right(p, TIME_COLUMNS,
		   m && m->value >= 0 ? units_time(UNITS_BUF, (uint64_t)m->value) : "-");
}

/* Columns of a test that has its numbers. */
static void put_numbers(struct page *p, const struct result *t)
{
	const struct metric *speed = result_find(t, "throughput"), *iops = result_find(t, "iops");
	char number[UNITS_BYTES];

	if (t->jobs > 1)
		snprintf(number, sizeof(number), "%" PRIu32 "x%" PRIu32, t->jobs, t->depth);
	else
		snprintf(number, sizeof(number), "%" PRIu32, t->depth);
	page_right(p, DEPTH_COLUMNS, t->depth ? number : "-");
	page_right(p, SPEED_COLUMNS, speed ? units_rate(UNITS_BUF, speed->value) : "-");
	if (iops) {
		units_iops(number, sizeof(number), iops->value);
		*strstr(number, " IOPS") = '\0';
	}
	page_right(p, IOPS_COLUMNS, iops ? number : "-");
	if (speed && speed->sample_n > 1 && speed->median > 0)
		snprintf(number, sizeof(number), speed->mad < speed->median ? "%.1f %%" : "%.0f %%",
			 speed->mad / speed->median * 100);
	page_right(p, SPREAD_COLUMNS,
		   speed && speed->sample_n > 1 && speed->median > 0 ? number : "-");
	put_time(p, result_find(t, "lat_p50"));
	put_time(p, result_find(t, "lat_p99"));
	put_time(p, result_find(t, "lat_max"));
	page_end(p);
	text_put_note(p, t->reason);
}

/* What makes the number suspicious, under it. */
void text_put_marks(struct page *p, const struct result *t)
{
	for (uint32_t i = 0; i < t->mark_n && i < RESULT_MARKS_MAX; i++) {
		page_to(p, TEXT_NOTE_INDENT - 2);
		page_printf(p, TEXT_NOTE_INDENT, "! %s: %s", t->mark[i].word, t->mark[i].text);
		page_end(p);
	}
}

static void put_result(struct page *p, const struct result *t)
{
	page_to(p, INDENT);
	page_left(p, TEST_COLUMNS - 1, t->test);
	if (t->status == RESULT_OK) {
		put_numbers(p, t);
		text_put_sustained(p, TEXT_NOTE_INDENT, t);
	} else {
		page_to(p, INDENT + TEST_COLUMNS);
		text_put_status(p, INDENT + TEST_COLUMNS, t);
	}
	text_put_curve(p, TEXT_NOTE_INDENT, t);
	text_put_marks(p, t);
}

static void put_table_head(struct page *p)
{
	page_to(p, INDENT);
	page_left(p, TEST_COLUMNS - 1, "test");
	page_right(p, DEPTH_COLUMNS, "QD");
	page_right(p, SPEED_COLUMNS, "speed");
	page_right(p, IOPS_COLUMNS, "IOPS");
	page_right(p, SPREAD_COLUMNS, "spread");
	page_right(p, TIME_COLUMNS, "p50");
	page_right(p, TIME_COLUMNS, "p99");
	page_right(p, TIME_COLUMNS, "max");
	page_end(p);
}

/* "sda: SAMSUNG ..., serial ..., firmware ..., 512/4096 B blocks, ahci" */
static void put_identity(struct page *p, const char *target, const struct disk *d)
{
	char text[PAGE_TEXT_BYTES], blocks[64] = "";

	if (!d) {
		page_wrap(p, INDENT, *target ? target : "machine");
		page_end(p);
		return;
	}
	if (d->logical_block_bytes && d->physical_block_bytes)
		snprintf(blocks, sizeof(blocks), ", %" PRIu32 "/%" PRIu32 " B blocks",
			 d->logical_block_bytes, d->physical_block_bytes);
	snprintf(text, sizeof(text), "%s: %s %s%s%s%s%s%s, %s%s%s%s%s%s", d->name, d->vendor,
		 *d->model ? d->model : "model not known", *d->serial ? ", serial " : "", d->serial,
		 *d->firmware ? ", firmware " : "", d->firmware, blocks,
		 units_bytes(UNITS_BUF, d->size_bytes), *d->driver ? ", driver " : "", d->driver,
		 *d->controller ? " at " : "", d->controller,
		 d->path_n > 1 ? ", several paths" : "");
	page_wrap(p, INDENT, text);
	page_end(p);
}

/* Else other sections have it. */
static bool is_on_disk(const struct result *t)
{
	return !result_is_of_machine(t) && !result_is_of_network(t);
}

static bool is_first_of_target(const struct report *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_on_disk(&r->result[k]) && !strcmp(r->result[k].target, r->result[i].target))
			return false;
	return true;
}

/* Tests that were not to run, for one reason: the reason once, then their names. */
bool text_is_left_out(const struct result *t)
{
	return (t->status == RESULT_SKIPPED || t->status == RESULT_UNSUPPORTED ||
		t->status == RESULT_PLANNED) && t->mark_n == 0;
}

static bool is_alike(const struct result *a, const struct result *b)
{
	return text_is_left_out(a) && text_is_left_out(b) && a->status == b->status &&
	       !strcmp(a->target, b->target) && !strcmp(a->reason, b->reason) &&
	       ((is_on_disk(a) && is_on_disk(b)) || !strcmp(a->phase, b->phase));
}

void text_put_left_out(struct page *p, const struct report *r, size_t i)
{
	const struct result *t = &r->result[i];

	for (size_t k = 0; k < i; k++)
		if (is_alike(&r->result[k], t))
			return;
	page_to(p, INDENT);
	page_printf(p, INDENT + 2, "%s%s%s:", status_marks[t->status], *t->reason ? ": " : "",
		    t->reason);
	for (size_t k = i; k < r->result_n; k++)
		if (is_alike(&r->result[k], t)) {
			page_to(p, p->column + 1);
			page_wrap(p, INDENT + 2, r->result[k].test);
		}
	page_end(p);
}

static bool is_of_phase(const struct result *t, const char *target, bool together)
{
	return is_on_disk(t) && !strcmp(t->target, target) &&
	       result_is_together(t) == together;
}

/* The rows of one target in one phase; true where there were numbers. */
static bool put_phase(struct page *p, const struct report *r, const char *target, bool together)
{
	bool has_head = false, has_title = !together;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (!is_of_phase(t, target, together) || text_is_left_out(t) ||
		    (text_tools_has(t) && t->mark_n == 0))
			continue;
		if (!has_title) {
			page_to(p, INDENT);
			page_wrap(p, INDENT, "while all disks were busy:");
			page_end(p);
			has_title = true;
		}
		if (t->status == RESULT_OK && !has_head && !together)
			put_table_head(p);
		has_head |= t->status == RESULT_OK;
		put_result(p, t);
	}
	for (size_t i = 0; i < r->result_n; i++)
		if (is_of_phase(&r->result[i], target, together) && text_is_left_out(&r->result[i]))
			text_put_left_out(p, r, i);
	return has_head;
}

void text_put_results(struct page *p, const struct report *r)
{
	bool has_numbers = false, any = r->result_n == 0;

	for (size_t i = 0; i < r->result_n; i++) {
		const char *target = r->result[i].target;

		if (!is_on_disk(&r->result[i]) || !is_first_of_target(r, i))
			continue;
		any = true;
		put_identity(p, target, report_disk(r, target));
		has_numbers |= put_phase(p, r, target, false);
		has_numbers |= put_phase(p, r, target, true);
	}
	if (r->result_n == 0) {
		page_wrap(p, 0, "No test has run.");
		page_end(p);
	}
	if (has_numbers) {
		page_wrap(
			p, 0,
			"seq: blocks of 1 MiB, rand: of 4 KiB. QD: I/Os in flight, with jobs in "
			"front. MB = 10^6 bytes, KiB = 1024 bytes. spread: median deviation of the "
			"speed over time. p50, p99, max: latency.");
		page_end(p);
	}
	if (any)
		page_rule(p);
}
