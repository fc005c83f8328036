/* SPDX-License-Identifier: MIT */
/* Rows of the text report's head. */
#include "bench/report/text_row.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define KEY_COLUMNS 20
#define VALUE_COLUMN (KEY_COLUMNS + 3)

static void put_row(struct page *p, const char *key, const char *value)
{
	page_left(p, KEY_COLUMNS + 1, key);
	if (*key)
		page_wrap(p, 0, ":");
	page_to(p, VALUE_COLUMN);
	page_wrap(p, VALUE_COLUMN, value);
	page_end(p);
}

void text_row(struct page *p, const char *key, const char *fmt, ...)
{
	char value[PAGE_TEXT_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(value, sizeof(value), fmt, args);
	va_end(args);
	put_row(p, key, strspn(value, " ") < strlen(value) ? value : "not known");
}

void text_row_known(struct page *p, const char *key, const char *value)
{
	if (strspn(value, " ") < strlen(value))
		put_row(p, key, value);
}

void text_row_join(char *text, const char *separator, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;

	if (used)
		used += (size_t)snprintf(text + used, PAGE_TEXT_BYTES - used, "%s", separator);
	if (used >= PAGE_TEXT_BYTES - 1)
		return;
	va_start(args, fmt);
	vsnprintf(text + used, PAGE_TEXT_BYTES - used, fmt, args);
	va_end(args);
}
