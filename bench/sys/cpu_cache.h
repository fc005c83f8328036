/* SPDX-License-Identifier: MIT */
/* Caches as one CPU sees them, below /sys/devices/system/cpu. */
#ifndef BENCH_SYS_CPU_CACHE_H
#define BENCH_SYS_CPU_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_CACHE_LEVELS 4
#define CPU_CACHE_INDEXES 16	/* more caches than any CPU sees */

struct cpu_cache_view {
	unsigned level;		/* 1 to CPU_CACHE_LEVELS; 0: not known */
	char type[16];		/* data, instruction or unified */
	uint64_t size_bytes;	/* 0: not known */
	uint64_t line_bytes;	/* 0: not known */
	uint32_t shared_threads;	/* 0: not known */
	unsigned first_cpu;	/* of those that share it; the CPU itself where that is not known */
};

/* The cache `index` of a CPU, below `root`. False where there is none: its last one is before. */
bool cpu_cache_look(const char *root, unsigned cpu, unsigned index, struct cpu_cache_view *c);
/* Size of the last-level caches of these CPUs, each counted once; 0: not known. */
uint64_t cpu_cache_last_bytes(const char *root, const unsigned *cpu, size_t n);

#endif
