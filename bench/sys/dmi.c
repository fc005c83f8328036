/* SPDX-License-Identifier: MIT */
/* What the firmware says of the machine (SMBIOS, through /sys/class/dmi/id). Any byte may come. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/placeholder.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define AT(field) offsetof(struct machine_info, field)

static const struct row {
	const char *attribute;
	size_t at;	/* a text of DISK_TEXT_BYTES in struct machine_info */
	bool is_serial;
} rows[] = {
	{ "sys_vendor", AT(vendor), false },
	{ "product_name", AT(product), false },
	{ "product_serial", AT(serial), true },
	{ "board_vendor", AT(board.vendor), false },
	{ "board_name", AT(board.name), false },
	{ "board_version", AT(board.version), false },
	{ "bios_vendor", AT(bios.vendor), false },
	{ "bios_version", AT(bios.version), false },
	{ "bios_date", AT(bios.date), false },
};

void dmi_read(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES];

	if (!sysfs_join(dir, root, "sys/class/dmi/id"))
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *to = (char *)m + rows[i].at;

		sysfs_read_text(dir, rows[i].attribute, to, DISK_TEXT_BYTES);
		if (rows[i].is_serial ? placeholder_serial(to) : placeholder_text(to))
			to[0] = '\0';
	}
}

/* String `number` (from 1) of the set behind the formatted part, SMBIOS 3.6 section 6.1.3. */
static bool smbios_string(const uint8_t *raw, size_t len, unsigned number, char *to, size_t size)
{
	size_t at = raw[1];

	for (unsigned i = 1; number > 0 && at < len && raw[at]; i++) {
		size_t n = strnlen((const char *)raw + at, len - at);

		if (i == number)
			return text_clean(to, size, raw + at, n) > 0;
		at += n + 1;
	}
	return false;
}

bool dmi_read_processor(const char *root, char *to, size_t size)
{
	char dir[SYSFS_PATH_BYTES];
	uint8_t raw[1024];
	ssize_t n;

	to[0] = '\0';
	if (!sysfs_join(dir, root, "sys/firmware/dmi/entries/4-0"))
		return false;
	n = sysfs_read_bytes(dir, "raw", raw, sizeof(raw));
	/* section 7.5: processor version is the string whose number stands at offset 10h */
	if (n < 0x1a || raw[0] != 4 || raw[1] < 0x1a)
		return false;
	if (!smbios_string(raw, (size_t)n, raw[0x10], to, size) || placeholder_text(to))
		to[0] = '\0';
	return to[0] != '\0';
}
