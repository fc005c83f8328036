/* SPDX-License-Identifier: MIT */
/*
 * A disk's temperature, from the hwmon sensor that the kernel hangs below its device: drivetemp for
 * ATA disks, nvme for NVMe (kernel: Documentation/hwmon/drivetemp.rst; the NVMe composite
 * temperature). Only this is read: no command is sent to a disk that the kernel's driver does not
 * send by itself.
 *
 * A reading is a command to the disk. It may take long, and on a sick disk for ever. While a test
 * measures, a process of its own reads and a pipe keeps the values: whoever measures takes what has
 * arrived, and never waits.
 */
#ifndef BENCH_SYS_TEMPERATURE_H
#define BENCH_SYS_TEMPERATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/sys/child.h"
#include "bench/sys/disk.h"
#include "bench/sys/sysfs.h"

/* A reading outside of these, or of exactly 0, is not a temperature: it is absent. */
#define TEMPERATURE_MIN_CELSIUS (-40)
#define TEMPERATURE_MAX_CELSIUS 125

/*
 * Finds the sensor of `d` below `root` ("" for the running machine) and leaves the path of its
 * first input in `path`. Over NVMe multipath, that of the first path which has one. False and an
 * empty path where there is none.
 */
bool temperature_find(const char *root, const struct disk *d, char path[SYSFS_PATH_BYTES]);

/*
 * Reads the sensor at `path` once, in degrees Celsius; false, and `celsius` kept, where it gives no
 * plausible value. May wait for the disk.
 */
bool temperature_read(const char *path, double *celsius);

struct temperature_watch {
	struct child child;
};

struct temperature_value {
	uint64_t at_ns;		/* of clock_ns() */
	double celsius;
};

/*
 * Begins to read the sensor at `path` every `every_ns`, at once for the first time, until
 * temperature_watch_end(). Returns 0 or -errno; also without a watch the other two may be called.
 * Not for a process with threads.
 */
int temperature_watch_start(struct temperature_watch *w, const char *path, uint64_t every_ns);
/* The next value that has arrived; false where there is none (yet). Never waits. */
bool temperature_watch_take(struct temperature_watch *w, struct temperature_value *value);
/* Ends the reading. A reader that hangs in the kernel is left behind; it goes when that lets it. */
void temperature_watch_end(struct temperature_watch *w);

#endif
