/* SPDX-License-Identifier: MIT */
/*
 * SCSI: disks the kernel sees and serves no block device for (a member of a RAID volume, a disk
 * that never became ready), and how well a path works.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/sys/found.h"
#include "lib/text.h"

/*
 * Peripheral device types that Linux's sd driver takes: disk, optical memory, reduced disk, zoned
 * disk.
 */
static bool is_disk_type(uint64_t type)
{
	return type == 0x00 || type == 0x07 || type == 0x0e || type == 0x14;
}

unsigned scsi_path_rank(const struct found *f)
{
	char state[32], access[32];
	unsigned rank = 0;

	if (sysfs_read_text(f->device, "state", state, sizeof(state)) && strcmp(state, "running"))
		rank += 4;
	if (sysfs_read_text(f->device, "access_state", access, sizeof(access)) &&
	    strcmp(access, "active/optimized"))
		rank += !strcmp(access, "active/non-optimized") ? 1 : 2;
	return rank;
}

static int add_unserved(struct found_list *l, const char *dir)
{
	char state[32] = "unknown";
	struct found *f = found_add(l);

	if (!f)
		return -ENOMEM;
	text_clean_str(f->disk.name, sizeof(f->disk.name), sysfs_base(dir));
	text_copy(f->dir, sizeof(f->dir), dir);
	text_copy(f->device, sizeof(f->device), dir);
	sysfs_read_text(dir, "state", state, sizeof(state));
	f->disk.skip = DISK_NO_DEVICE;
	snprintf(f->disk.skip_detail, sizeof(f->disk.skip_detail),
		 "a SCSI disk (state %s) without a block device: a RAID member, or refused by sd",
		 state);
	return 0;
}

/* `block` below a SCSI device holds its block devices. */
static bool is_served(const char *dir)
{
	struct sysfs_names names;
	bool served;

	if (sysfs_list(dir, "block", &names) < 0)
		return false;
	served = names.n > 0;
	sysfs_list_free(&names);
	return served;
}

int scsi_add_unserved(const struct found_tree *t, struct found_list *l)
{
	char bus[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct sysfs_names names;
	uint64_t type;
	int err = 0;

	if (!sysfs_join(bus, t->sys, "bus/scsi/devices") || sysfs_list(bus, ".", &names) < 0)
		return 0;	/* no SCSI layer */
	for (size_t i = 0; i < names.n && !err; i++) {
		/* hosts and targets stand in the same folder; only logical units have a type */
		if (!sysfs_resolve(bus, names.name[i], dir) ||
		    !sysfs_read_u64(dir, "type", &type) || !is_disk_type(type) || is_served(dir))
			continue;
		err = add_unserved(l, dir);
	}
	sysfs_list_free(&names);
	return err;
}
