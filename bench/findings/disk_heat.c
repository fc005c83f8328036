/* SPDX-License-Identifier: MIT */
/* Finding rules over the temperature of disks. */
#include <stdio.h>

#include "bench/findings/disk_health.h"
#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"

#define NO_CELSIUS INT32_MIN

/* The maker's limit, else what is usual for the kind of disk. */
static int32_t limit_of(const struct report *r, const struct health *h, bool *is_makers)
{
	const struct disk *d = report_disk(r, h->target);

	*is_makers = h->temperature_limit_celsius != NO_CELSIUS &&
		     !look_doubted(h, "temperature_limit_celsius");
	if (*is_makers)
		return h->temperature_limit_celsius;
	return h->rotation_rpm || (d && d->rotational == DISK_ROTATING) ? HOT_ROTATING_CELSIUS :
									    HOT_SOLID_CELSIUS;
}

static int32_t celsius_of(const struct health *h)
{
	return !h || look_doubted(h, "temperature_celsius") ? NO_CELSIUS : h->temperature_celsius;
}

static int search_hot(struct report *r, const struct finding_rule *rule, const struct health *h,
		      const char *label)
{
	int32_t now = celsius_of(h), start = celsius_of(report_health_before(r, h)), limit;
	int32_t highest = look_doubted(h, "temperature_highest_celsius")
				  ? NO_CELSIUS : h->temperature_highest_celsius;
	bool is_makers;

	limit = limit_of(r, h, &is_makers);
	now = start > now ? start : now;
	if (now >= limit)
		return ADD_AS(FINDING_WARNING, h->target,
			      "%s was at %d degrees Celsius during this run; %s %d.", label, now,
			      is_makers ? "its maker's limit is" :
			      "such disks are hot from here on:", limit);
	if (is_makers && highest >= limit)
		return ADD_AS(FINDING_INFO, h->target,
			      "%s was once at %d degrees Celsius, its maker's limit is %d; now it "
			      "is not.", label, highest, limit);
	return 0;
}

int find_disk_hot(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_hot);
}

static int search_history(struct report *r, const struct finding_rule *rule,
			  const struct health *h, const char *label)
{
	int64_t minutes = h->temperature_warning_minutes, slowed = h->throttle_events;
	const struct health *start = report_health_before(r, h);
	enum finding_severity severity = FINDING_INFO;
	char above[64] = "", times[80] = "";
	bool grew;

	if (look_doubted(h, "temperature_warning_minutes"))
		minutes = -1;
	if (look_doubted(h, "throttle_events"))
		slowed = -1;
	if (minutes <= 0 && slowed <= 0)
		return 0;
	grew = start && ((start->temperature_warning_minutes >= 0 &&
			  minutes > start->temperature_warning_minutes) ||
			 (start->throttle_events >= 0 && slowed > start->throttle_events));
	if (grew || minutes >= HEAT_WARNING_MINUTES)
		severity = FINDING_WARNING;
	if (minutes > 0)
		snprintf(above, sizeof(above), " was above its temperature limit for %s min",
			 units_count(UNITS_BUF, (uint64_t)minutes));
	if (slowed > 0)
		snprintf(times, sizeof(times), "%s slowed itself down for heat %s times",
			 minutes > 0 ? " and" : "", units_count(UNITS_BUF, (uint64_t)slowed));
	return ADD_AS(severity, h->target, "%s%s%s in its life%s.", label,
		      above, times, grew ? ", and during this run as well" : "");
}

int find_disk_heat(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_history);
}
