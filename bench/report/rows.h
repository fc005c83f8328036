/* SPDX-License-Identifier: MIT */
/* The numbers of a report one by one: what the formats for databases are made of. */
#ifndef BENCH_REPORT_ROWS_H
#define BENCH_REPORT_ROWS_H

#include <stdbool.h>

#include "bench/model/report.h"

#define ROWS_HEALTH "health"	/* the test that values of struct health count as */

/* One number, or one test that gave none. Points into the report. */
struct row {
	const struct result *result;	/* NULL: a value of a disk's health */
	const struct health *health;	/* NULL: a value of a result */
	const char *test, *target;
	const char *metric;	/* NULL: no number; result or health say why */
	enum metric_unit unit;
	double value;
	const struct metric *spread;	/* NULL: a single number */
};

/*
 * Calls `put` for every metric of every result, once without a metric for a result that has none,
 * and for every disk's health once without and then with each of its numbers. Ends early, and
 * returns what it returned, where that is not 0.
 */
int rows_each(const struct report *r, int (*put)(void *context, const struct row *row),
	      void *context);

/* One JSON object per line and row. malloc'ed, caller frees; NULL: no memory. */
char *ndjson_write(const struct report *r, size_t *len_bytes);
/*
 * Influx line protocol: one point per result, its metrics as fields, and one per disk's health. The
 * time is the result's own. malloc'ed, caller frees; NULL: no memory.
 */
char *influx_write(const struct report *r, size_t *len_bytes);

#endif
