/* SPDX-License-Identifier: MIT */
/* The report on disk: the two files every run leaves. */
#ifndef BENCH_REPORT_SAVE_H
#define BENCH_REPORT_SAVE_H

#include "bench/model/report.h"

#define SAVE_JSON "report.json"
#define SAVE_TEXT "report.txt"

/*
 * Replaces DIR/report.json and DIR/report.txt, each whole or not at all; the JSON first, since the
 * text can be made from it. Redaction and findings are the caller's. Returns 0 or -errno, -ENOMEM.
 */
int report_save(const struct report *r, const char *dir);

#endif
