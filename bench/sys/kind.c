/* SPDX-License-Identifier: MIT */
/*
 * Is this block device a disk to measure? One row per reason against it; the first that holds
 * decides.
 *
 * Rules look at structure (folders, attributes, major numbers), not at names. Major numbers are
 * those of Linux's Documentation/admin-guide/devices.txt.
 */
#include <stdio.h>
#include <string.h>

#include "bench/sys/found.h"
#include "lib/text.h"

enum {
	MAJOR_RAM = 1, MAJOR_FLOPPY = 2, MAJOR_LOOP = 7, MAJOR_SR = 11, MAJOR_MTD = 31,
	MAJOR_NBD = 43,
};

struct rule {
	enum disk_skip skip;
	/* `detail` is empty at the call; DISK_TEXT_BYTES long */
	bool (*holds)(const struct found *f, char *detail);
};

static bool is_hidden(const struct found *f, char *detail)
{
	(void)detail;
	return f->hidden;
}

static bool is_mapped(const struct found *f, char *detail)
{
	sysfs_read_text(f->dir, "dm/name", detail, DISK_TEXT_BYTES);
	return sysfs_is_dir(f->dir, "dm");
}

static bool is_array(const struct found *f, char *detail)
{
	char level[32], state[32];

	if (!sysfs_is_dir(f->dir, "md"))
		return false;
	sysfs_read_text(f->dir, "md/level", level, sizeof(level));
	sysfs_read_text(f->dir, "md/array_state", state, sizeof(state));
	snprintf(detail, DISK_TEXT_BYTES, "%s%s%s", level, level[0] && state[0] ? ", " : "", state);
	return true;
}

static bool is_loop(const struct found *f, char *detail)
{
	sysfs_read_text(f->dir, "loop/backing_file", detail, DISK_TEXT_BYTES);
	return f->disk.major == MAJOR_LOOP || sysfs_is_dir(f->dir, "loop");
}

static bool is_zram(const struct found *f, char *detail)
{
	(void)detail;
	/* its major number is dynamic */
	return sysfs_exists(f->dir, "disksize") && !f->device[0];
}

static bool is_ram(const struct found *f, char *detail)
{
	(void)detail;
	return f->disk.major == MAJOR_RAM;
}

static bool is_nbd(const struct found *f, char *detail)
{
	sysfs_read_text(f->dir, "backend", detail, DISK_TEXT_BYTES);
	return f->disk.major == MAJOR_NBD;
}

static bool is_floppy(const struct found *f, char *detail)
{
	(void)detail;
	return f->disk.major == MAJOR_FLOPPY || !strcmp(f->disk.driver, "floppy");
}

/* Boot and RPMB areas hang below the card's disk, or (older kernels) carry its name and more. */
static bool is_emmc_area(const struct found *f, char *detail)
{
	const char *name = f->disk.name;
	size_t main_len = strlen("mmcblk");
	char parent[SYSFS_PATH_BYTES];

	if (strcmp(f->disk.transport, "mmc"))
		return false;
	text_copy(parent, sizeof(parent), f->dir);
	if (sysfs_parent(parent) && sysfs_is_dir(parent, "queue")) {
		char main_name[DISK_NAME_BYTES];

		text_clean_str(main_name, sizeof(main_name), sysfs_base(parent));
		snprintf(detail, DISK_TEXT_BYTES, "area of %s", main_name);
		return true;
	}
	if (strncmp(name, "mmcblk", main_len))
		return false;
	main_len += strspn(name + main_len, "0123456789");
	if (!name[main_len])
		return false;
	snprintf(detail, DISK_TEXT_BYTES, "area of %.*s", (int)main_len, name);
	return true;
}

static bool is_virtual_media(const struct found *f, char *detail)
{
	(void)detail;
	return virtual_media_known(f);
}

/* SCSI type 5, and 4 (write once), are driven by sr; its size says nothing without a medium. */
static bool is_optical(const struct found *f, char *detail)
{
	uint64_t type;

	(void)detail;
	if (f->disk.major == MAJOR_SR)
		return true;
	return f->device[0] && strcmp(f->disk.transport, "mmc") &&
		sysfs_read_u64(f->device, "type", &type) && (type == 4 || type == 5);
}

static bool is_flash_chip(const struct found *f, char *detail)
{
	text_copy(detail, DISK_TEXT_BYTES, "a flash memory chip (mtd)");
	return f->disk.major == MAJOR_MTD;
}

static bool is_without_device(const struct found *f, char *detail)
{
	(void)detail;
	return !f->device[0];
}

static bool is_without_medium(const struct found *f, char *detail)
{
	(void)detail;
	return f->disk.removable && f->disk.size_bytes == 0;
}

static bool has_unserved_format(const struct found *f, char *detail)
{
	uint64_t metadata = 0;

	if (f->disk.size_bytes || !nvme_is(f))
		return false;
	if (!sysfs_read_u64(f->dir, "metadata_bytes", &metadata) || !metadata)
		return false;
	snprintf(detail, DISK_TEXT_BYTES, "%llu bytes of metadata in each block",
		 (unsigned long long)metadata);
	return true;
}

static bool is_zero_size(const struct found *f, char *detail)
{
	if (nvme_is(f))
		text_copy(detail, DISK_TEXT_BYTES,
			  "the kernel does not serve its format (metadata in each block?)");
	else if (sysfs_exists(f->device, "type"))	/* SCSI */
		text_copy(detail, DISK_TEXT_BYTES,
			  "not ready, or a sector size the kernel does not serve (520, 528 ...)");
	return f->disk.size_bytes == 0;
}

static const struct rule rules[] = {
	{ DISK_HIDDEN_PATH, is_hidden },
	{ DISK_MAPPED, is_mapped },
	{ DISK_ARRAY, is_array },
	{ DISK_LOOP, is_loop },
	{ DISK_ZRAM, is_zram },
	{ DISK_RAM, is_ram },
	{ DISK_NBD, is_nbd },
	{ DISK_FLOPPY, is_floppy },
	{ DISK_EMMC_AREA, is_emmc_area },
	{ DISK_VIRTUAL_MEDIA, is_virtual_media },
	{ DISK_OPTICAL, is_optical },
	{ DISK_NO_DEVICE, is_flash_chip },
	{ DISK_NO_DEVICE, is_without_device },
	{ DISK_NO_MEDIUM, is_without_medium },
	{ DISK_SECTOR_SIZE, has_unserved_format },
	{ DISK_ZERO_SIZE, is_zero_size },
};

void kind_read(struct found *f)
{
	char detail[DISK_TEXT_BYTES];

	if (f->disk.skip != DISK_TAKEN)
		return;	/* could not even be read */
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		detail[0] = '\0';
		if (!rules[i].holds(f, detail))
			continue;
		f->disk.skip = rules[i].skip;
		text_copy(f->disk.skip_detail, sizeof(f->disk.skip_detail), detail);
		return;
	}
}
