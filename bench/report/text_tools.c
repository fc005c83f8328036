/* SPDX-License-Identifier: MIT */
/*
 * The tests of hdparm, dd and bench.sh once more, in these tools' own words: to stand beside what a
 * person has printed elsewhere.
 *
 * Invariant: only runs that were measured; a test that failed has no line that looks like a speed.
 */
#include "bench/report/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/report/tool_lines.h"

#define KEY_COLUMNS 21	/* as bench.sh pads its keys */

/* How the runs of a test are shown. */
enum form {
	FORM_HDPARM,	/* `words` stand in front of each run */
	FORM_DD,	/* `words` is the command, %s what it reads or writes */
	FORM_BENCHSH,
};

struct tool_row {
	const char *test, *runs;	/* names of the test and of its series */
	enum form form;
	const char *words;
	const char *remark;		/* NULL: none */
};

static const struct tool_row rows[] = {
	{ "hdparm-T", "runs", FORM_HDPARM, "Timing cached reads:   ", NULL },
	{ "hdparm-t", "runs", FORM_HDPARM, "Timing buffered disk reads: ", NULL },
	{ "hdparm-t-direct", "runs", FORM_HDPARM, "Timing O_DIRECT disk reads: ", NULL },
	{ "dd-read", "runs", FORM_DD, "dd if=%s of=/dev/null bs=64k count=32k",
	  "cold: from the disk" },
	{ "dd-read", "runs-cached", FORM_DD, "dd if=%s of=/dev/null bs=64k count=32k",
	  "cached: memory, not the disk" },
	{ "dd-write-1g", "runs", FORM_DD, "dd if=/dev/zero of=%s bs=64k count=16k conv=fdatasync",
	  NULL },
	{ "dd-write-1g-random", "runs", FORM_DD,
	  "dd if=RANDOM of=%s bs=64k count=16k conv=fdatasync", "incompressible data from memory" },
	{ "dd-write-2g", "runs", FORM_DD, "dd if=/dev/zero of=%s bs=64K count=32K conv=fdatasync",
	  NULL },
	{ "dd-write-16g", "runs", FORM_DD, "dd if=/dev/zero of=%s bs=64K count=256K conv=fdatasync",
	  NULL },
	{ "dd-write-8k-sync", "runs", FORM_DD, "dd if=/dev/zero of=%s bs=8k count=250000 && sync",
	  "timed together" },
	{ "benchsh-write", "runs", FORM_BENCHSH, NULL, NULL },
};

/* A line as it is, runs of blanks and all, up to the page's width. */
static void put_exact(struct page *p, const char *line)
{
	while (*line) {
		unsigned blanks = (unsigned)strspn(line, " ");
		unsigned columns = (unsigned)strcspn(line + blanks, " ");
		char word[TOOL_LINE_BYTES];

		snprintf(word, sizeof(word), "%.*s", (int)columns, line + blanks);
		page_to(p, p->column + blanks);
		page_left(p, page_width(word), word);
		line += blanks + columns;
	}
	page_end(p);
}

static uint64_t whole(double value)
{
	return value > 0 && value < 1.8e19 ? (uint64_t)(value + 0.5) : 0;
}

static void put_hdparm(struct page *p, const struct tool_row *row, const struct series *runs)
{
	char text[TOOL_LINE_BYTES], line[2 * TOOL_LINE_BYTES];

	for (uint32_t i = 0; i < runs->point_n; i++) {
		tool_line_hdparm(text, sizeof(text), whole(runs->point[i].y),
				 whole(runs->point[i].x));
		snprintf(line, sizeof(line), " %s%s", row->words, text);
		put_exact(p, line);
	}
}

static void put_dd(struct page *p, const struct tool_row *row, const struct result *t,
		   const char *node, const struct series *runs)
{
	char text[TOOL_LINE_BYTES], command[PAGE_TEXT_BYTES];
	/* a scratch file has no name: it is called as people call theirs */
	const char *where = *t->path ? t->path : node, *file = *t->path ? "/ddfile" : "";
	const char *cut = strstr(row->words, "%s");

	for (uint32_t i = 0; i < runs->point_n; i++) {
		uint64_t bytes = whole(runs->point[i].y);

		snprintf(command, sizeof(command), "%.*s%s%s%s%s%s%s", (int)(cut - row->words),
			 row->words, where, file, cut + 2, row->remark ? " (" : "",
			 row->remark ? row->remark : "", row->remark ? ")" : "");
		page_wrap(p, 2, command);
		page_end(p);
		if (t->block_bytes) {
			snprintf(text, sizeof(text), "%" PRIu64 "+0 records in",
				 bytes / t->block_bytes);
			put_exact(p, text);
			snprintf(text, sizeof(text), "%" PRIu64 "+0 records out",
				 bytes / t->block_bytes);
			put_exact(p, text);
		}
		put_exact(p, tool_line_dd(text, sizeof(text), bytes, whole(runs->point[i].x)));
	}
}

static void put_key(struct page *p, const char *key, const char *value)
{
	char line[2 * TOOL_LINE_BYTES];

	snprintf(line, sizeof(line), "%-*s: %s", KEY_COLUMNS, key, value);
	put_exact(p, line);
}

static void put_benchsh(struct page *p, const struct result *t, const struct series *runs)
{
	static const char *const nth[] = { "1st", "2nd", "3rd" };
	const struct metric *average = result_find(t, "throughput");
	char key[40], value[TOOL_LINE_BYTES];

	for (uint32_t i = 0; i < runs->point_n && i < sizeof(nth) / sizeof(nth[0]); i++) {
		snprintf(key, sizeof(key), "I/O speed(%s run)", nth[i]);
		put_key(p, key, tool_line_dd_rate(value, sizeof(value), whole(runs->point[i].y),
						  whole(runs->point[i].x)));
	}
	if (!average)
		return;
	snprintf(value, sizeof(value), "%.1f MB/s", average->value / 1e6);
	put_key(p, "Average I/O speed", value);
}

/* Returns false where `row` has nothing to show of this result. */
static bool put_row(struct page *p, const struct tool_row *row, const struct result *t,
		    const char *node)
{
	const struct series *runs = result_find_series(t, row->runs);

	if (t->status != RESULT_OK || strcmp(t->test, row->test) || !runs || !runs->point_n)
		return false;
	switch (row->form) {
	case FORM_HDPARM:
		put_hdparm(p, row, runs);
		break;
	case FORM_DD:
		put_dd(p, row, t, node, runs);
		break;
	case FORM_BENCHSH:
		put_benchsh(p, t, runs);
		break;
	}
	return true;
}

bool text_tools_has(const struct result *t)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct series *runs = result_find_series(t, rows[i].runs);

		if (t->status == RESULT_OK && !strcmp(t->test, rows[i].test) && runs &&
		    runs->point_n)
			return true;
	}
	return false;
}

static void put_target(struct page *p, const struct report *r, const char *target)
{
	const struct disk *d = report_disk(r, target);
	char node[DISK_PATH_BYTES + DISK_NAME_BYTES], line[sizeof(node) + 2];

	snprintf(node, sizeof(node), "%s", d && *d->node ? d->node : target);
	snprintf(line, sizeof(line), "%s:", node);
	page_wrap(p, 0, line);
	page_end(p);
	for (size_t k = 0; k < r->result_n; k++) {
		const struct result *t = &r->result[k];
		bool has_any = false;

		if (strcmp(t->target, target))
			continue;
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			has_any |= put_row(p, &rows[i], t, node);
		if (has_any && *t->reason) {
			page_printf(p, 2, "(%s)", t->reason);
			page_end(p);
		}
	}
}

void text_put_tools(struct page *p, const struct report *r)
{
	bool has_any = false;

	for (size_t i = 0; i < r->result_n; i++) {
		bool is_first = text_tools_has(&r->result[i]);

		for (size_t k = 0; k < i && is_first; k++)
			is_first = !text_tools_has(&r->result[k]) ||
				   strcmp(r->result[k].target, r->result[i].target);
		if (!is_first)
			continue;
		if (!has_any) {
			page_wrap(p, 0,
				  "AS THE USUAL TOOLS PRINT IT (MB of hdparm: 2^20 bytes; of dd "
				  "and bench.sh: 10^6)");
			page_end(p);
		}
		has_any = true;
		put_target(p, r, r->result[i].target);
	}
	if (has_any)
		page_rule(p);
}
