/* SPDX-License-Identifier: MIT */
/* smartctl's JSON of a SCSI or SAS device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/health/decode.h"
#include "bench/health/plausible.h"
#include "bench/health/value.h"
#include "bench/model/fields.h"
#include "lib/text.h"

#define SELF_TESTS 20	/* SPC-4 7.3.21: parameter codes 1 to 20 of the log page */
#define PORTS 4
#define PHYS 4

static void read_identity(yyjson_val *root, struct health *h)
{
	char vendor[64], product[64];

	if (!h->model[0] && !value_text(h, root, "scsi_model_name", h->model, sizeof(h->model))) {
		value_text(h, root, "scsi_vendor", vendor, sizeof(vendor));
		value_text(h, root, "scsi_product", product, sizeof(product));
		snprintf(h->model, sizeof(h->model), "%s%s%s", vendor,
			 vendor[0] && product[0] ? " " : "", product);
	}
	if (!h->firmware[0])
		value_text(h, root, "scsi_revision", h->firmware, sizeof(h->firmware));
}

/* A text such as "162438.759", in units of 10^9 bytes. */
static void read_amount(yyjson_val *root, const char *way, const char *key, struct health *h,
			int64_t *to)
{
	yyjson_val *v = value_at(h, root, way);
	const char *text = yyjson_get_str(v);
	double gigabytes = yyjson_is_num(v) ? yyjson_get_num(v) : -1;
	char *end = NULL;

	if (text && *text >= '0' && *text <= '9') {
		gigabytes = strtod(text, &end);
		if (*end)
			gigabytes = -1;
	}
	if (!(gigabytes >= 0))
		return;
	if (gigabytes < 9.2e9) {
		*to = (int64_t)(gigabytes * 1e9);
		return;
	}
	*to = INT64_MAX;
	plausible_doubt(h, key, "the drive's counter is larger than can be kept: it is at least "
			"this");
}

static void read_error_counters(yyjson_val *root, struct health *h)
{
	static const char *const ways[] = {
		"scsi_error_counter_log/read/total_uncorrected_errors",
		"scsi_error_counter_log/write/total_uncorrected_errors",
		"scsi_error_counter_log/verify/total_uncorrected_errors",
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		int64_t errors, sum = h->media_errors < 0 ? 0 : h->media_errors;

		if (!value_counter(h, root, ways[i], 1, "media_errors", &errors))
			continue;
		h->media_errors = __builtin_add_overflow(sum, errors, &sum) ? INT64_MAX : sum;
	}
	read_amount(root, "scsi_error_counter_log/read/gigabytes_processed", "read_bytes", h,
		    &h->read_bytes);
	read_amount(root, "scsi_error_counter_log/write/gigabytes_processed", "written_bytes", h,
		    &h->written_bytes);
}

/* "22364:52" where a version of smartctl or a controller gave the time as text. */
static void read_hours(yyjson_val *root, struct health *h)
{
	char text[32], *end;
	long long hours;

	if (h->power_on_hours >= 0)
		return;
	if (!value_text(h, root, "power_on_time/hours", text, sizeof(text)) &&
	    !value_text(h, root, "power_on_time", text, sizeof(text)))
		return;
	hours = strtoll(text, &end, 10);
	if (end > text && hours >= 0 && (*end == ':' || !*end))
		h->power_on_hours = hours;
}

static void read_temperatures(yyjson_val *root, struct health *h)
{
	if (h->temperature_celsius == INT32_MIN)
		value_i32(h, root, "scsi_environmental_reports/temperature_1/current",
			  &h->temperature_celsius);
	value_i32(h, root, "scsi_environmental_reports/temperature_1/lifetime_maximum",
		  &h->temperature_highest_celsius);
	value_i32(h, root, "temperature/drive_trip", &h->temperature_limit_celsius);
	/* what smartctl says of a drive that has no log of temperatures */
	if (h->temperature_celsius == 0 && h->temperature_limit_celsius == 0)
		h->temperature_celsius = INT32_MIN;
	/* drives that have no limit say 0 or 255 (SPC-4 7.3.22: 255 is "no reference") */
	if (h->temperature_limit_celsius == 0 || h->temperature_limit_celsius == 255)
		h->temperature_limit_celsius = INT32_MIN;
}

static void read_self_tests(yyjson_val *root, struct health *h)
{
	for (unsigned i = 0; i < SELF_TESTS; i++) {
		struct self_test *t;
		yyjson_val *entry;
		int64_t result;
		char way[32];

		snprintf(way, sizeof(way), "scsi_self_test_%u", i);
		entry = value_at(h, root, way);
		if (!value_whole(h, entry, "result/value", &result))
			continue;
		t = fields_add(&fields_health, h, "self_tests");
		if (!t)
			return;
		value_text(h, entry, "code/string", t->type, sizeof(t->type));
		value_text(h, entry, "result/string", t->result, sizeof(t->result));
		/* SPC-4 table 374: 3h unknown error, 4h to 7h failed segments */
		t->failed = result >= 3 && result <= 7;
		value_counter(h, entry, "power_on_time/hours", 1, "self_tests", &t->hours);
		value_counter(h, entry, "lba_first_failure/value", 1, "self_tests", &t->lba);
	}
}

/* The rate of "phy enabled; 12 Gbps"; 0: none. */
static double rate_of(const char *text)
{
	const char *digits = strpbrk(text, "0123456789");

	return digits && strstr(digits, "Gbps") ? strtod(digits, NULL) : 0;
}

/* The fastest port counts: a drive has two, and often only one is connected. */
static void read_links(yyjson_val *root, struct health *h)
{
	static const char *const keys[] = {
		"negotiated_logical_link_rate", "negotiated logical link rate",
	};

	for (unsigned i = 0; i < PORTS * PHYS * 2; i++) {
		char way[96], text[64];
		double rate;

		snprintf(way, sizeof(way), "scsi_sas_port_%u/phy_%u/%s", i / 2 / PHYS, i / 2 % PHYS,
			 keys[i % 2]);
		value_text(h, root, way, text, sizeof(text));
		rate = rate_of(text);
		if (rate > 0 && rate > (h->has_link_gbit_per_s ? h->link_gbit_per_s : 0)) {
			h->link_gbit_per_s = rate;
			h->has_link_gbit_per_s = true;
		}
	}
}

void decode_scsi(struct yyjson_val *root, struct health *h)
{
	read_identity(root, h);
	read_hours(root, h);
	value_counter(h, root, "scsi_start_stop_cycle_counter/accumulated_start_stop_cycles", 1,
		      "power_cycles", &h->power_cycles);
	value_counter(h, root, "scsi_grown_defect_list", 1, "reallocated", &h->reallocated);
	value_counter(h, root, "scsi_pending_defects/count", 1, "pending", &h->pending);
	value_i32(h, root, "scsi_percentage_used_endurance_indicator", &h->wear_percent);
	read_error_counters(root, h);
	read_temperatures(root, h);
	read_self_tests(root, h);
	read_links(root, h);
}
