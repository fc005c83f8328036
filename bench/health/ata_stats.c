/* SPDX-License-Identifier: MIT */
/* Device statistics of ATA; see ata_stats.h. */
#include "bench/health/ata_stats.h"

#include <stdbool.h>
#include <stddef.h>

#include "bench/health/plausible.h"
#include "bench/health/value.h"

#define OF(member) offsetof(struct health, member)

enum sort { COUNTER, SECTORS, CELSIUS, PERCENT };

/* ACS-4, 9.5: offset of the statistic in its page, and its bytes. */
static const struct row {
	uint8_t page, offset, bytes;
	enum sort sort;
	size_t to;
	const char *key;
} rows[] = {
	/* 9.5.4 General Statistics */
	{ 1, 8, 4, COUNTER, OF(power_cycles), "power_cycles" },	/* Lifetime Power-On Resets */
	{ 1, 16, 4, COUNTER, OF(power_on_hours), "power_on_hours" },
	{ 1, 24, 6, SECTORS, OF(written_bytes), "written_bytes" },
	{ 1, 40, 6, SECTORS, OF(read_bytes), "read_bytes" },
	/* 9.5.6 Rotating Media Statistics */
	{ 3, 32, 4, COUNTER, OF(reallocated), "reallocated" },
	/* 9.5.7 General Errors Statistics: Number of Reported Uncorrectable Errors */
	{ 4, 8, 4, COUNTER, OF(uncorrectable), "uncorrectable" },
	/* 9.5.8 Temperature Statistics: now, highest, minutes over the limit, limit */
	{ 5, 8, 1, CELSIUS, OF(temperature_celsius), "temperature_celsius" },
	{ 5, 32, 1, CELSIUS, OF(temperature_highest_celsius), "temperature_highest_celsius" },
	{ 5, 80, 4, COUNTER, OF(temperature_warning_minutes), "temperature_warning_minutes" },
	{ 5, 88, 1, CELSIUS, OF(temperature_limit_celsius), "temperature_limit_celsius" },
	/* 9.5.9 Transport Statistics: Number of Interface CRC Errors */
	{ 6, 24, 4, COUNTER, OF(crc_errors), "crc_errors" },
	/* 9.5.10 Solid State Device Statistics: Percentage Used Endurance Indicator */
	{ 7, 8, 1, PERCENT, OF(wear_percent), "wear_percent" },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void take(struct health *h, const struct row *row, int64_t value, int64_t block_bytes)
{
	void *to = (char *)h + row->to;
	bool cut = false;

	if (row->sort == CELSIUS || row->sort == PERCENT) {
		if (value >= -128 && value <= 255)
			*(int32_t *)to = (int32_t)value;
		return;
	}
	if (value < 0)
		return;
	*(int64_t *)to = value_times(value, row->sort == SECTORS ? block_bytes : 1, &cut);
	if (cut)
		plausible_doubt(h, row->key, "the drive's counter is larger than can be kept: "
				"it is at least this");
}

void ata_stats_take(struct health *h, unsigned page, unsigned offset, int64_t value,
		    int64_t block_bytes)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].page == page && rows[i].offset == offset)
			take(h, &rows[i], value, block_bytes);
}

void ata_stats_page(struct health *h, unsigned page, const uint8_t data[512], int64_t block_bytes)
{
	/* ACS-4 9.5.2: bytes 0-1 revision, byte 2 the page's number */
	if (data[2] != page || value_le(data, 2) == 0)
		return;
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];
		const uint8_t *at = data + row->offset;
		int64_t value;

		/* byte 7 of each: bit 7 it is supported, bit 6 its value is valid */
		if (row->page != page || (at[7] & 0xC0) != 0xC0)
			continue;
		value = row->sort == CELSIUS ? (int8_t)*at : (int64_t)value_le(at, row->bytes);
		take(h, row, value, block_bytes);
	}
}
