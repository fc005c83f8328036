/* SPDX-License-Identifier: MIT */
/*
 * One pass over /proc/cpuinfo, which has another form on each architecture and in each decade. Only
 * "key : value" lines are relied on; a value may hold colons itself.
 */
#ifndef BENCH_SYS_CPUINFO_H
#define BENCH_SYS_CPUINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/sys/cpu_places.h"
#include "bench/sys/disk.h"

#define CPUINFO_PARTS_MAX 8
#define CPUINFO_NAMES 7

struct cpuinfo {
	char name[CPUINFO_NAMES][DISK_TEXT_BYTES];	/* what may be one, best first */
	char vendor[64], implementer[32], microcode[32], machine[32];
	char part[CPUINFO_PARTS_MAX][32];	/* different ones */
	size_t part_n;
	int32_t family, model, stepping;	/* of x86; -1: none */
	unsigned processor_n;		/* numbered processors */
	unsigned active_n;		/* "ncpus active" (sparc) */
	bool lone_arm;			/* "Processor" holds a name: there is at least one */
	bool has_flags, has_hypervisor;	/* of x86 */
	char flags[256];		/* those that matter, separated by blanks */
	struct cpu_places places;	/* of x86 topology lines, one per processor */
	int64_t package;		/* the "physical id" that was seen last */
};

void cpuinfo_read(const char *root, struct cpuinfo *c);
void cpuinfo_free(struct cpuinfo *c);
/* The name by which a processor goes, from `c` alone. False without one. */
bool cpuinfo_name(const struct cpuinfo *c, char *to, size_t size);
/* CPUID's vendor, or the company whose number implementer is. */
void cpuinfo_vendor(const struct cpuinfo *c, char *to, size_t size);

#endif
