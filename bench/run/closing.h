/* SPDX-License-Identifier: MIT */
/*
 * After the last test: what this run wrote to a disk is discarded and the disk is write-protected
 * again, each disk in a process of its own, all at the same time.
 */
#ifndef BENCH_RUN_CLOSING_H
#define BENCH_RUN_CLOSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/consent/consent.h"
#include "bench/model/result.h"
#include "bench/tests/test.h"

#define CLOSING_AREAS_MAX 8

/* What was done to a disk so far. */
struct closing {
	bool opened;		/* a test that writes to it has begun */
	size_t area_n;
	struct consent_area area[CLOSING_AREAS_MAX];
};

/* A test begins on the disk. */
void closing_started(struct closing *c, const struct test *t, const struct disk *d);
/* And has ended: what its result says it wrote is remembered. */
void closing_wrote(struct closing *c, const struct test *t, const struct disk *d,
		   const struct result *r);
/* What could not be done on a disk, as a clause for the report. */
typedef void closing_told(void *context, const struct disk *d, const char *why);

/*
 * Closes all disks that were opened; `disk` and `closing` have n elements. Takes limit_ns at most,
 * and a moment for each process that hangs then: what is not done is left as it is, and told.
 */
void closing_run(const struct disk *disk, const struct closing *closing, size_t n,
		 uint64_t limit_ns, closing_told *told, void *context);

#endif
