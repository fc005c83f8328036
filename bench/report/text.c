/* SPDX-License-Identifier: MIT */
/*
 * The report as text for a terminal, a ticket or a forum: at most 80 columns; findings, the machine
 * with bench.sh's keys, disks and their health, results, notes.
 *
 * Invariant: nothing that is absent is printed as a number.
 */
#include "bench/report/text.h"

#include <string.h>

#include "bench/findings/findings.h"
#include "bench/report/text_findings.h"

#define SHORT_FINDINGS_MAX 8
#define SHORT_DISKS_MAX 24
#define LOG_LINES_MAX 10	/* of the kernel log; all of it is in the JSON form */

static void put_findings(struct page *p, const struct report *r)
{
	page_printf(p, 0, "FINDINGS%s", r->health_n ? "" :
		    " (health logs of disks were not read)");
	page_end(p);
	if (r->finding_n == 0) {
		page_wrap(p, 0, "none");
		page_end(p);
	}
	text_put_findings(p, r);
	page_rule(p);
}

static void put_options(struct page *p, const struct report *r)
{
	if (r->option_n == 0)
		return;
	page_left(p, 10, "Options");
	for (size_t i = 0; i < r->option_n; i++) {
		page_to(p, p->column + (i > 0));
		page_printf(p, 10, "%s=%s%s", r->option[i].name, r->option[i].text,
			    i + 1 < r->option_n ? "," : "");
	}
	page_end(p);
}

static void put_log(struct page *p, const char *log)
{
	const char *from = log + strlen(log);
	unsigned lines = 0;

	while (from > log && lines < LOG_LINES_MAX)
		if (*--from == '\n' && from[1])
			lines++;
	if (*from == '\n')
		from++;
	page_printf(p, 0, "Kernel log, its last lines on warnings and disks:");
	page_end(p);
	while (*from) {
		char line[PAGE_TEXT_BYTES];
		size_t len = strcspn(from, "\n");
		size_t n = len < sizeof(line) - 1 ? len : sizeof(line) - 1;

		memcpy(line, from, n);
		line[n] = '\0';
		if (page_width(line) > 0) {
			page_to(p, 2);
			page_left(p, PAGE_COLUMNS - 2, line);
			page_end(p);
		}
		from += len + (from[len] == '\n');
	}
}

/* Names alone: why the kernel was built so is long, and the same in every report. */
static void put_kernel_notes(struct page *p, const struct report *r)
{
	const char *before = "differs from Debian's in ";

	for (size_t i = 0; i < r->note_n; i++) {
		const char *name = r->note[i].name;

		if (strncmp(name, REPORT_NOTE_KERNEL, strlen(REPORT_NOTE_KERNEL)))
			continue;
		if (*before != ',')
			page_left(p, 10, "Kernel");
		page_printf(p, 10, "%s%s", before, name + strlen(REPORT_NOTE_KERNEL));
		before = ", ";
	}
	if (*before == ',') {
		page_wrap(p, 10, "; report.json says why");
		page_end(p);
	}
}

/* Notes on options are findings already. */
static void put_notes(struct page *p, const struct report *r)
{
	for (size_t i = 0; i < r->note_n; i++) {
		if (!strcmp(r->note[i].name, REPORT_NOTE_OPTION) ||
		    !strncmp(r->note[i].name, REPORT_NOTE_KERNEL, strlen(REPORT_NOTE_KERNEL)))
			continue;
		page_printf(p, 2, "%s: %s", r->note[i].name, r->note[i].text);
		page_end(p);
	}
}

static void put_tail(struct page *p, const struct report *r)
{
	page_left(p, 10, "Writing");
	page_wrap(p, 10, *r->run.write_consent ? r->run.write_consent : "not known");
	page_end(p);
	put_options(p, r);
	page_left(p, 10, "Run");
	page_wrap(p, 10, r->run.id);
	page_end(p);
	if (r->run.redacted) {
		page_printf(
			p, 0,
			"Serial numbers, WWNs, MAC addresses and label are left out on request.");
		page_end(p);
	}
	put_kernel_notes(p, r);
	put_notes(p, r);
	if (r->kernel_log && *r->kernel_log)
		put_log(p, r->kernel_log);
	page_rule(p);
}

/* A line for each of the first `serious` findings, equal ones as one, as far as there is room. */
static void put_worst(struct page *p, const struct report *r, size_t serious)
{
	char sentence[FINDING_SHOWN_BYTES];
	size_t lines = 0, untold = 0;

	for (size_t i = 0; i < serious; i++) {
		size_t alike = finding_shown(r, i, sentence);

		if (!alike)
			continue;
		if (lines == SHORT_FINDINGS_MAX) {
			untold += alike;
			continue;
		}
		lines++;
		page_left(p, FINDING_MARK_COLUMNS, text_finding_marks[r->finding[i].severity]);
		page_left(p, PAGE_COLUMNS - FINDING_MARK_COLUMNS, sentence);
		page_end(p);
	}
	if (untold) {
		page_printf(p, 0, "and %zu more", untold);
		page_end(p);
	}
}

/* The disks with their states. */
static void put_disk_states(struct page *p, const struct report *r)
{
	size_t taken = 0;

	for (size_t i = 0; i < r->disks.n; i++) {
		if (r->disks.disk[i].skip != DISK_TAKEN)
			continue;
		if (taken == SHORT_DISKS_MAX) {
			page_wrap(p, FINDING_MARK_COLUMNS, " ...");
			break;
		}
		page_printf(p, FINDING_MARK_COLUMNS, "%s", taken++ ? ";" : "Disks:");
		page_to(p, p->column + 1);
		page_printf(p, FINDING_MARK_COLUMNS, "%s %s", r->disks.disk[i].name,
			    text_disk_state(r, r->disks.disk[i].name));
	}
	if (taken)
		page_end(p);
}

/* What fits the last screen of who has no more than that: the worst, a line each, and the disks. */
static void put_short(struct page *p, const struct report *r)
{
	size_t serious = 0;
	char verdict[80];

	for (size_t i = 0; i < r->finding_n; i++)
		serious += r->finding[i].severity != FINDING_INFO;
	page_printf(p, 0, "IN SHORT: %s%s", text_verdict(verdict, sizeof(verdict), r),
		    serious ? " They stand in full at the top:" : "");
	page_end(p);
	put_worst(p, r, serious);
	put_disk_states(p, r);
	page_rule(p);
}

char *report_text_write(const struct report *r, size_t *len_bytes)
{
	struct page p = { 0 };

	text_put_title(&p, r);
	put_findings(&p, r);
	text_put_head(&p, r);
	text_put_disks(&p, r);
	text_put_health(&p, r);
	text_put_results(&p, r);
	text_put_together(&p, r);
	text_put_machine(&p, r);
	text_put_network(&p, r);
	text_put_tools(&p, r);
	put_tail(&p, r);
	put_short(&p, r);
	return page_take(&p, len_bytes);
}
