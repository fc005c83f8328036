/* SPDX-License-Identifier: MIT */
/*
 * fio's normal output, 2.x and 3.x. The command, where it is there, tells what the job was;
 * else its
 * first line does. fio states IOPS and rates in three or four digits: so they are kept.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/import/import.h"
#include "lib/text.h"

#define NUMBER "([0-9]+([.,][0-9]+)?)"

/* The result of the job whose output is being read; NULL: there is none. */
static struct result *job(const struct import *im)
{
	struct result *r = im->last == SIZE_MAX ? NULL : &im->report->result[im->last];

	return r && !strcmp(r->family, "fio") ? r : NULL;
}

/* The value of --KEY=VALUE in fio's command; "" without. */
static void option(const char *text, const char *key, char *value, size_t size)
{
	const char *at = text;
	size_t n = strlen(key), used = 0;

	value[0] = '\0';
	while ((at = strstr(at, key)) &&
	       !(at[n] == '=' && (at == text || strchr(" -,", at[-1]))))
		at += n;
	if (!at)
		return;
	for (at += n + 1; *at && !strchr(" ,\n", *at) && used + 1 < size; at++)
		value[used++] = *at;
	value[used] = '\0';
}

static uint32_t block_of(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (*end == 'k' || *end == 'K')
		v *= 1024;
	else if (*end == 'm' || *end == 'M')
		v *= 1048576;
	return v > 0 && v < UINT32_MAX ? (uint32_t)v : 0;
}

static void set_rw(struct result *r, const char *rw)
{
	bool is_random = !strncmp(rw, "rand", 4);
	const char *what = is_random ? rw + 4 : rw;

	snprintf(r->order, sizeof(r->order), is_random ? "random" : "sequential");
	snprintf(r->access, sizeof(r->access), !strcmp(what, "rw") || !strcmp(what, "readwrite") ?
		 "mixed" : !strcmp(what, "write") ? "write" : "read");
}

static void describe(struct result *r, const char *text)
{
	char value[64];

	option(text, "rw", value, sizeof(value));
	if (!value[0])
		option(text, "readwrite", value, sizeof(value));
	if (value[0])
		set_rw(r, value);
	option(text, "bs", value, sizeof(value));
	r->block_bytes = block_of(value);
	option(text, "iodepth", value, sizeof(value));
	r->depth = r->depth_asked = import_count_text(value);
	option(text, "numjobs", value, sizeof(value));
	if (value[0])
		r->jobs = import_count_text(value);
	option(text, "ioengine", value, sizeof(value));
	text_copy(r->engine, sizeof(r->engine), value);
	option(text, "filename", value, sizeof(value));
	if (!strncmp(value, "/dev/", 5))
		text_copy(r->target, sizeof(r->target), value + 5);
	snprintf(r->via, sizeof(r->via), *r->target ? "device" : "file");
}

/* The command: kept until the job it names prints something. */
static int take_command(struct import *im, const regmatch_t *m)
{
	import_copy(im, m[0], im->fio_command, sizeof(im->fio_command));
	return 0;
}

static int take_head(struct import *im, const regmatch_t *m)
{
	char name[48], test[64], given[64];
	struct result *r;

	import_copy(im, m[1], name, sizeof(name));
	snprintf(test, sizeof(test), "fio-%s", name);
	for (char *c = test; *c; c++)
		if (*c == '_')
			*c = '-';
	test[39] = '\0';	/* the room a name has */
	im->device[0] = '\0';
	r = import_add(im, test, "fio", m);
	if (!r)
		return -ENOMEM;
	r->jobs = import_count(im, m[2]);
	option(im->fio_command, "name", given, sizeof(given));
	if (!strcmp(given, name))
		describe(r, im->fio_command);
	return 0;
}

static double scaled(const struct import *im, regmatch_t number, regmatch_t unit)
{
	return import_number(im, number) * import_factor(im, unit);
}

/* "  write: IOPS=56.6k, BW=221MiB/s (232MB/s)(12.0GiB/60001msec)" */
static int take_rate3(struct import *im, const regmatch_t *m)
{
	struct result *r = job(im);
	char side[8], name[40];
	const char *before;

	if (!r)
		return 0;
	import_copy(im, m[1], side, sizeof(side));
	if (!r->access[0])
		snprintf(r->access, sizeof(r->access), "%s", side);
	before = !strcmp(r->access, "mixed") ? side : "";
	snprintf(name, sizeof(name), "%s%sthroughput", before, *before ? "_" : "");
	result_metric(r, name, UNIT_BYTES_PER_S, scaled(im, m[5], m[7]));
	snprintf(name, sizeof(name), "%s%siops", before, *before ? "_" : "");
	result_metric(r, name, UNIT_IOPS, scaled(im, m[2], m[4]));
	import_copy(im, m[0], r->as_read, sizeof(r->as_read));
	return 0;
}

/* "  read : io=1024.0MB, bw=85.3MB/s, iops=21845, runt= 12000msec": fio 2, its MB are of 2^20. */
static int take_rate2(struct import *im, const regmatch_t *m)
{
	struct result *r = job(im);
	char unit[16];
	double factor;

	if (!r)
		return 0;
	import_copy(im, m[4], unit, sizeof(unit));
	factor = unit[0] == 'K' || unit[0] == 'k' ? 1024 : unit[0] == 'M' ? 1048576 :
		 unit[0] == 'G' ? 1073741824 : 1;
	if (!r->access[0])
		import_copy(im, m[1], r->access, sizeof(r->access));
	result_metric(r, "throughput", UNIT_BYTES_PER_S, import_number(im, m[2]) * factor);
	result_metric(r, "iops", UNIT_IOPS, import_number(im, m[5]));
	import_copy(im, m[0], r->as_read, sizeof(r->as_read));
	return 0;
}

static double time_factor(const struct import *im, regmatch_t unit)
{
	switch (im->text[unit.rm_so]) {
	case 'u':
		return 1e3;
	case 'm':
		return 1e6;
	case 's':
		return 1e9;
	default:
		return 1;
	}
}

/* "    clat (usec): min=49, max=36464, avg=1115.69, stdev=1311.93": the whole latency is `lat`. */
static int take_latency(struct import *im, const regmatch_t *m)
{
	struct result *r = job(im);
	double unit = time_factor(im, m[2]);

	if (!r || result_find(r, "lat_mean"))
		return 0;
	result_metric(r, "lat_mean", UNIT_NS, import_number(im, m[5]) * unit);
	result_metric(r, "lat_max", UNIT_NS, import_number(im, m[3]) *
		      import_factor(im, m[4]) * unit);
	return 0;
}

/* All of "clat percentiles (usec):" and its lines; of mixes the first direction's stand. */
static int take_percentiles(struct import *im, const regmatch_t *m)
{
	static const struct {
		const char *shown, *name;
	} kept[] = {
		{ " 50.00th=[", "lat_p50" }, { " 90.00th=[", "lat_p90" },
		{ " 99.00th=[", "lat_p99" }, { " 99.90th=[", "lat_p999" },
	};
	struct result *r = job(im);
	double unit = time_factor(im, m[1]);
	size_t len = (size_t)(m[0].rm_eo - m[0].rm_so);
	char *text = strndup(im->text + m[0].rm_so, len);

	if (!text)
		return -ENOMEM;
	for (size_t i = 0; r && i < sizeof(kept) / sizeof(*kept); i++) {
		const char *at = strstr(text, kept[i].shown);

		if (at && !result_find(r, kept[i].name))
			result_metric(r, kept[i].name, UNIT_NS,
				      strtod(at + strlen(kept[i].shown), NULL) * unit);
	}
	free(text);
	return 0;
}

/* Lines of fio's that say nothing we keep; without them they would count as figures not read. */
static int take_nothing(struct import *im, const regmatch_t *m)
{
	(void)im;
	(void)m;
	return 0;
}

const struct import_pattern import_fio[] = {
	{ "fio command", "fio( +--?[a-z_]+(=[^ \n]+)?)+", take_command },
	{ "fio job", "([A-Za-z0-9_.-]+): \\(groupid=[0-9]+, jobs=([0-9]+)\\): err= *[0-9]+[^\n]*",
	  take_head },
	{ "fio 3 rate", "(read|write) *: IOPS=" NUMBER "([kMG]?), BW=" NUMBER "([KMGT]?i?B/s)"
	  "[^\n]*", take_rate3 },
	{ "fio 2 rate", "(read|write) *: io=[^,]*, bw=" NUMBER "([KMG]?B/s), iops=([0-9]+)[^\n]*",
	  take_rate2 },
	{ "fio latency", " (lat) +\\(([num]?sec)\\) *: min=[^,]*, max= *([0-9.]+)([kM]?), avg= *"
	  "([0-9.]+), stdev=[^\n]*", take_latency },
	{ "fio percentiles", "clat percentiles \\(([num]?sec)\\):[^a-z]*[0-9.]+th=\\[[^a-zA-Z]*"
	  "(th=\\[[^a-zA-Z]*)*", take_percentiles },
	{ "fio progress", "Jobs: [0-9]+ \\(f=[0-9]+\\):[^\n]*", take_nothing },
	{ "fio samples", "(bw|iops) +(\\( *[KMG]?i?B/s\\))? *: min=[^\n]*", take_nothing },
	{ "fio group", "(READ|WRITE): (bw|io)=[^\n]*", take_nothing },
};
const size_t import_fio_n = sizeof(import_fio) / sizeof(import_fio[0]);
