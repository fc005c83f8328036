/* SPDX-License-Identifier: MIT */
/*
 * Caches as the kernel found them, equal ones as one row. Each is counted where the first of the
 * CPUs that share it is met.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/sys/cpu_places.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define INDEXES_MAX 16	/* more caches than any CPU sees */
#define CACHES (sizeof(((struct cpu_info *)0)->caches) / sizeof(struct cpu_cache))

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

/* Threads that share the cache; `is_first`: this CPU is the first of them. 0: not known. */
static uint32_t read_sharing(const char *dir, unsigned cpu, bool *is_first)
{
	size_t n;
	unsigned *list = sysfs_read_list(dir, "shared_cpu_list", &n);

	*is_first = !list || list[0] == cpu;
	free(list);
	return (uint32_t)n;
}

static struct cpu_cache *find(struct cpu_info *c, const struct cpu_cache *cache)
{
	for (size_t i = 0; i < c->caches_n && i < CACHES; i++) {
		struct cpu_cache *known = &c->caches[i];

		if (known->level == cache->level && !strcmp(known->type, cache->type) &&
		    known->size_bytes == cache->size_bytes &&
		    known->shared_threads == cache->shared_threads)
			return known;
	}
	return NULL;
}

static void read_cache(const char *dir, unsigned cpu, struct cpu_info *c)
{
	struct cpu_cache cache = { .level = 0 }, *known;
	uint64_t level = 0;
	bool is_first;

	if (!sysfs_read_u64(dir, "level", &level) || level < 1 || level > 4)
		return;
	cache.level = (uint32_t)level;
	if (sysfs_read_text(dir, "type", cache.type, sizeof(cache.type)) &&
	    cache.type[0] >= 'A' && cache.type[0] <= 'Z')
		cache.type[0] = (char)(cache.type[0] - 'A' + 'a');
	cache.size_bytes = read_size(dir);
	cache.shared_threads = read_sharing(dir, cpu, &is_first);
	if (!is_first)
		return;
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

void cpu_cache_read(const struct cpu_set_online *s, struct cpu_info *c)
{
	char name[64], dir[SYSFS_PATH_BYTES];

	for (size_t i = 0; i < s->n; i++)
		for (unsigned index = 0; index < INDEXES_MAX; index++) {
			snprintf(name, sizeof(name), "cpu%u/cache/index%u", s->cpu[i], index);
			if (!sysfs_join(dir, s->dir, name) || !sysfs_exists(dir, "level"))
				break;
			read_cache(dir, s->cpu[i], c);
		}
	if (c->caches_n)
		qsort(c->caches, c->caches_n < CACHES ? c->caches_n : CACHES, sizeof(*c->caches),
		      by_level);
}
