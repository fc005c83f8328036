/* SPDX-License-Identifier: MIT */
/* What the kernel counts of one block device: its I/Os, their merges, bytes and times. */
#ifndef BENCH_SYS_DISK_STAT_H
#define BENCH_SYS_DISK_STAT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/sys/disk.h"

/*
 * /sys/block/NAME/stat or a line of /proc/diskstats (kernel: Documentation/block/stat.rst and
 * Documentation/admin-guide/iostats.rst). Since boot, or between two readings.
 */
struct disk_stat {
	uint64_t read_ios, read_merges, read_bytes, read_ticks_ms;
	uint64_t write_ios, write_merges, write_bytes, write_ticks_ms;
	/* time with any I/O in flight; all I/Os' time in flight added up */
	uint64_t io_ticks_ms, queue_ticks_ms;
};

/*
 * Reads the counters of `name` (a kernel name) below `root` ("" for the running machine), from
 * sysfs, else from /proc/diskstats. False, and `s` kept, where neither states them.
 */
bool disk_stat_read(const char *root, const char *name, struct disk_stat *s);

/*
 * What was counted from `before` to `after` into `diff`. The times are 32 bits wide in the kernel
 * and may have wrapped once. False where an I/O counter ran backwards: not the same device.
 */
bool disk_stat_since(const struct disk_stat *before, const struct disk_stat *after,
		     struct disk_stat *diff);

/* The counters of a disk at one time: its own, and those of its other paths added up. */
struct disk_stat_reading {
	bool has_own, has_paths;
	struct disk_stat own, paths;
};

void disk_stat_take(const char *root, const struct disk *d, struct disk_stat_reading *r);
/*
 * What `d` did between two readings: by its own counters where they moved, else by those of its
 * paths (over NVMe multipath some kernels count on the hidden paths alone). False where none moved:
 * a kernel that does not count is not a disk that did nothing.
 */
bool disk_stat_between(const struct disk_stat_reading *before,
		       const struct disk_stat_reading *after, struct disk_stat *diff);

#endif
