/* SPDX-License-Identifier: MIT */
/* The rows of the map of the report for the health of disks. */
#include "bench/model/fields_rows.h"
#include "bench/model/health.h"

const char *const health_state_words[HEALTH_STATE_COUNT] = {
	[HEALTH_READ] = "read",
	[HEALTH_STANDBY] = "standby",
	[HEALTH_UNSUPPORTED] = "unsupported",
	[HEALTH_FAILED] = "failed",
	[HEALTH_TIMEOUT] = "timeout",
};

static const char *state_word(unsigned v)
{
	return v < HEALTH_STATE_COUNT ? health_state_words[v] : NULL;
}

static const struct field self_test_rows[] = {
	{ ROW(struct self_test, "type", type) },
	{ ROW(struct self_test, "result", result) },
	{ ROW(struct self_test, "failed", failed) },
	{ SPARSE(struct self_test, "hours", hours, -1) },
	{ SPARSE(struct self_test, "lba", lba, -1) },
};
static const struct shape self_test_shape = SHAPE(struct self_test, self_test_rows);

static const struct field health_warning_rows[] = {
	{ REQUIRED(struct health_warning, "word", word) },
	{ ROW(struct health_warning, "text", text) },
};
static const struct shape health_warning_shape = SHAPE(struct health_warning, health_warning_rows);

static const struct field health_rows[] = {
	{ ROW(struct health, "target", target) },
	{ ROW(struct health, "device", device) },
	{ ROW(struct health, "protocol", protocol) },
	{ ROW(struct health, "source", source) },
	{ WORD(struct health, "state", state, state_word), .traits = FIELD_REQUIRED },
	{ PROSE(struct health, "reason", reason) },
	{ ROW(struct health, "model", model) },
	{ PRIVATE(struct health, "serial", serial) },
	{ ROW(struct health, "firmware", firmware) },
	{ TRISTATE(struct health, "passed", passed) },
	{ SPARSE(struct health, "power_on_hours", power_on_hours, -1) },
	{ SPARSE(struct health, "power_cycles", power_cycles, -1) },
	{ SPARSE(struct health, "unsafe_shutdowns", unsafe_shutdowns, -1) },
	{ SPARSE(struct health, "written_bytes", written_bytes, -1) },
	{ SPARSE(struct health, "read_bytes", read_bytes, -1) },
	{ SPARSE(struct health, "wear_percent", wear_percent, -1) },
	{ SPARSE(struct health, "spare_percent", spare_percent, -1) },
	{ SPARSE(struct health, "spare_threshold_percent", spare_threshold_percent, -1) },
	{ SPARSE(struct health, "reallocated", reallocated, -1) },
	{ SPARSE(struct health, "pending", pending, -1) },
	{ SPARSE(struct health, "uncorrectable", uncorrectable, -1) },
	{ SPARSE(struct health, "media_errors", media_errors, -1) },
	{ SPARSE(struct health, "crc_errors", crc_errors, -1) },
	{ SPARSE(struct health, "error_log_entries", error_log_entries, -1) },
	{ SPARSE(struct health, "temperature_celsius", temperature_celsius, INT32_MIN) },
	{ SPARSE(struct health, "temperature_highest_celsius", temperature_highest_celsius,
	  INT32_MIN) },
	{ SPARSE(struct health, "temperature_limit_celsius", temperature_limit_celsius,
	  INT32_MIN) },
	{ SPARSE(struct health, "temperature_warning_minutes", temperature_warning_minutes,
	  -1) },
	{ SPARSE(struct health, "throttle_events", throttle_events, -1) },
	{ SPARSE(struct health, "rotation_rpm", rotation_rpm, 0) },
	{ FLAGGED(struct health, "link_gbit_per_s", link_gbit_per_s, has_link_gbit_per_s) },
	{ FLAGGED(struct health, "link_max_gbit_per_s", link_max_gbit_per_s,
	  has_link_max_gbit_per_s) },
	{ SPARSE(struct health, "critical_warning", critical_warning, 0) },
	{ ARRAY(struct health, "warnings", warning, warning_n, health_warning_shape) },
	{ ARRAY(struct health, "self_tests", self_tests, self_tests_n, self_test_shape) },
	{ ARRAY(struct health, "doubts", doubt, doubt_n, fields_named_text) },
	{ ROW(struct health, "when", when) },
	{ .key = "raw", .kind = FIELD_LINES, .offset = offsetof(struct health, raw),
	  .traits = FIELD_PROSE },
};
const struct shape fields_health = SHAPE(struct health, health_rows);
