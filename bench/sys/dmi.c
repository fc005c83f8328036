/* SPDX-License-Identifier: MIT */
/*
 * What the firmware says of the machine: the attributes of /sys/class/dmi/id, and for what these do
 * not have (or only root may read) the SMBIOS table itself. Any byte may come.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/placeholder.h"
#include "bench/sys/smbios.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define AT(field) offsetof(struct machine_info, field)
#define SIZE(field) sizeof(((struct machine_info *)0)->field)
#define TEXT(field) AT(field), SIZE(field)

enum { BIOS = 0, SYSTEM = 1, BOARD = 2, CHASSIS = 3, PROCESSOR = 4 };	/* structure types */

static const struct row {
	const char *attribute;
	uint8_t type, offset;	/* of the string in SMBIOS 3.6, sections 7.1 to 7.4 */
	size_t at, size;
	bool is_serial;
} rows[] = {
	{ "bios_vendor", BIOS, 0x04, TEXT(bios.vendor), false },
	{ "bios_version", BIOS, 0x05, TEXT(bios.version), false },
	{ "bios_date", BIOS, 0x08, TEXT(bios.date), false },
	{ "sys_vendor", SYSTEM, 0x04, TEXT(vendor), false },
	{ "product_name", SYSTEM, 0x05, TEXT(product), false },
	{ "product_version", SYSTEM, 0x06, TEXT(version), false },
	{ "product_serial", SYSTEM, 0x07, TEXT(serial), true },
	{ "product_sku", SYSTEM, 0x19, TEXT(sku), false },
	{ "product_family", SYSTEM, 0x1a, TEXT(family), false },
	{ "board_vendor", BOARD, 0x04, TEXT(board.vendor), false },
	{ "board_name", BOARD, 0x05, TEXT(board.name), false },
	{ "board_version", BOARD, 0x06, TEXT(board.version), false },
	{ "board_serial", BOARD, 0x07, TEXT(board.serial), true },
	{ "chassis_vendor", CHASSIS, 0x04, TEXT(chassis.vendor), false },
	{ "chassis_version", CHASSIS, 0x06, TEXT(chassis.version), false },
	{ "chassis_serial", CHASSIS, 0x07, TEXT(chassis.serial), true },
	{ "chassis_asset_tag", CHASSIS, 0x08, TEXT(chassis.asset_tag), true },
};

/* Section 7.4.1. "Other" and "Unknown" (1 and 2) say nothing. */
static const char *const chassis_types[] = {
	NULL, NULL, NULL, "Desktop", "Low Profile Desktop", "Pizza Box", "Mini Tower", "Tower",
	"Portable", "Laptop", "Notebook", "Hand Held", "Docking Station", "All in One",
	"Sub Notebook", "Space-saving", "Lunch Box", "Main Server Chassis", "Expansion Chassis",
	"SubChassis", "Bus Expansion Chassis", "Peripheral Chassis", "RAID Chassis",
	"Rack Mount Chassis", "Sealed-case PC", "Multi-system Chassis", "Compact PCI",
	"Advanced TCA", "Blade", "Blade Enclosure", "Tablet", "Convertible", "Detachable",
	"IoT Gateway", "Embedded PC", "Mini PC", "Stick PC",
};

static void drop_placeholder(char *text, bool is_serial)
{
	if (is_serial ? placeholder_serial(text) || placeholder_firmware(text) :
	    placeholder_firmware(text))
		text[0] = '\0';
}

static void set_chassis_type(struct machine_info *m, uint64_t type)
{
	if (type > 0xff)
		return;
	/* the highest bit says that the case can be locked */
	type &= 0x7f;
	if (type < sizeof(chassis_types) / sizeof(*chassis_types) && chassis_types[type])
		text_copy(m->chassis.type, sizeof(m->chassis.type), chassis_types[type]);
}

static bool is_uuid(const char *text)
{
	for (size_t i = 0; i < 36; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	}
	return text[36] == '\0';
}

/* Numbers that boards of many makers share, or one digit repeated, stand for "none". */
static void drop_false_uuid(char *uuid)
{
	static const char *const shared[] = {
		"03000200-0400-0500-0006-000700080009", "00020003-0004-0005-0006-000700080009",
		"12345678-1234-5678-90ab-cddeefaabbcc",
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		if (text_same(uuid, shared[i]))
			uuid[0] = '\0';
	while (uuid[n] && (uuid[n] == '-' || tolower((unsigned char)uuid[n]) ==
			   tolower((unsigned char)uuid[0])))
		n++;
	if (!uuid[n] || !is_uuid(uuid))
		uuid[0] = '\0';
}

/* Section 7.2.1: before 2.6 the first three parts were big-endian, too. */
static void read_uuid(const struct smbios *s, const struct smbios_entry *e, char *to, size_t size)
{
	static const uint8_t swapped[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	bool is_old = s->version && s->version < 0x0206;
	const uint8_t *raw = e->data + 0x08;
	size_t n = 0;

	if (e->length < 0x08 + 16)
		return;
	for (size_t i = 0; i < 16 && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%02x",
				      i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
				      raw[is_old ? i : swapped[i]]);
}

static void read_release(const struct smbios_entry *e, char *to, size_t size)
{
	uint64_t major, minor;

	if (smbios_number(e, 0x14, 1, &major) && smbios_number(e, 0x15, 1, &minor))
		snprintf(to, size, "%u.%u", (unsigned)major, (unsigned)minor);
}

static void read_attributes(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES];
	uint64_t type;

	if (!sysfs_join(dir, root, "sys/class/dmi/id"))
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *to = (char *)m + rows[i].at;

		sysfs_read_text(dir, rows[i].attribute, to, rows[i].size);
		drop_placeholder(to, rows[i].is_serial);
	}
	sysfs_read_text(dir, "product_uuid", m->uuid, sizeof(m->uuid));
	sysfs_read_text(dir, "bios_release", m->bios.release, sizeof(m->bios.release));
	if (sysfs_read_u64(dir, "chassis_type", &type))
		set_chassis_type(m, type);
}

void dmi_read_table(const struct smbios *s, struct machine_info *m)
{
	struct smbios_entry e;
	uint64_t type;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *to = (char *)m + rows[i].at;

		if (!to[0] && smbios_first(s, rows[i].type, &e) &&
		    smbios_string(&e, rows[i].offset, to, rows[i].size))
			drop_placeholder(to, rows[i].is_serial);
	}
	if (!m->uuid[0] && smbios_first(s, SYSTEM, &e))
		read_uuid(s, &e, m->uuid, sizeof(m->uuid));
	if (!m->bios.release[0] && smbios_first(s, BIOS, &e))
		read_release(&e, m->bios.release, sizeof(m->bios.release));
	if (!m->chassis.type[0] && smbios_first(s, CHASSIS, &e) &&
	    smbios_number(&e, 0x05, 1, &type))
		set_chassis_type(m, type);
}

/* Boards without such firmware are named by their device tree. */
static void read_device_tree(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES];

	if (m->vendor[0] || m->product[0] || !sysfs_join(dir, root, "proc/device-tree"))
		return;
	sysfs_read_text(dir, "model", m->product, sizeof(m->product));
	drop_placeholder(m->product, false);
	if (m->serial[0])
		return;
	sysfs_read_text(dir, "serial-number", m->serial, sizeof(m->serial));
	drop_placeholder(m->serial, true);
}

void dmi_read(const char *root, struct machine_info *m)
{
	struct smbios s;

	read_attributes(root, m);
	if (smbios_load(root, &s) == 0) {
		dmi_read_table(&s, m);
		smbios_memory_read(&s, m);
		smbios_free(&s);
	}
	drop_false_uuid(m->uuid);
	read_device_tree(root, m);
	/* FFh: the firmware has no release; virtual ones leave 0 */
	if (!strcmp(m->bios.release, "255.255") || !strcmp(m->bios.release, "0.0"))
		m->bios.release[0] = '\0';
}

bool dmi_read_processor(const char *root, char *to, size_t size)
{
	struct smbios_place p = { .at = 0 };
	struct smbios_entry e;
	struct smbios s;

	to[0] = '\0';
	if (smbios_load(root, &s) < 0)
		return false;
	/* section 7.5: processor version; sockets may be empty */
	while (!to[0] && smbios_next(&s, &p, &e))
		if (e.type == PROCESSOR && smbios_string(&e, 0x10, to, size) &&
		    placeholder_firmware(to))
			to[0] = '\0';
	smbios_free(&s);
	return to[0] != '\0';
}

uint32_t dmi_count_processors(const char *root)
{
	struct smbios_place p = { .at = 0 };
	struct smbios_entry e;
	struct smbios s;
	uint32_t n = 0;

	if (smbios_load(root, &s) < 0)
		return 0;
	/* a central processor (3) whose status says that the socket is populated (bit 6) */
	while (smbios_next(&s, &p, &e))
		if (e.type == PROCESSOR && e.length >= 0x19 && e.data[0x05] == 3 &&
		    e.data[0x18] & 0x40)
			n++;
	smbios_free(&s);
	return n;
}
