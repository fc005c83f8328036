/* SPDX-License-Identifier: MIT */
/*
 * Finds every block device of the machine, what it is, and why it is left alone.
 *
 * Order: disks_discover reads sysfs only; disks_select applies the options; disks_probe opens what
 * is left, each in a process of its own, because open(2) on a sick disk may never return.
 */
#ifndef BENCH_SYS_DISCOVER_H
#define BENCH_SYS_DISCOVER_H

#include "bench/sys/disk.h"
#include "lib/options.h"

/*
 * Walks <root>/sys/class/block or /sys/block (never name globs), plus NVMe controllers without a
 * namespace and SCSI disks without a usable block device. `root` is "" for the running machine.
 * Paths to one disk are merged: one entry is taken, the others get DISK_SECOND_PATH /
 * DISK_HIDDEN_PATH. Sorted by controller and kernel name (nvme2n1 before nvme10n1). Opens no
 * device. Returns 0 or -errno (/sys not there).
 */
int disks_discover(const char *root, struct disk_list *list);

/*
 * Applies options disks and exclude: sets DISK_EXCLUDED / DISK_NOT_ASKED, lifts skips that may be
 * overridden. A name that matches nothing adds a note to `o`; a /dev path or name of a device that
 * exists but is outside discovery (a partition, a loop file) is noted with the reason.
 */
void disks_select(struct disk_list *list, struct options *o);

/*
 * Opens each device still taken, read-only, O_DIRECT, in a child process with `timeout_ms` each
 * (all in parallel); sets DISK_CANNOT_OPEN / DISK_NO_ANSWER / DISK_NO_MEDIUM with the detail, and
 * corrects size and block sizes to what the opened device says (BLKGETSIZE64, BLKSSZGET,
 * BLKPBSZGET).
 */
void disks_probe(struct disk_list *list, unsigned timeout_ms);

#endif
