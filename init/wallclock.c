/* SPDX-License-Identifier: MIT */
/*
 * The clock's floor: no wall clock before the build date, or certificates are "not yet valid" and
 * the report is dated 1980. Only the system's clock is set; the machine's own (RTC) is its owner's.
 */
#include "init/wallclock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gen/version.h"
#include "init/boot.h"
#include "init/log.h"
#include "init/work.h"
#include "lib/clock.h"
#include "lib/file.h"

#define DATE_BYTES 32

static const char *date(int64_t s, char buf[DATE_BYTES])
{
	time_t t = (time_t)s;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(buf, DATE_BYTES, "%Y-%m-%dT%H:%M:%SZ", &tm))
		snprintf(buf, DATE_BYTES, "%lld", (long long)s);
	return buf;
}

void wallclock_decide(struct wallclock *w, int64_t now_s, int64_t build_s, int64_t given_s,
		      int64_t uptime_s)
{
	int64_t want_s = given_s > 0 ? given_s + uptime_s : 0, off_s = now_s - want_s;
	char was[DATE_BYTES], is[DATE_BYTES];

	*w = (struct wallclock){ .to_s = now_s };
	if (want_s >= build_s && (off_s > WALLCLOCK_NEAR_S || off_s < -WALLCLOCK_NEAR_S)) {
		w->to_s = want_s;
		snprintf(w->note, sizeof(w->note),
			 "corrected: was %s, set to %s, the time given at boot", date(now_s, was),
			 date(want_s, is));
	} else if (now_s < build_s) {
		w->to_s = build_s;
		snprintf(w->note, sizeof(w->note),
			 "corrected: was %s, set to %s, the date of this build; "
			 "the true time is later",
			 date(now_s, was), date(build_s, is));
	} else {
		snprintf(w->note, sizeof(w->note), "ok: %s at boot, by the machine's own clock",
			 date(now_s - uptime_s, was));
	}
	w->set = w->to_s != now_s;
}

int work_clock(struct boot *b)
{
	uint64_t given = options_number(&b->options, OPT_ID_TIME);
	struct timespec now, to = { 0 };
	char line[sizeof(((struct wallclock *)0)->note) + 2];
	struct wallclock w;
	int err = 0, file_err;

	if (clock_gettime(CLOCK_REALTIME, &now))
		return -errno;
	wallclock_decide(&w, now.tv_sec, BOOTMARK_BUILD_EPOCH,
			 given < INT32_MAX * UINT64_C(64) ? (int64_t)given : 0,
			 (int64_t)(clock_ns() / NS_PER_S));
	to.tv_sec = (time_t)w.to_s;
	if (w.set && clock_settime(CLOCK_REALTIME, &to)) {
		err = -errno;
		log_say("clock: cannot be set: %s", strerror(-err));
	}
	log_say("clock: %s", w.note);
	snprintf(line, sizeof(line), "%s\n", w.note);
	file_err = file_replace(BOOT_CLOCK_FILE, line, strlen(line));
	if (file_err)
		log_say("clock: %s: %s", BOOT_CLOCK_FILE, strerror(-file_err));
	return err ? err : file_err;
}
