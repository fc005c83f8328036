/* SPDX-License-Identifier: MIT */
/*
 * What a device says of itself: sizes, model, serial number, WWN. Each bus keeps them elsewhere.
 *
 * Nothing is asked of the device: the kernel read all of it when the device appeared.
 */
#include <stdio.h>
#include <string.h>

#include "bench/sys/found.h"
#include "lib/text.h"

#define TEXT(dir, name, to) sysfs_read_text(dir, name, to, sizeof(to))

static void read_block_size(const struct found *f, const char *name, uint32_t *bytes)
{
	uint64_t v;

	/*
	 * a power of two from 512 on, or unknown: a size the engine could not align to helps nobody
	 */
	if (sysfs_read_u64(f->dir, name, &v) && v >= 512 && v <= 1 << 20 && !(v & (v - 1)))
		*bytes = (uint32_t)v;
}

static void read_geometry(struct found *f)
{
	struct disk *d = &f->disk;
	uint64_t v;

	/* in units of 512 bytes, whatever the logical block size is */
	if (sysfs_read_u64(f->dir, "size", &v) && v <= UINT64_MAX / 512)
		d->size_bytes = v * 512;
	read_block_size(f, "queue/logical_block_size", &d->logical_block_bytes);
	read_block_size(f, "queue/physical_block_size", &d->physical_block_bytes);
	d->read_only = sysfs_read_u64(f->dir, "ro", &v) && v == 1;
	d->removable = sysfs_read_u64(f->dir, "removable", &v) && v == 1;
}

static bool is_transport(const struct found *f, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(f->disk.transport, *list))
			return true;
	return false;
}

/*
 * The kernel's flag says "rotational" also where nobody knows: it is the default. It is believed
 * where the device itself reports a medium (VPD page B1h) or the bus always asks.
 */
static enum disk_rotational read_rotational(const struct found *f)
{
	static const char *const asking[] = { "sata", "ata", "sas", NULL };
	uint8_t page[64];
	uint64_t flag;
	ssize_t n;

	if (!sysfs_read_u64(f->dir, "queue/rotational", &flag) || flag > 1)
		return DISK_ROTATIONAL_UNKNOWN;
	if (flag == 0)
		return DISK_SOLID;
	n = sysfs_read_bytes(f->device, "vpd_pgb1", page, sizeof(page));
	if (n > 0) {
		int rpm = vpd_rotation(page, (size_t)n);

		if (rpm == 1)
			return DISK_SOLID;
		if (rpm >= 0x401 && rpm < 0xFFFF)
			return DISK_ROTATING;
		if (rpm >= 0)
			return DISK_ROTATIONAL_UNKNOWN;
	}
	return is_transport(f, asking) ? DISK_ROTATING : DISK_ROTATIONAL_UNKNOWN;
}

static void set_wwid(struct found *f, const char *prefix, const char *text)
{
	int n = snprintf(f->wwid, sizeof(f->wwid), "%s%s", prefix, text);

	if (n < 0 || (size_t)n >= sizeof(f->wwid)) {
		f->wwid[0] = '\0';	/* a cut one might equal another disk's */
		return;
	}
	if (strlen(f->wwid) < sizeof(f->disk.wwn))
		text_copy(f->disk.wwn, sizeof(f->disk.wwn), f->wwid);
}

/* Drops dashes and blanks, as the kernel prints an NGUID in groups and an EUI-64 byte by byte. */
static void squeeze(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (*text != '-' && *text != ' ')
			*to++ = *text;
	*to = '\0';
}

static void identify_nvme(struct found *f)
{
	struct disk *d = &f->disk;
	char text[FOUND_WWID_BYTES];

	TEXT(f->device, "model", d->model);
	TEXT(f->device, "serial", d->serial);
	TEXT(f->device, "firmware_rev", d->firmware);
	if (TEXT(f->dir, "wwid", text)) {
		set_wwid(f, "", text);
	} else if (TEXT(f->dir, "nguid", text) && strspn(text, "0-") < strlen(text)) {
		squeeze(text);
		set_wwid(f, "eui.", text);
	} else if (TEXT(f->dir, "eui", text) && strspn(text, "0 ") < strlen(text)) {
		squeeze(text);
		set_wwid(f, "eui.", text);
	}
}

static void identify_mmc(struct found *f)
{
	struct disk *d = &f->disk;
	char cid[64];

	TEXT(f->device, "manfid", d->vendor);
	TEXT(f->device, "name", d->model);
	TEXT(f->device, "fwrev", d->firmware);
	if (TEXT(f->device, "serial", d->serial))
		return;
	/*
	 * the CID's product serial number: 32 bits, bytes 9 to 12 of its 16 (SD and eMMC alike, as
	 * far as they agree)
	 */
	if (TEXT(f->device, "cid", cid) && strlen(cid) == 32)
		snprintf(d->serial, sizeof(d->serial), "0x%.8s", cid + 18);
}

/* What a bridge between USB and a disk leaves out, the USB device may still say. */
static void identify_usb(struct found *f)
{
	struct disk *d = &f->disk;

	if (!d->serial[0])
		TEXT(f->usb_dir, "serial", d->serial);
	if (!d->model[0])
		TEXT(f->usb_dir, "product", d->model);
	if (!d->vendor[0])
		TEXT(f->usb_dir, "manufacturer", d->vendor);
}

/*
 * INQUIRY cuts an ATA model to 16 characters and its firmware to four: IDENTIFY DEVICE has the
 * rest.
 */
static void identify_ata(struct found *f)
{
	struct disk *d = &f->disk;

	if (!strcmp(d->vendor, "ATA"))
		d->vendor[0] = '\0';	/* names the translation, not a maker */
	if (!f->ata)
		return;
	if (f->ata_data.model[0])
		text_copy(d->model, sizeof(d->model), f->ata_data.model);
	if (f->ata_data.serial[0])
		text_copy(d->serial, sizeof(d->serial), f->ata_data.serial);
	if (f->ata_data.firmware[0])
		text_copy(d->firmware, sizeof(d->firmware), f->ata_data.firmware);
}

static void identify_scsi(struct found *f)
{
	struct disk *d = &f->disk;
	uint8_t page[SYSFS_VALUE_BYTES];
	char text[FOUND_WWID_BYTES];
	ssize_t n;

	TEXT(f->device, "vendor", d->vendor);
	TEXT(f->device, "model", d->model);
	TEXT(f->device, "rev", d->firmware);
	n = sysfs_read_bytes(f->device, "vpd_pg80", page, sizeof(page));
	if (n > 0)
		vpd_serial(page, (size_t)n, d->serial, sizeof(d->serial));
	if (TEXT(f->device, "wwid", text)) {
		set_wwid(f, "", text);
	} else {
		n = sysfs_read_bytes(f->device, "vpd_pg83", page, sizeof(page));
		if (n > 0 && vpd_lun_name(page, (size_t)n, text, sizeof(text)))
			set_wwid(f, "", text);
	}
	identify_ata(f);
	if (f->usb_dir[0])
		identify_usb(f);
}

static void identify_other(struct found *f)
{
	struct disk *d = &f->disk;

	/* virtio has a PCI number here, which is nobody's name */
	if (TEXT(f->device, "vendor", d->vendor) && !strncmp(d->vendor, "0x", 2))
		d->vendor[0] = '\0';
	TEXT(f->device, "model", d->model);
	if (!TEXT(f->dir, "serial", d->serial))	/* virtio-blk keeps it at the block device */
		TEXT(f->device, "serial", d->serial);
}

void identify_read(struct found *f)
{
	static const char *const by_scsi[] = {
		"sata", "ata", "sas", "scsi", "usb", "hyperv", "raid", NULL
	};
	struct disk *d = &f->disk;

	read_geometry(f);
	d->rotational = read_rotational(f);
	if (!f->device[0])
		return;
	if (nvme_is(f))
		identify_nvme(f);
	else if (!strcmp(d->transport, "mmc"))
		identify_mmc(f);
	else if (is_transport(f, by_scsi))
		identify_scsi(f);
	else
		identify_other(f);
}
