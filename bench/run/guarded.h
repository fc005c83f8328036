/* SPDX-License-Identifier: MIT */
/*
 * The appliance's init sets disks read-only in the kernel before the run and leaves their names in
 * the run's folder. A disk on that list is not write-protected by itself.
 */
#ifndef BENCH_RUN_GUARDED_H
#define BENCH_RUN_GUARDED_H

#include <stddef.h>

#include "bench/sys/disk.h"

/*
 * Clears read_only of the disks from index `first` on that <out>/guarded names (one kernel name a
 * line, as init writes it). Returns how many there were; 0 where there is no such file.
 */
size_t guarded_apply(struct disk_list *list, size_t first, const char *out);

#endif
