/* SPDX-License-Identifier: MIT */
/*
 * The report as Influx line protocol (line protocol reference, "Special characters"): a comma,
 * blank or equals sign of a tag is escaped, a quote or backslash of a text as well. A backslash in
 * a tag becomes a slash: before the blank that ends the tags it would escape that.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/rows.h"
#include "lib/clock.h"
#include "lib/text.h"

struct influx {
	const struct report *report;
	FILE *out;
	const void *at;		/* result or health whose point is being written; NULL: none */
	uint64_t when_ns;	/* of that point, since the run began */
	const char *separator;	/* before its next field */
};

/* A key, or the value of a tag. */
static void put_escaped(FILE *out, const char *clean)
{
	for (const char *c = clean; *c; c++) {
		if (*c == ',' || *c == '=' || *c == ' ')
			fputc('\\', out);
		fputc(*c == '\\' ? '/' : *c, out);
	}
}

static void put_tag(FILE *out, const char *key, const char *text)
{
	char clean[REPORT_TEXT_BYTES];

	if (!text_clean_str(clean, sizeof(clean), text))
		return;
	fprintf(out, ",%s=", key);
	put_escaped(out, clean);
}

/* The metric's name may be that of a stored report: any text. */
static void put_value(struct influx *n, const char *metric, const char *suffix, double value)
{
	char clean[sizeof(((struct metric *)0)->name)];

	if (!text_clean_str(clean, sizeof(clean), metric))
		return;
	fputs(n->separator, n->out);
	put_escaped(n->out, clean);
	fprintf(n->out, "%s=%.17g", suffix, value);
	n->separator = ",";
}

static void put_text_field(struct influx *n, const char *key, const char *text)
{
	char clean[REPORT_TEXT_BYTES];

	text_clean_str(clean, sizeof(clean), text);
	fprintf(n->out, "%s%s=\"", n->separator, key);
	for (const char *c = clean; *c; c++) {
		if (*c == '"' || *c == '\\')
			fputc('\\', n->out);
		fputc(*c, n->out);
	}
	fputc('"', n->out);
	n->separator = ",";
}

static void put_number_tag(FILE *out, const char *key, uint32_t value)
{
	if (value)
		fprintf(out, ",%s=%" PRIu32, key, value);
}

/* Ends the point at hand: where its time is not known it gets the reader's. */
static void end_point(struct influx *n)
{
	int64_t started_s = n->report->run.started_s;

	if (!n->at)
		return;
	if (started_s > 0 && started_s < INT64_MAX / INT64_C(2000000000))
		fprintf(n->out, " %" PRIu64, (uint64_t)started_s * NS_PER_S + n->when_ns);
	fputc('\n', n->out);
	n->at = NULL;
}

static void begin_point(struct influx *n, const struct row *row)
{
	const struct report *r = n->report;
	const struct result *t = row->result;

	fputs(t ? "bootmark_result" : "bootmark_health", n->out);
	put_tag(n->out, "run", r->run.id);
	put_tag(n->out, "label", r->run.label);
	put_tag(n->out, "product", r->machine.product);
	put_tag(n->out, "target", row->target);
	n->at = t ? (const void *)t : row->health;
	n->when_ns = t ? t->start_ns : 0;
	n->separator = " ";
	if (!t) {
		put_tag(n->out, "device", row->health->device);
		put_tag(n->out, "when", row->health->when);
		put_text_field(n, "state", health_state_words[row->health->state]);
		return;
	}
	put_tag(n->out, "test", t->test);
	put_tag(n->out, "family", t->family);
	put_tag(n->out, "phase", t->phase);
	put_tag(n->out, "engine", t->engine);
	put_tag(n->out, "access", t->access);
	put_tag(n->out, "order", t->order);
	put_number_tag(n->out, "block_bytes", t->block_bytes);
	put_number_tag(n->out, "depth", t->depth);
	put_number_tag(n->out, "jobs", t->jobs);
	put_text_field(n, "status", result_status_words[t->status]);
	if (*t->reason)
		put_text_field(n, "reason", t->reason);
}

static int put_row(void *context, const struct row *row)
{
	struct influx *n = context;
	const void *of = row->result ? (const void *)row->result : row->health;

	if (n->at != of) {
		end_point(n);
		begin_point(n, row);
	}
	if (!row->metric)
		return 0;
	put_value(n, row->metric, "", row->value);
	if (row->spread) {
		put_value(n, row->metric, "_median", row->spread->median);
		put_value(n, row->metric, "_mad", row->spread->mad);
	}
	return 0;
}

char *influx_write(const struct report *r, size_t *len_bytes)
{
	char *text = NULL;
	struct influx n = { .report = r, .out = open_memstream(&text, len_bytes) };
	int err;

	if (!n.out)
		return NULL;
	err = rows_each(r, put_row, &n);
	end_point(&n);
	if (ferror(n.out))
		err = -ENOMEM;
	if (fclose(n.out) || err) {
		free(text);
		return NULL;
	}
	return text;
}
