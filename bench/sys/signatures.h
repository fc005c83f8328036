/* SPDX-License-Identifier: MIT */
/* What lies on the disks and their partitions: file systems, members of arrays, tables. */
#ifndef BENCH_SYS_SIGNATURES_H
#define BENCH_SYS_SIGNATURES_H

#include <stddef.h>

#include "bench/model/machine.h"
#include "bench/sys/disk.h"

/*
 * Adds the signatures of the running machine's disks from `first` on that are taken. Each disk is
 * read by a process of its own, all at once; one that does not answer in time costs its own
 * signatures. Nothing is mounted or written.
 */
void signatures_read(const struct disk_list *l, size_t first, struct machine_info *m);

struct signature_taker {
	void (*take)(void *context, const struct signature *s);
	void *context;
};

/*
 * Gives `taker` each signature on the device `fd` reads and on its partitions; `disk` is its kernel
 * name.
 */
void signatures_find(int fd, const char *disk, const struct signature_taker *taker);

#endif
