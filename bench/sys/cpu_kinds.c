/* SPDX-License-Identifier: MIT */
/*
 * Kinds of cores in one processor: Intel's hybrids have a performance counter unit for each kind
 * (/sys/devices/cpu_core, cpu_atom), arm's kernels a capacity for each CPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/sys/cpu_places.h"
#include "bench/sys/sysfs.h"
#include "lib/cpu_list.h"
#include "lib/text.h"

static const struct {
	const char *unit, *name;
} units[] = {
	{ "cpu_core", "performance" }, { "cpu_atom", "efficiency" },
	{ "cpu_lowpower", "low power" },
};
#define UNITS (sizeof(units) / sizeof(*units))

static uint64_t max_hz(const struct cpu_set_online *s, const unsigned *cpu, size_t n)
{
	uint64_t highest = 0, khz;
	char name[64];

	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "cpu%u/cpufreq/cpuinfo_max_freq", cpu[i]);
		if (sysfs_read_u64(s->dir, name, &khz) && khz < 1000000000 && khz > highest)
			highest = khz;
	}
	return highest * 1000;
}

static void add_kind(const struct cpu_set_online *s, const char *name, const unsigned *cpu,
		     size_t n, struct cpu_info *c)
{
	struct cpu_kind *kind = fields_add(&fields_cpu, c, "kinds");

	if (!kind)
		return;
	text_copy(kind->name, sizeof(kind->name), name);
	cpu_list_print(cpu, n, kind->cpus, sizeof(kind->cpus));
	kind->threads = (uint32_t)n;
	kind->max_hz = max_hz(s, cpu, n);
}

static unsigned *read_unit(const char *root, const char *unit, size_t *n)
{
	char devices[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];

	*n = 0;
	if (!sysfs_join(devices, root, "sys/devices") || !sysfs_join(dir, devices, unit))
		return NULL;
	return sysfs_read_list(dir, "cpus", n);
}

static void read_units(const char *root, const struct cpu_set_online *s, struct cpu_info *c)
{
	unsigned *cpu[UNITS];
	size_t n[UNITS], kinds = 0;

	for (size_t i = 0; i < UNITS; i++) {
		cpu[i] = read_unit(root, units[i].unit, &n[i]);
		kinds += n[i] > 0;
	}
	/* cpu_core alone: a hybrid whose other cores are off */
	for (size_t i = 0; i < UNITS; i++) {
		if (kinds > 1 && n[i])
			add_kind(s, units[i].name, cpu[i], n[i], c);
		free(cpu[i]);
	}
}

struct capacity {
	uint64_t value;
	unsigned cpu;
};

static int by_capacity(const void *a, const void *b)
{
	const struct capacity *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void read_capacities(const struct cpu_set_online *s, struct cpu_info *c)
{
	struct capacity *all = calloc(s->n + 1, sizeof(*all));
	unsigned *cpu = calloc(s->n + 1, sizeof(*cpu));
	size_t n = 0, first = 0;
	char name[64];

	for (size_t i = 0; all && cpu && i < s->n; i++) {
		snprintf(name, sizeof(name), "cpu%u/cpu_capacity", s->cpu[i]);
		all[n].cpu = s->cpu[i];
		n += sysfs_read_u64(s->dir, name, &all[n].value);
	}
	if (n)
		qsort(all, n, sizeof(*all), by_capacity);
	if (!n || n < s->n || all[0].value == all[n - 1].value)
		n = 0;
	for (size_t i = 0; i < n; i++) {
		cpu[i] = all[i].cpu;
		if (i + 1 < n && all[i + 1].value == all[i].value)
			continue;
		snprintf(name, sizeof(name), "capacity %llu", (unsigned long long)all[i].value);
		add_kind(s, name, cpu + first, i + 1 - first, c);
		first = i + 1;
	}
	free(all);
	free(cpu);
}

void cpu_kinds_read(const char *root, const struct cpu_set_online *s, struct cpu_info *c)
{
	read_units(root, s, c);
	if (!c->kinds_n)
		read_capacities(s, c);
}
