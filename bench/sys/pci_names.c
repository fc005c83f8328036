/* SPDX-License-Identifier: MIT */
/* Names of PCI devices and classes; see pci_names.h. */
#include "bench/sys/pci_names.h"

#include <stdio.h>
#include <string.h>

#include "bench/sys/sysfs.h"
#include "gen/pci_names.h"
#include "lib/text.h"

/*
 * Finds the first line after `at` that begins with `start`, among those that lie deeper than its
 * parent: `depth` tabs. `at` is the parent's line, or NULL for a line without one. Returns what
 * follows `start`, or NULL.
 */
static const char *find_below(const char *table, const char *at, unsigned depth, const char *start)
{
	size_t n = strlen(start);
	const char *line = table;

	if (at) {
		line = strchr(at, '\n');
		line = line ? line + 1 : "";
	}
	while (*line) {
		const char *next = strchr(line, '\n');
		size_t tabs = strspn(line, "\t");

		if (at && tabs < depth)
			return NULL;
		if (tabs == depth && !strncmp(line + tabs, start, n))
			return line + tabs + n;
		if (!next)
			return NULL;
		line = next + 1;
	}
	return NULL;
}

static void take(const char *name, char *to, size_t size)
{
	if (name)
		text_clean(to, size, name, strcspn(name, "\n"));
	else
		to[0] = '\0';
}

static const char *find_vendor(const char *table, uint16_t vendor)
{
	char start[8];

	snprintf(start, sizeof(start), "%04x ", vendor);
	return find_below(table, NULL, 0, start);
}

static uint16_t read_id(const char *dir, const char *name)
{
	uint64_t value;

	return sysfs_read_u64(dir, name, &value) && value <= UINT16_MAX ? (uint16_t)value : 0;
}

struct pci_id pci_names_id(const char *dir)
{
	return (struct pci_id){
		.vendor = read_id(dir, "vendor"), .device = read_id(dir, "device"),
		.subsystem_vendor = read_id(dir, "subsystem_vendor"),
		.subsystem = read_id(dir, "subsystem_device"),
	};
}

const char *pci_names_table(void)
{
	return pci_names_text;
}

void pci_names_vendor(const char *table, uint16_t vendor, char *to, size_t size)
{
	take(find_vendor(table, vendor), to, size);
}

void pci_names_device(const char *table, const struct pci_id *id, char *to, size_t size)
{
	const char *vendor = find_vendor(table, id->vendor), *device, *card;
	char start[16];
	size_t n;

	snprintf(start, sizeof(start), "%04x ", id->device);
	device = vendor ? find_below(table, vendor, 1, start) : NULL;
	take(device, to, size);
	snprintf(start, sizeof(start), "%04x %04x ", id->subsystem_vendor, id->subsystem);
	card = device ? find_below(table, device, 2, start) : NULL;
	n = strlen(to);
	if (!card || n + 4 >= size)
		return;
	memcpy(to + n, " (", 3);
	take(card, to + n + 2, size - n - 3);
	memcpy(to + strlen(to), ")", 2);
}

void pci_names_class(const char *table, uint32_t class, char *to, size_t size)
{
	const char *base, *sub;
	char start[8];

	snprintf(start, sizeof(start), "C %02x ", class >> 16 & 0xff);
	base = find_below(table, NULL, 0, start);
	snprintf(start, sizeof(start), "%02x ", class >> 8 & 0xff);
	sub = base ? find_below(table, base, 1, start) : NULL;
	take(sub ? sub : base, to, size);
}
