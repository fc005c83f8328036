/* SPDX-License-Identifier: MIT */
/* What a drive says that cannot be; see plausible.h. */
#include "bench/health/plausible.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/model/fields.h"
#include "lib/text.h"

#define DOUBTS (sizeof(((struct health *)0)->doubt) / sizeof(struct named_text))

static uint32_t doubts_kept(const struct health *h)
{
	return h->doubt_n < DOUBTS ? h->doubt_n : DOUBTS;
}

void plausible_doubt(struct health *h, const char *key, const char *fmt, ...)
{
	struct named_text *doubt;
	char text[sizeof(doubt->text)];
	va_list args;

	for (uint32_t i = 0; i < doubts_kept(h); i++)
		if (!strcmp(h->doubt[i].name, key))
			return;
	doubt = fields_add(&fields_health, h, "doubts");
	if (!doubt)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text_copy(doubt->name, sizeof(doubt->name), key);
	text_clean_str(doubt->text, sizeof(doubt->text), text);
}

static void check_celsius(struct health *h, const char *key, int32_t *celsius)
{
	if (*celsius == INT32_MIN)
		return;
	if (*celsius == 0 || *celsius < PLAUSIBLE_CELSIUS_MIN ||
	    *celsius > PLAUSIBLE_CELSIUS_MAX) {
		plausible_doubt(h, key, "the drive gave %d C, which is no temperature: not taken",
				*celsius);
		*celsius = INT32_MIN;
	} else if (*celsius < 0 || *celsius > PLAUSIBLE_HOT_CELSIUS) {
		plausible_doubt(h, key, "%d C is hardly true of a running drive", *celsius);
	}
}

/* The hours of its newest self-test; -1: there is none. */
static int64_t newest_test_hours(const struct health *h)
{
	return h->self_tests_n ? h->self_tests[0].hours : -1;
}

static void check_hours(struct health *h)
{
	int64_t hours = h->power_on_hours, tested = newest_test_hours(h);

	if (hours > PLAUSIBLE_HOURS_MAX) {
		plausible_doubt(h, "power_on_hours", "the drive's counter stands at %lld: no "
				"drive is that many hours old, its unit is not known",
				(long long)hours);
		h->power_on_hours = -1;
	} else if (hours > PLAUSIBLE_HOURS_OLD) {
		plausible_doubt(h, "power_on_hours", "more than 20 years: the counter may count "
				"something else");
	} else if (hours >= 0 && tested > hours + 1 && tested <= PLAUSIBLE_HOURS_MAX) {
		plausible_doubt(h, "power_on_hours", "a self-test ran at hour %lld: the counter "
				"has wrapped or was reset", (long long)tested);
	}
}

static void check_amount(struct health *h, const char *key, int64_t bytes)
{
	int64_t seconds = (h->power_on_hours + 1) * 3600;	/* the hour that has begun */

	if (bytes > 0 && h->power_on_hours >= 0 && bytes / seconds > PLAUSIBLE_BYTES_PER_S)
		plausible_doubt(h, key, "more than a drive can move in %lld hours: the counter's "
				"unit, or the hours, are wrong", (long long)h->power_on_hours);
}

static void check_percent(struct health *h, const char *key, int32_t *percent)
{
	if (*percent < -1)
		plausible_doubt(h, key, "the drive gave %d %%: not taken", *percent);
	if (*percent < 0)
		*percent = -1;
}

static void check_spare(struct health *h)
{
	if (h->spare_percent > 100)
		plausible_doubt(h, "spare_percent", "more than all of the spare blocks");
	/* a worn-out spare raises the warning: without it the drive contradicts itself */
	if (h->spare_percent >= 0 && h->spare_percent < h->spare_threshold_percent &&
	    h->spare_threshold_percent <= 100 && !(h->critical_warning & 1) &&
	    !strcmp(h->protocol, "nvme"))
		plausible_doubt(h, "spare_percent", "below its threshold, yet the drive does not "
				"warn of it");
}

void plausible_check(struct health *h)
{
	check_celsius(h, "temperature_celsius", &h->temperature_celsius);
	check_celsius(h, "temperature_highest_celsius", &h->temperature_highest_celsius);
	check_celsius(h, "temperature_limit_celsius", &h->temperature_limit_celsius);
	check_hours(h);
	check_amount(h, "written_bytes", h->written_bytes);
	check_amount(h, "read_bytes", h->read_bytes);
	check_percent(h, "wear_percent", &h->wear_percent);
	check_percent(h, "spare_percent", &h->spare_percent);
	check_percent(h, "spare_threshold_percent", &h->spare_threshold_percent);
	check_spare(h);
	if (h->wear_percent > 255)
		plausible_doubt(h, "wear_percent", "larger than the drive's field can be");
}
