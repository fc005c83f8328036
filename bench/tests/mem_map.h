/* SPDX-License-Identifier: MIT */
/*
 * Memory to measure, in huge pages where they can be had: with small ones the walks through page
 * tables would be measured too, and how much depends on settings of the system at hand.
 */
#ifndef BENCH_TESTS_MEM_MAP_H
#define BENCH_TESTS_MEM_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct mem_map {
	void *at;		/* on a boundary of MEM_MAP_HUGE_BYTES */
	uint64_t bytes;		/* a multiple of it */
	void *mapped;		/* of the kernel, in all */
	uint64_t mapped_bytes;
	bool reserved;		/* on pages that the system sets aside as huge (hugetlbfs) */
};

#define MEM_MAP_HUGE_BYTES (UINT64_C(2) << 20)

/*
 * Maps `bytes`, rounded up; none of it is touched. With `reserved` from the system's reserve of
 * huge pages, where that holds enough; else with the advice to make them huge. Returns 0 or -errno.
 */
int mem_map_new(struct mem_map *m, uint64_t bytes, bool reserved);
void mem_map_free(struct mem_map *m);
/*
 * How much of what was touched lies in huge pages, by <root>/proc/self/smaps. Returns false where
 * that does not say.
 */
bool mem_map_huge_bytes(const char *root, const struct mem_map *m, uint64_t *bytes);

#endif
