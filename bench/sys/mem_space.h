/* SPDX-License-Identifier: MIT */
/*
 * How much memory a test may take without taking it from anybody: never more than half of what is
 * free, and for the pattern test all but a reserve.
 *
 * Free is MemAvailable, or what the control groups of this process still allow where that is less:
 * exceeding either ends in the kernel killing somebody.
 */
#ifndef BENCH_SYS_MEM_SPACE_H
#define BENCH_SYS_MEM_SPACE_H

#include <stdint.h>

struct mem_space {
	uint64_t total_bytes;	/* MemTotal */
	uint64_t free_bytes;
};

/* Returns 0, or -ENODATA where <root>/proc/meminfo does not say. */
int mem_space_read(const char *root, struct mem_space *s);
/*
 * What must stay free while memory is being filled: a sixteenth of all, but at least 24 MiB (what
 * the appliance's other programs and an upload need) and at most 2 GiB.
 */
uint64_t mem_space_reserve(const struct mem_space *s);
/* What is free beyond the reserve. */
uint64_t mem_space_room(const struct mem_space *s);
/* Half of what is free, and at most `limit_bytes`. */
uint64_t mem_space_half(const struct mem_space *s, uint64_t limit_bytes);

#endif
