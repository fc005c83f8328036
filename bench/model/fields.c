/* SPDX-License-Identifier: MIT */
/* The map of the report: one row for every member of the model's structs. See fields.h. */
#include "bench/model/fields_rows.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "bench/model/report.h"

/* Most elements a stored report may bring: far above any machine, far below what would hurt. */
#define DISKS_MAX 4096
#define RESULTS_MAX 8192
#define TEXTS_MAX 4096
#define FINDINGS_MAX 16384	/* several of each result and disk */

static const char *state_word(unsigned v)
{
	return v < RUN_STATE_COUNT ? run_state_words[v] : NULL;
}

static const char *status_word(unsigned v)
{
	return v < RESULT_STATUS_COUNT ? result_status_words[v] : NULL;
}

const char *fields_unit_word(unsigned v)
{
	return v < UNIT_UNITS ? metric_unit_words[v] : NULL;
}

static const char *severity_word(unsigned v)
{
	return v < FINDING_SEVERITY_COUNT ? finding_severity_words[v] : NULL;
}

static const char *skip_word(unsigned v)
{
	return v < DISK_SKIP_COUNT ? disk_skip_table[v].word : NULL;
}

static const char *consent_word(unsigned v)
{
	return v < CONSENT_COUNT ? disk_consent_words[v] : NULL;
}

static const char *end_word(unsigned v)
{
	return v < IO_END_COUNT ? io_end_table[v].word : NULL;
}

/* bare elements of arrays */
static const struct field double_rows[] = { { .kind = FIELD_DOUBLE } };
static const struct shape double_shape = SHAPE(double, double_rows);
static const struct field u64_rows[] = { { .kind = FIELD_U64 } };
static const struct shape u64_shape = SHAPE(uint64_t, u64_rows);
struct path_text {
	char name[DISK_NAME_BYTES];
};
static const struct field path_rows[] = { { ROW(struct path_text, NULL, name) } };
static const struct shape path_shape = SHAPE(struct path_text, path_rows);

static const struct field named_text_rows[] = {
	{ REQUIRED(struct named_text, "name", name) },
	{ PROSE(struct named_text, "text", text) },
};
const struct shape fields_named_text = SHAPE(struct named_text, named_text_rows);

static const struct field tool_rows[] = {
	{ ROW(struct tool_info, "version", version) },
	{ ROW(struct tool_info, "compiler", compiler) },
	{ ROW(struct tool_info, "kernel", kernel) },
	{ ROW(struct tool_info, "kernel_config_sha256", kernel_config_sha256) },
	{ ROW(struct tool_info, "engine", engine) },
	{ FLAGGED(struct tool_info, "null_engine_iops", engine_iops, has_engine_iops) },
};
static const struct shape tool_shape = SHAPE(struct tool_info, tool_rows);

static const struct field run_rows[] = {
	{ ROW(struct run_info, "id", id), .traits = FIELD_REQUIRED | FIELD_ID },
	{ PRIVATE(struct run_info, "label", label) },
	{ ROW(struct run_info, "profile", profile) },
	{ WORD(struct run_info, "state", state, state_word), .traits = FIELD_REQUIRED },
	{ PROSE(struct run_info, "state_reason", state_reason) },
	{ SPARSE(struct run_info, "started_s", started_s, 0) },
	{ ROW(struct run_info, "clock_trusted", clock_trusted) },
	{ PROSE(struct run_info, "clock_note", clock_note) },
	{ ROW(struct run_info, "clocksource", clocksource) },
	{ SPARSE(struct run_info, "elapsed_ns", elapsed_ns, 0) },
	{ SPARSE(struct run_info, "planned_ns", planned_ns, 0) },
	{ PROSE(struct run_info, "write_consent", write_consent) },
	{ ROW(struct run_info, "redacted", redacted) },
};
static const struct shape run_shape = SHAPE(struct run_info, run_rows);

static const struct field disk_rows[] = {
	{ REQUIRED(struct disk, "name", name) },
	{ ROW(struct disk, "node", node) },
	{ ROW(struct disk, "major", major) },
	{ ROW(struct disk, "minor", minor) },
	{ ROW(struct disk, "vendor", vendor) },
	{ ROW(struct disk, "model", model) },
	{ PRIVATE(struct disk, "serial", serial) },
	{ PRIVATE(struct disk, "wwn", wwn) },
	{ ROW(struct disk, "firmware", firmware) },
	{ ROW(struct disk, "transport", transport) },
	{ ROW(struct disk, "driver", driver) },
	{ ROW(struct disk, "controller", controller) },
	{ PROSE(struct disk, "sysfs", sysfs) },
	{ PRIVATE(struct disk, "identity", identity) },
	{ ROW(struct disk, "identity_is_path", identity_is_path) },
	{ ROW(struct disk, "size_bytes", size_bytes) },
	{ SPARSE(struct disk, "logical_block_bytes", logical_block_bytes, 0) },
	{ SPARSE(struct disk, "physical_block_bytes", physical_block_bytes, 0) },
	{ .key = "rotational", .kind = FIELD_TRISTATE, .offset = offsetof(struct disk, rotational),
	  .traits = FIELD_SPARSE, .absent = DISK_ROTATIONAL_UNKNOWN },
	{ ROW(struct disk, "read_only", read_only) },
	{ ROW(struct disk, "removable", removable) },
	{ SPARSE(struct disk, "numa_node", numa_node, -1) },
	{ SPARSE(struct disk, "late_ms", late_ms, 0) },
	{ WORD(struct disk, "consent", consent, consent_word), .traits = FIELD_SPARSE },
	{ PROSE(struct disk, "consent_why", consent_why) },
	{ SPARSE(struct disk, "link_bytes_per_s", link_bytes_per_s, 0) },
	{ ROW(struct disk, "link", link) },
	{ WORD(struct disk, "skip", skip, skip_word), .traits = FIELD_SPARSE,
	  .absent = DISK_TAKEN },
	{ PROSE(struct disk, "skip_detail", skip_detail) },
	{ ARRAY(struct disk, "paths", path, path_n, path_shape) },
	/* after the array: it also counts paths that found no room in it */
	{ SPARSE(struct disk, "path_count", path_n, 0) },
};
const struct shape fields_disk = SHAPE(struct disk, disk_rows);

static const struct field sample_rows[] = {
	{ ROW(struct metric, "median", median) },
	{ ROW(struct metric, "mad", mad) },
	{ ROW(struct metric, "min", min) },
	{ ROW(struct metric, "max", max) },
	{ ARRAY(struct metric, "values", sample, sample_n, double_shape) },
};
static const struct shape sample_shape = SHAPE(struct metric, sample_rows);

static const struct field metric_rows[] = {
	{ REQUIRED(struct metric, "name", name) },
	{ WORD(struct metric, "unit", unit, fields_unit_word), .traits = FIELD_REQUIRED },
	{ REQUIRED(struct metric, "value", value) },
	{ GROUP("samples", 0, sample_shape), .count_offset = offsetof(struct metric, sample_n) },
};
static const struct shape metric_shape = SHAPE(struct metric, metric_rows);

static const struct field parameter_rows[] = {
	{ ROW(struct result, "engine", engine) },
	{ ROW(struct result, "access", access) },
	{ ROW(struct result, "order", order) },
	{ SPARSE(struct result, "block_bytes", block_bytes, 0) },
	{ SPARSE(struct result, "depth", depth, 0) },
	{ SPARSE(struct result, "depth_asked", depth_asked, 0) },
	{ SPARSE(struct result, "jobs", jobs, 0) },
	{ SPARSE(struct result, "area_offset_bytes", area_offset_bytes, 0) },
	{ SPARSE(struct result, "area_bytes", area_bytes, 0) },
	{ SPARSE(struct result, "ramp_ns", ramp_ns, 0) },
	{ SPARSE(struct result, "seed", seed, 0) },
	{ ROW(struct result, "data", data) },
	{ ROW(struct result, "via", via) },
	{ PROSE(struct result, "path", path) },
};
static const struct shape parameter_shape = SHAPE(struct result, parameter_rows);

static const struct field error_rows[] = {
	{ ROW(struct io_error, "errno", err), .traits = FIELD_REQUIRED },
	{ REQUIRED(struct io_error, "count", count) },
	{ ROW(struct io_error, "first_offset_bytes", first_offset_bytes) },
};
static const struct shape error_shape = SHAPE(struct io_error, error_rows);

static const struct field hist_rows[] = {
	{ ROW(struct hist, "count", count) },
	{ ROW(struct hist, "over", over) },
	{ SPARSE(struct hist, "min_ns", min_ns, -1) },	/* UINT64_MAX */
	{ SPARSE(struct hist, "max_ns", max_ns, 0) },
	{ ROW(struct hist, "sum_ns", sum_ns) },
	{ ROW(struct hist, "sum_sq_ns2", sum_sq_ns2) },
	{ .key = "buckets", .kind = FIELD_BUCKETS, .offset = offsetof(struct hist, bucket) },
};
static const struct shape hist_shape = SHAPE(struct hist, hist_rows);

static const struct field series_rows[] = {
	{ SPARSE(struct result, "interval_ns", series_ns, 0) },
	{ SPARSE(struct result, "lost", io.series_lost, 0) },
	{ ARRAY(struct result, "bytes", io.series_bytes, io.series_n, u64_shape) },
};
static const struct shape series_shape = SHAPE(struct result, series_rows);

static const struct field moments_rows[] = {
	{ ROW(struct moments, "count", count) },
	{ ROW(struct moments, "min_ns", min_ns) },
	{ ROW(struct moments, "max_ns", max_ns) },
	{ ROW(struct moments, "sum_ns", sum_ns) },
	{ ROW(struct moments, "sum_sq_ns2", sum_sq_ns2) },
};
static const struct shape moments_shape = SHAPE(struct moments, moments_rows);

static const struct field side_rows[] = {
	{ ROW(struct io_side, "ios", ios) },
	{ ROW(struct io_side, "bytes", bytes) },
	{ GROUP("slat", offsetof(struct io_side, slat), moments_shape) },
	{ GROUP("lat", offsetof(struct io_side, lat), moments_shape) },
	{ GROUP("clat", offsetof(struct io_side, clat), hist_shape) },
};
static const struct shape side_shape = SHAPE(struct io_side, side_rows);

static const struct field detail_rows[] = {
	{ GROUP("read", offsetof(struct result, io.side[IO_SIDE_READ]), side_shape) },
	{ GROUP("write", offsetof(struct result, io.side[IO_SIDE_WRITE]), side_shape) },
	{ ARRAY(struct result, "depths", io.depth_map, io.map_n, u64_shape) },
	{ ARRAY(struct result, "submits", io.submit_map, io.map_n, u64_shape) },
	{ ARRAY(struct result, "completes", io.complete_map, io.map_n, u64_shape) },
};
static const struct shape detail_shape = SHAPE(struct result, detail_rows);

static const struct field io_rows[] = {
	{ WORD(struct result, "end", io.end, end_word), .traits = FIELD_REQUIRED },
	{ SPARSE(struct result, "setup_errno", io.setup_errno, 0) },
	{ ROW(struct result, "setup_what", io.setup_what) },
	{ ROW(struct result, "note", io.note) },
	{ SPARSE(struct result, "depth_used", io.depth_used, 0) },
	{ ROW(struct result, "measured_ns", io.measured_ns) },
	{ ROW(struct result, "ios", io.ios) },
	{ ROW(struct result, "bytes", io.bytes) },
	{ ROW(struct result, "issued_ios", io.issued_ios) },
	{ ROW(struct result, "short_ios", io.short_ios) },
	{ ROW(struct result, "zero_ios", io.zero_ios) },
	{ ROW(struct result, "error_ios", io.error_ios) },
	{ ROW(struct result, "unanswered_ios", io.unanswered_ios) },
	{ SPARSE(struct result, "silent_ns", io.silent_ns, 0) },
	{ SPARSE(struct result, "trouble_ns", io.trouble_ns, 0) },
	{ ARRAY(struct result, "errors", io.error, io.error_n, error_shape) },
	{ ROW(struct result, "sampled_buffers", io.sampled_buffers) },
	{ ROW(struct result, "zero_buffers", io.zero_buffers) },
	{ ROW(struct result, "clock_error_ns", io.clock_error_ns) },
	{ ROW(struct result, "clock_error_mean_ns", io.clock_error_mean_ns) },
	{ ROW(struct result, "clock_read_ns", io.clock_read_ns) },
	{ ROW(struct result, "user_cpu_ns", io.user_cpu_ns) },
	{ ROW(struct result, "system_cpu_ns", io.system_cpu_ns) },
	{ SPARSE(struct result, "jobs_used", io.jobs_used, 0) },
	{ SPARSE(struct result, "context_switches", io.context_switches, 0) },
	{ SPARSE(struct result, "minor_faults", io.minor_faults, 0) },
	{ SPARSE(struct result, "major_faults", io.major_faults, 0) },
	{ ROW(struct result, "huge_pages", io.huge_pages) },
	{ FLAGGED(struct result, "rate_ci_share", io.rate_ci_share, io.has_rate_ci) },
	{ GROUP("latency", offsetof(struct result, io.lat), hist_shape) },
	{ GROUP("detail", 0, detail_shape), .flag_offset = offsetof(struct result, io.has_detail) },
	{ GROUP("series", 0, series_shape) },
};
static const struct shape io_shape = SHAPE(struct result, io_rows);

static const struct field mark_rows[] = {
	{ REQUIRED(struct mark, "word", word) },
	{ PROSE(struct mark, "text", text) },
};
static const struct shape mark_shape = SHAPE(struct mark, mark_rows);

static const struct field point_rows[] = {
	{ REQUIRED(struct point, "x", x) },
	{ REQUIRED(struct point, "y", y) },
};
static const struct shape point_shape = SHAPE(struct point, point_rows);

static const struct field curve_rows[] = {
	{ REQUIRED(struct series, "name", name) },
	{ WORD(struct series, "x_unit", x_unit, fields_unit_word), .traits = FIELD_REQUIRED },
	{ WORD(struct series, "y_unit", y_unit, fields_unit_word), .traits = FIELD_REQUIRED },
	{ SPARSE(struct series, "lost", points_lost, 0) },
	{ ARRAY(struct series, "points", point, point_n, point_shape) },
};
static const struct shape curve_shape = SHAPE(struct series, curve_rows);

static const struct field disk_stat_rows[] = {
	{ ROW(struct disk_stat, "read_ios", read_ios) },
	{ ROW(struct disk_stat, "read_merges", read_merges) },
	{ ROW(struct disk_stat, "read_bytes", read_bytes) },
	{ ROW(struct disk_stat, "read_ticks_ms", read_ticks_ms) },
	{ ROW(struct disk_stat, "write_ios", write_ios) },
	{ ROW(struct disk_stat, "write_merges", write_merges) },
	{ ROW(struct disk_stat, "write_bytes", write_bytes) },
	{ ROW(struct disk_stat, "write_ticks_ms", write_ticks_ms) },
	{ ROW(struct disk_stat, "io_ticks_ms", io_ticks_ms) },
	{ ROW(struct disk_stat, "queue_ticks_ms", queue_ticks_ms) },
};
static const struct shape disk_stat_shape = SHAPE(struct disk_stat, disk_stat_rows);

static const struct field result_rows[] = {
	{ REQUIRED(struct result, "test", test) },
	{ ROW(struct result, "family", family) },
	{ ROW(struct result, "phase", phase) },
	{ ROW(struct result, "target", target) },
	{ PRIVATE(struct result, "target_identity", target_identity) },
	{ WORD(struct result, "status", status, status_word), .traits = FIELD_REQUIRED },
	{ PROSE(struct result, "reason", reason) },
	{ ROW(struct result, "start_ns", start_ns) },
	{ ROW(struct result, "elapsed_ns", elapsed_ns) },
	{ SPARSE(struct result, "budget_ns", budget_ns, 0) },
	{ GROUP("parameters", 0, parameter_shape) },
	{ PROSE(struct result, "as_read", as_read) },
	{ PROSE(struct result, "context", context) },
	{ ARRAY(struct result, "metrics", metric, metric_n, metric_shape) },
	{ GROUP("io", 0, io_shape), .flag_offset = offsetof(struct result, has_io) },
	{ ROW(struct result, "area_written", area_written) },
	{ ARRAY(struct result, "marks", mark, mark_n, mark_shape) },
	{ ARRAY(struct result, "curves", series, series_n, curve_shape) },
	{ GROUP("disk_stat", offsetof(struct result, disk_stat), disk_stat_shape),
	  .flag_offset = offsetof(struct result, has_disk_stat) },
};
const struct shape fields_result = SHAPE(struct result, result_rows);

static const struct field finding_rows[] = {
	{ WORD(struct finding, "severity", severity, severity_word), .traits = FIELD_REQUIRED },
	{ REQUIRED(struct finding, "rule", rule) },
	{ ROW(struct finding, "target", target) },
	{ ROW(struct finding, "sentence", sentence), .traits = FIELD_REQUIRED | FIELD_PROSE },
	{ ROW(struct finding, "advice", advice) },
};
const struct shape fields_finding = SHAPE(struct finding, finding_rows);

static const struct field shared_limit_rows[] = {
	{ REQUIRED(struct shared_limit, "test", test) },
	{ ROW(struct shared_limit, "controller", controller) },
	{ REQUIRED(struct shared_limit, "disks", disk_n) },
	{ WORD(struct shared_limit, "unit", unit, fields_unit_word), .traits = FIELD_REQUIRED },
	{ REQUIRED(struct shared_limit, "alone", alone) },
	{ REQUIRED(struct shared_limit, "together", together) },
	{ ROW(struct shared_limit, "limited", limited) },
};
const struct shape fields_shared_limit = SHAPE(struct shared_limit, shared_limit_rows);

static const struct field report_rows[] = {
	{ GROUP("tool", offsetof(struct report, tool), tool_shape) },
	{ GROUP("run", offsetof(struct report, run), run_shape), .traits = FIELD_REQUIRED },
	{ GROUP("machine", offsetof(struct report, machine), fields_machine) },
	{ LIST(struct report, "disks", disks.disk, disks.n, disks.room, DISKS_MAX, fields_disk) },
	{ LIST(struct report, "health", health, health_n, health_room, DISKS_MAX, fields_health) },
	{ LIST(struct report, "results", result, result_n, result_room, RESULTS_MAX,
	       fields_result) },
	{ LIST(struct report, "shared_limits", shared_limit, shared_limit_n, shared_limit_room,
	       TEXTS_MAX, fields_shared_limit) },
	{ LIST(struct report, "findings", finding, finding_n, finding_room, FINDINGS_MAX,
	       fields_finding) },
	{ LIST(struct report, "options", option, option_n, option_room, TEXTS_MAX,
	       fields_named_text) },
	{ LIST(struct report, "notes", note, note_n, note_room, TEXTS_MAX, fields_named_text) },
	{ .key = "kernel_log", .kind = FIELD_LINES, .offset = offsetof(struct report, kernel_log),
	  .traits = FIELD_PROSE },
};
const struct shape fields_report = SHAPE(struct report, report_rows);

static const void *at(const struct field *f, const void *base)
{
	return (const char *)base + f->offset;
}

size_t fields_count(const struct field *f, const void *base)
{
	const char *count = (const char *)base + f->count_offset;
	uint32_t n;

	if (f->kind == FIELD_LIST)
		return *(const size_t *)(const void *)count;
	memcpy(&n, count, sizeof(n));
	return f->max && n > f->max ? f->max : n;
}

void *fields_element(const struct field *f, const void *base, size_t i)
{
	const char *first = at(f, base);

	if (f->kind == FIELD_LIST)
		memcpy(&first, at(f, base), sizeof(first));
	return (void *)(uintptr_t)(first + i * f->size_bytes);
}

int64_t fields_number(const struct field *f, const void *base)
{
	const void *p = at(f, base);

	switch (f->kind) {
	case FIELD_BOOL:
		return *(const unsigned char *)p !=
		       0; /* from another process it may hold any byte */
	case FIELD_U32:
	case FIELD_WORD:
		return *(const uint32_t *)p;
	case FIELD_I32:
	case FIELD_TRISTATE:
		return *(const int32_t *)p;
	default:
		return *(const int64_t *)p;
	}
}

int fields_store(const struct field *f, void *base, uint64_t value, bool negative)
{
	void *p = (char *)base + f->offset;

	switch (f->kind) {
	case FIELD_BOOL:
		*(bool *)p = value != 0;
		return 0;
	case FIELD_U32:
	case FIELD_WORD:
		if (negative || value > UINT32_MAX)
			return -ERANGE;
		*(uint32_t *)p = (uint32_t)value;
		return 0;
	case FIELD_I32:
	case FIELD_TRISTATE:
		if (negative ? (int64_t)value < INT32_MIN : value > INT32_MAX)
			return -ERANGE;
		*(int32_t *)p = (int32_t)value;
		return 0;
	case FIELD_I64:
		if (!negative && value > INT64_MAX)
			return -ERANGE;
		*(int64_t *)p = (int64_t)value;
		return 0;
	default:
		if (negative)
			return -ERANGE;
		*(uint64_t *)p = value;
		return 0;
	}
}

bool fields_absent(const struct field *f, const void *base)
{
	if (f->flag_offset && !*((const unsigned char *)base + f->flag_offset))
		return true;
	switch (f->kind) {
	case FIELD_TEXT:
		return !*(const char *)at(f, base);
	case FIELD_DOUBLE:
		return !isfinite(*(const double *)at(f, base));
	case FIELD_LINES:
		return !*(char *const *)at(f, base);
	case FIELD_WORD:
		if (!f->word((unsigned)fields_number(f, base)))
			return true;
		/* fall through */
	case FIELD_TRISTATE:
	case FIELD_U32:
	case FIELD_U64:
	case FIELD_I32:
	case FIELD_I64:
		return f->traits & FIELD_SPARSE && fields_number(f, base) == f->absent;
	case FIELD_ARRAY:
		return fields_count(f, base) == 0;
	case FIELD_GROUP:
		return f->count_offset && fields_count(f, base) == 0;
	case FIELD_BOOL:
	case FIELD_LIST:
	case FIELD_BUCKETS:
		return false;
	}
	return true;
}

void fields_init(const struct shape *shape, void *base)
{
	for (size_t i = 0; i < shape->n; i++) {
		const struct field *f = &shape->field[i];

		if (f->kind == FIELD_GROUP)
			fields_init(f->shape, (char *)base + f->offset);
		else if (f->traits & FIELD_SPARSE && f->absent)
			fields_store(f, base, (uint64_t)f->absent, f->kind != FIELD_U64);
	}
}

void *fields_add(const struct shape *shape, void *base, const char *key)
{
	for (size_t i = 0; i < shape->n; i++) {
		const struct field *f = &shape->field[i];
		uint32_t *count = (uint32_t *)(void *)((char *)base + f->count_offset);
		void *element;

		if (f->kind != FIELD_ARRAY || strcmp(f->key, key))
			continue;
		if (*count >= f->max) {
			*count += *count < UINT32_MAX;
			return NULL;
		}
		element = fields_element(f, base, (*count)++);
		memset(element, 0, f->size_bytes);
		fields_init(f->shape, element);
		return element;
	}
	return NULL;
}
