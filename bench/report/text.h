/* SPDX-License-Identifier: MIT */
/* The sections of the text report, in the order a person reads them; see text.c. */
#ifndef BENCH_REPORT_TEXT_H
#define BENCH_REPORT_TEXT_H

#include "bench/model/report.h"
#include "bench/report/page.h"

/* text_head.c: the machine, with bench.sh's keys */
void text_put_head(struct page *p, const struct report *r);
/* text_disks.c: one line per disk, then the devices left alone with their reasons */
void text_put_disks(struct page *p, const struct report *r);
/* text_together.c: all disks at once beside the sum of each alone; nothing where there is none */
void text_put_together(struct page *p, const struct report *r);
/* text_results.c: what each test measured, disk by disk */
void text_put_results(struct page *p, const struct report *r);
/* text_tools.c: what hdparm, dd and bench.sh would have printed; nothing where none was run */
void text_put_tools(struct page *p, const struct report *r);
/* True where text_put_tools has lines for the result: it needs no row in the table. */
bool text_tools_has(const struct result *t);

#endif
