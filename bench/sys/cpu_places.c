/* SPDX-License-Identifier: MIT */
/* Which processors are online, and where each sits; see cpu_places.h. */
#include "bench/sys/cpu_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/sysfs.h"
#include "lib/cpu_list.h"
#include "lib/file.h"

#define STATUS_BYTES_MAX (1u << 20)

void cpu_places_add(struct cpu_places *p, struct cpu_place place)
{
	if (p->n == p->room) {
		size_t room = p->room ? p->room * 2 : 64;
		struct cpu_place *more = reallocarray(p->place, room, sizeof(*more));

		if (!more)
			return;
		p->place = more;
		p->room = room;
	}
	p->place[p->n++] = place;
}

void cpu_places_free(struct cpu_places *p)
{
	free(p->place);
	*p = (struct cpu_places){ .place = NULL };
}

void cpu_place_read(const char *cpus, unsigned cpu, struct cpu_place *p)
{
	char name[32], dir[SYSFS_PATH_BYTES];
	unsigned *siblings;
	size_t n;

	*p = (struct cpu_place){ .package = -1, .die = -1, .core = -1, .first = -1, .cpu = cpu };
	snprintf(name, sizeof(name), "cpu%u/topology", cpu);
	if (!sysfs_join(dir, cpus, name))
		return;
	sysfs_read_i64(dir, "physical_package_id", &p->package);
	sysfs_read_i64(dir, "die_id", &p->die);
	sysfs_read_i64(dir, "core_id", &p->core);
	siblings = sysfs_read_list(dir, "core_cpus_list", &n);
	if (!siblings)		/* kernels before 5.3 */
		siblings = sysfs_read_list(dir, "thread_siblings_list", &n);
	if (siblings)
		p->first = siblings[0];
	free(siblings);
}

int cpu_place_compare(const struct cpu_place *a, const struct cpu_place *b)
{
	const int64_t x[] = { a->package, a->die, a->first, a->core };
	const int64_t y[] = { b->package, b->die, b->first, b->core };
	size_t i = 0;

	while (i < 3 && x[i] == y[i])
		i++;
	return x[i] < y[i] ? -1 : x[i] > y[i];
}

static int by_place(const void *a, const void *b)
{
	return cpu_place_compare(a, b);
}

/* Core numbers have holes and repeat in each package: what counts are different places. */
void cpu_places_count(struct cpu_places *p, struct cpu_info *c)
{
	if (p->n)
		qsort(p->place, p->n, sizeof(*p->place), by_place);
	for (size_t i = 0; i < p->n; i++) {
		const struct cpu_place *core = &p->place[i];

		if (i == 0 || cpu_place_compare(core, core - 1))
			c->cores++;
		if (i == 0 || core->package != core[-1].package)
			c->sockets++;
	}
}

/* Reads topology/ of each CPU that is online. */
static void read_places(struct cpu_set_online *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct cpu_place p;

		cpu_place_read(s->dir, s->cpu[i], &p);
		if (p.core >= 0 && p.package >= 0)
			cpu_places_add(&s->places, p);
	}
}

/* The CPUs that are online: the kernel's list, or the folders that do not say they are not. */
static unsigned *read_online(const char *cpus, size_t *n)
{
	unsigned *list = sysfs_read_list(cpus, "online", n);
	struct sysfs_names names;
	char path[SYSFS_PATH_BYTES];

	if (list || sysfs_list(cpus, ".", &names) < 0)
		return list;
	list = calloc(names.n + 1, sizeof(*list));
	for (size_t i = 0; list && i < names.n; i++) {
		unsigned cpu;
		uint64_t online = 1;
		int used = 0;

		if (sscanf(names.name[i], "cpu%u%n", &cpu, &used) != 1 || names.name[i][used] ||
		    !sysfs_join(path, cpus, names.name[i]))
			continue;
		sysfs_read_u64(path, "online", &online);
		if (online)
			list[(*n)++] = cpu;
	}
	sysfs_list_free(&names);
	return list;
}

static int by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static bool is_online(const struct cpu_set_online *s, unsigned cpu)
{
	return s->n && bsearch(&cpu, s->cpu, s->n, sizeof(*s->cpu), by_number);
}

/* Of `possible`, which more CPUs may be plugged into, only `present` ones are there. */
static uint32_t count_offline(const struct cpu_set_online *s)
{
	size_t n;
	unsigned *present = sysfs_read_list(s->dir, "present", &n);
	uint32_t offline = 0;

	for (size_t i = 0; i < n; i++)
		offline += !is_online(s, present[i]);
	free(present);
	return offline;
}

/*
 * What the run may use: the kernel's list for this process (affinity and cpuset), which may name
 * CPUs that do not exist. A list is not limited to the 1,024 CPUs of a cpu_set_t.
 */
static uint32_t count_allowed(const char *root, const struct cpu_set_online *s)
{
	static const char key[] = "\nCpus_allowed_list:";
	char path[SYSFS_PATH_BYTES], *text, *list, *end;
	uint32_t allowed = 0;
	unsigned *cpu;
	size_t len, n;

	if (!sysfs_join(path, root, "proc/self/status") ||
	    file_load(path, STATUS_BYTES_MAX, &text, &len) < 0)
		return 0;
	list = strstr(text, key);
	if (list) {
		list += sizeof(key) - 1;
		list += strspn(list, " \t");
		end = strchr(list, '\n');
		if (end)
			*end = '\0';
		cpu = cpu_list_parse(list, &n);
		for (size_t i = 0; i < n; i++)
			allowed += is_online(s, cpu[i]);
		free(cpu);
	}
	free(text);
	return allowed;
}

void cpu_places_read(const char *root, struct cpu_set_online *s, struct cpu_info *c)
{
	*s = (struct cpu_set_online){ .cpu = NULL };
	if (!sysfs_join(s->dir, root, "sys/devices/system/cpu"))
		return;
	s->cpu = read_online(s->dir, &s->n);
	if (s->n)
		qsort(s->cpu, s->n, sizeof(*s->cpu), by_number);
	c->threads = (uint32_t)s->n;
	if (s->n) {
		c->threads_offline = count_offline(s);
		c->threads_allowed = count_allowed(root, s);
	}
	sysfs_read_text(s->dir, "smt/control", c->smt, sizeof(c->smt));
	read_places(s);
}

void cpu_places_close(struct cpu_set_online *s)
{
	free(s->cpu);
	cpu_places_free(&s->places);
	*s = (struct cpu_set_online){ .cpu = NULL };
}
