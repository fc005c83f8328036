/* SPDX-License-Identifier: MIT */
/* What counts as a report, and which version of one may take the place of another. */
#ifndef COLLECTOR_REPORTS_H
#define COLLECTOR_REPORTS_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/store.h"

#define REPORTS_WHY_BYTES 200

enum reports_verdict {
	REPORTS_FINE,
	REPORTS_NOT_JSON,	/* no strict JSON (RFC 8259), cut short, or no valid UTF-8 */
	REPORTS_NOT_REPORT,	/* JSON, but not a report */
	REPORTS_NO_MEMORY,
};

extern const char *const reports_state_words[REPORT_STATES];

/* True for a UUID as RFC 9562, section 4, writes it: 8-4-4-4-12 digits, here in lower case only. */
bool reports_is_id(const char *text);

/*
 * Checks `len` bytes of a received body and fills id, state, label, product and disk_n of `head`.
 * On any other verdict than REPORTS_FINE, `why` (REPORTS_WHY_BYTES) says what is wrong and where.
 */
enum reports_verdict reports_check(const char *body, size_t len, struct report_head *head,
				   char *why);

/*
 * Whether a report of state `given` may replace a different one of state `have`: a report may grow,
 * but never shrink, and a complete one is final.
 */
bool reports_may_replace(enum report_state have, enum report_state given);

/* Milliseconds since 1970 UTC as YYYY-MM-DDThh:mm:ss.mmmZ (RFC 3339). */
void reports_time(char *buf, size_t size, long long ms);

#endif
