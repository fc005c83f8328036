/* SPDX-License-Identifier: MIT */
/* What was read from pasted text: each figure in its own words and in one unit. */
#ifndef BENCH_REPORT_TEXT_IMPORT_H
#define BENCH_REPORT_TEXT_IMPORT_H

#include "bench/model/report.h"

/* malloc'ed, caller frees; NULL: no memory. */
char *text_import_write(const struct report *r, size_t *len_bytes);

#endif
