/* SPDX-License-Identifier: MIT */
/*
 * The map of the report against the structs it describes: no byte of them without a row, no row
 * that is lost on the way to JSON and back.
 */
#include <stdint.h>

#include "bench/model/fields.h"
#include "bench/model/report.h"
#include "tests/unit/golden.h"
#include "tests/unit/tap.h"

/* bytes of the largest struct */
#define ROOM (sizeof(struct result) + sizeof(struct machine_info) + 65536)

/*
 * Marks in `mask` the bytes of a type that are no padding. The compiler knows: it can clear
 * padding. Without that (clang before 20) nothing is marked and the check is skipped.
 */
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
#define HAS_CLEAR_PADDING 1
#endif
#endif
#ifdef HAS_CLEAR_PADDING
#define MARK_VALUES(type, mask) do { \
	static type all; \
	memset(&all, 0xFF, sizeof(all)); \
	__builtin_clear_padding(&all); \
	memcpy(mask, &all, sizeof(all)); \
} while (0)
#else
#define MARK_VALUES(type, mask) memset(mask, 0, sizeof(type))
#endif

static unsigned char values[ROOM], rows[ROOM];

static void mark(size_t offset, size_t bytes)
{
	memset(rows + offset, 0xFF, bytes);
}

static size_t bytes_of(const struct field *f)
{
	static const size_t fixed[] = {
		[FIELD_BOOL] = sizeof(bool), [FIELD_TRISTATE] = sizeof(int), [FIELD_U32] = 4,
		[FIELD_U64] = 8, [FIELD_I32] = 4, [FIELD_I64] = 8, [FIELD_DOUBLE] = sizeof(double),
		[FIELD_WORD] = sizeof(int), [FIELD_LIST] = sizeof(void *),
		[FIELD_BUCKETS] = HIST_BUCKETS * sizeof(uint64_t), [FIELD_LINES] = sizeof(char *),
	};

	return f->kind == FIELD_TEXT ? f->size_bytes :
	       f->kind == FIELD_ARRAY ? f->max * f->size_bytes : fixed[f->kind];
}

static void mark_shape(const struct shape *shape, size_t base)
{
	for (size_t i = 0; i < shape->n; i++) {
		const struct field *f = &shape->field[i];

		if (f->flag_offset)
			mark(base + f->flag_offset, sizeof(bool));
		if (f->kind == FIELD_ARRAY)
			mark(base + f->count_offset, sizeof(uint32_t));
		if (f->kind == FIELD_LIST) {
			mark(base + f->count_offset, sizeof(size_t));
			mark(base + f->room_offset, sizeof(size_t));
		}
		if (f->kind == FIELD_GROUP)
			mark_shape(f->shape, base + f->offset);
		else
			mark(base + f->offset, bytes_of(f));
	}
}

static void check_cover(const char *name, const struct shape *shape)
{
	size_t missing = 0, first = 0;

	memset(rows, 0, sizeof(rows));
	mark_shape(shape, 0);
	for (size_t i = 0; i < shape->size_bytes; i++)
		if (values[i] && !rows[i] && missing++ == 0)
			first = i;
#ifdef HAS_CLEAR_PADDING
	if (!is_uint(missing, 0, "struct %s: every byte has a row in fields.c", name))
		tap_diag("the first without one is at offset %zu", first);
#else
	(void)first;
	tap_skip(name, "this compiler cannot tell padding from members");
#endif
}

/* The shape of the elements below `key`, wherever it stands. */
static const struct shape *shape_of(const struct shape *shape, const char *key)
{
	for (size_t i = 0; i < shape->n; i++) {
		const struct field *f = &shape->field[i];
		const struct shape *found = NULL;

		if (f->kind == FIELD_ARRAY && !strcmp(f->key, key))
			return f->shape;
		if (f->kind == FIELD_GROUP)
			found = shape_of(f->shape, key);
		if (found)
			return found;
	}
	return NULL;
}

#define COVER(type, shape) do { \
	MARK_VALUES(struct type, values); \
	is_uint(sizeof(struct type), (shape)->size_bytes, #type ": the shape is of that struct"); \
	check_cover(#type, shape); \
} while (0)

/*
 * gcc 12 loses its place behind an array of structs in a struct. Where there are some, what no row
 * covers counts as padding while it is shorter than the alignment behind it.
 */
static void check_gaps(const char *name, const struct shape *shape)
{
	size_t gap = 0, wrong = 0;

	memset(rows, 0, sizeof(rows));
	mark_shape(shape, 0);
	for (size_t i = 0; i <= shape->size_bytes; i++) {
		if (i < shape->size_bytes && !rows[i]) {
			gap++;
			continue;
		}
		wrong += gap > 0 && (gap >= sizeof(uint64_t) || i % sizeof(uint32_t));
		gap = 0;
	}
	is_uint(wrong, 0, "struct %s: no member without a row in its fields_*.c", name);
}

static void mark_report(unsigned char *to)
{
	memset(to, 0xFF, sizeof(struct report));
	MARK_VALUES(struct tool_info, to + offsetof(struct report, tool));
	MARK_VALUES(struct run_info, to + offsetof(struct report, run));
	/* by its parts, see test_cover */
	memset(to + offsetof(struct report, machine), 0, sizeof(struct machine_info));
	/* remembered for a second redaction and never written, see report.h */
	memset(to + offsetof(struct report, secret), 0, sizeof(void *));
	memset(to + offsetof(struct report, secret_n), 0, sizeof(size_t));
	memset(to + offsetof(struct report, secret_room), 0, sizeof(size_t));
}

static void mark_disk(unsigned char *to)
{
	MARK_VALUES(struct disk, to);
	/* what consent/ keeps for itself, and no part of a report */
	memset(to + offsetof(struct disk, write), 0, sizeof(struct disk_write));
}

/* Nothing but padding stands between two members: up to the alignment of the second. */
static void mark_padding(unsigned char *to, size_t end, size_t next, const char *what)
{
	memset(to + end, 0, next - end);
	ok(next - end < sizeof(uint64_t) && next % sizeof(uint32_t) == 0, "only padding %s", what);
}

#define END_OF(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

static void mark_result(unsigned char *to)
{
	unsigned char *io = to + offsetof(struct result, io);
	const size_t right = offsetof(struct io_outcome, error);

	MARK_VALUES(struct result, to);
	memset(to + offsetof(struct result, metric), 0xFF,
	       sizeof(struct result) - offsetof(struct result, metric));
	MARK_VALUES(struct io_outcome, io);
	memset(io + right, 0xFF, sizeof(struct io_outcome) - right);
	mark_padding(to, END_OF(struct result, has_io), offsetof(struct result, io), "before io");
	mark_padding(to, END_OF(struct result, io.huge_pages), offsetof(struct result, io.series_n),
		     "behind huge_pages");
	mark_padding(to, END_OF(struct result, series_n), offsetof(struct result, series),
		     "before series");
	mark_padding(to, END_OF(struct result, has_disk_stat), offsetof(struct result, disk_stat),
		     "before disk_stat");
}

static void test_cover(void)
{
	mark_report(values);
	check_cover("report", &fields_report);
	mark_result(values);
	check_cover("result", &fields_result);
	mark_disk(values);
	is_uint(sizeof(struct disk), fields_disk.size_bytes, "disk: the shape is of that struct");
	check_cover("disk", &fields_disk);
	COVER(finding, &fields_finding);
	COVER(shared_limit, &fields_shared_limit);
	COVER(named_text, &fields_named_text);
	COVER(metric, shape_of(&fields_result, "metrics"));
	COVER(io_error, shape_of(&fields_result, "errors"));
	check_gaps("machine_info", &fields_machine);
	check_gaps("health", &fields_health);
	is_uint(sizeof(struct machine_info), fields_machine.size_bytes, "machine_info");
	is_uint(sizeof(struct health), fields_health.size_bytes, "health");
	COVER(cpu_cache, shape_of(&fields_machine, "caches"));
	COVER(cpu_kind, shape_of(&fields_machine, "kinds"));
	COVER(numa_node, shape_of(&fields_machine, "nodes"));
	COVER(memory_module, shape_of(&fields_machine, "modules"));
	COVER(edac_counter, shape_of(&fields_machine, "edac"));
	COVER(nic_info, shape_of(&fields_machine, "nics"));
	COVER(pci_device, shape_of(&fields_machine, "pci"));
	COVER(storage_array, shape_of(&fields_machine, "arrays"));
	COVER(signature, shape_of(&fields_machine, "signatures"));
	COVER(sensor, shape_of(&fields_machine, "sensors"));
	COVER(power_domain, shape_of(&fields_machine, "power"));
	COVER(kernel_fault, shape_of(&fields_machine, "kernel_faults"));
	COVER(self_test, shape_of(&fields_health, "self_tests"));
	COVER(health_warning, shape_of(&fields_health, "warnings"));
}

/* Fills a report with a different value in every row. */
struct filler {
	uint64_t next; /* value of the next number */
	uint64_t base; /* added to 64-bit numbers: above 2^53 they are also written as text */
	size_t elements; /* of each array and list, where it has room for them */
};

static void fill_shape(struct filler *fl, const struct shape *shape, void *base);

static void fill_text(struct filler *fl, const struct field *f, char *to)
{
	if (f->traits & FIELD_ID)
		snprintf(to, f->size_bytes, "01234567-89ab-4cde-8f01-%012llx",
			 (unsigned long long)fl->next++);
	else
		snprintf(to, f->size_bytes, "%s %llu", f->key ? f->key : "path",
			 (unsigned long long)fl->next++);
}

static void fill_lines(struct filler *fl, char **lines)
{
	*lines = malloc(64);
	snprintf(*lines, 64, "line %llu\nthe next\n", (unsigned long long)fl->next++);
}

static void fill_elements(struct filler *fl, const struct field *f, void *base)
{
	size_t n = fl->elements < f->max ? fl->elements : f->max;
	uint32_t n32 = (uint32_t)n;
	char *at = (char *)base;

	if (f->kind == FIELD_LIST) {
		void *memory = calloc(n, f->size_bytes);

		memcpy(at + f->offset, &memory, sizeof(memory));
		memcpy(at + f->count_offset, &n, sizeof(n));
		memcpy(at + f->room_offset, &n, sizeof(n));
	} else {
		memcpy(at + f->count_offset, &n32, sizeof(n32));
	}
	for (size_t i = 0; i < n; i++)
		fill_shape(fl, f->shape, fields_element(f, base, i));
}

static unsigned last_word(const struct field *f)
{
	unsigned n = 0;

	while (f->word(n))
		n++;
	return n - 1;
}

static void fill_field(struct filler *fl, const struct field *f, void *base)
{
	char *at = (char *)base + f->offset;

	if (f->flag_offset)
		*((bool *)base + f->flag_offset) = true;
	switch (f->kind) {
	case FIELD_TEXT:
		fill_text(fl, f, at);
		break;
	case FIELD_BOOL:
	case FIELD_TRISTATE:
		fields_store(f, base, 1, false);
		break;
	case FIELD_WORD:
		fields_store(f, base, last_word(f), false);
		break;
	case FIELD_I32:
		fields_store(f, base, -(fl->next++ + 2), true);
		break;
	case FIELD_U32:
		fields_store(f, base, fl->next++, false);
		break;
	case FIELD_I64:
	case FIELD_U64:
		fields_store(f, base, fl->base + fl->next++, false);
		break;
	case FIELD_DOUBLE:
		*(double *)(void *)at = (double)fl->next++ + 0.1;
		break;
	case FIELD_GROUP:
		fill_shape(fl, f->shape, at);
		break;
	case FIELD_ARRAY:
	case FIELD_LIST:
		fill_elements(fl, f, base);
		break;
	case FIELD_BUCKETS:
		for (size_t i = 0; i < HIST_BUCKETS; i += HIST_BUCKETS / 5)
			((uint64_t *)(void *)at)[i] = fl->next++;
		break;
	case FIELD_LINES:
		fill_lines(fl, (char **)(void *)at);
		break;
	}
}

static void fill_shape(struct filler *fl, const struct shape *shape, void *base)
{
	for (size_t i = 0; i < shape->n; i++)
		fill_field(fl, &shape->field[i], base);
}

static void test_round_trip(const char *name, struct filler fl, const char *golden)
{
	struct report r, back;
	size_t len, again_len = 0;
	char *json, *again = NULL;
	char why[200];

	report_init(&r);
	fill_shape(&fl, &fields_report, &r);
	json = report_json_write(&r, &len);
	if (golden)
		golden_is(golden, json, len);
	if (is_int(report_json_read(&back, json, len, why, sizeof(why)), 0, "%s is read back",
		   name))
		again = report_json_write(&back, &again_len);
	else
		tap_diag("%s", why);
	ok(again && len == again_len && !memcmp(json, again, len),
	   "%s: written, read, written: equal", name);
	is_uint(back.result_n, fl.elements, "%s: all results came back", name);
	if (back.result_n) {
		/* what no JSON tells: the structs themselves are equal too */
		ok(!memcmp(&r.result[0], &back.result[0], sizeof(struct result)),
		   "%s: equal results", name);
		ok(!memcmp(&r.disks.disk[0], &back.disks.disk[0], sizeof(struct disk)),
		   "%s: equal disks", name);
		ok(!memcmp(&r.machine, &back.machine, sizeof(r.machine)), "%s: equal machines",
		   name);
		ok(!memcmp(&r.run, &back.run, sizeof(r.run)), "%s: equal runs", name);
		ok(!memcmp(&r.tool, &back.tool, sizeof(r.tool)), "%s: equal tools", name);
	}
	free(json);
	free(again);
	report_free(&r);
	report_free(&back);
}

/* Absent in, absent out: an empty report has no key beyond the required and the plain ones. */
static void test_absent(void)
{
	struct report r, back;
	char why[200];
	size_t len;
	char *json;

	report_init(&r);
	snprintf(r.run.id, sizeof(r.run.id), "01234567-89ab-4cde-8f01-000000000000");
	json = report_json_write(&r, &len);
	ok(!strstr(json, "null"), "nothing is null");
	ok(!strstr(json, "\"tool\""), "a group of absent values is absent");
	ok(!strstr(json, "\"memory_bytes\""), "a memory that is not known is not 0");
	ok(!strstr(json, "\"null_engine_iops\""), "nor the engine's speed");
	is_int(report_json_read(&back, json, len, why, sizeof(why)), 0, "it is a report");
	ok(!memcmp(&r, &back, sizeof(r)), "and reads as it was");
	free(json);
	report_free(&back);
	report_free(&r);
}

int main(void)
{
	test_cover();
	test_round_trip("small", (struct filler){ .next = 1, .elements = 2 },
			"tests/golden/every-field.json");
	test_round_trip("large",
			(struct filler){ .next = 1, .base = UINT64_C(1) << 62, .elements = 2 },
			"tests/golden/every-field-large.json");
	test_round_trip("full", (struct filler){ .next = 1, .elements = 200 }, NULL);
	test_round_trip("empty", (struct filler){ .next = 1 }, NULL);
	test_absent();
	return tap_done();
}
