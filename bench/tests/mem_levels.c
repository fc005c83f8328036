/* SPDX-License-Identifier: MIT */
/* The levels of cache; see mem_levels.h. */
#include "bench/tests/mem_levels.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/sysfs.h"

#define LINE_MIN_BYTES 64
#define LINE_MAX_BYTES 1024

/* The last levels of all CPUs that are online. */
static uint64_t sum_last(const char *root)
{
	char dir[SYSFS_PATH_BYTES];
	unsigned *cpu;
	uint64_t sum;
	size_t n;

	if (!sysfs_join(dir, root, "sys/devices/system/cpu"))
		return 0;
	cpu = sysfs_read_list(dir, "online", &n);
	sum = cpu_cache_last_bytes(root, cpu, n);
	free(cpu);
	return sum;
}

void mem_levels_read(const char *root, unsigned cpu, struct mem_levels *l)
{
	struct cpu_cache_view c;

	memset(l, 0, sizeof(*l));
	l->line_bytes = LINE_MIN_BYTES;
	for (unsigned i = 0; i < CPU_CACHE_INDEXES && cpu_cache_look(root, cpu, i, &c); i++) {
		if (!c.level || !strcmp(c.type, "instruction"))
			continue;
		if (c.size_bytes > l->size_bytes[c.level - 1])
			l->size_bytes[c.level - 1] = c.size_bytes;
		if (c.line_bytes > l->line_bytes && c.line_bytes <= LINE_MAX_BYTES &&
		    c.line_bytes % LINE_MIN_BYTES == 0)
			l->line_bytes = (uint32_t)c.line_bytes;
	}
	for (unsigned i = 0; i < MEM_LEVELS_MAX; i++)
		if (l->size_bytes[i])
			l->last_bytes = l->size_bytes[i];
	l->all_bytes = sum_last(root);
	if (l->all_bytes < l->last_bytes)
		l->all_bytes = l->last_bytes;
}

size_t mem_levels_inside(const struct mem_levels *l, unsigned level, const uint64_t *size,
			 size_t n)
{
	double below = 0, own, middle, nearest = INFINITY;
	size_t best = n;

	if (level >= MEM_LEVELS_MAX || !l->size_bytes[level])
		return n;
	own = (double)l->size_bytes[level];
	for (unsigned i = 0; i < level; i++)
		if (l->size_bytes[i])
			below = (double)l->size_bytes[i];
	middle = below > 0 ? sqrt(below * own) : own / 2;
	for (size_t i = 0; i < n; i++) {
		double far = fabs(log((double)size[i] / middle));

		if ((double)size[i] < below * 1.25 || (double)size[i] > own * 0.75 ||
		    far >= nearest)
			continue;
		nearest = far;
		best = i;
	}
	return best;
}

size_t mem_levels_beyond(const struct mem_levels *l, const uint64_t *size, size_t n)
{
	if (n == 0 || l->last_bytes == 0 || size[n - 1] / 2 < l->last_bytes)
		return n;
	return n - 1;
}
