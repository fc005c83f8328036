/* SPDX-License-Identifier: MIT */
/*
 * Memory errors that the memory controllers counted since boot (EDAC). A controller has modules
 * (dimm*) or ranks (rank*), older kernels rows (csrow*): the first of these that there is names the
 * place; the controller itself stands there for errors without a place, or where there is none.
 */
#include <stdio.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/order.h"
#include "bench/sys/sysfs.h"

/* What is below a controller, best first, and how its counters are called. */
static const struct level {
	const char *prefix, *corrected, *uncorrected;
} levels[] = {
	{ "dimm", "dimm_ce_count", "dimm_ue_count" },
	{ "rank", "dimm_ce_count", "dimm_ue_count" },
	{ "csrow", "ce_count", "ue_count" },
};

struct controller {
	char dir[SYSFS_PATH_BYTES];
	char name[32], kind[64];
};

static int64_t read_count(const char *dir, const char *name)
{
	uint64_t count;

	return sysfs_read_u64(dir, name, &count) && count <= INT64_MAX ? (int64_t)count : -1;
}

/* Adds a row where it has errors, or where it has none: those with errors are wanted first. */
static bool add(struct machine_info *m, const struct controller *c, const struct edac_counter *e,
		bool with_errors)
{
	struct edac_counter *to;

	if (e->corrected < 0 && e->uncorrected < 0)
		return false;
	if ((e->corrected > 0 || e->uncorrected > 0) != with_errors)
		return true;
	to = fields_add(&fields_memory, &m->memory, "edac");
	if (to) {
		*to = *e;
		snprintf(to->kind, sizeof(to->kind), "%s", c->kind);
	}
	return true;
}

static bool add_place(struct machine_info *m, const struct controller *c, const char *name,
		      const struct level *level, bool with_errors)
{
	struct edac_counter e = { .corrected = -1 };
	char dir[SYSFS_PATH_BYTES], label[40];

	if (!sysfs_join(dir, c->dir, name))
		return false;
	e.corrected = read_count(dir, level->corrected);
	e.uncorrected = read_count(dir, level->uncorrected);
	sysfs_read_text(dir, "dimm_label", label, sizeof(label));
	snprintf(e.name, sizeof(e.name), "%.10s %.11s%s%s", c->name, name, label[0] ? " " : "",
		 label);
	return add(m, c, &e, with_errors);
}

static bool is_numbered(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return !strncmp(name, prefix, n) && name[n] && strspn(name + n, "0123456789") ==
		strlen(name + n);
}

/* The places of the best level there is. False where the controller has none that counts. */
static bool add_places(struct machine_info *m, const struct controller *c, bool with_errors)
{
	struct sysfs_names names;
	bool any = false;

	if (sysfs_list(c->dir, ".", &names) < 0)
		return false;
	order_sort(names.name, names.n);
	for (size_t k = 0; k < sizeof(levels) / sizeof(*levels) && !any; k++)
		for (size_t i = 0; i < names.n; i++)
			if (is_numbered(names.name[i], levels[k].prefix))
				any |= add_place(m, c, names.name[i], &levels[k], with_errors);
	sysfs_list_free(&names);
	return any;
}

static void read_controller(struct machine_info *m, const struct controller *c, bool with_errors)
{
	struct edac_counter e = { .corrected = -1 };

	snprintf(e.name, sizeof(e.name), "%s", c->name);
	if (add_places(m, c, with_errors)) {
		e.corrected = read_count(c->dir, "ce_noinfo_count");
		e.uncorrected = read_count(c->dir, "ue_noinfo_count");
		if (e.corrected > 0 || e.uncorrected > 0)
			add(m, c, &e, with_errors);
		return;
	}
	e.corrected = read_count(c->dir, "ce_count");
	e.uncorrected = read_count(c->dir, "ue_count");
	add(m, c, &e, with_errors);
}

void edac_read(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES];
	struct sysfs_names names;

	if (!sysfs_join(dir, root, "sys/devices/system/edac/mc") ||
	    sysfs_list(dir, ".", &names) < 0)
		return;
	order_sort(names.name, names.n);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < names.n; i++) {
			struct controller c;

			if (!is_numbered(names.name[i], "mc") ||
			    !sysfs_join(c.dir, dir, names.name[i]))
				continue;
			snprintf(c.name, sizeof(c.name), "%s", names.name[i]);
			sysfs_read_text(c.dir, "mc_name", c.kind, sizeof(c.kind));
			read_controller(m, &c, pass == 0);
		}
	sysfs_list_free(&names);
}
