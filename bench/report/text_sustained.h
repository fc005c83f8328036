/* SPDX-License-Identifier: MIT */
/* The lines that a sustained write has under its row of the text report. */
#ifndef BENCH_REPORT_TEXT_SUSTAINED_H
#define BENCH_REPORT_TEXT_SUSTAINED_H

#include "bench/model/result.h"
#include "bench/report/page.h"

/*
 * Puts where the speed fell, what came back in which idle time, and the temperatures, each line
 * beginning at `indent`. Nothing for results of other tests and for what was not measured.
 */
void text_put_sustained(struct page *p, unsigned indent, const struct result *t);

#endif
