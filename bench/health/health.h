/* SPDX-License-Identifier: MIT */
/*
 * Asks every disk for its health and puts one struct health for each into the report.
 *
 * Nothing that is sent changes a device's state: no self-test is started, SMART is not switched on,
 * a drive that sleeps is not woken. docs/health.md says what is read from where.
 */
#ifndef BENCH_HEALTH_HEALTH_H
#define BENCH_HEALTH_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/model/report.h"
#include "bench/sys/disk.h"

#define HEALTH_ONE_MS 10000	/* longest wait for one answer */
#define HEALTH_ALL_MS 60000	/* for all of them */

struct health_request {
	const struct disk_list *disks;	/* as discovered, before anything was redacted */
	size_t first;		/* the entries before it are left out */
	const char *when;	/* "start" or "end" */
	bool with_raw;		/* keep what was answered */
	bool with_hidden;	/* also the devices behind RAID controllers that have no name */
	const char *smartctl;	/* path of the program; NULL: it is looked for, "": there is none */
	unsigned one_ms;	/* longest wait for one answer; 0: HEALTH_ONE_MS */
	uint64_t deadline_ns;	/* of clock_ns(), of the run */
	int stop_fd;		/* readable: end at once; -1: there is none */
};

/*
 * Reads the health of the disks of `q`. What cannot be read gets an entry with its reason, so that
 * every disk has one. Devices that are no disks, were excluded, or are another path to a disk have
 * none. Returns 0 or -ENOMEM; then some are missing.
 */
int health_read(struct report *r, const struct health_request *q);
/* How many devices get an entry; those that are hidden behind controllers come on top. */
size_t health_count(const struct disk_list *disks, size_t first);

#endif
