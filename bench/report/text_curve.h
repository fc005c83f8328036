/* SPDX-License-Identifier: MIT */
/* Curves of a result as a line or two of text. */
#ifndef BENCH_REPORT_TEXT_CURVE_H
#define BENCH_REPORT_TEXT_CURVE_H

#include "bench/model/result.h"
#include "bench/report/page.h"

/*
 * Below the row of a result, whatever its status: a rate over the disk as one line of characters,
 * and what each queue depth reached. Nothing where the result has no such curve.
 */
void text_put_curve(struct page *p, unsigned indent, const struct result *t);

#endif
