/* SPDX-License-Identifier: MIT */
/* Energy counters of processors; see power.h. */
#include "bench/sys/power.h"

#include <stdio.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/model/report.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/sysfs.h"
#include "lib/clock.h"
#include "lib/text.h"

#define CONTROL "sys/class/powercap"
#define ZONE "intel-rapl:"	/* not intel-rapl-mmio, which counts the same again */
#define WATTS_MAX 2000.0

/* "package-0" for intel-rapl:0, "package-0 dram" for intel-rapl:0:1. */
static bool name_zone(const char *class, const char *zone, char name[64])
{
	char dir[SYSFS_PATH_BYTES], own[32], parent[32], above[64];
	const char *sub = strrchr(zone, ':');

	if (strncmp(zone, ZONE, sizeof(ZONE) - 1) || !zone[sizeof(ZONE) - 1] ||
	    !sysfs_join(dir, class, zone) ||
	    !sysfs_read_text(dir, "name", own, sizeof(own)))
		return false;
	text_copy(name, 64, own);
	if (sub == zone + sizeof(ZONE) - 2)
		return true;
	snprintf(above, sizeof(above), "%.*s", (int)(sub - zone), zone);
	if (sysfs_join(dir, class, above) && sysfs_read_text(dir, "name", parent, sizeof(parent)))
		snprintf(name, 64, "%s %s", parent, own);
	return true;
}

static void read_limit(const char *dir, struct power_domain *d)
{
	char file[64], name[64];
	uint64_t uw;

	for (int i = 0; i < 4 && !d->has_limit_watts; i++) {
		snprintf(file, sizeof(file), "constraint_%d_name", i);
		if (!sysfs_read_text(dir, file, name, sizeof(name)) || strcmp(name, "long_term"))
			continue;
		snprintf(file, sizeof(file), "constraint_%d_power_limit_uw", i);
		if (!sysfs_read_u64(dir, file, &uw) || !uw || (double)uw > WATTS_MAX * 1e6)
			continue;
		d->limit_watts = (double)uw / 1e6;
		d->has_limit_watts = true;
	}
}

void power_read(const char *root, struct machine_info *m)
{
	char class[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES], name[64];
	struct sysfs_names names;

	if (!sysfs_join(class, root, CONTROL) || sysfs_list(class, ".", &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		struct power_domain *d;

		if (!name_zone(class, names.name[i], name) ||
		    !(d = fields_add(&fields_machine, m, "power")))
			continue;
		text_copy(d->name, sizeof(d->name), name);
		if (sysfs_join(dir, class, names.name[i]))
			read_limit(dir, d);
	}
	sysfs_list_free(&names);
}

void power_begin(const char *root, struct power_meter *p)
{
	char class[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct sysfs_names names;

	*p = (struct power_meter){ .at_ns = clock_ns() };
	if (!sysfs_join(class, root, CONTROL) || sysfs_list(class, ".", &names) < 0)
		return;
	for (size_t i = 0; i < names.n && p->n < POWER_DOMAINS; i++) {
		struct power_reading *r = &p->reading[p->n];

		if (name_zone(class, names.name[i], r->name) &&
		    sysfs_join(dir, class, names.name[i]) &&
		    sysfs_read_u64(dir, "energy_uj", &r->energy_uj)) {
			sysfs_read_u64(dir, "max_energy_range_uj", &r->range_uj);
			p->n++;
		}
	}
	sysfs_list_free(&names);
}

uint64_t power_spent_uj(uint64_t before_uj, uint64_t after_uj, uint64_t range_uj)
{
	if (after_uj >= before_uj)
		return after_uj - before_uj;
	return before_uj <= range_uj ? range_uj - before_uj + after_uj : 0;
}

static void set_watts(struct machine_info *m, const char *name, double watts)
{
	for (uint32_t i = 0; i < REPORT_KEPT(m->power_n, m->power); i++)
		if (!strcmp(m->power[i].name, name)) {
			m->power[i].watts = watts;
			m->power[i].has_watts = true;
			return;
		}
}

void power_finish(const char *root, const struct power_meter *p, struct machine_info *m)
{
	struct power_meter now;
	double watts;

	power_begin(root, &now);
	if (now.at_ns < p->at_ns + POWER_LEAST_NS)
		return;
	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t k = 0; k < now.n; k++) {
			const struct power_reading *a = &p->reading[i], *b = &now.reading[k];

			if (strcmp(a->name, b->name))
				continue;
			/* microjoules in nanoseconds are thousands of watts */
			watts = (double)power_spent_uj(a->energy_uj, b->energy_uj, a->range_uj) *
				1e3 / (double)(now.at_ns - p->at_ns);
			if (watts > 0 && watts <= WATTS_MAX)
				set_watts(m, a->name, watts);
		}
}
