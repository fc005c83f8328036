/* SPDX-License-Identifier: MIT */
/*
 * What the machine is made of, as rows of the head: what bench.sh does not know of. A row that
 * nothing is known for is left out; report.json has it all.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/report/text.h"
#include "bench/report/text_row.h"
#include "bench/report/units.h"

static const char *hertz(char *buf, size_t size, uint64_t hz)
{
	return units_metric(buf, size, UNIT_HERTZ, (double)hz);
}

static void put_frequency(struct page *p, const struct cpu_info *c)
{
	char text[PAGE_TEXT_BYTES] = "";

	if (c->min_hz && c->max_hz)
		text_row_join(text, ", ", "%s to %s", hertz(UNITS_BUF, c->min_hz),
			      hertz(UNITS_BUF, c->max_hz));
	else if (c->max_hz)
		text_row_join(text, ", ", "up to %s", hertz(UNITS_BUF, c->max_hz));
	if (c->base_hz)
		text_row_join(text, ", ", "base %s", hertz(UNITS_BUF, c->base_hz));
	if (c->boost != TRI_UNKNOWN)
		text_row_join(text, ", ", "boost %s", c->boost == TRI_YES ? "on" : "off");
	if (*c->governor)
		text_row_join(text, ", ", "governor %s", c->governor);
	if (*c->driver)
		text_row_join(text, " ", "(%s)", c->driver);
	text_row_known(p, "CPU frequency", text);
}

static void put_caches(struct page *p, const struct cpu_info *c)
{
	char text[PAGE_TEXT_BYTES] = "", times[24];

	for (size_t i = 0; i < REPORT_KEPT(c->caches_n, c->caches); i++) {
		const struct cpu_cache *cache = &c->caches[i];

		if (!cache->size_bytes)
			continue;
		snprintf(times, sizeof(times), "%" PRIu32 " x ", cache->count);
		text_row_join(text, ", ", "L%" PRIu32 "%s %s%s", cache->level,
			      !strcmp(cache->type, "data") ? "d" :
			      !strcmp(cache->type, "instruction") ? "i" : "",
			      cache->count > 1 ? times : "",
			      units_block(UNITS_BUF, cache->size_bytes));
	}
	text_row_known(p, "CPU caches", text);
}

static void put_kinds(struct page *p, const struct cpu_info *c)
{
	char text[PAGE_TEXT_BYTES] = "";

	if (c->kinds_n < 2)
		return;
	for (size_t i = 0; i < REPORT_KEPT(c->kinds_n, c->kinds); i++) {
		const struct cpu_kind *k = &c->kinds[i];

		text_row_join(text, "; ", "%s: %" PRIu32 " threads (%s)%s%s", k->name, k->threads,
			      k->cpus, k->max_hz ? " up to " : "",
			      k->max_hz ? hertz(UNITS_BUF, k->max_hz) : "");
	}
	text_row_known(p, "Kinds of cores", text);
}

static void put_nodes(struct page *p, const struct cpu_info *c)
{
	char text[PAGE_TEXT_BYTES] = "";

	if (c->nodes_n < 2)
		return;
	for (size_t i = 0; i < REPORT_KEPT(c->nodes_n, c->nodes); i++) {
		const struct numa_node *n = &c->nodes[i];

		text_row_join(text, "; ", "node %" PRIu32 ": CPUs %s%s%s", n->node,
			      *n->cpus ? n->cpus : "none", n->memory_bytes ? ", " : "",
			      n->memory_bytes ? units_bytes_binary(UNITS_BUF, n->memory_bytes)
					      : "");
	}
	text_row_known(p, "NUMA", text);
}

void text_put_processors(struct page *p, const struct machine_info *m)
{
	const struct cpu_info *c = &m->cpu;

	text_row(p, "CPU model", "%s", c->model);
	if (!c->cores && !c->threads) {
		text_row(p, "Number of cores", "%s", "");
	} else {
		char text[PAGE_TEXT_BYTES] = "";

		text_row_join(text, "", "%s", c->cores ? units_count(UNITS_BUF, c->cores) : "");
		if (c->threads)
			text_row_join(text, " ", "(%s threads)", units_count(UNITS_BUF,
									   c->threads));
		if (c->sockets > 1)
			text_row_join(text, ", ", "%" PRIu32 " sockets", c->sockets);
		if (c->threads_offline)
			text_row_join(text, ", ", "%" PRIu32 " threads offline",
				      c->threads_offline);
		if (c->threads_allowed && c->threads_allowed < c->threads)
			text_row_join(text, ", ", "this run may use %" PRIu32,
				      c->threads_allowed);
		if (!strcmp(c->smt, "off") || !strcmp(c->smt, "forceoff"))
			text_row_join(text, ", ", "SMT %s", c->smt);
		text_row(p, "Number of cores", "%s", text);
	}
	put_kinds(p, c);
	put_frequency(p, c);
	put_caches(p, c);
	text_row_known(p, "CPU features", c->flags);
	text_row_known(p, "Microcode", c->microcode);
	put_nodes(p, c);
}

/* Modules that look the same from outside. */
static bool is_alike(const struct memory_module *a, const struct memory_module *b)
{
	return a->size_bytes == b->size_bytes && a->rated_mt_per_s == b->rated_mt_per_s &&
	       a->speed_mt_per_s == b->speed_mt_per_s && !strcmp(a->type, b->type) &&
	       !strcmp(a->maker, b->maker) && !strcmp(a->part, b->part) &&
	       a->total_bits == b->total_bits;
}

/* "4 x 16 GiB DDR4-2666 ECC, Samsung M393A2K43BB1-CTD, at 2400 MT/s": once for all alike. */
static void join_module(char *text, const struct memory_info *m, size_t first)
{
	const struct memory_module *module = &m->module[first];
	uint32_t n = 0;
	char rated[16] = "";

	for (size_t i = 0; i < REPORT_KEPT(m->module_n, m->module); i++) {
		if (!is_alike(&m->module[i], module))
			continue;
		if (i < first)
			return;
		n++;
	}
	if (module->rated_mt_per_s)
		snprintf(rated, sizeof(rated), "-%" PRIu32, module->rated_mt_per_s);
	text_row_join(text, "; ", "%" PRIu32 " x %s %s%s%s", n,
		      units_block(UNITS_BUF, module->size_bytes), module->type, rated,
		      module->data_bits && module->total_bits > module->data_bits ? " ECC" : "");
	if (*module->maker || *module->part)
		text_row_join(text, ", ", "%s%s%s", module->maker,
			      *module->maker && *module->part ? " " : "", module->part);
	if (module->speed_mt_per_s && module->speed_mt_per_s != module->rated_mt_per_s)
		text_row_join(text, ", ", "runs at %" PRIu32 " MT/s", module->speed_mt_per_s);
}

void text_put_memory(struct page *p, const struct machine_info *m)
{
	const struct memory_info *memory = &m->memory;
	char text[PAGE_TEXT_BYTES] = "";
	uint32_t used = 0;

	if (m->memory_bytes)
		text_row_join(text, "", "%s", units_bytes_binary(UNITS_BUF, m->memory_bytes));
	if (memory->installed_bytes)
		text_row_join(text, ", ", "%s installed",
			      units_block(UNITS_BUF, memory->installed_bytes));
	if (*memory->ecc)
		text_row_join(text, ", ", "error correction: %s", memory->ecc);
	text_row(p, "Total amount of Mem", "%s", text);
	text[0] = '\0';
	for (size_t i = 0; i < REPORT_KEPT(memory->module_n, memory->module); i++)
		if (memory->module[i].size_bytes) {
			join_module(text, memory, i);
			used++;
		}
	if (used && memory->slots)
		text_row_join(text, "; ", "%" PRIu32 " of %" PRIu32 " slots", used, memory->slots);
	text_row_known(p, "Memory modules", text);
	if (memory->swap_bytes)
		text_row(p, "Total amount of Swap", "%s",
			 units_bytes_binary(UNITS_BUF, memory->swap_bytes));
}

static void put_driverless(struct page *p, const struct machine_info *m)
{
	const char *key = "Without a driver";

	for (size_t i = 0; i < REPORT_KEPT(m->pci_n, m->pci); i++) {
		const struct pci_device *d = &m->pci[i];

		if (!d->wanted || *d->driver)
			continue;
		text_row(p, key, "%s: %s %s%s%s%s", d->address,
			 *d->vendor ? d->vendor : "unknown maker",
			 *d->device ? d->device : "unknown device", *d->class_name ? " (" : "",
			 d->class_name, *d->class_name ? ")" : "");
		key = "";
	}
}

static void put_arrays(struct page *p, const struct machine_info *m)
{
	const char *key = "Volumes";

	for (size_t i = 0; i < REPORT_KEPT(m->arrays_n, m->arrays); i++) {
		const struct storage_array *a = &m->arrays[i];
		char text[PAGE_TEXT_BYTES] = "";

		text_row_join(text, "", "%s%s%s", *a->name ? a->name : "without a name",
			      *a->kind ? ": " : "", a->kind);
		if (*a->level)
			text_row_join(text, " ", "%s", a->level);
		if (a->size_bytes)
			text_row_join(text, ", ", "%s", units_bytes(UNITS_BUF, a->size_bytes));
		if (*a->state)
			text_row_join(text, ", ", "%s", a->state);
		if (*a->members)
			text_row_join(text, ", ", "on %s", a->members);
		if (a->members_wanted)
			text_row_join(text, " ", "(%" PRIu32 " members wanted)", a->members_wanted);
		text_row(p, key, "%s", text);
		key = "";
	}
}

/* The hottest sensor, with its limit where it has one. */
static void put_heat(struct page *p, const struct machine_info *m)
{
	const struct sensor *hottest = NULL;
	char limit[UNITS_BYTES];

	for (size_t i = 0; i < REPORT_KEPT(m->sensors_n, m->sensors); i++) {
		const struct sensor *s = &m->sensors[i];

		if (s->unit == UNIT_CELSIUS && s->has_value &&
		    (!hottest || s->value > hottest->value))
			hottest = s;
	}
	if (!hottest)
		return;
	units_metric(limit, sizeof(limit), UNIT_CELSIUS, hottest->has_critical ? hottest->critical
		     : hottest->max);
	text_row(p, "Hottest sensor", "%s %s: %.0f C%s%s%s", hottest->chip, hottest->label,
		 hottest->value, hottest->has_critical || hottest->has_max ? " (limit " : "",
		 hottest->has_critical || hottest->has_max ? limit : "",
		 hottest->has_critical || hottest->has_max ? ")" : "");
}

static void put_power(struct page *p, const struct machine_info *m)
{
	char text[PAGE_TEXT_BYTES] = "";

	for (size_t i = 0; i < REPORT_KEPT(m->power_n, m->power); i++) {
		const struct power_domain *d = &m->power[i];

		if (!d->has_watts)
			continue;
		text_row_join(text, ", ", "%s %.1f W", d->name, d->watts);
		if (d->has_limit_watts)
			text_row_join(text, " ", "of %.0f W", d->limit_watts);
	}
	text_row_known(p, "Power before tests", text);
}

void text_put_devices(struct page *p, const struct machine_info *m)
{
	put_driverless(p, m);
	put_arrays(p, m);
	put_heat(p, m);
	put_power(p, m);
}

/* "sda2" and "nvme0n1p1" lie on "sda" and "nvme0n1". */
static bool is_on(const char *device, const char *disk)
{
	size_t len = strlen(disk);
	const char *rest = device + len;

	if (!len || strncmp(device, disk, len))
		return false;
	if (disk[len - 1] >= '0' && disk[len - 1] <= '9' && *rest == 'p' && rest[1])
		rest++;
	else if (disk[len - 1] >= '0' && disk[len - 1] <= '9' && *rest)
		return false;
	return strspn(rest, "0123456789") == strlen(rest);
}

const char *text_holds(char *buf, const struct machine_info *m, const char *disk)
{
	*buf = '\0';
	for (size_t i = 0; i < REPORT_KEPT(m->signatures_n, m->signatures); i++) {
		const struct signature *s = &m->signatures[i];

		if (!is_on(s->device, disk))
			continue;
		text_row_join(buf, ", ", "%s%s%s%s", s->type, *s->label ? " \"" : "", s->label,
			      *s->label ? "\"" : "");
		if (strcmp(s->device, disk))
			text_row_join(buf, " ", "(%s)", s->device);
	}
	return buf;
}
