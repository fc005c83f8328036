/* SPDX-License-Identifier: MIT */
/* The record of an upload, kept as upload.json beside the report and renewed after every try. */
#include "bench/upload/record.h"

#include <string.h>
#include <time.h>
#include <yyjson.h>

#include "lib/clock.h"
#include "lib/text.h"

#define FIRST_KEPT (RECORD_TRIES_MAX / 2)

void record_add(struct record *record, const struct upload_try *try)
{
	struct record_try *last = &record->try[RECORD_TRIES_MAX - 1], *entry;

	if (record->try_n >= RECORD_TRIES_MAX) {
		memmove(&record->try[FIRST_KEPT], &record->try[FIRST_KEPT + 1],
			(RECORD_TRIES_MAX - FIRST_KEPT - 1) * sizeof(*last));
		entry = last;
	} else {
		entry = &record->try[record->try_n];
	}
	record->try_n++;
	entry->number = try->number;
	text_copy(entry->url, sizeof(entry->url), try->url);
	entry->started_s = (int64_t)time(NULL) - (int64_t)(try->elapsed_ns / NS_PER_S);
	entry->start_ns = try->start_ns;
	entry->elapsed_ns = try->elapsed_ns;
	entry->outcome = try->outcome;
}

static bool add_try(yyjson_mut_doc *doc, yyjson_mut_val *list, const struct record_try *try)
{
	yyjson_mut_val *entry = yyjson_mut_arr_add_obj(doc, list);
	const struct send_outcome *outcome = &try->outcome;

	return yyjson_mut_obj_add_uint(doc, entry, "number", try->number) &&
	       yyjson_mut_obj_add_str(doc, entry, "url", try->url) &&
	       yyjson_mut_obj_add_int(doc, entry, "started_s", try->started_s) &&
	       yyjson_mut_obj_add_uint(doc, entry, "start_ns", try->start_ns) &&
	       yyjson_mut_obj_add_uint(doc, entry, "elapsed_ns", try->elapsed_ns) &&
	       yyjson_mut_obj_add_str(doc, entry, "status", send_class_words[outcome->class]) &&
	       (!outcome->http_status ||
		yyjson_mut_obj_add_int(doc, entry, "http_status", outcome->http_status)) &&
	       (!outcome->error[0] || yyjson_mut_obj_add_str(doc, entry, "reason", outcome->error));
}

char *record_json(const struct record *record, size_t *len_bytes)
{
	unsigned int kept = record->try_n < RECORD_TRIES_MAX ? record->try_n : RECORD_TRIES_MAX;
	const char *status = record->is_over ? "failed" : "running";
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *list;
	char *text = NULL;
	bool fine;

	if (record->is_delivered)
		status = "delivered";
	yyjson_mut_doc_set_root(doc, root);
	fine = yyjson_mut_obj_add_str(doc, root, "schema", RECORD_SCHEMA) &&
	       yyjson_mut_obj_add_str(doc, root, "run_id", record->run_id) &&
	       yyjson_mut_obj_add_uint(doc, root, "report_bytes", record->report_bytes) &&
	       yyjson_mut_obj_add_str(doc, root, "status", status) &&
	       yyjson_mut_obj_add_uint(doc, root, "try_n", record->try_n);
	list = fine ? yyjson_mut_obj_add_arr(doc, root, "tries") : NULL;
	fine = list;
	for (unsigned int i = 0; fine && i < kept; i++)
		fine = add_try(doc, list, &record->try[i]);
	if (fine)
		text = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY | YYJSON_WRITE_NEWLINE_AT_END,
					len_bytes);
	yyjson_mut_doc_free(doc);
	return text;
}
