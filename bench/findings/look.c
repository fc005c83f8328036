/* SPDX-License-Identifier: MIT */
/* What several finding rules look up in a report. */
#include "bench/findings/look.h"

#include <stdio.h>
#include <string.h>

#include "bench/findings/thresholds.h"
#include "bench/report/units.h"
#include "bench/stats/summary.h"
#include "lib/text.h"

#define SIBLINGS_MAX 256
#define MODEL_BYTES 44	/* longer model names would take the room of the evidence */

bool look_first(const struct report *r, size_t i, look_met *trouble)
{
	if (!trouble(&r->result[i]))
		return false;
	for (size_t k = 0; k < i; k++)
		if (!strcmp(r->result[k].target, r->result[i].target) && trouble(&r->result[k]))
			return false;
	return true;
}

const struct metric *look_speed(const struct result *t)
{
	return t->status == RESULT_OK
		       ? result_find(t, strcmp(t->order, "random") ? "throughput" : "iops")
		       : NULL;
}

const struct metric *look_own_speed(const struct result *t)
{
	bool is_zeros = t->has_io && (double)t->io.zero_buffers * 100 >
					     (double)t->io.sampled_buffers * ZEROS_PERCENT;

	return result_is_together(t) || result_is_doubtful(t) || is_zeros ? NULL : look_speed(t);
}

const char *look_speed_text(char *buf, size_t size, const struct metric *m, double value)
{
	return m->unit == UNIT_IOPS ? units_iops(buf, size, value) : units_rate(buf, size, value);
}

uint32_t look_intervals(const struct result *t)
{
	uint64_t whole = t->has_io && t->series_ns ? t->io.measured_ns / t->series_ns : 0;
	uint32_t n = t->io.series_n < IO_SERIES_MAX ? t->io.series_n : IO_SERIES_MAX;

	return n < whole ? n : (uint32_t)whole;
}

double look_siblings(const struct report *r, const struct result *t, size_t *n)
{
	const struct disk *d = report_disk(r, t->target);
	double value[SIBLINGS_MAX];

	*n = 0;
	for (size_t i = 0; d && *d->model && i < r->result_n && *n < SIBLINGS_MAX; i++) {
		const struct metric *m = look_own_speed(&r->result[i]);
		const struct disk *other = report_disk(r, r->result[i].target);

		if (m && other && !strcmp(r->result[i].test, t->test) &&
		    !strcmp(other->model, d->model) && other->size_bytes == d->size_bytes)
			value[(*n)++] = m->value;
	}
	return stats_median(value, *n);
}

bool look_is_metal(const struct report *r)
{
	return !*r->machine.virtualisation || !strcmp(r->machine.virtualisation, "none");
}

bool look_is_virtual(const struct report *r, const char *disk)
{
	static const char *const kinds[] = { "virtio", "xen", "hyperv" };
	const struct disk *d = report_disk(r, disk);

	for (size_t i = 0; d && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(d->transport, kinds[i]))
			return true;
	return d && (!strncmp(d->name, "loop", 4) ||
		     (!look_is_metal(r) && strcmp(d->transport, "nvme")));
}

bool look_memory_errors(const struct result *t)
{
	const struct metric *errors = result_find(t, "errors");

	return result_is_of_machine(t) && errors && errors->value >= 1;
}

static const char *put_label(const char *name, const char *model, char *buf)
{
	char name_cut[DISK_NAME_BYTES], model_cut[MODEL_BYTES];

	text_copy(name_cut, sizeof(name_cut), name);
	text_copy(model_cut, sizeof(model_cut), model);
	snprintf(buf, LOOK_LABEL_BYTES, *model_cut ? "%s (%s)" : "%s", name_cut, model_cut);
	return buf;
}

const char *look_label(const struct report *r, const char *disk, char *buf)
{
	const struct disk *d = report_disk(r, disk);

	return put_label(disk, d ? d->model : "", buf);
}

const char *look_health_label(const struct report *r, const struct health *h, char *buf)
{
	const struct disk *d = *h->target ? report_disk(r, h->target) : NULL;

	return put_label(*h->target ? h->target : *h->device ? h->device : "A disk",
			 *h->model || !d ? h->model : d->model, buf);
}

bool look_doubted(const struct health *h, const char *key)
{
	for (uint32_t i = 0; i < REPORT_KEPT(h->doubt_n, h->doubt); i++)
		if (!strcmp(h->doubt[i].name, key))
			return true;
	return false;
}
