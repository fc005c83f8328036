/* SPDX-License-Identifier: MIT */
/*
 * The levels of cache between a processor and its memory, as sysfs states them, and which amount of
 * data is well inside each.
 */
#ifndef BENCH_TESTS_MEM_LEVELS_H
#define BENCH_TESTS_MEM_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "bench/sys/cpu_cache.h"

#define MEM_LEVELS_MAX CPU_CACHE_LEVELS

struct mem_levels {
	uint64_t size_bytes[MEM_LEVELS_MAX];	/* of level 1, 2 ..., for data; 0: there is none */
	uint64_t last_bytes;	/* the last level that the CPU reaches; 0: not known */
	uint64_t all_bytes;	/* the last levels of all CPUs together */
	uint32_t line_bytes;	/* at least 64 */
};

/* The caches of `cpu`, and of all that are online, out of <root>/sys/devices/system/cpu. */
void mem_levels_read(const char *root, unsigned cpu, struct mem_levels *l);

/*
 * Which of `n` ascending sizes is well inside the level of index `level`: 1.25 times the level
 * below or more (else that one would answer), no more than three quarters of this one, and nearest
 * to the middle of the two on a logarithmic scale; in level 1 nearest to a half. `n`: none is, or
 * there is no such level.
 */
size_t mem_levels_inside(const struct mem_levels *l, unsigned level, const uint64_t *size,
			 size_t n);
/* The same for memory itself: the last of the sizes, where it is twice the last level or more. */
size_t mem_levels_beyond(const struct mem_levels *l, const uint64_t *size, size_t n);

#endif
