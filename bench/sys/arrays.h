/* SPDX-License-Identifier: MIT */
/* Volumes made of others, by what the kernel, the disks and the signatures on them say. */
#ifndef BENCH_SYS_ARRAYS_H
#define BENCH_SYS_ARRAYS_H

#include <stddef.h>

#include "bench/model/machine.h"
#include "bench/sys/disk.h"

/* Adds the volumes of RAID controllers among the disks from `first` on. */
void arrays_of_controllers(const char *root, const struct disk_list *l, size_t first,
			   struct machine_info *m);
/*
 * Adds what the signatures of `m` show and the kernel has not put together: ZFS pools, btrfs of
 * several devices, md arrays that are not assembled. Only devices with a signature are known.
 */
void arrays_of_signatures(struct machine_info *m);

#endif
