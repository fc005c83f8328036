/* SPDX-License-Identifier: MIT */
/*
 * The processors: their name from the first place that has one, their number from the kernel's
 * lists; frequencies, caches, kinds and nodes have files of their own.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bench/sys/cpu_places.h"
#include "bench/sys/cpuinfo.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

/* Behind /proc/cpuinfo stand the device tree and the firmware. */
static void choose_name(const char *root, const struct cpuinfo *info, char *to, size_t size)
{
	char dir[SYSFS_PATH_BYTES];

	if (cpuinfo_name(info, to, size))
		return;
	if (sysfs_join(dir, root, "proc/device-tree") && sysfs_read_text(dir, "model", to, size))
		return;
	if (!dmi_read_processor(root, to, size))
		text_copy(to, size, info->vendor);
}

static void count_by_cpuinfo(struct cpuinfo *info, struct cpu_info *c)
{
	if (!c->threads)
		c->threads = info->processor_n ? info->processor_n : info->active_n;
	/* a single old arm core is not numbered: there is only its name, under "Processor" */
	if (!c->threads && info->lone_arm)
		c->threads = 1;
	if (!c->cores)
		cpu_places_count(&info->places, c);
}

/* "@ 3.30GHz" at the end of a name is what the maker guarantees. */
static uint64_t hz_by_name(const char *model)
{
	const char *at = strrchr(model, '@');
	char unit[8];
	double value;

	if (!at || sscanf(at, "@ %lf%7s", &value, unit) != 2 || !(value > 0 && value < 10000))
		return 0;
	if (!strcmp(unit, "GHz") && value < 100)
		return (uint64_t)(value * 1000 + 0.5) * 1000000;
	return strcmp(unit, "MHz") ? 0 : (uint64_t)(value + 0.5) * 1000000;
}

void cpu_read(const char *root, struct machine_info *m)
{
	struct cpu_info *c = &m->cpu;
	struct cpu_set_online online;
	struct cpuinfo info;

	cpuinfo_read(root, &info);
	choose_name(root, &info, c->model, sizeof(c->model));
	cpuinfo_vendor(&info, c->vendor, sizeof(c->vendor));
	c->family = info.family;
	c->model_number = info.model;
	c->stepping = info.stepping;
	text_copy(c->microcode, sizeof(c->microcode), info.microcode);
	text_copy(c->flags, sizeof(c->flags), info.flags);
	cpu_places_read(root, &online, c);
	if (!c->microcode[0] && online.dir[0])
		sysfs_read_text(online.dir, "cpu0/microcode/version", c->microcode,
				sizeof(c->microcode));
	/* a hypervisor that keeps it to itself */
	if (!strcmp(c->microcode, "0xffffffff"))
		c->microcode[0] = '\0';
	cpu_places_count(&online.places, c);
	count_by_cpuinfo(&info, c);
	if (!c->sockets)
		c->sockets = dmi_count_processors(root);
	cpu_freq_read(&online, c);
	if (!c->base_hz)
		c->base_hz = hz_by_name(c->model);
	cpu_cache_read(root, &online, c);
	cpu_kinds_read(root, &online, c);
	numa_read(root, c);
	cpu_places_close(&online);
	cpuinfo_free(&info);
}

bool cpu_read_hypervisor(const char *root, bool *has_hypervisor)
{
	struct cpuinfo info;

	cpuinfo_read(root, &info);
	cpuinfo_free(&info);
	*has_hypervisor = info.has_hypervisor;
	return info.has_flags;
}
