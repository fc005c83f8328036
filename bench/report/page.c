/* SPDX-License-Identifier: MIT */
/* A page of plain text, 80 columns wide. See page.h. */
#include "bench/report/page.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"

struct range {
	uint32_t first, last;
};

/*
 * East_Asian_Width W and F of Unicode 15 (UAX #11), gaps of a few characters closed: rather wider.
 */
static const struct range wide[] = {
	{ 0x1100, 0x115F }, { 0x231A, 0x231B }, { 0x2329, 0x232A }, { 0x23E9, 0x23F3 },
	{ 0x25FD, 0x25FE }, { 0x2600, 0x27BF }, { 0x2B1B, 0x2B55 }, { 0x2E80, 0x303E },
	{ 0x3041, 0xA4CF }, { 0xA960, 0xA97C }, { 0xAC00, 0xD7A3 }, { 0xF900, 0xFAFF },
	{ 0xFE10, 0xFE19 }, { 0xFE30, 0xFE6B }, { 0xFF01, 0xFF60 }, { 0xFFE0, 0xFFE6 },
	{ 0x16FE0, 0x1B2FB }, { 0x1F000, 0x1FAFF }, { 0x20000, 0x3FFFD },
};

/* Combining marks that fonts and terminals surely put over the letter before. */
static const struct range narrow[] = {
	{ 0x0300, 0x036F }, { 0x20D0, 0x20F0 }, { 0xFE00, 0xFE0F },
};

static bool is_in(uint32_t cp, const struct range *range, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= range[i].first && cp <= range[i].last)
			return true;
	return false;
}

/* Length and columns of the first character of valid, not empty UTF-8. */
static size_t measure(const char *text, unsigned *columns)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
	uint32_t cp = n == 1 ? s[0] : s[0] & (0x7Fu >> n);

	for (size_t i = 1; i < n; i++)
		cp = cp << 6 | (s[i] & 0x3F);
	*columns = is_in(cp, wide, sizeof(wide) / sizeof(wide[0])) ? 2 :
		   is_in(cp, narrow, sizeof(narrow) / sizeof(narrow[0])) ? 0 : 1;
	return n;
}

/* Columns of `len` bytes of clean text. */
static unsigned width_of(const char *text, size_t len)
{
	unsigned total = 0, columns;

	for (size_t i = 0; i < len; total += columns)
		i += measure(text + i, &columns);
	return total;
}

unsigned page_width(const char *text)
{
	char clean[PAGE_TEXT_BYTES];

	return width_of(clean, text_clean_str(clean, sizeof(clean), text));
}

/* Bytes of clean text that fit into `columns`. */
static size_t fit(const char *text, size_t len, unsigned columns)
{
	size_t i = 0;

	while (i < len) {
		unsigned take;
		size_t n = measure(text + i, &take);

		if (take > columns)
			break;
		columns -= take;
		i += n;
	}
	return i;
}

static void put(struct page *p, const char *bytes, size_t len)
{
	if (p->len + len + 1 > p->room) {
		size_t room = 2 * (p->room + len) + 4096;
		char *more = realloc(p->text, room);

		if (!more) {
			p->failed = true;
			return;
		}
		p->text = more;
		p->room = room;
	}
	memcpy(p->text + p->len, bytes, len);
	p->len += len;
	p->text[p->len] = '\0';
}

static void put_text(struct page *p, const char *text, size_t len)
{
	put(p, text, len);
	p->column += width_of(text, len);
}

void page_to(struct page *p, unsigned column)
{
	for (; p->column < column && !p->failed; p->column++)
		put(p, " ", 1);
}

void page_end(struct page *p)
{
	while (p->len > 0 && p->text[p->len - 1] == ' ')
		p->len--;
	put(p, "\n", 1);
	p->column = 0;
}

/* A word that no line has room for is broken where the line ends. */
static void put_word(struct page *p, unsigned indent, const char *word, size_t len)
{
	while (len > 0 && !p->failed) {
		size_t n = fit(word, len, PAGE_COLUMNS - p->column);

		if (n == 0 && p->column <= indent)
			return;
		put_text(p, word, n);
		word += n;
		len -= n;
		if (len > 0) {
			page_end(p);
			page_to(p, indent);
		}
	}
}

void page_wrap(struct page *p, unsigned indent, const char *text)
{
	char clean[PAGE_TEXT_BYTES];
	const char *at = clean;
	bool first = true;

	text_clean_str(clean, sizeof(clean), text);
	while (*at) {
		size_t len = strcspn(at, " ");
		unsigned columns = width_of(at, len) + !first;

		if (p->column + columns > PAGE_COLUMNS && p->column > indent) {
			page_end(p);
			page_to(p, indent);
		} else if (!first) {
			put_text(p, " ", 1);
		}
		put_word(p, indent, at, len);
		first = false;
		at += len;
		at += *at == ' ';
	}
}

void page_printf(struct page *p, unsigned indent, const char *fmt, ...)
{
	char text[2 * PAGE_TEXT_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	page_wrap(p, indent, text);
}

void page_left(struct page *p, unsigned columns, const char *text)
{
	char clean[PAGE_TEXT_BYTES];
	size_t len = text_clean_str(clean, sizeof(clean), text);
	unsigned end = p->column + columns;

	put_text(p, clean, fit(clean, len, columns));
	page_to(p, end);
}

void page_right(struct page *p, unsigned columns, const char *text)
{
	char clean[PAGE_TEXT_BYTES];
	size_t len = text_clean_str(clean, sizeof(clean), text);
	size_t n = fit(clean, len, columns);

	page_to(p, p->column + columns - width_of(clean, n));
	put_text(p, clean, n);
}

void page_rule(struct page *p)
{
	char dashes[PAGE_RULE_COLUMNS];

	memset(dashes, '-', sizeof(dashes));
	put(p, dashes, sizeof(dashes));
	page_end(p);
}

char *page_take(struct page *p, size_t *len_bytes)
{
	if (p->failed) {
		free(p->text);
		p->text = NULL;
	}
	*len_bytes = p->text ? p->len : 0;
	return p->text;
}
