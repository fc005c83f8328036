/* SPDX-License-Identifier: MIT */
/*
 * smartctl's JSON of an ATA device. Device statistics count first, then what smartctl itself made
 * of the attributes, then the attributes.
 */
#include <stdio.h>
#include <string.h>

#include "bench/health/ata_stats.h"
#include "bench/health/attribute.h"
#include "bench/health/decode.h"
#include "bench/health/plausible.h"
#include "bench/health/value.h"
#include "bench/model/fields.h"
#include "lib/text.h"

#define NO_LBA INT64_C(0xFFFFFFFFFFFF)

static void read_statistics(yyjson_val *root, struct health *h)
{
	yyjson_val *pages = value_at(h, root, "ata_device_statistics/pages"), *page, *entry;
	int64_t block = 512, number, offset, value;
	yyjson_arr_iter it, in_page;
	bool valid;

	if (!value_whole(h, root, "logical_block_size", &block) || block < 512 || block > 1 << 20)
		block = 512;
	if (!yyjson_arr_iter_init(pages, &it))
		return;
	while ((page = yyjson_arr_iter_next(&it))) {
		if (!value_whole(h, page, "number", &number) || number < 0 ||
		    number >= ATA_STATS_PAGES ||
		    !yyjson_arr_iter_init(value_at(h, page, "table"), &in_page))
			continue;
		while ((entry = yyjson_arr_iter_next(&in_page)))
			if (value_whole(h, entry, "offset", &offset) && offset >= 0 &&
			    offset < 512 && value_bool(h, entry, "flags/valid", &valid) && valid &&
			    value_whole(h, entry, "value", &value))
				ata_stats_take(h, (unsigned)number, (unsigned)offset, value, block);
	}
}

static void read_attribute(yyjson_val *v, bool in_database, bool last, struct health *h)
{
	char name[64], text[64];
	struct attribute a = { .value = -1, .in_database = in_database };
	yyjson_val *raw = value_at(h, v, "raw/value");
	int64_t id;

	if (!value_whole(h, v, "id", &id) || id < 1 || id > 255 ||
	    last != (id == ATTRIBUTE_LAST) || !yyjson_is_uint(raw))
		return;
	a.id = (uint8_t)id;
	a.raw = yyjson_get_uint(raw);
	a.name = value_text(h, v, "name", name, sizeof(name)) ? name : NULL;
	a.text = value_text(h, v, "raw/string", text, sizeof(text)) ? text : NULL;
	value_i32(h, v, "value", &a.value);
	attribute_take(&a, h);
}

static void read_attributes(yyjson_val *root, struct health *h)
{
	yyjson_val *table = value_at(h, root, "ata_smart_attributes/table"), *v;
	bool in_database = false;
	yyjson_arr_iter it;

	/* before 7.3 smartctl does not say it, but names the family of a model it knows */
	if (!value_bool(h, root, "in_smartctl_database", &in_database))
		in_database = yyjson_is_str(value_at(h, root, "model_family"));
	for (int last = 0; last < 2; last++)
		if (yyjson_arr_iter_init(table, &it))
			while ((v = yyjson_arr_iter_next(&it)))
				read_attribute(v, in_database, last, h);
}

static void read_self_test(yyjson_val *v, struct health *h)
{
	bool passed = true;
	struct self_test *t;
	int64_t status = 0;

	if (!yyjson_is_str(value_at(h, v, "status/string")))
		return;
	t = fields_add(&fields_health, h, "self_tests");
	if (!t)
		return;
	value_text(h, v, "type/string", t->type, sizeof(t->type));
	value_text(h, v, "status/string", t->result, sizeof(t->result));
	/* ACS-4 table A.32, high half of the byte: 3h to 8h found a fault, 4h to 8h tell which */
	value_whole(h, v, "status/value", &status);
	if (value_bool(h, v, "status/passed", &passed))
		t->failed = !passed;
	else
		t->failed = status >> 4 >= 3 && status >> 4 <= 8;
	value_counter(h, v, "lifetime_hours", 1, "self_tests", &t->hours);
	value_counter(h, v, "lba", 1, "self_tests", &t->lba);
	if (t->lba >= NO_LBA)
		t->lba = -1;
}

/* The extended log holds more entries, and longer block numbers, than the standard one. */
static void read_self_tests(yyjson_val *root, struct health *h)
{
	yyjson_val *table = value_at(h, root, "ata_smart_self_test_log/extended/table"), *v;
	yyjson_arr_iter it;

	if (!yyjson_arr_size(table))
		table = value_at(h, root, "ata_smart_self_test_log/standard/table");
	if (yyjson_arr_iter_init(table, &it))
		while ((v = yyjson_arr_iter_next(&it)))
			read_self_test(v, h);
}

static bool read_speed(yyjson_val *root, const char *which, struct health *h, double *to)
{
	int64_t units = 0, bits = 0;
	char way[64];

	snprintf(way, sizeof(way), "interface_speed/%s/units_per_second", which);
	if (!value_whole(h, root, way, &units))
		return false;
	snprintf(way, sizeof(way), "interface_speed/%s/bits_per_unit", which);
	if (!value_whole(h, root, way, &bits) || units <= 0 || bits <= 0)
		return false;
	*to = (double)units * (double)bits / 1e9;
	return *to < 1000;
}

static void read_rest(yyjson_val *root, struct health *h)
{
	if (h->temperature_highest_celsius == INT32_MIN)
		value_i32(h, root, "temperature/lifetime_max", &h->temperature_highest_celsius);
	if (h->temperature_limit_celsius == INT32_MIN)
		value_i32(h, root, "temperature/op_limit_max", &h->temperature_limit_celsius);
	/* zero stands for "not given" in the SCT status */
	if (h->temperature_limit_celsius == 0)
		h->temperature_limit_celsius = INT32_MIN;
	/* from smartctl 7.5 on */
	if (h->wear_percent < 0)
		value_i32(h, root, "endurance_used/current_percent", &h->wear_percent);
	if (h->spare_percent < 0)
		value_i32(h, root, "spare_available/current_percent", &h->spare_percent);
	if (!value_counter(h, root, "ata_smart_error_log/extended/count", 1, "error_log_entries",
			   &h->error_log_entries))
		value_counter(h, root, "ata_smart_error_log/summary/count", 1,
			      "error_log_entries", &h->error_log_entries);
	if (h->pending < 0)
		value_counter(h, root, "ata_pending_defects_log/count", 1, "pending", &h->pending);
	h->has_link_gbit_per_s = read_speed(root, "current", h, &h->link_gbit_per_s);
	h->has_link_max_gbit_per_s = read_speed(root, "max", h, &h->link_max_gbit_per_s);
}

void decode_ata(struct yyjson_val *root, struct health *h)
{
	read_statistics(root, h);
	read_rest(root, h);
	read_attributes(root, h);
	read_self_tests(root, h);
}
