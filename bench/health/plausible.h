/* SPDX-License-Identifier: MIT */
/* Values that cannot be true are absent, those not to be believed keep a doubt. */
#ifndef BENCH_HEALTH_PLAUSIBLE_H
#define BENCH_HEALTH_PLAUSIBLE_H

#include "bench/model/health.h"

#define PLAUSIBLE_CELSIUS_MIN (-40)
#define PLAUSIBLE_CELSIUS_MAX 125
#define PLAUSIBLE_HOT_CELSIUS 100	/* above: kept, and doubted */
#define PLAUSIBLE_HOURS_OLD (20 * 8766)	/* above: kept, and doubted */
#define PLAUSIBLE_HOURS_MAX (30 * 8766)	/* above: no hours, see docs/health.md */
/* More bytes per second over its whole life than any drive of today takes. */
#define PLAUSIBLE_BYTES_PER_S INT64_C(16000000000)

/* Adds a doubt on the value `key` of the report. A second one on the same key is dropped. */
void plausible_doubt(struct health *h, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Looks at every value of a decoded struct health. */
void plausible_check(struct health *h);

#endif
