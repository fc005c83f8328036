/* SPDX-License-Identifier: MIT */
/* How fast a disk's link is now; see link.h. */
#include "bench/sys/link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define WIDTH_MAX 32	/* lanes of a PCI Express link */
#define PHYS_MAX 16	/* of a SAS port */
#define PACKET_DATA 512
#define PACKET_BYTES 536

/* Makers of PCI functions that exist in software alone: their link is a made-up number. */
static const uint64_t virtual_vendors[] = {
	0x1af4, 0x1b36,		/* Red Hat: virtio, QEMU */
	0x15ad,			/* VMware */
	0x1414,			/* Microsoft */
	0x1ae0,			/* Google */
	0x1d0f,			/* Amazon */
	0x5853,			/* Xen */
	0x80ee,			/* VirtualBox */
	0x1ab8,			/* Parallels */
};

/* "12.0" at the start of `text` in tenths; returns what follows, or NULL. */
static const char *tenths_of(const char *text, unsigned *tenths)
{
	size_t digits = strspn(text, "0123456789");
	unsigned whole, part = 0;

	if (digits == 0 || digits > 3)
		return NULL;
	whole = (unsigned)strtoul(text, NULL, 10);
	text += digits;
	if (text[0] == '.' && text[1] >= '0' && text[1] <= '9') {
		part = (unsigned)(text[1] - '0');
		text += 2;
	}
	*tenths = whole * 10 + part;
	return text;
}

bool link_parse_gbit(const char *text, unsigned *tenths)
{
	unsigned value;
	const char *unit = tenths_of(text, &value);

	if (!unit || !value || (strcmp(unit, " Gbps") && strcmp(unit, " Gbit")))
		return false;
	*tenths = value;
	return true;
}

bool link_parse_pcie(const char *text, unsigned *tenths)
{
	unsigned value;
	const char *unit = tenths_of(text, &value);

	if (!unit || !value || (strcmp(unit, " GT/s") && strcmp(unit, " GT/s PCIe")))
		return false;
	*tenths = value;
	return true;
}

uint64_t link_sata_bytes_per_s(unsigned tenths)
{
	return tenths == 15 || tenths == 30 || tenths == 60 ? tenths * UINT64_C(10000000) : 0;
}

uint64_t link_sas_bytes_per_s(unsigned tenths)
{
	if (tenths == 225)
		return UINT64_C(22500000000) / 8 * 128 / 150;
	return tenths == 120 ? UINT64_C(1200000000) : link_sata_bytes_per_s(tenths);
}

uint64_t link_pcie_bytes_per_s(unsigned tenths, unsigned width)
{
	uint64_t bits, lane;

	if (!width || width > WIDTH_MAX)
		return 0;
	bits = tenths * UINT64_C(100000000);
	switch (tenths) {
	case 25:
	case 50:
		lane = bits * 8 / 10 / 8;
		break;
	case 80:
	case 160:
	case 320:
		lane = bits * 128 / 130 / 8;
		break;
	case 640:
	case 1280:
		lane = bits * 236 / 256 / 8;
		break;
	default:
		return 0;
	}
	return lane * width * PACKET_DATA / PACKET_BYTES;
}

uint64_t link_usb_bytes_per_s(unsigned mbit_per_s)
{
	switch (mbit_per_s) {
	case 12:
		return UINT64_C(19) * 64 * 1000;
	case 480:
		return UINT64_C(13) * 512 * 8000;
	case 5000:
		return UINT64_C(500000000);
	case 10000:
	case 20000:
		return mbit_per_s * UINT64_C(1000000) / 8 * 128 / 132;
	default:
		return 0;
	}
}

/*
 * Cuts `dir` behind its last component that begins with `prefix`. Returns false without one.
 */
static bool cut_at(const char *dir, const char *prefix, char to[SYSFS_PATH_BYTES])
{
	text_copy(to, SYSFS_PATH_BYTES, dir);
	while (strncmp(sysfs_base(to), prefix, strlen(prefix)))
		if (!sysfs_parent(to) || !strchr(to, '/'))
			return false;
	return true;
}

/* .../ata1/link1/ata_link/link1/sata_spd: "6.0 Gbps", "<unknown>" */
static void read_ata(const char *ata_dir, struct link *l)
{
	char name[64], path[160], text[64];
	unsigned tenths;

	if (strspn(sysfs_base(ata_dir) + 3, "0123456789") == 0)
		return;
	snprintf(name, sizeof(name), "link%.32s", sysfs_base(ata_dir) + 3);
	snprintf(path, sizeof(path), "%s/ata_link/%s/sata_spd", name, name);
	if (!sysfs_read_text(ata_dir, path, text, sizeof(text)) ||
	    !link_parse_gbit(text, &tenths) || !link_sata_bytes_per_s(tenths))
		return;
	snprintf(l->text, sizeof(l->text), "SATA %u.%u Gb/s", tenths / 10, tenths % 10);
	l->bytes_per_s = link_sata_bytes_per_s(tenths);
}

/*
 * .../port-0:1/end_device-0:1: the port links to its phys, each with sas_phy/NAME/
 * negotiated_linkrate: "12.0 Gbit", "Unknown", "Phy disabled". A port of several carries their sum.
 */
static void read_sas(const char *end_dir, const char *kind, struct link *l)
{
	char port[SYSFS_PATH_BYTES], path[300], text[64];
	unsigned tenths, first = 0, phys = 0;
	struct sysfs_names names;
	uint64_t sum = 0;

	text_copy(port, sizeof(port), end_dir);
	if (!sysfs_parent(port) || sysfs_list(port, ".", &names))
		return;
	for (size_t i = 0; i < names.n && phys < PHYS_MAX; i++) {
		const char *phy = names.name[i];

		if (strncmp(phy, "phy-", 4) || strlen(phy) > 64)
			continue;
		snprintf(path, sizeof(path), "%s/sas_phy/%s/negotiated_linkrate", phy, phy);
		if (!sysfs_read_text(port, path, text, sizeof(text)) ||
		    !link_parse_gbit(text, &tenths) || !link_sas_bytes_per_s(tenths))
			continue;
		first = phys++ ? first : tenths;
		sum += link_sas_bytes_per_s(tenths);
	}
	sysfs_list_free(&names);
	if (!phys)
		return;
	snprintf(l->text, sizeof(l->text), "%s %u.%u Gb/s", kind, first / 10, first % 10);
	if (phys > 1)
		snprintf(l->text, sizeof(l->text), "%s %u.%u Gb/s x%u", kind, first / 10,
			 first % 10, phys);
	l->bytes_per_s = sum;
}

bool link_is_virtual(const char *pci_dir)
{
	static const char *const attributes[] = { "vendor", "subsystem_vendor" };
	uint64_t vendor;

	for (size_t i = 0; i < 2; i++) {
		if (!sysfs_read_u64(pci_dir, attributes[i], &vendor))
			continue;
		for (size_t k = 0; k < sizeof(virtual_vendors) / sizeof(*virtual_vendors); k++)
			if (vendor == virtual_vendors[k])
				return true;
	}
	return false;
}

/*
 * An AHCI adapter that exists in software alone: QEMU's disks say 1.5 Gb/s, VirtualBox's and
 * bhyve's, whose adapters have no maker of a board, 3 or 6, and none of them keeps to it.
 */
static bool is_virtual_ata(const char *pci_dir)
{
	uint64_t vendor;

	return link_is_virtual(pci_dir) ||
	       (sysfs_read_u64(pci_dir, "subsystem_vendor", &vendor) && vendor == 0);
}

static void read_pci(const char *pci_dir, struct link *l)
{
	char text[64];
	unsigned tenths;
	uint64_t width, rate;

	if (link_is_virtual(pci_dir) ||
	    !sysfs_read_text(pci_dir, "current_link_speed", text, sizeof(text)) ||
	    !link_parse_pcie(text, &tenths) ||
	    !sysfs_read_u64(pci_dir, "current_link_width", &width) || width > WIDTH_MAX)
		return;
	rate = link_pcie_bytes_per_s(tenths, (unsigned)width);
	if (!rate)
		return;
	snprintf(l->text, sizeof(l->text), "PCIe %u.%u GT/s x%u", tenths / 10, tenths % 10,
		 (unsigned)width);
	l->bytes_per_s = rate;
}

/* "5000" for 5 Gb/s */
static void read_usb(const char *usb_dir, struct link *l)
{
	uint64_t mbit;

	if (!sysfs_read_u64(usb_dir, "speed", &mbit) || mbit > 100000 ||
	    !link_usb_bytes_per_s((unsigned)mbit))
		return;
	if (mbit >= 1000)
		snprintf(l->text, sizeof(l->text), "USB %" PRIu64 " Gb/s", mbit / 1000);
	else
		snprintf(l->text, sizeof(l->text), "USB %" PRIu64 " Mb/s", mbit);
	l->bytes_per_s = link_usb_bytes_per_s((unsigned)mbit);
}

void link_read(const char *dir, const char *transport, const char *usb_dir, const char *controller,
	       struct link *l)
{
	static const char *const over_pci[] = { "nvme", "raid", "sas", "scsi", "sata" };
	char at[SYSFS_PATH_BYTES];

	*l = (struct link){ .bytes_per_s = 0 };
	if (!strcmp(transport, "usb")) {
		read_usb(usb_dir, l);
		return;
	}
	if (cut_at(dir, "end_device-", at))
		read_sas(at, strcmp(transport, "sata") ? "SAS" : "SATA", l);
	else if (cut_at(dir, "ata", at)) {
		char pci[SYSFS_PATH_BYTES];

		if (!*controller || !cut_at(dir, controller, pci) || !is_virtual_ata(pci))
			read_ata(at, l);
		return;		/* not known is not as fast as its controller */
	}
	for (size_t i = 0; i < sizeof(over_pci) / sizeof(*over_pci) && !l->bytes_per_s; i++)
		if (!strcmp(transport, over_pci[i]) && *controller && cut_at(dir, controller, at))
			read_pci(at, l);
}
