/* SPDX-License-Identifier: MIT */
/* Where a measuring thread runs: on the CPUs of its device's NUMA node. */
#ifndef BENCH_IO_PLACE_H
#define BENCH_IO_PLACE_H

#include <stddef.h>

/*
 * Keeps the calling thread to the CPUs of `numa_node` (-1: not known) that it may run on already.
 * All of them, not one: which is idle the scheduler knows best, with other disks measured beside
 * this one. Nothing changes where none of the node's CPUs is allowed, where it has none, or where
 * it is not known. `root` comes before /sys ("" for the machine itself).
 *
 * Returns how many CPUs it was kept to, 0 where nothing changed, -errno.
 */
int place_thread(const char *root, int numa_node);

/* How many CPUs the calling thread may run on, of machines of any size; -errno. */
int place_cpus(void);

/*
 * The numbers of these CPUs, ascending, in malloc'ed memory (caller frees). Returns their count or
 * -errno.
 */
int place_allowed(unsigned **allowed);

/*
 * Keeps the calling thread to these CPUs. Returns 0 or -errno; -EINVAL: none of them is online and
 * allowed.
 */
int place_keep_to(const unsigned *cpu, size_t n);

/*
 * The CPUs out of `allowed` (ascending) that are on the node, in malloc'ed memory (caller frees).
 * Returns their number, 0 with *near = NULL where there are none, -ENOMEM.
 */
int place_near(const char *root, int numa_node, const unsigned *allowed, size_t allowed_n,
	       unsigned **near);

#endif
