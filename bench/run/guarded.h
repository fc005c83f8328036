/* SPDX-License-Identifier: MIT */
/*
 * The appliance's init sets disks read-only in the kernel before the run and leaves their names in
 * its folder. A disk on that list is not write-protected by itself.
 */
#ifndef BENCH_RUN_GUARDED_H
#define BENCH_RUN_GUARDED_H

#include <stddef.h>

#include "bench/sys/disk.h"

/*
 * Where init leaves the list (BOOT_GUARDED_FILE of init/boot.h), whatever folder a run writes to:
 * in that one the list may be another boot's or anybody's, and would lift what an administrator
 * set.
 */
#define GUARDED_DIR "/run/bootmark"

/*
 * Clears read_only of the disks from index `first` on that <dir>/guarded names (one kernel name a
 * line, as init writes it). Returns how many there were; 0 where there is no such file.
 */
size_t guarded_apply(struct disk_list *list, size_t first, const char *dir);

#endif
