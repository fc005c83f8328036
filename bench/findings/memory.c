/* SPDX-License-Identifier: MIT */
/* Finding rules over the memory: what is fitted, how it runs, what it lost. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"
#include "lib/text.h"

#define MODULES_MAX (sizeof(((struct memory_info *)0)->module) / sizeof(struct memory_module))
#define MIB_BYTES (UINT64_C(1) << 20)

/* Fitted modules, up to what the report keeps. */
static size_t fitted(const struct report *r, const struct memory_module *out[MODULES_MAX])
{
	const struct memory_info *m = &r->machine.memory;
	size_t n = 0;

	for (uint32_t i = 0; i < REPORT_KEPT(m->module_n, m->module); i++)
		if (m->module[i].size_bytes)
			out[n++] = &m->module[i];
	return n;
}

int find_memory_slow(struct report *r, const struct finding_rule *rule)
{
	const struct memory_module *d[MODULES_MAX], *first = NULL;
	size_t n = fitted(r, d), slow = 0;

	for (size_t i = 0; i < n; i++)
		if (d[i]->speed_mt_per_s && d[i]->speed_mt_per_s < d[i]->rated_mt_per_s) {
			first = first ? first : d[i];
			slow++;
		}
	return !slow ? 0 :
	       ADD("", "%zu of %zu memory modules run slower than they are made for: %s%s%s at %u "
		       "MT/s instead of %u.", slow, n, first->slot, *first->slot ? " " : "",
		       *first->part ? first->part : first->type, first->speed_mt_per_s,
		       first->rated_mt_per_s);
}

/* "DIMM_A1 16.0 GiB 2666 MT/s PART" */
static const char *describe(const struct memory_module *m, char *buf, size_t size)
{
	char speed[24] = "";

	if (m->rated_mt_per_s)
		snprintf(speed, sizeof(speed), " %u MT/s", m->rated_mt_per_s);
	snprintf(buf, size, "%.24s%s%s%s%s%.32s", m->slot, *m->slot ? " " : "",
		 units_bytes_binary(UNITS_BUF, m->size_bytes), speed, *m->part ? " " : "", m->part);
	return buf;
}

static bool differ(const struct memory_module *a, const struct memory_module *b)
{
	return a->size_bytes != b->size_bytes ||
	       (*a->part && *b->part && strcmp(a->part, b->part)) ||
	       (a->rated_mt_per_s && b->rated_mt_per_s && a->rated_mt_per_s != b->rated_mt_per_s);
}

int find_memory_mixed(struct report *r, const struct finding_rule *rule)
{
	const struct memory_module *d[MODULES_MAX];
	size_t n = fitted(r, d);
	char one[128], other[128];

	for (size_t i = 1; i < n; i++)
		if (differ(d[0], d[i]))
			return ADD("", "The %zu memory modules are not alike: %s, but %s.", n,
				   describe(d[0], one, sizeof(one)),
				   describe(d[i], other, sizeof(other)));
	return 0;
}

/*
 * The part of a slot's name that names its channel: up to the letter in "DIMM_A1", "P1-DIMMB2",
 * "ChannelA-DIMM0", "CPU0 CHANNEL C". Returns its length; 0 where the name follows another scheme
 * (a bare "A1" may count the processors, and "DIMM 3" says nothing).
 */
static size_t channel_of(const char *slot)
{
	char lower[64];
	size_t len = text_copy(lower, sizeof(lower), slot);
	const char *at;

	len = len < sizeof(lower) ? len : sizeof(lower) - 1;
	for (size_t i = 0; i < len; i++)
		lower[i] = (char)tolower((unsigned char)lower[i]);
	at = strstr(lower, "channel");
	if (at) {
		at += strlen("channel");
		at += *at == ' ' || *at == '_' || *at == '-';
		return *at >= 'a' && *at <= 'p' && !isalpha((unsigned char)at[1]) ?
		       (size_t)(at - lower) + 1 : 0;
	}
	at = strstr(lower, "dimm");
	if (!at)
		return 0;
	at += strlen("dimm");
	at += *at == ' ' || *at == '_' || *at == '-';
	return *at >= 'a' && *at <= 'p' && isdigit((unsigned char)at[1]) ?
	       (size_t)(at - lower) + 1 : 0;
}

struct channels {
	struct {
		const char *name;
		size_t name_len;
		uint64_t bytes;
	} at[MODULES_MAX];
	size_t n, used;
};

/* Returns false where a slot's channel is not known. */
static bool sum_channels(const struct memory_info *m, struct channels *c)
{
	for (uint32_t i = 0; i < m->module_n; i++) {
		const struct memory_module *d = &m->module[i];
		const char *name = channel_of(d->slot) ? d->slot : d->bank;
		size_t len = channel_of(name), k = 0;

		if (!len)
			return false;
		while (k < c->n && (c->at[k].name_len != len ||
				    strncmp(c->at[k].name, name, len)))
			k++;
		if (k == c->n) {
			c->at[k].name = name;
			c->at[k].name_len = len;
			c->n++;
		}
		c->used += !c->at[k].bytes && d->size_bytes;
		c->at[k].bytes += d->size_bytes;
	}
	return c->n > 1;
}

static int tell_channels(struct report *r, const struct finding_rule *rule,
			 const struct channels *c)
{
	size_t most = 0, least = 0;

	if (c->used < c->n)
		return ADD("", "Only %zu of %zu memory channels %s a module: memory is read and "
			       "written at that share of its speed.", c->used, c->n,
			   c->used == 1 ? "has" : "have");
	for (size_t i = 1; i < c->n; i++) {
		most = c->at[i].bytes > c->at[most].bytes ? i : most;
		least = c->at[i].bytes < c->at[least].bytes ? i : least;
	}
	if (c->at[most].bytes == c->at[least].bytes)
		return 0;
	return ADD("", "Memory channels are filled unevenly: %s at %.*s, %s at %.*s.",
		   units_bytes_binary(UNITS_BUF, c->at[most].bytes),
		   (int)c->at[most].name_len, c->at[most].name,
		   units_bytes_binary(UNITS_BUF, c->at[least].bytes),
		   (int)c->at[least].name_len, c->at[least].name);
}

int find_memory_uneven(struct report *r, const struct finding_rule *rule)
{
	const struct memory_module *d[MODULES_MAX];
	struct channels c = { .n = 0 };
	size_t n = fitted(r, d), sockets = r->machine.cpu.sockets;

	if (!n || r->machine.memory.module_n > MODULES_MAX)
		return 0;
	if (sum_channels(&r->machine.memory, &c))
		return tell_channels(r, rule, &c);
	/* without names of channels only this is certain */
	if (sockets > 1 && n % sockets)
		return ADD("", "%zu memory modules cannot be spread evenly over %zu processors.", n,
			   sockets);
	return 0;
}

int find_memory_missing(struct report *r, const struct finding_rule *rule)
{
	uint64_t fitted_bytes = r->machine.memory.installed_bytes, seen = r->machine.memory_bytes;

	if (!fitted_bytes || !seen || seen >= fitted_bytes ||
	    fitted_bytes - seen <= MEMORY_MISSING_MIB * MIB_BYTES ||
	    seen >= fitted_bytes / 100 * (100 - MEMORY_MISSING_PERCENT))
		return 0;
	return ADD("", "%s of memory are fitted, the kernel has %s.",
		   units_bytes_binary(UNITS_BUF, fitted_bytes),
		   units_bytes_binary(UNITS_BUF, seen));
}

int find_memory_ecc_errors(struct report *r, const struct finding_rule *rule)
{
	const struct memory_info *m = &r->machine.memory;
	const struct edac_counter *worst = NULL;
	char corrected[48] = "", uncorrected[64] = "", more[48] = "";
	size_t n = 0;

	for (size_t i = 0; i < REPORT_KEPT(m->edac_n, m->edac); i++) {
		const struct edac_counter *e = &m->edac[i];

		if (e->corrected <= 0 && e->uncorrected <= 0)
			continue;
		n++;
		if (!worst || e->uncorrected > worst->uncorrected ||
		    (e->uncorrected == worst->uncorrected && e->corrected > worst->corrected))
			worst = e;
	}
	if (!n)
		return 0;
	if (n > 1)
		snprintf(more, sizeof(more), ", and %zu more place%s had some", n - 1,
			 n > 2 ? "s" : "");
	if (worst->corrected >= 0)
		snprintf(corrected, sizeof(corrected), "%s corrected",
			 units_count(UNITS_BUF, (uint64_t)worst->corrected));
	if (worst->uncorrected >= 0)
		snprintf(uncorrected, sizeof(uncorrected), "%s%s that could not be corrected",
			 *corrected ? ", " : "",
			 units_count(UNITS_BUF, (uint64_t)worst->uncorrected));
	return ADD_AS(worst->uncorrected > 0 ? FINDING_CRITICAL : FINDING_WARNING, "",
		      "Memory errors since boot at %s: %s%s%s.", worst->name, corrected,
		      uncorrected, more);
}

static bool is_server(const struct machine_info *m)
{
	static const char *const cases[] = { "rack", "blade", "main server", "multi-system" };
	static const char *const processors[] = { "xeon", "epyc", "opteron", "ampere", "altra" };
	char lower[128];

	snprintf(lower, sizeof(lower), "%.60s %.60s", m->chassis.type, m->cpu.model);
	for (char *c = lower; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (strstr(lower, cases[i]))
			return true;
	for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); i++)
		if (strstr(lower, processors[i]))
			return true;
	return false;
}

int find_memory_no_ecc(struct report *r, const struct finding_rule *rule)
{
	if (!text_same(r->machine.memory.ecc, "none") || !look_is_metal(r) ||
	    !is_server(&r->machine))
		return 0;
	return ADD("", "The memory of this server does not correct errors (no ECC).");
}

int find_memory_pattern(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];

		if (!look_memory_errors(t))
			continue;
		err = *t->reason ? ADD(t->target, "%s: %s.", t->test, t->reason) :
		      ADD(t->target, "%s: %s words of memory did not hold what was written.",
			  t->test,
			  units_count(UNITS_BUF, (uint64_t)result_find(t, "errors")->value));
	}
	return err;
}
