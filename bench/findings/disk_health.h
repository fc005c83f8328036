/* SPDX-License-Identifier: MIT */
/* The counters of disk errors that one finding rule each looks at. */
#ifndef BENCH_FINDINGS_DISK_HEALTH_H
#define BENCH_FINDINGS_DISK_HEALTH_H

#include <stddef.h>

#include "bench/model/report.h"

/* Param of the rules whose search is find_disk_counter. */
struct health_counter {
	size_t offset;		/* of an int64_t in struct health */
	const char *key;	/* its key in the report */
	const char *what;	/* what it counts */
	/* of 1 or more; of `many` or more */
	enum finding_severity severity_some, severity_many;
	int64_t many;
	enum finding_severity severity_grown;	/* where it grew during the run */
};

extern const struct health_counter health_pending, health_uncorrectable, health_media_errors,
	health_reallocated, health_crc_errors;

#endif
