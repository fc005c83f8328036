/* SPDX-License-Identifier: MIT */
/* Vendor attributes of ATA's SMART data as a table; see attribute.h. */
#include "bench/health/attribute.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/health/plausible.h"
#include "bench/health/value.h"

/* How a raw value is read. */
enum reading {
	LOW32,		/* the first number of the text, else the low 32 bits */
	LOW16,		/* the low 16 bits: others are packed above */
	CELSIUS,	/* the first number of the text, else the low byte (signed) */
	HOURS,		/* LOW32, in the unit that name and text tell */
	UNITS,		/* LOW48 of a unit that the name tells */
	LIFE_LEFT,	/* not raw: the normalised value is what is left of 100 % */
	SPARE_LEFT,	/* the same, of the spare blocks */
	NOTHING,	/* known to pack several counters, and to alarm without cause: not read */
};

#define OF(member) offsetof(struct health, member)
#define NO_NAME ""

struct row {
	uint8_t id;
	const char *like;	/* part of the name; NO_NAME: makers agree on the id */
	enum reading reading;
	size_t offset;
	const char *key;	/* of doubts */
};

/* The first row that fits an attribute counts. */
static const struct row rows[] = {
	{ 1, NO_NAME, NOTHING, 0, NULL },
	{ 5, NO_NAME, LOW32, OF(reallocated), "reallocated" },
	{ 7, NO_NAME, NOTHING, 0, NULL },
	{ 9, NO_NAME, HOURS, OF(power_on_hours), "power_on_hours" },
	{ 12, NO_NAME, LOW32, OF(power_cycles), "power_cycles" },
	{ 169, "Remaining_Lifetime", LIFE_LEFT, OF(wear_percent), "wear_percent" },
	{ 170, "Available_Reserv", SPARE_LEFT, OF(spare_percent), "spare_percent" },
	{ 173, "Wear_Leveling_Count", LIFE_LEFT, OF(wear_percent), "wear_percent" },
	{ 173, "Ave_Block-Erase", LIFE_LEFT, OF(wear_percent), "wear_percent" },
	{ 173, "Media_Wearout", LIFE_LEFT, OF(wear_percent), "wear_percent" },
	{ 174, "Unexpect_Power_Loss", LOW32, OF(unsafe_shutdowns), "unsafe_shutdowns" },
	{ 174, "Unsafe_Shutdown", LOW32, OF(unsafe_shutdowns), "unsafe_shutdowns" },
	{ 175, NO_NAME, NOTHING, 0, NULL },	/* test of the capacitors: three numbers packed */
	{ 177, "Wear_Leveling_Count", LIFE_LEFT, OF(wear_percent), "wear_percent" },
	{ 180, "Unused_R", NOTHING, 0, NULL },	/* counts blocks, or percent: not told */
	{ 184, "End-to-End", LOW16, OF(media_errors), "media_errors" },
	{ 187, "Reported_Uncorrect", LOW32, OF(uncorrectable), "uncorrectable" },
	{ 187, "Uncorrectable_Error", LOW32, OF(uncorrectable), "uncorrectable" },
	{ 188, NO_NAME, NOTHING, 0, NULL },	/* command timeouts: three counters packed */
	{ 190, "Temp", CELSIUS, OF(temperature_celsius), "temperature_celsius" },
	{ 192, "Unsafe_Shutdown", LOW32, OF(unsafe_shutdowns), "unsafe_shutdowns" },
	{ 192, "Unexpect", LOW32, OF(unsafe_shutdowns), "unsafe_shutdowns" },
	{ 194, "Temp", CELSIUS, OF(temperature_celsius), "temperature_celsius" },
	{ 197, NO_NAME, LOW32, OF(pending), "pending" },
	{ 198, NO_NAME, LOW32, OF(uncorrectable), "uncorrectable" },
	{ 199, NO_NAME, LOW32, OF(crc_errors), "crc_errors" },
	{ 202, "Percent_Lifetime_Remain", LIFE_LEFT, OF(wear_percent), "wear_percent" },
	{ 225, "Host_Writes", UNITS, OF(written_bytes), "written_bytes" },
	{ 231, "Life_Left", LIFE_LEFT, OF(wear_percent), "wear_percent" },
	{ 232, "Available_Reserv", SPARE_LEFT, OF(spare_percent), "spare_percent" },
	{ 233, "Media_Wearout", LIFE_LEFT, OF(wear_percent), "wear_percent" },
	{ 235, "POR_Recovery", LOW32, OF(unsafe_shutdowns), "unsafe_shutdowns" },
	{ 240, NO_NAME, NOTHING, 0, NULL },
	{ 241, NO_NAME, UNITS, OF(written_bytes), "written_bytes" },
	{ 242, NO_NAME, UNITS, OF(read_bytes), "read_bytes" },
	{ 246, "Total_LBAs_Written", UNITS, OF(written_bytes), "written_bytes" },
	{ 246, "Total_Host_Sector_Write", UNITS, OF(written_bytes), "written_bytes" },
};

/* What the names of 225, 241 and 242 say of their unit; the longer word comes first. */
static const struct {
	const char *like;
	int64_t bytes;
} units[] = {
	{ "32MiB", INT64_C(32) << 20 }, { "GiB", INT64_C(1) << 30 }, { "MiB", INT64_C(1) << 20 },
	{ "TiB", INT64_C(1) << 40 }, { "GB", 1000000000 }, { "LBA", 512 }, { "Sector", 512 },
};

static bool has(const char *text, const char *part)
{
	return text && strcasestr(text, part);
}

static const struct row *find_row(const struct attribute *a)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].id == a->id && (!*rows[i].like || has(a->name, rows[i].like)))
			return &rows[i];
	return NULL;
}

/* The number that a text begins with, where it is one below 2^48; else `otherwise`. */
static int64_t first_number(const char *text, int64_t otherwise)
{
	long long number;
	char *end;

	if (!text || !(isdigit((unsigned char)*text) ||
		       (*text == '-' && isdigit((unsigned char)text[1]))))
		return otherwise;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return otherwise;	/* smartctl prints the whole raw value so where unsure */
	number = strtoll(text, &end, 10);
	return number < INT64_C(1) << 48 ? number : otherwise;
}

/* The same where a counter stands: no counter is negative. */
static int64_t first_count(const char *text, int64_t otherwise)
{
	int64_t number = first_number(text, otherwise);

	return number < 0 ? otherwise : number;
}

/*
 * A text that is nothing but the whole raw value tells no more than that: where more than 32 bits
 * are set, something is packed above the counter.
 */
static int64_t low32(const struct attribute *a)
{
	int64_t low = (int64_t)(a->raw & UINT32_MAX), number = first_count(a->text, low);

	return number > UINT32_MAX ? low : number;
}

static void take_hours(const struct attribute *a, const struct row *row, struct health *h)
{
	int64_t number = low32(a);

	/* "12345h+06m" says hours whatever was counted */
	if (!has(a->text, "h+") && has(a->name, "Half_Minutes"))
		number /= 120;
	else if (!has(a->text, "h+") && has(a->name, "Minutes"))
		number /= 60;
	else if (!has(a->text, "h+") && has(a->name, "Seconds"))
		number /= 3600;
	else if (number == UINT32_MAX || number == UINT16_MAX)
		return;
	if (h->power_on_hours < 0) {
		h->power_on_hours = number;
	} else if (number <= PLAUSIBLE_HOURS_MAX && (number > h->power_on_hours + 720 ||
						      number < h->power_on_hours - 720)) {
		plausible_doubt(h, row->key, "attribute 9 says %lld", (long long)number);
	}
}

static void take_units(const struct attribute *a, const struct row *row, struct health *h)
{
	int64_t number = (int64_t)(a->raw & ((UINT64_C(1) << 48) - 1)), *to;
	bool cut = false;

	to = (int64_t *)(void *)((char *)h + row->offset);
	if (*to >= 0)
		return;
	for (size_t i = 0; a->in_database && i < sizeof(units) / sizeof(units[0]); i++) {
		if (!has(a->name, units[i].like))
			continue;
		*to = value_times(first_count(a->text, number), units[i].bytes, &cut);
		plausible_doubt(h, row->key, "from attribute %u, counted in units of %lld bytes as "
				"%.60s says: makers change the unit between models and firmwares",
				a->id, (long long)units[i].bytes, a->name);
		return;
	}
	plausible_doubt(h, row->key, "unit unknown: attribute %u stands at %lld", a->id,
			(long long)number);
}

static void take_celsius(const struct attribute *a, int32_t *to)
{
	int64_t number = first_number(a->text, INT64_MAX);

	if (*to != INT32_MIN)
		return;
	if (number > INT8_MAX || number < INT8_MIN)
		number = (int8_t)(a->raw & 0xFF);
	*to = (int32_t)number;
}

static void take_percent_left(const struct attribute *a, const struct row *row, int32_t *to)
{
	if (*to >= 0 || a->value < 0 || a->value > 100)
		return;
	*to = row->reading == LIFE_LEFT ? 100 - a->value : a->value;
}

void attribute_take(const struct attribute *a, struct health *h)
{
	const struct row *row = find_row(a);
	int64_t number;
	void *to;

	if (!row || row->reading == NOTHING)
		return;
	to = (char *)h + row->offset;
	switch (row->reading) {
	case HOURS:
		take_hours(a, row, h);
		return;
	case UNITS:
		take_units(a, row, h);
		return;
	case CELSIUS:
		take_celsius(a, to);
		return;
	case LIFE_LEFT:
	case SPARE_LEFT:
		take_percent_left(a, row, to);
		return;
	default:
		break;
	}
	number = row->reading == LOW16 ? (int64_t)(a->raw & 0xFFFF) : low32(a);
	/* two attributes may count the same fault: the larger one stands */
	if (number > *(int64_t *)to)
		*(int64_t *)to = number;
}
