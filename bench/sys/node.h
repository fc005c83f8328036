/* SPDX-License-Identifier: MIT */
/* Opening a device by its number. */
#ifndef BENCH_SYS_NODE_H
#define BENCH_SYS_NODE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Opens the block or character device of that number with `flags`, never for writing: through
 * /dev/NAME where that is it, else through a node of its own in /dev, which is removed at once.
 * Returns the descriptor or -errno.
 */
int node_open(bool block, uint32_t major, uint32_t minor, const char *name, int flags);

/* Reads "MAJOR:MINOR" from a file, e.g. of sysfs. Returns 0 or -errno. */
int node_number(const char *path, uint32_t *major, uint32_t *minor);

#endif
