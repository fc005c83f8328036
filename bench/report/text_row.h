/* SPDX-License-Identifier: MIT */
/* Rows of the text report's head: a key, a colon and a value. */
#ifndef BENCH_REPORT_TEXT_ROW_H
#define BENCH_REPORT_TEXT_ROW_H

#include "bench/report/page.h"

/* An empty value reads "not known"; an empty key goes on with the row before. */
void text_row(struct page *p, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, but no row at all where `value` is empty. */
void text_row_known(struct page *p, const char *key, const char *value);
/*
 * Appends to a text of PAGE_TEXT_BYTES, behind `separator` where it is not empty; what finds no
 * room is cut.
 */
void text_row_join(char *text, const char *separator, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
