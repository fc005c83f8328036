/* SPDX-License-Identifier: MIT */
/*
 * The report as one HTML file: no script, nothing loaded from elsewhere, light and dark, for phone,
 * screen and paper; the report itself is inside, as a link that saves it.
 */
#ifndef BENCH_REPORT_HTML_H
#define BENCH_REPORT_HTML_H

#include <stdio.h>

#include "bench/model/report.h"

/* malloc'ed, caller frees; NULL: no memory. */
char *html_write(const struct report *r, size_t *len_bytes);

/* The parts of the page. All texts are escaped where they are put. */
extern const char html_style[];
/* A row of a table of two columns; an empty value has no row. */
void html_row(FILE *out, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The section of one disk: identity, health, results, charts. */
void html_put_disk(FILE *out, const struct report *r, const struct disk *d);
/* What a disk says of its health, as a table. */
void html_put_health(FILE *out, const struct health *h);
/* Status, reason and marks of a result, where it has some, as a row of so many columns. */
void html_put_notes(FILE *out, const struct result *t, unsigned columns);
/* The charts of a disk. */
void html_put_charts(FILE *out, const struct report *r, const struct disk *d);

#endif
