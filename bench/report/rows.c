/* SPDX-License-Identifier: MIT */
/* Walks a report's numbers; see rows.h. */
#include "bench/report/rows.h"

#include <string.h>

#include "bench/model/fields.h"

static int each_metric(const struct result *t, int (*put)(void *, const struct row *),
		       void *context)
{
	struct row row = { .result = t, .test = t->test, .target = t->target };
	int err = 0;

	if (t->metric_n == 0)
		return put(context, &row);
	for (uint32_t i = 0; i < t->metric_n && i < RESULT_METRICS_MAX && !err; i++) {
		const struct metric *m = &t->metric[i];

		row.metric = m->name;
		row.unit = m->unit;
		row.value = m->value;
		row.spread = m->sample_n ? m : NULL;
		err = put(context, &row);
	}
	return err;
}

/* The unit that a key of struct health ends in. */
static enum metric_unit unit_of(const char *key)
{
	static const struct {
		const char *end;
		enum metric_unit unit;
	} ends[] = {
		{ "_bytes", UNIT_BYTES }, { "_percent", UNIT_PERCENT },
		{ "_celsius", UNIT_CELSIUS }, { "_rpm", UNIT_RPM },
	};
	size_t len = strlen(key);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t n = strlen(ends[i].end);

		if (len > n && !strcmp(key + len - n, ends[i].end))
			return ends[i].unit;
	}
	return UNIT_COUNT;
}

static int each_health(const struct health *h, int (*put)(void *, const struct row *),
		       void *context)
{
	struct row row = { .health = h, .test = ROWS_HEALTH, .target = h->target };
	int err = put(context, &row);

	for (size_t i = 0; i < fields_health.n && !err; i++) {
		const struct field *f = &fields_health.field[i];

		if (fields_absent(f, h))
			continue;
		switch (f->kind) {
		case FIELD_U32:
		case FIELD_I32:
		case FIELD_I64:
		case FIELD_TRISTATE:
			row.value = (double)fields_number(f, h);
			break;
		case FIELD_DOUBLE:
			row.value = *(const double *)(const void *)((const char *)h + f->offset);
			break;
		default:
			continue;
		}
		row.metric = f->key;
		row.unit = unit_of(f->key);
		err = put(context, &row);
	}
	return err;
}

int rows_each(const struct report *r, int (*put)(void *context, const struct row *row),
	      void *context)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		err = each_metric(&r->result[i], put, context);
	for (size_t i = 0; i < r->health_n && !err; i++)
		err = each_health(&r->health[i], put, context);
	return err;
}
