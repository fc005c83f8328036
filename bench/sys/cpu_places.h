/* SPDX-License-Identifier: MIT */
/*
 * Which processors are online and where each sits. Lists of any length and with holes: there are
 * machines with more than 1,024 CPUs, and such whose every second one is offline.
 */
#ifndef BENCH_SYS_CPU_PLACES_H
#define BENCH_SYS_CPU_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "bench/model/machine.h"

struct cpu_place {
	int64_t package, die, core;	/* -1: not told */
	/*
	 * The lowest CPU of those that the kernel takes for the same core; -1: not told. Where a
	 * device tree has clusters of cores, `core` begins again in each of them.
	 */
	int64_t first;
	unsigned cpu;
};

struct cpu_places {
	struct cpu_place *place;	/* owned */
	size_t n, room;
};

/* What the readers of sysfs share. */
struct cpu_set_online {
	char dir[1024];		/* <root>/sys/devices/system/cpu */
	unsigned *cpu;		/* owned; ascending */
	size_t n;
	struct cpu_places places;	/* of those whose place is known */
};

/* Reads where a CPU sits, out of the folder `cpus` (/sys/devices/system/cpu). */
void cpu_place_read(const char *cpus, unsigned cpu, struct cpu_place *p);
/* Orders by package, then by core; 0: they are of the same core. */
int cpu_place_compare(const struct cpu_place *a, const struct cpu_place *b);

void cpu_places_add(struct cpu_places *p, struct cpu_place place);
/* Sorts them by place, and fills cores and sockets. */
void cpu_places_count(struct cpu_places *p, struct cpu_info *c);
void cpu_places_free(struct cpu_places *p);

/* Fills `s`, threads, threads_offline, threads_allowed and smt; what is not known stays 0. */
void cpu_places_read(const char *root, struct cpu_set_online *s, struct cpu_info *c);
void cpu_places_close(struct cpu_set_online *s);

/* cpu_freq.c: frequencies, governors, driver, boost and throttle counters. */
void cpu_freq_read(const struct cpu_set_online *s, struct cpu_info *c);
/* cpu_freq.c: the throttle counters alone. After cpu_places_count. */
void cpu_freq_read_throttles(const struct cpu_set_online *s, struct cpu_info *c);
/* cpu_cache.c: caches with their sharing and number. */
void cpu_cache_read(const char *root, const struct cpu_set_online *s, struct cpu_info *c);
/* cpu_kinds.c: kinds of cores, where there is more than one. */
void cpu_kinds_read(const char *root, const struct cpu_set_online *s, struct cpu_info *c);
/* numa.c: nodes with their CPUs and memory. */
void numa_read(const char *root, struct cpu_info *c);

#endif
