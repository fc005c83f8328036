/* SPDX-License-Identifier: MIT */
/* The list of devices, and the one table of reasons for which a device is left alone. */
#include "bench/sys/disk.h"

#include <errno.h>
#include <stdlib.h>

#define OVERRIDDEN true
#define FINAL false

const struct disk_skip_row disk_skip_table[DISK_SKIP_COUNT] = {
	[DISK_TAKEN] = { DISK_TAKEN, "taken", "it is measured", FINAL },
	[DISK_NO_MEDIUM] = { DISK_NO_MEDIUM, "no_medium", "no medium in the drive", OVERRIDDEN },
	[DISK_OPTICAL] = { DISK_OPTICAL, "optical", "an optical drive", OVERRIDDEN },
	[DISK_FLOPPY] = { DISK_FLOPPY, "floppy", "a floppy drive", OVERRIDDEN },
	[DISK_VIRTUAL_MEDIA] = { DISK_VIRTUAL_MEDIA, "virtual_media",
		"virtual media of a remote console", OVERRIDDEN },
	[DISK_ZERO_SIZE] = { DISK_ZERO_SIZE, "zero_size", "its size is zero", OVERRIDDEN },
	[DISK_HIDDEN_PATH] = { DISK_HIDDEN_PATH, "hidden_path",
		"one path of an NVMe namespace that has several", FINAL },
	[DISK_SECOND_PATH] = { DISK_SECOND_PATH, "second_path",
		"another path to a disk that is already listed", OVERRIDDEN },
	[DISK_RAM] = { DISK_RAM, "ram", "a RAM disk", OVERRIDDEN },
	[DISK_LOOP] = { DISK_LOOP, "loop", "a loop device", OVERRIDDEN },
	[DISK_ZRAM] = { DISK_ZRAM, "zram", "compressed memory (zram)", OVERRIDDEN },
	[DISK_NBD] = { DISK_NBD, "nbd", "a network block device", OVERRIDDEN },
	[DISK_MAPPED] = { DISK_MAPPED, "mapped", "a device-mapper volume, not a disk", OVERRIDDEN },
	[DISK_ARRAY] = { DISK_ARRAY, "array", "a software RAID array, not a disk", OVERRIDDEN },
	[DISK_EMMC_AREA] = { DISK_EMMC_AREA, "emmc_area", "a special area of an eMMC", OVERRIDDEN },
	[DISK_NO_DEVICE] = { DISK_NO_DEVICE, "no_device",
		"no disk that the kernel serves stands behind it", OVERRIDDEN },
	[DISK_NO_NAMESPACE] = { DISK_NO_NAMESPACE, "no_namespace",
		"an NVMe controller without a namespace to read", FINAL },
	[DISK_SECTOR_SIZE] = { DISK_SECTOR_SIZE, "sector_size",
		"a sector format the kernel does not serve", FINAL },
	[DISK_CANNOT_OPEN] = { DISK_CANNOT_OPEN, "cannot_open", "it cannot be opened", FINAL },
	[DISK_NO_ANSWER] = { DISK_NO_ANSWER, "no_answer", "it does not answer", FINAL },
	[DISK_EXCLUDED] = { DISK_EXCLUDED, "excluded", "excluded by option", FINAL },
	[DISK_NOT_ASKED] = { DISK_NOT_ASKED, "not_asked", "option disks names others", FINAL },
};

const char *const disk_consent_words[CONSENT_COUNT] = {
	[CONSENT_NONE] = "none",
	[CONSENT_FILE] = "file",
	[CONSENT_WRITEBACK] = "writeback",
	[CONSENT_DESTROY] = "destroy",
};

int disk_list_add(struct disk_list *l, const struct disk *d)
{
	if (l->n == l->room) {
		size_t room = l->room ? l->room * 2 : 16;
		struct disk *more = reallocarray(l->disk, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		l->disk = more;
		l->room = room;
	}
	l->disk[l->n++] = *d;
	return 0;
}

void disk_list_free(struct disk_list *l)
{
	free(l->disk);
	*l = (struct disk_list){ .disk = NULL };
}
