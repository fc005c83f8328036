/* SPDX-License-Identifier: MIT */
/* Cases of the finding rules over the health of disks. */
#include "bench/model/fields.h"
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

/* Disk sdb's record from the end of the run. */
static void warn(struct report *r, const char *word, const char *text)
{
	struct health_warning *w = &r->health[4].warning[r->health[4].warning_n++];

	SET(w->word, "%s", word);
	SET(w->text, "%s", text);
}

static void doubt(struct report *r, const char *key)
{
	for (size_t i = 1; i < 6; i += 3) {
		struct named_text *d = &r->health[i].doubt[r->health[i].doubt_n++];

		SET(d->name, "%s", key);
		SET(d->text, "impossible");
	}
}

static void age(struct report *r, int64_t hours)
{
	for (size_t i = 0; i < 6; i++)
		r->health[i].power_on_hours = i % 3 == 1 ? hours : 26000;
}

static void unread(struct report *r, enum health_state state, const char *reason)
{
	for (size_t i = 1; i < 6; i += 3) {
		r->health[i].state = state;
		SET(r->health[i].reason, "%s", reason);
	}
}

static void behind_controller(struct report *r)
{
	struct health h = r->health[0];

	h.target[0] = '\0';
	SET(h.device, "/dev/bus/0 megaraid,8");
	SET(h.serial, "elsewhere");
	report_add_health(r, &h);
}

static void test_itself(struct report *r, size_t failed)
{
	struct health *h = &r->health[4];

	h->self_tests_n = 3;
	for (size_t i = 1; i < 3; i++)
		h->self_tests[i] = h->self_tests[0];
	h->self_tests[failed].failed = true;
	h->self_tests[failed].hours = 8123;
	h->self_tests[failed].lba = 1234567;
	SET(h->self_tests[failed].result, "completed: read failure");
}

static void verdict_failed(struct report *r)
{
	r->health[4].passed = TRI_NO;
}

static void verdict_unknown(struct report *r)
{
	r->health[4].passed = TRI_UNKNOWN;
}

static void verdict_with_warning(struct report *r)
{
	r->health[4].passed = TRI_NO;
	warn(r, "reliability", "");
}

static void warn_reliability(struct report *r)
{
	warn(r, "reliability", "");
}

static void warn_spare(struct report *r)
{
	warn(r, "spare", "available spare is below the threshold");
	r->health[4].spare_percent = 4;
}

static void warn_read_only(struct report *r)
{
	warn(r, "read-only", "");
}

static void warn_persistent(struct report *r)
{
	warn(r, "persistent-memory", "");
}

static void warn_temperature(struct report *r)
{
	warn(r, "temperature", "");
}

static void warn_backup(struct report *r)
{
	warn(r, "backup", "");
}

static void warn_unknown(struct report *r)
{
	warn(r, "bit7", "");
}

static void warned_at_start(struct report *r)
{
	warn(r, "temperature", "");
	r->health[1].warning_n = 1;
	r->health[1].warning[0] = r->health[4].warning[0];
	r->health[4].warning_n = 0;
}

static void self_test_newest(struct report *r)
{
	test_itself(r, 0);
}

static void self_test_older(struct report *r)
{
	test_itself(r, 1);
}

static void self_test_aborted(struct report *r)
{
	test_itself(r, 1);
	r->health[4].self_tests[1].failed = false;
	SET(r->health[4].self_tests[1].result, "aborted by the host");
}

static void pending_one(struct report *r)
{
	r->health[1].pending = 1;
	r->health[4].pending = 1;
}

static void pending_many(struct report *r)
{
	r->health[1].pending = 10;
	r->health[4].pending = 10;
}

static void pending_grew(struct report *r)
{
	r->health[1].pending = 1;
	r->health[4].pending = 3;
}

static void pending_absent(struct report *r)
{
	r->health[1].pending = -1;
	r->health[4].pending = -1;
}

static void pending_doubted(struct report *r)
{
	r->health[1].pending = 1;
	r->health[4].pending = 1;
	doubt(r, "pending");
}

static void uncorrectable_one(struct report *r)
{
	r->health[1].uncorrectable = 9;
	r->health[4].uncorrectable = 9;
}

static void uncorrectable_many(struct report *r)
{
	r->health[1].uncorrectable = 10;
	r->health[4].uncorrectable = 10;
}

static void uncorrectable_absent(struct report *r)
{
	r->health[1].uncorrectable = -1;
	r->health[4].uncorrectable = -1;
}

static void media_errors_one(struct report *r)
{
	r->health[1].media_errors = 1;
	r->health[4].media_errors = 1;
}

static void media_errors_grew(struct report *r)
{
	r->health[1].media_errors = 1200;
	r->health[4].media_errors = 1207;
}

static void media_errors_none(struct report *r)
{
	r->health[1].media_errors = 0;
	r->health[4].media_errors = 0;
}

static void reallocated_some(struct report *r)
{
	r->health[1].reallocated = 99;
	r->health[4].reallocated = 99;
}

static void reallocated_many(struct report *r)
{
	r->health[1].reallocated = 2104;
	r->health[4].reallocated = 2104;
}

static void reallocated_absent(struct report *r)
{
	r->health[1].reallocated = -1;
	r->health[4].reallocated = -1;
}

static void wear_warning(struct report *r)
{
	r->health[4].wear_percent = 80;
	r->health[4].written_bytes = INT64_C(412300000000000);
}

static void wear_critical(struct report *r)
{
	r->health[4].wear_percent = 104;
}

static void wear_near(struct report *r)
{
	r->health[4].wear_percent = 79;
}

static void wear_doubted(struct report *r)
{
	r->health[4].wear_percent = 253;
	doubt(r, "wear_percent");
}

static void spare_below(struct report *r)
{
	r->health[4].spare_percent = 9;
}

static void spare_at(struct report *r)
{
	r->health[4].spare_percent = 10;
}

static void spare_without_limit(struct report *r)
{
	r->health[4].spare_percent = 1;
	r->health[4].spare_threshold_percent = -1;
}

static void crc_some(struct report *r)
{
	r->health[1].crc_errors = 3;
	r->health[4].crc_errors = 3;
}

static void crc_many(struct report *r)
{
	r->health[1].crc_errors = 100;
	r->health[4].crc_errors = 100;
}

static void crc_grew(struct report *r)
{
	r->health[1].crc_errors = 3;
	r->health[4].crc_errors = 5;
}

static void crc_absent(struct report *r)
{
	r->health[1].crc_errors = -1;
	r->health[4].crc_errors = -1;
}

static void hot_now(struct report *r)
{
	r->health[1].temperature_celsius = 71;
}

static void hot_without_limit(struct report *r)
{
	r->health[1].temperature_limit_celsius = r->health[4].temperature_limit_celsius = INT32_MIN;
	r->health[4].temperature_celsius = 61;
	r->health[4].rotation_rpm = 7200;
}

static void hot_once(struct report *r)
{
	r->health[4].temperature_highest_celsius = 74;
}

static void warm(struct report *r)
{
	r->health[4].temperature_celsius = 69;
	r->health[4].temperature_highest_celsius = 69;
}

static void warm_ssd(struct report *r)
{
	r->health[4].temperature_limit_celsius = INT32_MIN;
	r->health[4].temperature_celsius = 61;
	r->health[4].temperature_highest_celsius = 99;
}

static void temperature_absent(struct report *r)
{
	r->health[4].temperature_celsius = r->health[4].temperature_highest_celsius = INT32_MIN;
	r->health[1].temperature_celsius = INT32_MIN;
}

static void heat_minutes(struct report *r)
{
	r->health[1].temperature_warning_minutes = r->health[4].temperature_warning_minutes = 59;
}

static void heat_long(struct report *r)
{
	r->health[1].temperature_warning_minutes = r->health[4].temperature_warning_minutes = 6000;
	r->health[1].throttle_events = r->health[4].throttle_events = 12;
}

static void heat_grew(struct report *r)
{
	r->health[1].throttle_events = 1;
	r->health[4].throttle_events = 2;
}

static void heat_absent(struct report *r)
{
	r->health[4].temperature_warning_minutes = r->health[4].throttle_events = -1;
}

static void age_info(struct report *r)
{
	age(r, 26299);
}

static void age_warning(struct report *r)
{
	age(r, 61234);
}

static void age_near(struct report *r)
{
	age(r, 26298);
}

static void age_doubted(struct report *r)
{
	age(r, 2147483647);
	doubt(r, "power_on_hours");
}

static void power_loss(struct report *r)
{
	r->health[4].unsafe_shutdowns = 1234;
	r->health[4].power_cycles = 1300;
}

static void power_loss_few(struct report *r)
{
	r->health[4].unsafe_shutdowns = 49;
	r->health[4].power_cycles = 50;
}

static void power_loss_seldom(struct report *r)
{
	r->health[4].unsafe_shutdowns = 100;
	r->health[4].power_cycles = 201;
}

static void unread_sleeps(struct report *r)
{
	unread(r, HEALTH_STANDBY, "");
}

static void unread_bridge(struct report *r)
{
	unread(r, HEALTH_UNSUPPORTED, "the USB bridge 0x152d:0xb581 is not known");
}

static void unread_timeout(struct report *r)
{
	unread(r, HEALTH_TIMEOUT, "");
}

static void unread_failed(struct report *r)
{
	unread(r, HEALTH_FAILED, "");
}

static void unread_virtual(struct report *r)
{
	unread(r, HEALTH_UNSUPPORTED, "a disk on virtio gives no data on its health");
	SET(r->disks.disk[1].transport, "virtio");
}

static void unread_virtual_timeout(struct report *r)
{
	unread_virtual(r);
	unread(r, HEALTH_TIMEOUT, "");
}

static void unread_loop(struct report *r)
{
	unread(r, HEALTH_UNSUPPORTED, "it gives no data on its health");
	for (size_t i = 1; i < 6; i += 3)
		SET(r->health[i].target, "loop3");
	SET(r->disks.disk[1].name, "loop3");
}

static void unread_in_the_end(struct report *r)
{
	r->health[4].state = HEALTH_TIMEOUT;
}

static void unread_behind(struct report *r)
{
	behind_controller(r);
	r->health[r->health_n - 1].state = HEALTH_FAILED;
}

static void worn_behind(struct report *r)
{
	behind_controller(r);
	r->health[r->health_n - 1].media_errors = 4;
}

static void doubt_hours(struct report *r)
{
	doubt(r, "power_on_hours");
	doubt(r, "wear_percent");
}

static void doubt_at_start(struct report *r)
{
	doubt(r, "power_on_hours");
	r->health[4].doubt_n = 0;
	r->health[1].doubt_n = 1;
}

static const struct finding_case cases_health_rows[] = {
	SPEAKS("disk-failed", verdict_failed, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): the drive's own verdict on its health is: failed."),
	IS_SILENT("disk-failed", verdict_unknown),
	IS_SILENT("disk-failed", verdict_with_warning),
	SPEAKS("disk-warning", warn_reliability, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) raises its critical warning \"reliability\": it is no "
	  "longer reliable."),
	SPEAKS("disk-warning", warn_spare, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) raises its critical warning \"spare\": available spare is "
	  "below the threshold."),
	SPEAKS("disk-warning", warn_read_only, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) raises its critical warning \"read-only\": it takes no "
	  "more writes."),
	SPEAKS("disk-warning", warn_persistent, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) raises its critical warning \"persistent-memory\": its "
	  "persistent memory is unreliable."),
	SPEAKS("disk-warning", warn_temperature, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) raises its critical warning \"temperature\": its "
	  "temperature is outside of its limits."),
	SPEAKS("disk-warning", warn_backup, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) raises its critical warning \"backup\": the power backup "
	  "of its cache has failed."),
	SPEAKS("disk-warning", warn_unknown, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) raises its critical warning \"bit7\"."),
	IS_SILENT("disk-warning", warned_at_start),
	SPEAKS("disk-self-test", self_test_newest, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): 1 of 3 self-tests in its log found a fault, the last of "
	  "them at 8,123 hours (extended: completed: read failure), first bad block 1,234,567."),
	SPEAKS("disk-self-test", self_test_older, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): 1 of 3 self-tests in its log found a fault, the last of "
	  "them at 8,123 hours (extended: completed: read failure), first bad block 1,234,567."),
	IS_SILENT("disk-self-test", self_test_aborted),
	SPEAKS("disk-pending", pending_one, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): pending sectors (they could not be read): 1."),
	SPEAKS("disk-pending", pending_many, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): pending sectors (they could not be read): 10."),
	SPEAKS("disk-pending", pending_grew, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): pending sectors (they could not be read): 3, 2 of them "
	  "came during this run."),
	IS_SILENT("disk-pending", pending_absent),
	IS_SILENT("disk-pending", pending_doubted),
	SPEAKS("disk-uncorrectable", uncorrectable_one, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): uncorrectable errors: 9."),
	SPEAKS("disk-uncorrectable", uncorrectable_many, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): uncorrectable errors: 10."),
	IS_SILENT("disk-uncorrectable", uncorrectable_absent),
	SPEAKS("disk-media-errors", media_errors_one, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): media errors (data lost or damaged): 1."),
	SPEAKS("disk-media-errors", media_errors_grew, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): media errors (data lost or damaged): 1,207, 7 of them "
	  "came during this run."),
	IS_SILENT("disk-media-errors", media_errors_none),
	SPEAKS("disk-reallocated", reallocated_some, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): reallocated sectors (bad, replaced by spare ones): 99."),
	SPEAKS("disk-reallocated", reallocated_many, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): reallocated sectors (bad, replaced by spare ones): "
	  "2,104."),
	IS_SILENT("disk-reallocated", reallocated_absent),
	SPEAKS("disk-wear", wear_warning, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): 80 % of the endurance its maker warrants is used; 412 TB "
	  "were written to it."),
	SPEAKS("disk-wear", wear_critical, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): 104 % of the endurance its maker warrants is used."),
	IS_SILENT("disk-wear", wear_near),
	IS_SILENT("disk-wear", wear_doubted),
	SPEAKS("disk-spare", spare_below, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): 9 % of its spare blocks are left, its own limit is 10 %."),
	IS_SILENT("disk-spare", spare_at),
	IS_SILENT("disk-spare", spare_without_limit),
	SPEAKS("disk-crc", crc_some, INFO, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): CRC errors (transfers damaged on the cable): 3."),
	SPEAKS("disk-crc", crc_many, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): CRC errors (transfers damaged on the cable): 100."),
	SPEAKS("disk-crc", crc_grew, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): CRC errors (transfers damaged on the cable): 5, 2 of "
	  "them came during this run."),
	IS_SILENT("disk-crc", crc_absent),
	SPEAKS("disk-hot", hot_now, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) was at 71 degrees Celsius during this run; its maker's "
	  "limit is 70."),
	SPEAKS("disk-hot", hot_without_limit, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) was at 61 degrees Celsius during this run; such disks are "
	  "hot from here on: 60."),
	SPEAKS("disk-hot", hot_once, INFO, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) was once at 74 degrees Celsius, its maker's limit is 70; "
	  "now it is not."),
	IS_SILENT("disk-hot", warm),
	IS_SILENT("disk-hot", warm_ssd),
	IS_SILENT("disk-hot", temperature_absent),
	SPEAKS("disk-heat", heat_minutes, INFO, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) was above its temperature limit for 59 min in its life."),
	SPEAKS("disk-heat", heat_long, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) was above its temperature limit for 6,000 min and slowed "
	  "itself down for heat 12 times in its life."),
	SPEAKS("disk-heat", heat_grew, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) slowed itself down for heat 2 times in its life, and "
	  "during this run as well."),
	IS_SILENT("disk-heat", heat_absent),
	SPEAKS("disk-age", age_info, INFO, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) has been powered on for 26,299 hours: 3.0 years."),
	SPEAKS_BESIDE("disk-age", age_warning, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) has been powered on for 61,234 hours: 7.0 years.", "pair-age"),
	IS_SILENT("disk-age", age_near),
	IS_SILENT("disk-age", age_doubted),
	SPEAKS("disk-power-loss", power_loss, INFO, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) lost power without notice 1,234 times; it was started "
	  "1,300 times."),
	IS_SILENT("disk-power-loss", power_loss_few),
	IS_SILENT("disk-power-loss", power_loss_seldom),
	SPEAKS("disk-unread", unread_sleeps, INFO, "sdb",
	  "The health of sdb (INTEL SSDSC2BB480G7) was not read: it sleeps and was not woken."),
	SPEAKS("disk-unread", unread_bridge, INFO, "sdb",
	  "The health of sdb (INTEL SSDSC2BB480G7) was not read: the USB bridge 0x152d:0xb581 "
	  "is not known."),
	SPEAKS("disk-unread", unread_timeout, WARNING, "sdb",
	  "The health of sdb (INTEL SSDSC2BB480G7) was not read: it did not answer in time."),
	SPEAKS("disk-unread", unread_failed, INFO, "sdb",
	  "The health of sdb (INTEL SSDSC2BB480G7) was not read: it gave no usable answer."),
	IS_SILENT("disk-unread", unread_in_the_end),
	IS_SILENT("disk-unread", unread_virtual),
	SPEAKS("disk-unread", unread_virtual_timeout, WARNING, "sdb",
	  "The health of sdb (INTEL SSDSC2BB480G7) was not read: it did not answer in time."),
	IS_SILENT("disk-unread", unread_loop),
	SPEAKS("disk-unread", unread_behind, INFO, "",
	  "The health of /dev/bus/0 megaraid,8 (INTEL SSDSC2BB480G7) was not read: it gave no "
	  "usable answer."),
	SPEAKS("disk-media-errors", worn_behind, WARNING, "",
	  "/dev/bus/0 megaraid,8 (INTEL SSDSC2BB480G7): media errors (data lost or damaged): "
	  "4."),
	SPEAKS("disk-doubt", doubt_hours, INFO, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) tells what is not to be believed: power_on_hours "
	  "(impossible), wear_percent (impossible)."),
	IS_SILENT("disk-doubt", doubt_at_start),
};
CASES(cases_health);
