/* SPDX-License-Identifier: MIT */
/* What disks share: all of them at once beside the sum of each alone. */
#ifndef BENCH_MODEL_TOGETHER_H
#define BENCH_MODEL_TOGETHER_H

#include "bench/model/report.h"

/* Below so much of the sum of each alone, what they share is the limit. */
#define TOGETHER_PERCENT 90

/*
 * Computes the report's list `shared_limit` anew from its results: for each test that ran on
 * several disks at once, one row for all of them and one for each controller with two or more.
 * A disk counts with the test of the same access, order, block, depth, jobs and engine it ran
 * alone; a group in which a disk lacks that has no row. Returns 0 or -ENOMEM.
 */
int together_find(struct report *r);

#endif
