/* SPDX-License-Identifier: MIT */
/*
 * A page of plain text, 80 columns wide whatever is put on it.
 *
 * Widths are those of a terminal: East Asian wide characters and emoji take two columns, combining
 * marks none. Where in doubt a character counts as wider than it is, so a line may end early but
 * never passes column 80. Out of memory is kept and looked at once, by page_take.
 */
#ifndef BENCH_REPORT_PAGE_H
#define BENCH_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE_COLUMNS 80
#define PAGE_RULE_COLUMNS 70	/* as bench.sh rules its page */
#define PAGE_TEXT_BYTES 1024	/* longer texts are cut */

struct page {
	char *text;
	size_t len, room;
	unsigned column;	/* of the line at work */
	bool failed;
};

/* Columns `text` takes. */
unsigned page_width(const char *text);
/* Puts a text where the line stands, broken at blanks; lines after the first begin at `indent`. */
void page_wrap(struct page *p, unsigned indent, const char *text);
/* The same in printf form. */
void page_printf(struct page *p, unsigned indent, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Puts a text cut and filled to exactly `columns`, at the left or right of them. */
void page_left(struct page *p, unsigned columns, const char *text);
void page_right(struct page *p, unsigned columns, const char *text);
/* Fills up with blanks to a column. */
void page_to(struct page *p, unsigned column);
/* Ends the line. */
void page_end(struct page *p);
/* A line of dashes. */
void page_rule(struct page *p);
/* The finished text, NUL-terminated (caller frees), or NULL where memory ran out. */
char *page_take(struct page *p, size_t *len_bytes);

#endif
