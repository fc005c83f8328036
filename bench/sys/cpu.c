/* SPDX-License-Identifier: MIT */
/*
 * The processors: their name from the first place that has one, their number from the kernel's
 * lists.
 *
 * /proc/cpuinfo has another form on each architecture and in each decade. Only "key : value" lines
 * are relied on; a value may hold colons itself.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/placeholder.h"
#include "bench/sys/sysfs.h"
#include "lib/cpu_list.h"
#include "lib/file.h"
#include "lib/text.h"

#define CPUINFO_BYTES_MAX (64u << 20)	/* 1,280 CPUs take about 2 MB */
#define PARTS_MAX 8

/* Keys that may hold the processor's name, best first. */
static const char *const name_keys[] = {
	"model name",	/* x86, some arm */
	"Model Name",	/* loongarch */
	"Processor",	/* older arm */
	"cpu model",	/* mips */
	"cpu",		/* ppc, sparc */
	"Model",
	"uarch",	/* riscv */
};
#define NAME_KEYS (sizeof(name_keys) / sizeof(*name_keys))

struct core {
	int64_t package, die, id;
};

/* What one pass over /proc/cpuinfo gathers. */
struct cpuinfo {
	char name[NAME_KEYS][DISK_TEXT_BYTES];
	char vendor[64], implementer[32], microcode[32], machine[32];
	char part[PARTS_MAX][32];	/* different ones */
	size_t part_n;
	unsigned processor_n;		/* numbered processors */
	unsigned active_n;		/* "ncpus active" (sparc) */
	bool has_flags, has_hypervisor;
	struct core *core;		/* of x86 topology lines, one per processor; owned */
	size_t core_n, core_room;
	int64_t package;		/* the "physical id" that was seen last */
};

static void add_part(struct cpuinfo *c, const char *value)
{
	for (size_t i = 0; i < c->part_n; i++)
		if (!strcmp(c->part[i], value))
			return;
	if (c->part_n < PARTS_MAX)
		text_clean_str(c->part[c->part_n++], sizeof(c->part[0]), value);
}

static void add_core(struct cpuinfo *c, int64_t package, int64_t die, int64_t id)
{
	if (c->core_n == c->core_room) {
		size_t room = c->core_room ? c->core_room * 2 : 64;
		struct core *more = reallocarray(c->core, room, sizeof(*more));

		if (!more)
			return;
		c->core = more;
		c->core_room = room;
	}
	c->core[c->core_n++] = (struct core){ .package = package, .die = die, .id = id };
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = text; (s = strstr(s, word)); s += n)
		if ((s == text || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
			return true;
	return false;
}

/* s390 has "processor 8: version = FF,  identification = 1A2B3C,  machine = 8561". */
static void take_s390(struct cpuinfo *c, const char *value)
{
	const char *machine = strstr(value, "machine = ");

	c->processor_n++;
	if (machine && !c->machine[0])
		snprintf(c->machine, sizeof(c->machine), "%.*s",
			 (int)strcspn(machine + 10, ", \t"), machine + 10);
}

static void take_pair(struct cpuinfo *c, const char *key, const char *value)
{
	/* "Processor" (older arm) may also number a processor */
	bool is_number = value[0] && strspn(value, "0123456789") == strlen(value);

	for (size_t i = 0; i < NAME_KEYS; i++)
		if (!strcmp(key, name_keys[i]) && !c->name[i][0] && !is_number)
			text_clean_str(c->name[i], sizeof(c->name[i]), value);
	if (!strcmp(key, "processor") && is_number)
		c->processor_n++;
	else if (!strncmp(key, "processor ", 10))
		take_s390(c, value);
	else if (!strcmp(key, "ncpus active"))
		c->active_n = (unsigned)strtoul(value, NULL, 10);
	else if (!strcmp(key, "vendor_id") && !c->vendor[0])
		text_clean_str(c->vendor, sizeof(c->vendor), value);
	else if (!strcmp(key, "CPU implementer") && !c->implementer[0])
		text_clean_str(c->implementer, sizeof(c->implementer), value);
	else if (!strcmp(key, "CPU part"))
		add_part(c, value);
	else if (!strcmp(key, "microcode") && !c->microcode[0])
		text_clean_str(c->microcode, sizeof(c->microcode), value);
	else if (!strcmp(key, "physical id"))
		c->package = strtoll(value, NULL, 10);
	else if (!strcmp(key, "core id"))
		add_core(c, c->package, 0, strtoll(value, NULL, 10));
	else if (!strcmp(key, "flags") && !c->has_flags) {
		c->has_flags = true;
		c->has_hypervisor = has_word(value, "hypervisor");
	}
}

static void take_line(struct cpuinfo *c, char *line)
{
	char *value = strchr(line, ':'), *end;

	if (!value)
		return;
	for (end = value; end > line && strchr(" \t", end[-1]); end--)
		;
	*end = '\0';
	value += 1 + strspn(value + 1, " \t");
	for (end = value + strlen(value); end > value && strchr(" \t\r", end[-1]); end--)
		;
	*end = '\0';
	take_pair(c, line, value);
}

static void read_cpuinfo(const char *root, struct cpuinfo *c)
{
	char path[SYSFS_PATH_BYTES], *text, *line, *rest;
	size_t len;

	*c = (struct cpuinfo){ .core = NULL };
	if (!sysfs_join(path, root, "proc/cpuinfo") ||
	    file_load(path, CPUINFO_BYTES_MAX, &text, &len) < 0)
		return;
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\0')
			text[i] = '?';
	for (rest = text; (line = strsep(&rest, "\n"));)
		take_line(c, line);
	free(text);
}

/* "ARM implementer 0x41 parts 0xd85, 0xd87": all that such a cpuinfo tells. */
static bool name_by_parts(const struct cpuinfo *c, char *to, size_t size)
{
	size_t n;

	if (!c->implementer[0] || !c->part_n)
		return false;
	n = (size_t)snprintf(to, size, "ARM implementer %s part%s", c->implementer,
			     c->part_n > 1 ? "s" : "");
	for (size_t i = 0; i < c->part_n && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s %s", i ? "," : "", c->part[i]);
	return true;
}

static void choose_name(const char *root, const struct cpuinfo *c, char *to, size_t size)
{
	char dir[SYSFS_PATH_BYTES];

	for (size_t i = 0; i < NAME_KEYS; i++)
		if (!placeholder_text(c->name[i])) {
			text_copy(to, size, c->name[i]);
			return;
		}
	if (name_by_parts(c, to, size))
		return;
	if (c->machine[0]) {
		snprintf(to, size, "%s%smachine %s", c->vendor, c->vendor[0] ? " " : "",
			 c->machine);
		return;
	}
	if (sysfs_join(dir, root, "proc/device-tree") && sysfs_read_text(dir, "model", to, size))
		return;
	if (!dmi_read_processor(root, to, size))
		text_copy(to, size, c->vendor);
}

static int by_place(const void *a, const void *b)
{
	const struct core *x = a, *y = b;

	if (x->package != y->package)
		return x->package < y->package ? -1 : 1;
	if (x->die != y->die)
		return x->die < y->die ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Core numbers have holes and repeat in each package: what counts are different places. */
static void count_cores(struct core *core, size_t n, struct machine_info *m)
{
	qsort(core, n, sizeof(*core), by_place);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || by_place(&core[i], &core[i - 1]))
			m->cpu.cores++;
		if (i == 0 || core[i].package != core[i - 1].package)
			m->cpu.sockets++;
	}
}

/* Reads topology/ of each CPU that is online. False where none says where it sits. */
static bool read_topology(const char *cpus, const unsigned *cpu, size_t n, struct machine_info *m)
{
	struct cpuinfo places = { .core = NULL };
	char name[32], dir[SYSFS_PATH_BYTES];

	for (size_t i = 0; i < n; i++) {
		int64_t package = -1, die = 0, id = -1;

		snprintf(name, sizeof(name), "cpu%u/topology", cpu[i]);
		if (!sysfs_join(dir, cpus, name))
			continue;
		sysfs_read_i64(dir, "physical_package_id", &package);
		sysfs_read_i64(dir, "die_id", &die);
		/* -1 stands for "not known" */
		if (sysfs_read_i64(dir, "core_id", &id) && id >= 0 && package >= 0)
			add_core(&places, package, die, id);
	}
	if (places.core_n)
		count_cores(places.core, places.core_n, m);
	free(places.core);
	return places.core_n > 0;
}

/* The CPUs that are online: the kernel's list, or the folders that do not say they are not. */
static unsigned *read_online(const char *cpus, size_t *n)
{
	char path[SYSFS_PATH_BYTES], *text;
	struct sysfs_names names;
	unsigned *list = NULL;
	size_t len;

	*n = 0;
	if (sysfs_join(path, cpus, "online") && file_load(path, 1 << 20, &text, &len) == 0) {
		list = cpu_list_parse(text, n);
		free(text);
	}
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

void cpu_read(const char *root, struct machine_info *m)
{
	char cpus[SYSFS_PATH_BYTES] = "";
	struct cpuinfo info;
	unsigned *online = NULL;
	size_t n = 0;

	read_cpuinfo(root, &info);
	choose_name(root, &info, m->cpu.model, sizeof(m->cpu.model));
	text_copy(m->cpu.microcode, sizeof(m->cpu.microcode), info.microcode);
	if (sysfs_join(cpus, root, "sys/devices/system/cpu")) {
		online = read_online(cpus, &n);
		if (!m->cpu.microcode[0])
			sysfs_read_text(cpus, "cpu0/microcode/version", m->cpu.microcode,
					sizeof(m->cpu.microcode));
	}
	m->cpu.threads = (uint32_t)n;
	if (!n)
		m->cpu.threads = info.processor_n ? info.processor_n : info.active_n;
	/* a single old arm core is not numbered: there is only its name, under "Processor" */
	if (!m->cpu.threads && info.name[2][0])
		m->cpu.threads = 1;
	if ((!n || !read_topology(cpus, online, n, m)) && info.core_n)
		count_cores(info.core, info.core_n, m);
	free(online);
	free(info.core);
}

bool cpu_read_hypervisor(const char *root, bool *has_hypervisor)
{
	struct cpuinfo info;

	read_cpuinfo(root, &info);
	free(info.core);
	*has_hypervisor = info.has_hypervisor;
	return info.has_flags;
}
