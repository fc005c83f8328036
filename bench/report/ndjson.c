/* SPDX-License-Identifier: MIT */
/* The report as rows of JSON, one number each; docs/report-format.md lists the keys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <yyjson.h>

#include "bench/report/json.h"
#include "bench/report/rows.h"
#include "lib/text.h"

struct ndjson {
	const struct report *report;
	FILE *out;
};

static void put_number(yyjson_mut_doc *doc, yyjson_mut_val *row, const char *key, uint64_t value)
{
	if (value)
		yyjson_mut_obj_add_uint(doc, row, key, value);
}

static void put_result(yyjson_mut_doc *doc, yyjson_mut_val *row, const struct result *t)
{
	yyjson_mut_val *marks;

	json_put_text(doc, row, "family", t->family);
	json_put_text(doc, row, "phase", t->phase);
	json_put_text(doc, row, "target_identity", t->target_identity);
	json_put_text(doc, row, "status", result_status_words[t->status]);
	json_put_text(doc, row, "reason", t->reason);
	json_put_text(doc, row, "engine", t->engine);
	json_put_text(doc, row, "access", t->access);
	json_put_text(doc, row, "order", t->order);
	json_put_text(doc, row, "via", t->via);
	json_put_text(doc, row, "data", t->data);
	put_number(doc, row, "block_bytes", t->block_bytes);
	put_number(doc, row, "depth", t->depth);
	put_number(doc, row, "jobs", t->jobs);
	if (!t->mark_n)
		return;
	marks = yyjson_mut_obj_add_arr(doc, row, "marks");
	for (uint32_t i = 0; i < t->mark_n && i < RESULT_MARKS_MAX; i++)
		yyjson_mut_arr_add_strcpy(doc, marks, t->mark[i].word);
}

static int put_row(void *context, const struct row *row)
{
	struct ndjson *n = context;
	const struct report *r = n->report;
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *o = yyjson_mut_obj(doc);
	size_t len;
	char *line;

	yyjson_mut_doc_set_root(doc, o);
	json_put_text(doc, o, "run", r->run.id);
	json_put_text(doc, o, "label", r->run.label);
	put_number(doc, o, "started_s", r->run.started_s > 0 ? (uint64_t)r->run.started_s : 0);
	json_put_text(doc, o, "product", r->machine.product);
	json_put_text(doc, o, "test", row->test);
	json_put_text(doc, o, "target", row->target);
	if (row->result)
		put_result(doc, o, row->result);
	if (row->health) {
		json_put_text(doc, o, "status", health_state_words[row->health->state]);
		json_put_text(doc, o, "reason", row->health->reason);
		json_put_text(doc, o, "device", row->health->device);
		json_put_text(doc, o, "when", row->health->when);
	}
	if (row->metric) {
		json_put_text(doc, o, "metric", row->metric);
		json_put_text(doc, o, "unit", metric_unit_words[row->unit]);
		yyjson_mut_obj_add_real(doc, o, "value", row->value);
	}
	if (row->spread) {
		yyjson_mut_obj_add_uint(doc, o, "samples", row->spread->sample_n);
		yyjson_mut_obj_add_real(doc, o, "median", row->spread->median);
		yyjson_mut_obj_add_real(doc, o, "mad", row->spread->mad);
		yyjson_mut_obj_add_real(doc, o, "min", row->spread->min);
		yyjson_mut_obj_add_real(doc, o, "max", row->spread->max);
	}
	line = yyjson_mut_write(doc, YYJSON_WRITE_NOFLAG, &len);
	yyjson_mut_doc_free(doc);
	if (!line)
		return -ENOMEM;
	fwrite(line, 1, len, n->out);
	fputc('\n', n->out);
	free(line);
	return 0;
}

char *ndjson_write(const struct report *r, size_t *len_bytes)
{
	char *text = NULL;
	struct ndjson n = { .report = r, .out = open_memstream(&text, len_bytes) };
	int err;

	if (!n.out)
		return NULL;
	err = rows_each(r, put_row, &n);
	if (ferror(n.out))
		err = -ENOMEM;
	if (fclose(n.out) || err) {
		free(text);
		return NULL;
	}
	return text;
}
