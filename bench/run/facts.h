/* SPDX-License-Identifier: MIT */
/*
 * A number never travels without its context: what is known before the first test goes into the
 * report.
 */
#ifndef BENCH_RUN_FACTS_H
#define BENCH_RUN_FACTS_H

#include "bench/model/report.h"
#include "lib/options.h"

/*
 * Fills tool, run, machine, options and notes of `r`: versions, kernel and its deviations, the cost
 * of our own loop (0.2 s of the null engine), clock. `out` is the run's folder: its
 * file `clock`, left there by init, says whether the wall clock was corrected. Never fails: what is
 * not known stays absent.
 */
void facts_fill(struct report *r, const struct options *o, const char *out);

#endif
