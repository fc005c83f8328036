/* SPDX-License-Identifier: MIT */
/*
 * The map of the report: for every member of the model's structs its key, type and meaning of
 * "absent".
 *
 * The JSON writer and reader and the redaction all walk this one table, so a new member of the
 * model is one row here (and one entry in docs/report.schema.json). A unit test finds members
 * without a row.
 *
 * Invariant: a value at its absent value is not written, and a key that is missing leaves it there.
 */
#ifndef BENCH_MODEL_FIELDS_H
#define BENCH_MODEL_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_kind {
	FIELD_TEXT,	/* char[], empty: absent */
	FIELD_BOOL,
	FIELD_TRISTATE,	/* enum of -1 (absent), 0, 1 */
	FIELD_U32,
	FIELD_U64,
	FIELD_I32,
	FIELD_I64,
	FIELD_DOUBLE,	/* not finite: absent */
	FIELD_WORD,	/* enum, written as the word `word` gives */
	FIELD_GROUP,	/* members below one key: `shape` based at `offset` */
	FIELD_ARRAY,	/* elements inside the struct, counted by an uint32_t */
	FIELD_LIST,	/* pointer to malloc'ed elements, counted by size_t (n, room) */
	FIELD_BUCKETS,	/* the counters of a struct hist */
	FIELD_LINES,	/* char *, malloc'ed lines of text; NULL: absent */
};

enum field_trait {
	FIELD_REQUIRED = 1 << 0,	/* the object means nothing without it */
	FIELD_SPARSE = 1 << 1,		/* a number equal to `absent` is absent */
	FIELD_PRIVATE = 1 << 2,		/* tells machines or owners apart: redaction empties it */
	FIELD_PROSE = 1 << 3,		/* free text in which such an identity may appear */
	FIELD_ID = 1 << 4,		/* text that must be a UUID */
};

struct shape;

struct field {
	const char *key;	/* NULL: the only field of a bare element of an array */
	enum field_kind kind;
	unsigned traits;	/* enum field_trait bits */
	size_t offset;		/* of the member in its struct */
	size_t size_bytes;	/* of a text with its NUL, or of one element */
	size_t count_offset;	/* arrays and lists; a group with one is absent while it is 0 */
	size_t room_offset;	/* lists */
	size_t max;		/* most elements */
	size_t flag_offset;	/* of the bool that says "present"; 0: there is none */
	int64_t absent;		/* see FIELD_SPARSE */
	const struct shape *shape;
	const char *(*word)(unsigned value);	/* NULL past the last value */
};

struct shape {
	size_t size_bytes;	/* of the struct the offsets count in */
	size_t n;
	const struct field *field;
};

/* The whole struct report, without the schema's name. */
extern const struct shape fields_report;
/* One element each of the lists in it. */
extern const struct shape fields_disk, fields_result, fields_named_text, fields_finding;
extern const struct shape fields_shared_limit, fields_health;
/* The machine, and its parts that have arrays of their own. */
extern const struct shape fields_machine, fields_cpu, fields_memory;

/*
 * Sets every member of `shape` to its absent value. `base` points to a struct of that shape, all
 * zero.
 */
void fields_init(const struct shape *shape, void *base);
/*
 * Appends an element, all its values absent, to the array `key` of a struct of that shape and
 * returns it. NULL where the array is full: the element is counted all the same.
 */
void *fields_add(const struct shape *shape, void *base, const char *key);
/*
 * True where the field has nothing to be written. Numbers in `word` fields out of range are absent.
 */
bool fields_absent(const struct field *f, const void *base);
/* Elements of an array (never more than max) or list. */
size_t fields_count(const struct field *f, const void *base);
/* Element `i` of an array or list; `i` < fields_count. */
void *fields_element(const struct field *f, const void *base, size_t i);
/* The number of a whole-number or word field, sign-extended to 64 bits. */
int64_t fields_number(const struct field *f, const void *base);
/*
 * Stores a number read from outside: `value` is the two's complement where `negative`. Returns 0 or
 * -ERANGE where the member cannot hold it.
 */
int fields_store(const struct field *f, void *base, uint64_t value, bool negative);

#endif
