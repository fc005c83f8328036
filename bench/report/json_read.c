/* SPDX-License-Identifier: MIT */
/*
 * Reads a stored report: walks the map in bench/model/fields.h.
 *
 * The text may come from anywhere. Types and ranges are strict, unknown keys are ignored, a known
 * key given twice is refused (which of two values counts is a guess), texts are cleaned and cut to
 * their room.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "bench/model/fields.h"
#include "bench/model/report.h"
#include "bench/report/json.h"
#include "lib/text.h"

#define FIELDS_MAX 64		/* rows of a shape */
#define DEPTH_MAX 8		/* levels of objects and arrays in a report */

/* One step of the way to a value, for messages: a key, and an index where it is an array. */
struct step {
	const char *key;
	size_t index;
	bool is_element;
};

struct reader {
	struct step step[DEPTH_MAX];
	unsigned depth;
	char *why;
	size_t why_bytes;
};

static int read_shape(struct reader *rd, const struct shape *shape, void *base, yyjson_val *object);

/* Says where and what, and returns `err`. */
__attribute__((format(printf, 3, 4)))
static int refuse(struct reader *rd, int err, const char *fmt, ...)
{
	char where[200] = "";
	char what[200];
	size_t used = 0;
	va_list args;

	for (unsigned i = 0; i < rd->depth && used < sizeof(where); i++) {
		const struct step *s = &rd->step[i];

		used += (size_t)snprintf(where + used, sizeof(where) - used, "%s%s", i ? "." : "",
					 s->key);
		if (s->is_element && used < sizeof(where))
			used += (size_t)snprintf(where + used, sizeof(where) - used, "[%zu]",
						 s->index);
	}
	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	if (rd->why_bytes)
		snprintf(rd->why, rd->why_bytes, "%s%s%s", where, *where ? ": " : "", what);
	return err;
}

static int expected(struct reader *rd, const char *what, yyjson_val *got)
{
	return refuse(rd, -EINVAL, "%s expected, found %s", what, yyjson_get_type_desc(got));
}

static int read_text(struct reader *rd, const struct field *f, void *base, yyjson_val *v)
{
	char *to = (char *)base + f->offset;

	if (!yyjson_is_str(v))
		return expected(rd, "a text", v);
	text_clean(to, f->size_bytes, yyjson_get_str(v), yyjson_get_len(v));
	if (f->traits & FIELD_REQUIRED && !*to)
		return refuse(rd, -EINVAL, "is empty");
	if (f->traits & FIELD_ID && !report_id_valid(to))
		return refuse(rd, -EINVAL, "is not a UUID in lower case");
	return 0;
}

/* The text beside a number is exact where the number may have been rounded on its way. */
static int read_exact(struct reader *rd, const struct field *f, void *base, yyjson_val *v)
{
	const char *digits = yyjson_get_str(v);
	bool negative = digits && *digits == '-';
	unsigned long long value;
	char *end;

	if (!digits || digits[negative] < '0' || digits[negative] > '9')
		return refuse(rd, -EINVAL,
			      JSON_EXACT_SUFFIX " beside it is not a whole number in a text");
	errno = 0;
	value = strtoull(digits + negative, &end, 10);
	if (errno || (size_t)(end - digits) != yyjson_get_len(v) || (negative && value > INT64_MAX))
		return refuse(rd, -EINVAL,
			      JSON_EXACT_SUFFIX " beside it is out of range or not a number");
	if (negative)
		value = -value;
	return fields_store(f, base, value, negative) ? refuse(rd, -EINVAL, "out of range") : 0;
}

static int read_number(struct reader *rd, const struct field *f, void *base, yyjson_val *v,
		       yyjson_val *exact)
{
	if (exact && yyjson_is_num(v))	/* a reader with doubles may even have made it a real */
		return read_exact(rd, f, base, exact);
	if (!yyjson_is_int(v))
		return expected(rd, "a whole number", v);
	if (fields_store(f, base, yyjson_get_uint(v), yyjson_is_sint(v)))
		return refuse(rd, -EINVAL, "out of range");
	return 0;
}

static int read_word(struct reader *rd, const struct field *f, void *base, yyjson_val *v)
{
	const char *word;

	if (!yyjson_is_str(v))
		return expected(rd, "a word", v);
	for (unsigned i = 0; (word = f->word(i)); i++)
		if (yyjson_equals_strn(v, word, strlen(word)))
			return fields_store(f, base, i, false);
	return refuse(rd, -EINVAL, "a word this version does not know");
}

/* Pairs of a bucket's end and its count, ascending. */
static int read_buckets(struct reader *rd, uint64_t *bucket, yyjson_val *v)
{
	yyjson_arr_iter it;
	yyjson_val *pair;
	size_t index = 0;

	if (!yyjson_arr_iter_init(v, &it))
		return expected(rd, "an array", v);
	while ((pair = yyjson_arr_iter_next(&it))) {
		yyjson_val *end = yyjson_arr_get(pair, 0), *count = yyjson_arr_get(pair, 1);

		if (yyjson_arr_size(pair) != 2 || !yyjson_is_uint(end) || !yyjson_is_uint(count))
			return refuse(rd, -EINVAL, "pairs of bound and count expected");
		while (index < HIST_BUCKETS && hist_bucket_end(index) < yyjson_get_uint(end))
			index++;
		if (index == HIST_BUCKETS || hist_bucket_end(index) != yyjson_get_uint(end))
			return refuse(rd, -EINVAL, "%llu is no bound of a bucket, or not in order",
				      (unsigned long long)yyjson_get_uint(end));
		bucket[index++] = yyjson_get_uint(count);
	}
	return 0;
}

static int read_lines(struct reader *rd, char **text, yyjson_val *v)
{
	yyjson_arr_iter it;
	yyjson_val *line;
	size_t room = 1;
	char *to;

	if (!yyjson_arr_iter_init(v, &it))
		return expected(rd, "an array", v);
	while ((line = yyjson_arr_iter_next(&it))) {
		if (!yyjson_is_str(line))
			return expected(rd, "a text", line);
		room += 3 * yyjson_get_len(line) + 1;	/* a cleaned byte takes three at most */
	}
	*text = to = malloc(room);
	if (!to)
		return -ENOMEM;
	yyjson_arr_iter_init(v, &it);
	while ((line = yyjson_arr_iter_next(&it))) {
		to += text_clean(to, room - (size_t)(to - *text), yyjson_get_str(line),
				 yyjson_get_len(line));
		*to++ = '\n';
	}
	*to = '\0';
	return 0;
}

static int read_bare(struct reader *rd, const struct field *f, void *element, yyjson_val *v)
{
	if (f->kind == FIELD_TEXT)
		return read_text(rd, f, element, v);
	if (f->kind == FIELD_U64)
		return read_number(rd, f, element, v, NULL);
	if (!yyjson_is_num(v))
		return expected(rd, "a number", v);
	*(double *)element = yyjson_get_num(v);
	return 0;
}

static int read_element(struct reader *rd, const struct shape *shape, void *element, yyjson_val *v)
{
	if (!shape->field->key)
		return read_bare(rd, shape->field, element, v);
	fields_init(shape, element);
	return read_shape(rd, shape, element, v);
}

/* Gives an array its count, or a list its zeroed memory. */
static int make_room(const struct field *f, void *base, size_t n)
{
	char *count = (char *)base + f->count_offset;
	uint32_t n32 = (uint32_t)n;
	void *memory;

	if (f->kind == FIELD_ARRAY) {
		memcpy(count, &n32, sizeof(n32));
		return 0;
	}
	if (n == 0)
		return 0;
	memory = calloc(n, f->size_bytes);
	if (!memory)
		return -ENOMEM;
	memcpy((char *)base + f->offset, &memory, sizeof(memory));
	memcpy(count, &n, sizeof(n));
	memcpy((char *)base + f->room_offset, &n, sizeof(n));
	return 0;
}

static int read_array(struct reader *rd, const struct field *f, void *base, yyjson_val *v)
{
	struct step *step = &rd->step[rd->depth - 1];
	yyjson_arr_iter it;
	yyjson_val *element;
	int err;

	if (!yyjson_arr_iter_init(v, &it))
		return expected(rd, "an array", v);
	if (yyjson_arr_size(v) > f->max)
		return refuse(rd, -EINVAL, "%zu elements, this version reads %zu at most",
			      yyjson_arr_size(v), f->max);
	err = make_room(f, base, yyjson_arr_size(v));
	step->is_element = true;
	for (step->index = 0; !err && (element = yyjson_arr_iter_next(&it)); step->index++)
		err = read_element(rd, f->shape, fields_element(f, base, step->index), element);
	return err;
}

static int read_value(struct reader *rd, const struct field *f, void *base, yyjson_val *v,
		      yyjson_val *exact)
{
	char *at = (char *)base + f->offset;

	switch (f->kind) {
	case FIELD_TEXT:
		return read_text(rd, f, base, v);
	case FIELD_BOOL:
	case FIELD_TRISTATE:
		if (!yyjson_is_bool(v))
			return expected(rd, "true or false", v);
		return fields_store(f, base, yyjson_get_bool(v), false);
	case FIELD_U32:
	case FIELD_U64:
	case FIELD_I32:
	case FIELD_I64:
		return read_number(rd, f, base, v, exact);
	case FIELD_DOUBLE:
		if (!yyjson_is_num(v))
			return expected(rd, "a number", v);
		*(double *)(void *)at = yyjson_get_num(v);
		return 0;
	case FIELD_WORD:
		return read_word(rd, f, base, v);
	case FIELD_GROUP:
		return read_shape(rd, f->shape, at, v);
	case FIELD_ARRAY:
	case FIELD_LIST:
		return read_array(rd, f, base, v);
	case FIELD_BUCKETS:
		return read_buckets(rd, (uint64_t *)(void *)at, v);
	case FIELD_LINES:
		return read_lines(rd, (char **)(void *)at, v);
	}
	return -EINVAL;
}

static int read_field(struct reader *rd, const struct field *f, void *base, yyjson_val *v,
		      yyjson_val *exact)
{
	int err;

	if (!v)
		return f->traits & FIELD_REQUIRED ? refuse(rd, -EINVAL, "\"%s\" is missing", f->key)
						  : 0;
	if (rd->depth == DEPTH_MAX)
		return refuse(rd, -EINVAL, "nested too deep");
	rd->step[rd->depth++] = (struct step){ .key = f->key };
	err = read_value(rd, f, base, v, exact);
	rd->depth--;
	if (!err && f->flag_offset)
		*((bool *)base + f->flag_offset) = true;
	return err;
}

/* Which row a key belongs to; *exact: it is the text beside the row's number. n: none. */
static size_t row_of(const struct shape *shape, yyjson_val *key, bool *exact)
{
	const char *name = yyjson_get_str(key);
	size_t len = yyjson_get_len(key), suffix = sizeof(JSON_EXACT_SUFFIX) - 1;
	size_t i;

	for (i = 0; i < shape->n; i++) {
		const struct field *f = &shape->field[i];
		size_t n = strlen(f->key);

		if (len < n || memcmp(name, f->key, n))
			continue;
		*exact = len == n + suffix && !memcmp(name + n, JSON_EXACT_SUFFIX, suffix) &&
			 (f->kind == FIELD_U64 || f->kind == FIELD_I64);
		if (len == n || *exact)
			break;
	}
	return i;
}

/* Reads in the order of the rows, not of the keys: a count that follows its array must win. */
static int read_shape(struct reader *rd, const struct shape *shape, void *base, yyjson_val *object)
{
	yyjson_val *value[FIELDS_MAX][2] = { { NULL } };
	yyjson_obj_iter it;
	yyjson_val *key;
	int err = 0;

	if (!yyjson_obj_iter_init(object, &it))
		return expected(rd, "an object", object);
	while ((key = yyjson_obj_iter_next(&it))) {
		bool exact = false;
		size_t i = row_of(shape, key, &exact);

		if (i == shape->n)
			continue;
		if (value[i][exact])
			return refuse(rd, -EINVAL, "\"%s\" stands there twice",
				      shape->field[i].key);
		value[i][exact] = yyjson_obj_iter_get_val(key);
	}
	for (size_t i = 0; i < shape->n && !err; i++)
		err = read_field(rd, &shape->field[i], base, value[i][0], value[i][1]);
	return err;
}

static int check_schema(struct reader *rd, yyjson_val *root)
{
	yyjson_val *schema = yyjson_obj_get(root, "schema");
	char name[64];

	if (!yyjson_is_obj(root))
		return expected(rd, "a report: an object", root);
	if (!yyjson_is_str(schema))
		return refuse(rd, -EINVAL,
			      "\"schema\" is missing: this is not a report of bootmark");
	text_clean(name, sizeof(name), yyjson_get_str(schema), yyjson_get_len(schema));
	if (strcmp(name, REPORT_SCHEMA))
		return refuse(rd, -EINVAL, "schema \"%s\": this version reads \"%s\"", name,
			      REPORT_SCHEMA);
	return 0;
}

int report_json_read(struct report *r, const char *text, size_t len_bytes, char *why,
		     size_t why_bytes)
{
	struct reader rd = { .why = why, .why_bytes = why_bytes };
	yyjson_read_err said;
	yyjson_doc *doc;
	int err;

	report_init(r);
	if (why_bytes)
		*why = '\0';
	if (len_bytes > JSON_READ_LIMIT_BYTES)
		return refuse(&rd, -EINVAL, "%zu bytes: no report is larger than %u", len_bytes,
			      JSON_READ_LIMIT_BYTES);
	/* without YYJSON_READ_INSITU the text is only read, whatever the parameter's type says */
	doc = yyjson_read_opts((char *)(uintptr_t)text, len_bytes, YYJSON_READ_NOFLAG, NULL, &said);
	if (!doc && said.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
		return refuse(&rd, -ENOMEM, "out of memory");
	if (!doc)
		return refuse(&rd, -EINVAL, "no whole JSON: %s at byte %zu of %zu", said.msg,
			      said.pos, len_bytes);
	err = check_schema(&rd, yyjson_doc_get_root(doc));
	if (!err)
		err = read_shape(&rd, &fields_report, r, yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
	if (err == -ENOMEM)
		refuse(&rd, err, "out of memory");
	if (err)
		report_free(r);
	return err;
}
