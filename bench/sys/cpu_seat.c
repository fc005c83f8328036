/* SPDX-License-Identifier: MIT */
/* Where CPUs sit, and which of them are fast; see cpu_seat.h. */
#include "bench/sys/cpu_seat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/sys/sysfs.h"

static void read_one(const char *cpus, struct cpu_seat *p)
{
	char name[32], dir[SYSFS_PATH_BYTES], path[SYSFS_PATH_BYTES];

	snprintf(name, sizeof(name), "cpu%u", p->place.cpu);
	if (!sysfs_join(dir, cpus, name))
		return;
	(void)sysfs_read_u64(dir, "cpu_capacity", &p->capacity);
	if (sysfs_join(path, dir, "cpufreq"))
		(void)sysfs_read_u64(path, "cpuinfo_max_freq", &p->max_khz);
}

/* x86 names its kinds of cores by their counters' folders where it states no capacity. */
static void read_kind(const char *root, const char *folder, uint64_t capacity,
		      struct cpu_seats *p)
{
	char devices[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	unsigned *list;
	size_t n;

	if (!sysfs_join(devices, root, "sys/devices") || !sysfs_join(dir, devices, folder))
		return;
	list = sysfs_read_list(dir, "cpus", &n);
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < n && !p->seat[i].capacity; k++)
			if (list[k] == p->seat[i].place.cpu)
				p->seat[i].capacity = capacity;
	free(list);
}

static int by_cpu(const void *a, const void *b)
{
	const struct cpu_seat *x = a, *y = b;

	return x->place.cpu < y->place.cpu ? -1 : x->place.cpu > y->place.cpu;
}

static int by_core(const void *a, const void *b)
{
	const struct cpu_seat *x = a, *y = b;
	int order = cpu_place_compare(&x->place, &y->place);

	return order ? order : by_cpu(a, b);
}

static bool is_same_core(const struct cpu_place *a, const struct cpu_place *b)
{
	return a->core >= 0 && cpu_place_compare(a, b) == 0;
}

/* Threads of one core are neighbours once the CPUs are sorted by their place. */
static void find_cores(struct cpu_seats *p)
{
	if (p->n > 1)
		qsort(p->seat, p->n, sizeof(*p->seat), by_core);
	for (size_t i = 0; i < p->n; i++) {
		struct cpu_seat *one = &p->seat[i];

		one->core_first = i && is_same_core(&one->place, &one[-1].place)
					  ? one[-1].core_first : one->place.cpu;
	}
	if (p->n > 1)
		qsort(p->seat, p->n, sizeof(*p->seat), by_cpu);
}

int cpu_seat_read(const char *root, const unsigned *cpu, size_t n, struct cpu_seats *p)
{
	char cpus[SYSFS_PATH_BYTES];

	*p = (struct cpu_seats){ .seat = calloc(n + 1, sizeof(*p->seat)) };
	if (!p->seat)
		return -ENOMEM;
	if (!sysfs_join(cpus, root, "sys/devices/system/cpu"))
		return -ENAMETOOLONG;
	p->n = n;
	for (size_t i = 0; i < n; i++) {
		cpu_place_read(cpus, cpu[i], &p->seat[i].place);
		read_one(cpus, &p->seat[i]);
	}
	read_kind(root, "cpu_core", 2, p);
	read_kind(root, "cpu_atom", 1, p);
	find_cores(p);
	return 0;
}

void cpu_seat_free(struct cpu_seats *p)
{
	free(p->seat);
	*p = (struct cpu_seats){ .seat = NULL };
}

size_t cpu_seat_cores(const struct cpu_seats *p, unsigned *cpu)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->seat[i].core_first == p->seat[i].place.cpu)
			cpu[n++] = p->seat[i].place.cpu;
	return n;
}

unsigned cpu_seat_fastest(const struct cpu_seats *p)
{
	const struct cpu_seat *best = &p->seat[0];

	for (size_t i = 1; i < p->n; i++) {
		const struct cpu_seat *one = &p->seat[i];

		if (one->capacity > best->capacity ||
		    (one->capacity == best->capacity && one->max_khz > best->max_khz))
			best = one;
	}
	return p->n ? best->place.cpu : 0;
}

unsigned cpu_seat_kinds(const struct cpu_seats *p)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < p->n; i++) {
		size_t k = 0;

		while (k < i && p->seat[k].capacity != p->seat[i].capacity)
			k++;
		kinds += k == i;
	}
	return kinds;
}
