/* SPDX-License-Identifier: MIT */
/* The plan as 80-column text. */
#include "bench/report/plan_text.h"

#include <string.h>

#include "bench/consent/consent.h"
#include "bench/report/page.h"
#include "bench/report/units.h"

#define INDENT 4
#define NAME_COLUMNS 22
#define TITLE_COLUMNS 36

static void put_named(struct page *p, const char *name, const char *text)
{
	if (*text)
		page_printf(p, INDENT, ", %s %s", name, text);
}

static void put_disk(struct page *p, const struct disk *d)
{
	char writing[2 * CONSENT_LINE_BYTES];

	page_printf(p, INDENT, "%s  %s  %s", d->name, units_bytes(UNITS_BUF, d->size_bytes),
		    d->model[0] ? d->model : "model not known");
	page_end(p);
	page_to(p, INDENT);
	page_printf(p, INDENT, "%s, sectors %u/%u bytes",
		    d->transport[0] ? d->transport : "transport not known", d->logical_block_bytes,
		    d->physical_block_bytes);
	if (d->rotational == DISK_ROTATING)
		page_wrap(p, INDENT, ", rotating");
	if (d->read_only)
		page_wrap(p, INDENT, ", read-only");
	put_named(p, "firmware", d->firmware);
	put_named(p, "driver", d->driver);
	put_named(p, "at", d->controller);
	page_end(p);
	page_to(p, INDENT);
	page_wrap(p, INDENT, d->identity);
	if (d->path_n > 1)
		page_printf(p, INDENT, ", reached over %u paths", d->path_n);
	page_end(p);
	page_to(p, INDENT);
	page_printf(p, INDENT, "Writing: %s", consent_say(d, writing, sizeof(writing)));
	page_end(p);
}

static void put_entry(struct page *p, const struct plan_entry *e, uint64_t budget_ns)
{
	page_to(p, INDENT);
	page_left(p, NAME_COLUMNS - 1, e->test->name);
	page_to(p, INDENT + NAME_COLUMNS);
	page_left(p, TITLE_COLUMNS, e->test->title);
	page_wrap(p, INDENT, units_time(UNITS_BUF, budget_ns));
	page_end(p);
}

static void put_left_alone(struct page *p, const struct disk_list *disks)
{
	bool title = false;

	for (size_t i = 0; i < disks->n; i++) {
		const struct disk *d = &disks->disk[i];

		if (d->skip == DISK_TAKEN)
			continue;
		if (!title) {
			if (p->len > 0)
				page_end(p);
			page_wrap(p, 0, "Left alone:");
			page_end(p);
		}
		title = true;
		page_to(p, INDENT);
		page_left(p, NAME_COLUMNS, d->name);
		page_wrap(p, INDENT + NAME_COLUMNS, disk_skip_table[d->skip].sentence);
		if (d->skip_detail[0])
			page_printf(p, INDENT + NAME_COLUMNS, ": %s", d->skip_detail);
		page_end(p);
	}
}

static bool is_first_together(const struct plan *p, size_t entry)
{
	const struct plan_entry *e = &p->entry[entry];

	if (e->phase != PHASE_TOGETHER || e->status != RESULT_PLANNED)
		return false;
	for (size_t i = entry; i-- > 0 && p->entry[i].phase == PHASE_TOGETHER;)
		if (p->entry[i].test == e->test && p->entry[i].status == RESULT_PLANNED)
			return false;
	return true;
}

/* What is measured on all disks at once: each test once. */
static void put_together(struct page *page, const struct plan *p)
{
	bool title = false;

	for (size_t i = 0; i < p->n; i++) {
		if (!is_first_together(p, i))
			continue;
		if (!title) {
			if (page->len > 0)
				page_end(page);
			page_wrap(page, 0, "All disks at once:");
			page_end(page);
		}
		title = true;
		put_entry(page, &p->entry[i], p->entry[i].budget_ns);
	}
}

static bool is_same_reason(const struct plan_entry *a, const struct plan_entry *b)
{
	return a->disk == b->disk && a->status == b->status && strcmp(a->why, b->why) == 0 &&
	       (a->disk != PLAN_NO_DISK || a->phase == b->phase);
}

/* Tests that will not run on a disk for one reason: the reason once, then their names. */
static void put_not_run(struct page *page, const struct plan *p, size_t first)
{
	const struct plan_entry *e = &p->entry[first];

	for (size_t i = 0; i < first; i++)
		if (is_same_reason(&p->entry[i], e))
			return;
	page_to(page, INDENT);
	page_printf(page, INDENT + 2, "%s: %s: %s", result_status_words[e->status], e->why,
		    e->test->name);
	for (size_t i = first + 1; i < p->n; i++)
		if (is_same_reason(&p->entry[i], e))
			page_printf(page, INDENT + 2, ", %s", p->entry[i].test->name);
	page_end(page);
}

/* A test that is not about disks: once, with the time for all its targets and their names. */
static void put_targets(struct page *page, const struct plan *p, size_t first)
{
	const struct plan_entry *e = &p->entry[first];
	uint64_t budget_ns = 0;
	size_t end = first;

	for (; end < p->n && p->entry[end].test == e->test; end++)
		budget_ns += p->entry[end].budget_ns;
	put_entry(page, e, budget_ns);
	if (!e->target_name[0])
		return;
	page_to(page, INDENT + 2);
	page_printf(page, INDENT + 2, "with %s", e->target_name);
	for (size_t i = first + 1; i < end; i++)
		page_printf(page, INDENT + 2, ", %s", p->entry[i].target_name);
	page_end(page);
}

static void put_phase(struct page *page, const struct plan *p, enum test_phase phase,
		      const char *head)
{
	bool title = false;

	for (size_t i = 0; i < p->n; i++) {
		const struct plan_entry *e = &p->entry[i];

		if (e->phase != phase)
			continue;
		if (!title) {
			if (page->len > 0)
				page_end(page);
			page_wrap(page, 0, head);
			page_end(page);
		}
		title = true;
		if (e->status == RESULT_PLANNED && (i == 0 || e[-1].test != e->test))
			put_targets(page, p, i);
	}
	for (size_t i = 0; i < p->n; i++)
		if (p->entry[i].phase == phase && p->entry[i].status != RESULT_PLANNED)
			put_not_run(page, p, i);
}

/* On each disk: what it gets alone, and what cannot run on it. */
static void put_entries(struct page *page, const struct plan *p, size_t disk)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->entry[i].disk == disk && p->entry[i].phase == PHASE_ALONE &&
		    p->entry[i].status == RESULT_PLANNED)
			put_entry(page, &p->entry[i], p->entry[i].budget_ns);
	for (size_t i = 0; i < p->n; i++)
		if (p->entry[i].disk == disk && p->entry[i].status != RESULT_PLANNED)
			put_not_run(page, p, i);
}

static void put_notes(struct page *page, const struct plan *p)
{
	for (uint32_t i = 0; i < p->note_n; i++) {
		page_wrap(page, 0, p->note[i]);
		page_end(page);
	}
}

size_t plan_text_tests(const struct plan *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->entry[i].status == RESULT_PLANNED;
	return n;
}

static void put_total(struct page *page, const struct plan *p,
		      const struct disk_list *disks, size_t taken,
		      const struct options *o)
{
	size_t tests = plan_text_tests(p);
	char writing[CONSENT_LINE_BYTES];

	if (page->len > 0)
		page_end(page);
	page_printf(page, 0, "Plan: profile %s, %zu disk%s, %zu test%s",
		    options_text(o, OPT_ID_PROFILE), taken, taken == 1 ? "" : "s", tests,
		    tests == 1 ? "" : "s");
	if (tests > 0)
		page_printf(page, 0, ", about %s", units_time(UNITS_BUF, p->total_ns));
	page_wrap(page, 0, ".");
	page_end(page);
	put_notes(page, p);
	page_printf(page, 0, "Writing: %s.", consent_summary(disks, o, writing, sizeof(writing)));
	page_end(page);
}

char *plan_text_write(const struct plan *p, const struct disk_list *disks, const struct options *o)
{
	struct page page = { 0 };
	size_t taken = 0, len;

	for (size_t i = 0; i < disks->n; i++) {
		if (disks->disk[i].skip != DISK_TAKEN)
			continue;
		taken++;
		put_disk(&page, &disks->disk[i]);
		put_entries(&page, p, i);
	}
	put_together(&page, p);
	put_phase(&page, p, PHASE_MACHINE, "Machine, when no disk is busy:");
	put_phase(&page, p, PHASE_NETWORK, "Network, at the end:");
	put_left_alone(&page, disks);
	put_total(&page, p, disks, taken, o);
	return page_take(&page, &len);
}
