/* SPDX-License-Identifier: MIT */
/*
 * A device-mapper volume over a part of a block device, as LVM makes one: four calls to the kernel
 * (linux/dm-ioctl.h), no metadata, nothing written.
 */
#ifndef BENCH_SYS_MAPPER_H
#define BENCH_SYS_MAPPER_H

#include <stddef.h>
#include <stdint.h>

#define MAPPER_NAME_BYTES 64

struct mapper {
	int fd;			/* the volume, O_RDONLY | O_DIRECT; -1: none */
	int control_fd;
	char name[MAPPER_NAME_BYTES];
};

/*
 * Makes a read-only linear volume named `name` of `bytes` (a multiple of 512) from the start of
 * device major:minor, and opens it. The kernel is told at once to remove it when it is closed, so
 * that it goes with the process however that ends. Returns 0, or -errno with the call that failed
 * in `what`: -ENOENT or -ENODEV of "control" mean that the kernel has no device-mapper, -EBUSY that
 * the device is in use.
 */
int mapper_open(struct mapper *m, const char *name, uint32_t major, uint32_t minor, uint64_t bytes,
		const char **what);

/* Closes it and waits until it is gone. Returns 0 or -EBUSY where it is still there. */
int mapper_close(struct mapper *m);

#endif
