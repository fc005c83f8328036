/* SPDX-License-Identifier: MIT */
/* Finding rules over what disks say of their own health: wear, age, errors, verdicts. */
#include <stdio.h>
#include <string.h>

#include "bench/findings/disk_health.h"
#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"

int disk_health_search(struct report *r, const struct finding_rule *rule,
		       disk_health_about *search)
{
	char label[LOOK_LABEL_BYTES];
	int err = 0;

	for (size_t i = 0; i < r->health_n && !err; i++) {
		const struct health *h = report_health_last(r, i);

		if (h && h->state == HEALTH_READ)
			err = search(r, rule, h, look_health_label(r, h, label));
	}
	return err;
}

static bool has_warning(const struct health *h, const char *word)
{
	for (uint32_t i = 0; i < REPORT_KEPT(h->warning_n, h->warning); i++)
		if (!strcmp(h->warning[i].word, word))
			return true;
	return false;
}

/* NVMe drives have no verdict beside their warnings, which tell more. */
static int search_failed(struct report *r, const struct finding_rule *rule,
			 const struct health *h, const char *label)
{
	if (h->passed != TRI_NO || h->warning_n > 0)
		return 0;
	return ADD(h->target, "%s: the drive's own verdict on its health is: failed.", label);
}

int find_disk_failed(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_failed);
}

static const struct {
	const char *word;
	enum finding_severity severity;
	const char *text;	/* where the report has none */
} warnings[] = {
	{ "spare", FINDING_CRITICAL, "its spare blocks are nearly used up" },
	{ "temperature", FINDING_WARNING, "its temperature is outside of its limits" },
	{ "reliability", FINDING_CRITICAL, "it is no longer reliable" },
	{ "read-only", FINDING_CRITICAL, "it takes no more writes" },
	{ "backup", FINDING_WARNING, "the power backup of its cache has failed" },
	{ "persistent-memory", FINDING_CRITICAL, "its persistent memory is unreliable" },
};
#define WARNINGS (sizeof(warnings) / sizeof(warnings[0]))

static int search_warnings(struct report *r, const struct finding_rule *rule,
			   const struct health *h, const char *label)
{
	int err = 0;

	for (uint32_t i = 0; i < REPORT_KEPT(h->warning_n, h->warning) && !err; i++) {
		const struct health_warning *w = &h->warning[i];
		enum finding_severity severity = FINDING_WARNING;
		const char *text = w->text;

		for (size_t k = 0; k < WARNINGS; k++)
			if (!strcmp(warnings[k].word, w->word)) {
				severity = warnings[k].severity;
				text = *text ? text : warnings[k].text;
			}
		err = ADD_AS(severity, h->target, "%s raises its critical warning \"%s\"%s%s.",
			     label, w->word, *text ? ": " : "", text);
	}
	return err;
}

int find_disk_warning(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_warnings);
}

static int search_self_tests(struct report *r, const struct finding_rule *rule,
			     const struct health *h, const char *label)
{
	const struct self_test *newest = NULL;
	char hours[48] = "", block[48] = "";
	uint32_t n = 0, failed = 0;

	for (; n < REPORT_KEPT(h->self_tests_n, h->self_tests); n++) {
		failed += h->self_tests[n].failed;
		if (h->self_tests[n].failed && !newest)
			newest = &h->self_tests[n];
	}
	if (!newest)
		return 0;
	if (newest->hours >= 0)
		snprintf(hours, sizeof(hours), " at %s hours",
			 units_count(UNITS_BUF, (uint64_t)newest->hours));
	if (newest->lba >= 0)
		snprintf(block, sizeof(block), ", first bad block %s",
			 units_count(UNITS_BUF, (uint64_t)newest->lba));
	/* a later test that went well does not take back what this one found, but it weighs less */
	return ADD_AS(newest == h->self_tests ? FINDING_CRITICAL : FINDING_WARNING, h->target,
		      "%s: %u of %u self-tests in its log found a fault, the last of them%s "
		      "(%s: %s)%s.", label, failed, n, hours, *newest->type ? newest->type : "test",
		      *newest->result ? newest->result : "failed", block);
}

int find_disk_self_test(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_self_tests);
}

/* The families of counters; values of struct health are int64_t, -1 absent. */
const struct health_counter health_pending = {
	offsetof(struct health, pending), "pending", "pending sectors (they could not be read)",
	FINDING_WARNING, FINDING_CRITICAL, SECTORS_CRITICAL, FINDING_CRITICAL };
const struct health_counter health_uncorrectable = {
	offsetof(struct health, uncorrectable), "uncorrectable",
	"uncorrectable errors",
	FINDING_WARNING, FINDING_CRITICAL, SECTORS_CRITICAL, FINDING_CRITICAL };
const struct health_counter health_media_errors = {
	offsetof(struct health, media_errors), "media_errors",
	"media errors (data lost or damaged)",
	FINDING_WARNING, FINDING_CRITICAL, SECTORS_CRITICAL, FINDING_CRITICAL };
const struct health_counter health_reallocated = {
	offsetof(struct health, reallocated), "reallocated",
	"reallocated sectors (bad, replaced by spare ones)",
	FINDING_WARNING, FINDING_CRITICAL, REALLOCATED_CRITICAL, FINDING_CRITICAL };
const struct health_counter health_crc_errors = {
	offsetof(struct health, crc_errors), "crc_errors",
	"CRC errors (transfers damaged on the cable)",
	FINDING_INFO, FINDING_WARNING, CRC_WARNING, FINDING_CRITICAL };

static int64_t counter_of(const struct health *h, const struct health_counter *c)
{
	int64_t value;

	memcpy(&value, (const char *)h + c->offset, sizeof(value));
	return look_doubted(h, c->key) ? -1 : value;
}

static int search_counter(struct report *r, const struct finding_rule *rule,
			  const struct health *h, const char *label)
{
	const struct health_counter *c = rule->param;
	const struct health *before = report_health_before(r, h);
	int64_t value = counter_of(h, c), start = before ? counter_of(before, c) : -1;
	enum finding_severity severity = value >= c->many ? c->severity_many : c->severity_some;
	char grown[64] = "";

	if (value <= 0)
		return 0;
	if (start >= 0 && start < value) {
		severity = c->severity_grown;
		snprintf(grown, sizeof(grown), ", %s of them came during this run",
			 units_count(UNITS_BUF, (uint64_t)(value - start)));
	}
	return ADD_AS(severity, h->target, "%s: %s: %s%s.", label, c->what,
		      units_count(UNITS_BUF, (uint64_t)value), grown);
}

int find_disk_counter(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_counter);
}

static int search_wear(struct report *r, const struct finding_rule *rule, const struct health *h,
		       const char *label)
{
	char written[64] = "";

	if (h->wear_percent < WEAR_WARNING_PERCENT || look_doubted(h, "wear_percent"))
		return 0;
	if (h->written_bytes > 0 && !look_doubted(h, "written_bytes"))
		snprintf(written, sizeof(written), "; %s were written to it",
			 units_bytes(UNITS_BUF, (uint64_t)h->written_bytes));
	return ADD_AS(h->wear_percent >= WEAR_CRITICAL_PERCENT ? FINDING_CRITICAL : FINDING_WARNING,
		      h->target, "%s: %d %% of the endurance its maker warrants is used%s.", label,
		      h->wear_percent, written);
}

int find_disk_wear(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_wear);
}

static int search_spare(struct report *r, const struct finding_rule *rule, const struct health *h,
			const char *label)
{
	if (h->spare_percent < 0 || h->spare_threshold_percent < 0 ||
	    h->spare_percent >= h->spare_threshold_percent ||
	    look_doubted(h, "spare_percent") || has_warning(h, "spare"))
		return 0;
	return ADD(h->target, "%s: %d %% of its spare blocks are left, its own limit is %d %%.",
		   label, h->spare_percent, h->spare_threshold_percent);
}

int find_disk_spare(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_spare);
}

static int search_age(struct report *r, const struct finding_rule *rule, const struct health *h,
		      const char *label)
{
	int64_t hours = h->power_on_hours;

	if (hours <= AGE_INFO_YEARS * HOURS_PER_YEAR || look_doubted(h, "power_on_hours"))
		return 0;
	return ADD_AS(hours > AGE_WARNING_YEARS * HOURS_PER_YEAR ? FINDING_WARNING : FINDING_INFO,
		      h->target, "%s has been powered on for %s hours: %.1f years.", label,
		      units_count(UNITS_BUF, (uint64_t)hours), (double)hours / HOURS_PER_YEAR);
}

int find_disk_age(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_age);
}

static int search_power_loss(struct report *r, const struct finding_rule *rule,
			     const struct health *h, const char *label)
{
	int64_t lost = h->unsafe_shutdowns, starts = h->power_cycles;

	if (lost < UNSAFE_SHUTDOWNS || look_doubted(h, "unsafe_shutdowns") || starts <= 0 ||
	    look_doubted(h, "power_cycles") || lost * 100 < starts * UNSAFE_PERCENT)
		return 0;
	return ADD(h->target, "%s lost power without notice %s times; it was started %s times.",
		   label, units_count(UNITS_BUF, (uint64_t)lost),
		   units_count(UNITS_BUF, (uint64_t)starts));
}

int find_disk_power_loss(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_power_loss);
}

static const char *const unread_reasons[HEALTH_STATE_COUNT] = {
	[HEALTH_STANDBY] = "it sleeps and was not woken",
	[HEALTH_UNSUPPORTED] = "it has no such log, or what lies between hides it",
	[HEALTH_FAILED] = "it gave no usable answer",
	[HEALTH_TIMEOUT] = "it did not answer in time",
};

int find_disk_unread(struct report *r, const struct finding_rule *rule)
{
	char label[LOOK_LABEL_BYTES];
	int err = 0;

	for (size_t i = 0; i < r->health_n && !err; i++) {
		const struct health *h = report_health_last(r, i);

		/* what a virtual disk lies on is the host's, and nothing is amiss */
		if (h && h->state == HEALTH_UNSUPPORTED && look_is_virtual(r, h->target))
			continue;
		if (h && h->state != HEALTH_READ && h->state < HEALTH_STATE_COUNT)
			err = ADD_AS(h->state == HEALTH_TIMEOUT ? FINDING_WARNING : FINDING_INFO,
				     h->target, "The health of %s was not read: %s.",
				     look_health_label(r, h, label),
				     *h->reason ? h->reason : unread_reasons[h->state]);
	}
	return err;
}

static int search_doubts(struct report *r, const struct finding_rule *rule,
			 const struct health *h, const char *label)
{
	char all[REPORT_TEXT_BYTES] = "";

	for (uint32_t i = 0; i < REPORT_KEPT(h->doubt_n, h->doubt); i++) {
		size_t used = strlen(all);

		snprintf(all + used, sizeof(all) - used, "%s%s (%s)", used ? ", " : "",
			 h->doubt[i].name, h->doubt[i].text);
	}
	return *all ? ADD(h->target, "%s tells what is not to be believed: %s.", label, all) : 0;
}

int find_disk_doubt(struct report *r, const struct finding_rule *rule)
{
	return disk_health_search(r, rule, search_doubts);
}
