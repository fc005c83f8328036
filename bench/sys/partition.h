/* SPDX-License-Identifier: MIT */
/*
 * A partition to read from: one the disk has, or one that only the kernel knows of.
 *
 * Adding a partition (BLKPG_ADD_PARTITION) writes nothing to the disk. It is gone with the next
 * boot, and before that with partition_close, also where the process that made it is killed: a
 * small process of its own waits for that.
 */
#ifndef BENCH_SYS_PARTITION_H
#define BENCH_SYS_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/sys/disk.h"

struct partition {
	int fd;			/* O_RDONLY | O_DIRECT; -1: none */
	char name[DISK_NAME_BYTES];
	uint32_t major, minor;
	uint64_t bytes;
	bool added;		/* by us, in the kernel alone */
	int number;
	int warden_fd;		/* held open by us: what waits for our end */
	int warden_pid;
};

/*
 * Opens the largest partition of `d` that nothing holds, at least `least_bytes` long; where it has
 * none, and nothing holds the disk, adds one over `bytes` from `offset_bytes` on (multiples of
 * 1 MiB) to the whole disk's open descriptor `disk_fd`. Returns 0 or -errno.
 */
int partition_open(struct partition *p, const struct disk *d, int disk_fd, uint64_t offset_bytes,
		   uint64_t bytes, uint64_t least_bytes);

/* Closes it, and removes what was added. Returns 0, or -errno where the kernel kept it. */
int partition_close(struct partition *p, int disk_fd);

#endif
