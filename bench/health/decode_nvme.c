/* SPDX-License-Identifier: MIT */
/* smartctl's JSON of an NVMe device. */
#include <string.h>

#include "bench/health/decode.h"
#include "bench/health/plausible.h"
#include "bench/health/value.h"
#include "bench/model/fields.h"
#include "lib/text.h"

#define LOG "nvme_smart_health_information_log/"
#define UNIT_BYTES 512000	/* a data unit: 1000 times 512 bytes, whatever the block size */

/*
 * NVM Express Base Specification 2.0, figure 207: SMART / Health Information Log, byte 0 "Critical
 * Warning", from bit 0.
 */
static const struct health_warning warnings[8] = {
	{ "spare", "the spare blocks have fallen below their threshold" },
	{ "temperature", "the temperature is above or below a threshold" },
	{ "reliability", "reliability is degraded by media errors or an internal error" },
	{ "read-only", "the media has been placed in read-only mode" },
	{ "backup", "the backup of the volatile memory has failed" },
	{ "persistent-memory", "the persistent memory region is read-only or unreliable" },
	{ "reserved-6", "a warning that has no meaning in the standard (bit 6)" },
	{ "reserved-7", "a warning that has no meaning in the standard (bit 7)" },
};

void decode_nvme_warnings(struct health *h, uint32_t bits)
{
	h->critical_warning = bits & 0xFF;
	for (unsigned bit = 0; bit < 8; bit++) {
		struct health_warning *w;

		if (!(bits & 1u << bit))
			continue;
		h->passed = TRI_NO;
		w = fields_add(&fields_health, h, "warnings");
		if (w)
			*w = warnings[bit];
	}
}

static void read_self_test(yyjson_val *v, struct health *h)
{
	int64_t result = -1;
	struct self_test *t;

	if (!yyjson_is_obj(v) || !value_whole(h, v, "self_test_result/value", &result))
		return;
	t = fields_add(&fields_health, h, "self_tests");
	if (!t)
		return;
	value_text(h, v, "self_test_code/string", t->type, sizeof(t->type));
	value_text(h, v, "self_test_result/string", t->result, sizeof(t->result));
	/* 5h to 7h: a fatal error, or failed segments; the rest is done well, or was aborted */
	t->failed = result >= 5 && result <= 7;
	value_counter(h, v, "power_on_hours", 1, "self_tests", &t->hours);
	value_counter(h, v, "lba", 1, "self_tests", &t->lba);
}

/* A USB bridge answers in the drive's place and makes up what it does not know. */
static void check_bridge(yyjson_val *root, struct health *h)
{
	int64_t vendor = -1, capacity = -1;

	value_whole(h, root, "nvme_pci_vendor/id", &vendor);
	value_whole(h, root, "nvme_total_capacity", &capacity);
	if (vendor == 0 && capacity <= 0)
		plausible_doubt(h, "source", "the vendor is 0 and so is the capacity: a bridge "
				"answers in the drive's place, nothing it says is certain");
}

/* No drive in use has no spare, no hour, no power cycle, no temperature, and was never read. */
static bool is_all_zero(const struct health *h)
{
	return h->power_on_hours == 0 && h->power_cycles == 0 && h->read_bytes == 0 &&
		h->written_bytes == 0 && h->spare_percent == 0 && h->wear_percent == 0 &&
		h->critical_warning == 0 && h->temperature_celsius == INT32_MIN;
}

/* Leaves of what a bridge made up the names. */
static void drop_values(struct health *h)
{
	struct health none;

	health_init(&none);
	memcpy(none.model, h->model, sizeof(none.model));
	memcpy(none.serial, h->serial, sizeof(none.serial));
	memcpy(none.firmware, h->firmware, sizeof(none.firmware));
	memcpy(none.source, h->source, sizeof(none.source));
	memcpy(none.protocol, h->protocol, sizeof(none.protocol));
	text_copy(none.reason, sizeof(none.reason), "every value it gives is zero: a bridge "
		  "answers in the drive's place and does not know");
	*h = none;
}

static void read_log(yyjson_val *root, struct health *h)
{
	int64_t bits = 0, critical = 0, minutes = 0;

	value_counter(h, root, LOG "power_on_hours", 1, "power_on_hours", &h->power_on_hours);
	value_counter(h, root, LOG "power_cycles", 1, "power_cycles", &h->power_cycles);
	value_counter(h, root, LOG "unsafe_shutdowns", 1, "unsafe_shutdowns",
		      &h->unsafe_shutdowns);
	value_counter(h, root, LOG "data_units_written", UNIT_BYTES, "written_bytes",
		      &h->written_bytes);
	value_counter(h, root, LOG "data_units_read", UNIT_BYTES, "read_bytes", &h->read_bytes);
	value_counter(h, root, LOG "media_errors", 1, "media_errors", &h->media_errors);
	value_counter(h, root, LOG "num_err_log_entries", 1, "error_log_entries",
		      &h->error_log_entries);
	value_i32(h, root, LOG "percentage_used", &h->wear_percent);
	value_i32(h, root, LOG "available_spare", &h->spare_percent);
	value_i32(h, root, LOG "available_spare_threshold", &h->spare_threshold_percent);
	value_i32(h, root, LOG "temperature", &h->temperature_celsius);
	if (value_counter(h, root, LOG "warning_temp_time", 1, "temperature_warning_minutes",
			  &minutes)) {
		value_counter(h, root, LOG "critical_comp_time", 1, "temperature_warning_minutes",
			      &critical);
		if (!__builtin_add_overflow(minutes, critical, &minutes))
			h->temperature_warning_minutes = minutes;
	}
	if (value_whole(h, root, LOG "critical_warning", &bits))
		decode_nvme_warnings(h, (uint32_t)bits);
}

void decode_nvme(struct yyjson_val *root, struct health *h)
{
	yyjson_val *table = value_at(h, root, "nvme_self_test_log/table");
	yyjson_arr_iter it;
	yyjson_val *entry;

	if (!yyjson_is_obj(value_at(h, root, "nvme_smart_health_information_log")))
		return;
	read_log(root, h);
	/* from smartctl 7.5 on */
	value_i32(h, root, "temperature/op_limit_max", &h->temperature_limit_celsius);
	if (yyjson_arr_iter_init(table, &it))
		while ((entry = yyjson_arr_iter_next(&it)))
			read_self_test(entry, h);
	check_bridge(root, h);
	if (is_all_zero(h))
		drop_values(h);
}
