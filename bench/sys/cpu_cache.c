/* SPDX-License-Identifier: MIT */
/*
 * Caches as the kernel found them, equal ones as one row. Each is counted where the first of the
 * CPUs that share it is met.
 */
#include "bench/sys/cpu_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/model/report.h"
#include "bench/sys/cpu_places.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"


/* "32K", "8192K", "1M". */
static uint64_t read_size(const char *dir)
{
	unsigned long long value;
	char text[32], unit = 0, more;

	if (!sysfs_read_text(dir, "size", text, sizeof(text)) || text[0] == '-' ||
	    sscanf(text, "%llu%c%c", &value, &unit, &more) != 2 || value > UINT32_MAX)
		return 0;
	return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : unit == 'G' ?
	       value << 30 : 0;
}

bool cpu_cache_look(const char *root, unsigned cpu, unsigned index, struct cpu_cache_view *c)
{
	char name[96], dir[SYSFS_PATH_BYTES];
	unsigned *list;
	uint64_t level;
	size_t n;

	*c = (struct cpu_cache_view){ .first_cpu = cpu };
	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%u/cache/index%u", cpu, index);
	if (!sysfs_join(dir, root, name) || !sysfs_exists(dir, "level"))
		return false;
	if (sysfs_read_u64(dir, "level", &level) && level <= CPU_CACHE_LEVELS)
		c->level = (unsigned)level;
	if (sysfs_read_text(dir, "type", c->type, sizeof(c->type)) &&
	    c->type[0] >= 'A' && c->type[0] <= 'Z')
		c->type[0] = (char)(c->type[0] - 'A' + 'a');
	c->size_bytes = read_size(dir);
	sysfs_read_u64(dir, "coherency_line_size", &c->line_bytes);
	list = sysfs_read_list(dir, "shared_cpu_list", &n);
	if (list)
		c->first_cpu = list[0];
	c->shared_threads = (uint32_t)n;
	free(list);
	return true;
}

/* The last level of one CPU that holds data. */
static bool look_at_last(const char *root, unsigned cpu, struct cpu_cache_view *last)
{
	struct cpu_cache_view c;

	last->level = 0;
	for (unsigned i = 0; i < CPU_CACHE_INDEXES && cpu_cache_look(root, cpu, i, &c); i++)
		if (c.level > last->level && c.size_bytes && strcmp(c.type, "instruction"))
			*last = c;
	return last->level > 0;
}

uint64_t cpu_cache_last_bytes(const char *root, const unsigned *cpu, size_t n)
{
	unsigned *seen = calloc(n + 1, sizeof(*seen));
	struct cpu_cache_view last;
	size_t seen_n = 0;
	uint64_t sum = 0;

	for (size_t i = 0; seen && i < n; i++) {
		size_t k = 0;

		if (!look_at_last(root, cpu[i], &last))
			continue;
		while (k < seen_n && seen[k] != last.first_cpu)
			k++;
		if (k < seen_n)
			continue;
		seen[seen_n++] = last.first_cpu;
		sum += last.size_bytes;
	}
	free(seen);
	return sum;
}

static struct cpu_cache *find(struct cpu_info *c, const struct cpu_cache *cache)
{
	for (size_t i = 0; i < REPORT_KEPT(c->caches_n, c->caches); i++) {
		struct cpu_cache *known = &c->caches[i];

		if (known->level == cache->level && !strcmp(known->type, cache->type) &&
		    known->size_bytes == cache->size_bytes &&
		    known->shared_threads == cache->shared_threads)
			return known;
	}
	return NULL;
}

static void add(struct cpu_info *c, const struct cpu_cache_view *view)
{
	struct cpu_cache cache = {
		.level = view->level, .size_bytes = view->size_bytes,
		.shared_threads = view->shared_threads,
	}, *known;

	text_copy(cache.type, sizeof(cache.type), view->type);
	known = find(c, &cache);
	if (!known && (known = fields_add(&fields_cpu, c, "caches")))
		*known = cache;
	/* without a list of those that share it, how many there are is not known */
	if (known && cache.shared_threads)
		known->count++;
}

/* By level, then type (data, instruction, unified), then the larger first. */
static int by_level(const void *a, const void *b)
{
	const struct cpu_cache *x = a, *y = b;
	int types = strcmp(x->type, y->type);

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (types)
		return types;
	return x->size_bytes > y->size_bytes ? -1 : x->size_bytes < y->size_bytes;
}

void cpu_cache_read(const char *root, const struct cpu_set_online *s, struct cpu_info *c)
{
	struct cpu_cache_view view;

	for (size_t i = 0; i < s->n; i++)
		for (unsigned k = 0; k < CPU_CACHE_INDEXES &&
		     cpu_cache_look(root, s->cpu[i], k, &view); k++)
			if (view.level && view.first_cpu == s->cpu[i])
				add(c, &view);
	if (c->caches_n)
		qsort(c->caches, REPORT_KEPT(c->caches_n, c->caches), sizeof(*c->caches),
		      by_level);
}
