/* SPDX-License-Identifier: MIT */
/* Whether the wall clock is to be believed: pure, so that it can be tested without setting a
 * clock. */
#ifndef INIT_WALLCLOCK_H
#define INIT_WALLCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A clock this near to the given time is left alone: the time was written down some seconds ago. */
#define WALLCLOCK_NEAR_S 60

struct wallclock {
	bool set;		/* set the clock to to_s */
	int64_t to_s;
	char note[160]; /* "ok: ..." or "corrected: ...", one line, for report and console */
};

/*
 * Decides from the clock `now_s`, the build date `build_s`, the option `time` in `given_s` (0: not
 * given; the moment the machine booted) and the seconds since boot. All but the last since
 * 1970-01-01 UTC.
 */
void wallclock_decide(struct wallclock *w, int64_t now_s, int64_t build_s, int64_t given_s,
		      int64_t uptime_s);

#endif
