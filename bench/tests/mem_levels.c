/* SPDX-License-Identifier: MIT */
/* The levels of cache; see mem_levels.h. */
#include "bench/tests/mem_levels.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/sysfs.h"
#include "lib/cpu_list.h"
#include "lib/file.h"

#define INDICES_MAX 16		/* caches of one CPU */
#define LINE_MIN_BYTES 64
#define LINE_MAX_BYTES 1024
#define LIST_BYTES 65536

struct cache {
	unsigned level;
	uint64_t size_bytes;
	uint64_t line_bytes;
	unsigned first_cpu;	/* of those that share it */
};

/* "48K" as sysfs has it. 0: no such text. */
static uint64_t parse_size(const char *text)
{
	char *end;
	unsigned long long v = strtoull(text, &end, 10);
	unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

	if (text[0] < '0' || text[0] > '9' || v > UINT64_MAX >> 34)
		return 0;
	return (uint64_t)v << shift;
}

/* The lowest CPU of a cache's list that is online; `cpu` where there is no list. */
static unsigned first_of(const char *dir, unsigned cpu)
{
	char path[SYSFS_PATH_BYTES + 32], *text = malloc(LIST_BYTES);
	unsigned *list = NULL, first = cpu;
	size_t n;

	snprintf(path, sizeof(path), "%s/shared_cpu_list", dir);
	if (text && file_read(path, text, LIST_BYTES) > 0)
		list = cpu_list_parse(text, &n);
	if (list)
		first = list[0];
	free(list);
	free(text);
	return first;
}

/* One cache for data. False where there is none of that index, or it is for instructions. */
static bool read_cache(const char *root, unsigned cpu, unsigned index, struct cache *c)
{
	char dir[SYSFS_PATH_BYTES], text[32];
	uint64_t level;

	if (snprintf(dir, sizeof(dir), "%s/sys/devices/system/cpu/cpu%u/cache/index%u", root, cpu,
		     index) >= (int)sizeof(dir))
		return false;
	if (!sysfs_read_text(dir, "type", text, sizeof(text)) || !strcmp(text, "Instruction"))
		return false;
	if (!sysfs_read_u64(dir, "level", &level) || level < 1 || level > MEM_LEVELS_MAX)
		return false;
	if (!sysfs_read_text(dir, "size", text, sizeof(text)))
		return false;
	c->level = (unsigned)level;
	c->size_bytes = parse_size(text);
	c->line_bytes = 0;
	sysfs_read_u64(dir, "coherency_line_size", &c->line_bytes);
	c->first_cpu = first_of(dir, cpu);
	return c->size_bytes > 0;
}

/* The last level for data of one CPU. */
static bool read_last(const char *root, unsigned cpu, struct cache *last)
{
	struct cache c;

	last->level = 0;
	for (unsigned i = 0; i < INDICES_MAX; i++)
		if (read_cache(root, cpu, i, &c) && c.level > last->level)
			*last = c;
	return last->level > 0;
}

/* Each last level once: with the first of the CPUs that share it. */
static uint64_t sum_last(const char *root)
{
	char path[SYSFS_PATH_BYTES], *text = malloc(LIST_BYTES);
	unsigned *cpu = NULL;
	uint64_t sum = 0;
	struct cache last;
	size_t n = 0;

	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/online", root);
	if (text && file_read(path, text, LIST_BYTES) > 0)
		cpu = cpu_list_parse(text, &n);
	for (size_t i = 0; cpu && i < n; i++)
		if (read_last(root, cpu[i], &last) && last.first_cpu == cpu[i])
			sum += last.size_bytes;
	free(cpu);
	free(text);
	return sum;
}

void mem_levels_read(const char *root, unsigned cpu, struct mem_levels *l)
{
	struct cache c;

	memset(l, 0, sizeof(*l));
	l->line_bytes = LINE_MIN_BYTES;
	for (unsigned i = 0; i < INDICES_MAX; i++) {
		if (!read_cache(root, cpu, i, &c))
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
