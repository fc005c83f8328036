/* SPDX-License-Identifier: MIT */
/* What the finding rules over the health of disks share. */
#ifndef BENCH_FINDINGS_DISK_HEALTH_H
#define BENCH_FINDINGS_DISK_HEALTH_H

#include <stddef.h>

#include "bench/findings/findings.h"

/* Of one disk, by the record it is known by; `label` names it. Returns 0 or -ENOMEM. */
typedef int disk_health_about(struct report *r, const struct finding_rule *rule,
			      const struct health *h, const char *label);
/* Asks `search` about each disk once; only about what was read. Returns 0 or its error. */
int disk_health_search(struct report *r, const struct finding_rule *rule,
		       disk_health_about *search);

/* The counters of disk errors that one rule each looks at. */

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
