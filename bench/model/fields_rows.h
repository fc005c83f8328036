/* SPDX-License-Identifier: MIT */
/* How the files of the map of the report write their rows; see fields.h. */
#ifndef BENCH_MODEL_FIELDS_ROWS_H
#define BENCH_MODEL_FIELDS_ROWS_H

#include "bench/model/fields.h"

/*
 * The kind follows from the member's type, so a row cannot contradict its struct. Arrays of char
 * decay.
 */
#define KIND(s, m) _Generic(((s *)0)->m, char *: FIELD_TEXT, bool: FIELD_BOOL, \
	double: FIELD_DOUBLE, uint32_t: FIELD_U32, uint64_t: FIELD_U64, \
	int32_t: FIELD_I32, int64_t: FIELD_I64)
#define SIZE(s, m) sizeof(((s *)0)->m)
/* A plain member: texts absent while empty, numbers always there. */
#define ROW(s, k, m) \
	.key = k, .kind = KIND(s, m), .offset = offsetof(s, m), .size_bytes = SIZE(s, m)
#define SPARSE(s, k, m, value) ROW(s, k, m), .traits = FIELD_SPARSE, .absent = value
#define REQUIRED(s, k, m) ROW(s, k, m), .traits = FIELD_REQUIRED
#define PRIVATE(s, k, m) ROW(s, k, m), .traits = FIELD_PRIVATE
#define PROSE(s, k, m) ROW(s, k, m), .traits = FIELD_PROSE
#define FLAGGED(s, k, m, flag) ROW(s, k, m), .flag_offset = offsetof(s, flag)
#define WORD(s, k, m, words) .key = k, .kind = FIELD_WORD, .offset = offsetof(s, m), .word = words
#define TRISTATE(s, k, m) .key = k, .kind = FIELD_TRISTATE, .offset = offsetof(s, m), \
	.traits = FIELD_SPARSE, .absent = -1
#define GROUP(k, at, shape_) .key = k, .kind = FIELD_GROUP, .offset = at, .shape = &shape_
#define ARRAY(s, k, m, count, shape_) .key = k, .kind = FIELD_ARRAY, .offset = offsetof(s, m), \
	.size_bytes = sizeof(((s *)0)->m[0]), .count_offset = offsetof(s, count), \
	.max = SIZE(s, m) / sizeof(((s *)0)->m[0]), .shape = &shape_
#define LIST(s, k, m, n, room, limit, shape_) .key = k, .kind = FIELD_LIST, \
	.offset = offsetof(s, m), .size_bytes = sizeof(*((s *)0)->m), .max = limit, \
	.count_offset = offsetof(s, n), .room_offset = offsetof(s, room), .shape = &shape_
#define SHAPE(s, rows) \
	{ .size_bytes = sizeof(s), .n = sizeof(rows) / sizeof((rows)[0]), .field = rows }

const char *fields_unit_word(unsigned value);	/* of an enum metric_unit */

#endif
