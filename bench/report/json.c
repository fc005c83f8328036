/* SPDX-License-Identifier: MIT */
/*
 * The report as JSON: walks the map in bench/model/fields.h; docs/report-format.md states the
 * conventions.
 *
 * Invariant: whatever the report holds, the text is valid UTF-8 and valid JSON without NaN or
 * infinity; arrays of numbers stand on one line, everything else is indented by two blanks.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "bench/model/fields.h"
#include "bench/model/report.h"
#include "bench/report/json.h"
#include "lib/text.h"

#define LINE_BYTES 1024		/* of the kernel log; longer ones are cut */

/*
 * Out of memory is kept here and looked at once, at the end: yyjson's calls all accept NULL values.
 */
struct writer {
	yyjson_mut_doc *doc;
	bool failed;
};

static bool put_shape(struct writer *w, yyjson_mut_val *object, const struct shape *shape,
		      const void *base);

/* A text as it is safe to write; NULL where nothing is left of it. */
static yyjson_mut_val *text_value(struct writer *w, const char *text, size_t len)
{
	char clean[LINE_BYTES];
	size_t n = text_clean(clean, sizeof(clean), text, len);
	yyjson_mut_val *value = n ? yyjson_mut_strncpy(w->doc, clean, n) : NULL;

	if (n && !value)
		w->failed = true;
	return value;
}

static void put(struct writer *w, yyjson_mut_val *object, const char *key, yyjson_mut_val *value)
{
	if (!yyjson_mut_obj_add(object, yyjson_mut_str(w->doc, key), value))
		w->failed = true;
}

/* Integers that a reader with doubles would round also stand as text, under KEY_str. */
static void put_exact(struct writer *w, yyjson_mut_val *object, const char *key, const char *digits)
{
	yyjson_mut_val *name;
	char exact[64];

	snprintf(exact, sizeof(exact), "%s" JSON_EXACT_SUFFIX, key);
	name = yyjson_mut_strcpy(w->doc, exact);
	if (!yyjson_mut_obj_add(object, name, yyjson_mut_strcpy(w->doc, digits)))
		w->failed = true;
}

static void put_number(struct writer *w, yyjson_mut_val *object, const struct field *f,
		       const void *base)
{
	int64_t v = fields_number(f, base);
	char digits[24];

	if (f->kind == FIELD_U64) {
		put(w, object, f->key, yyjson_mut_uint(w->doc, (uint64_t)v));
		snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v);
		if ((uint64_t)v >= JSON_EXACT_LIMIT)
			put_exact(w, object, f->key, digits);
		return;
	}
	put(w, object, f->key, yyjson_mut_sint(w->doc, v));
	snprintf(digits, sizeof(digits), "%lld", (long long)v);
	if (v >= (int64_t)JSON_EXACT_LIMIT || v <= -(int64_t)JSON_EXACT_LIMIT)
		put_exact(w, object, f->key, digits);
}

/* Turns a finished array into raw text, so that it stands on one line of the indented document. */
static yyjson_mut_val *one_line(struct writer *w, yyjson_mut_val *array)
{
	size_t len;
	char *text = yyjson_mut_val_write(array, YYJSON_WRITE_NOFLAG, &len);
	yyjson_mut_val *raw = text ? yyjson_mut_rawncpy(w->doc, text, len) : NULL;

	free(text);
	return raw;
}

static yyjson_mut_val *buckets_value(struct writer *w, const uint64_t *bucket)
{
	yyjson_mut_val *all = yyjson_mut_arr(w->doc);

	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		uint64_t pair[2] = { hist_bucket_end(i), bucket[i] };

		if (bucket[i] &&
		    !yyjson_mut_arr_append(all, yyjson_mut_arr_with_uint64(w->doc, pair, 2)))
			w->failed = true;
	}
	return one_line(w, all);
}

static yyjson_mut_val *lines_value(struct writer *w, const char *text)
{
	yyjson_mut_val *all = yyjson_mut_arr(w->doc);

	while (*text) {
		size_t len = strcspn(text, "\n");
		yyjson_mut_val *line = text_value(w, text, len);

		if (line && !yyjson_mut_arr_append(all, line))
			w->failed = true;
		text += len + (text[len] == '\n');
	}
	return all;
}

/* A bare element of an array; NULL where it cannot be written. */
static yyjson_mut_val *bare_value(struct writer *w, const struct field *f, const void *element)
{
	if (fields_absent(f, element))
		return NULL;
	if (f->kind == FIELD_TEXT)
		return text_value(w, element, strnlen(element, f->size_bytes));
	if (f->kind == FIELD_DOUBLE)
		return yyjson_mut_real(w->doc, *(const double *)element);
	return yyjson_mut_uint(w->doc, (uint64_t)fields_number(f, element));
}

static yyjson_mut_val *array_value(struct writer *w, const struct field *f, const void *base)
{
	const struct field *first = f->shape->field;
	yyjson_mut_val *all = yyjson_mut_arr(w->doc);

	for (size_t i = 0; i < fields_count(f, base); i++) {
		const void *element = fields_element(f, base, i);
		yyjson_mut_val *value;

		if (!first->key) {
			value = bare_value(w, first, element);
			if (!value)
				continue;
		} else {
			value = yyjson_mut_obj(w->doc);
			if (!put_shape(w, value, f->shape, element))
				continue;
		}
		if (!yyjson_mut_arr_append(all, value))
			w->failed = true;
	}
	return first->key || first->kind == FIELD_TEXT ? all : one_line(w, all);
}

static void put_group(struct writer *w, yyjson_mut_val *object, const struct field *f,
		      const void *base)
{
	yyjson_mut_val *group = yyjson_mut_obj(w->doc);

	put_shape(w, group, f->shape, (const char *)base + f->offset);
	if (yyjson_mut_obj_size(group) > 0)
		put(w, object, f->key, group);
}

/* Returns false where nothing was left to write. */
static bool put_field(struct writer *w, yyjson_mut_val *object, const struct field *f,
		      const void *base)
{
	const char *at = (const char *)base + f->offset;
	yyjson_mut_val *text;

	switch (f->kind) {
	case FIELD_TEXT:
		text = text_value(w, at, strnlen(at, f->size_bytes));
		if (!text)
			return false;
		put(w, object, f->key, text);
		break;
	case FIELD_BOOL:
	case FIELD_TRISTATE:
		put(w, object, f->key, yyjson_mut_bool(w->doc, fields_number(f, base) != 0));
		break;
	case FIELD_U32:
	case FIELD_U64:
	case FIELD_I32:
	case FIELD_I64:
		put_number(w, object, f, base);
		break;
	case FIELD_DOUBLE:
		put(w, object, f->key, yyjson_mut_real(w->doc, *(const double *)(const void *)at));
		break;
	case FIELD_WORD:
		put(w, object, f->key,
		    yyjson_mut_str(w->doc, f->word((unsigned)fields_number(f, base))));
		break;
	case FIELD_GROUP:
		put_group(w, object, f, base);
		break;
	case FIELD_ARRAY:
	case FIELD_LIST:
		put(w, object, f->key, array_value(w, f, base));
		break;
	case FIELD_BUCKETS:
		put(w, object, f->key, buckets_value(w, (const uint64_t *)(const void *)at));
		break;
	case FIELD_LINES:
		put(w, object, f->key, lines_value(w, *(char *const *)(const void *)at));
		break;
	}
	return true;
}

/*
 * Returns false where something required is absent: then the object means nothing and is left out.
 */
static bool put_shape(struct writer *w, yyjson_mut_val *object, const struct shape *shape,
		      const void *base)
{
	bool whole = true;

	for (size_t i = 0; i < shape->n; i++) {
		const struct field *f = &shape->field[i];

		if ((fields_absent(f, base) || !put_field(w, object, f, base)) &&
		    f->traits & FIELD_REQUIRED)
			whole = false;
	}
	return whole;
}

void json_put_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, const char *text)
{
	char clean[REPORT_TEXT_BYTES];

	if (text_clean_str(clean, sizeof(clean), text))
		yyjson_mut_obj_add_strcpy(doc, object, key, clean);
}

char *report_json_write(const struct report *r, size_t *len_bytes)
{
	struct writer w = { .doc = yyjson_mut_doc_new(NULL) };
	yyjson_mut_val *root = yyjson_mut_obj(w.doc);
	char *text = NULL;

	put(&w, root, "schema", yyjson_mut_str(w.doc, REPORT_SCHEMA));
	put_shape(&w, root, &fields_report, r);
	yyjson_mut_doc_set_root(w.doc, root);
	if (!w.failed)
		text = yyjson_mut_write(
			w.doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
			len_bytes);
	yyjson_mut_doc_free(w.doc);
	return text;
}
