/* SPDX-License-Identifier: MIT */
/* The outcomes of a job's threads as one. */
#ifndef BENCH_IO_MERGE_H
#define BENCH_IO_MERGE_H

#include "bench/io/job.h"

/*
 * Adds `part` to `sum`, where `first` says that it is the first one: counts, histograms and
 * processor time are summed, measured_ns is such that the rate is the sum of the parts' rates, the
 * series is the sum of the intervals that all parts have, the end is the worst one (see merge.c). A
 * note is taken once.
 */
void io_merge_add(struct io_outcome *sum, const struct io_outcome *part, bool first);

/* What can only be said of all parts together. */
void io_merge_end(struct io_outcome *sum);

/* Appends to the note of an outcome, behind a semicolon; says nothing twice. printf form. */
void io_merge_note(struct io_outcome *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
