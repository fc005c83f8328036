/* SPDX-License-Identifier: MIT */
/* The plan as 80-column text: every device, what would run on it and how long, or why not. */
#ifndef BENCH_REPORT_PLAN_TEXT_H
#define BENCH_REPORT_PLAN_TEXT_H

#include "bench/run/plan.h"

/* Returns malloc'ed text (caller frees) or NULL where memory ran out. */
char *plan_text_write(const struct plan *p, const struct disk_list *disks,
		      const struct options *o);
/* Entries that will run. */
size_t plan_text_tests(const struct plan *p);

#endif
