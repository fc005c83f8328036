/* SPDX-License-Identifier: MIT */
/*
 * What counts as a report, and which version of one may take the place of another.
 *
 * The body is read, never rewritten: what is stored are the bytes that came. Only the few keys
 * needed for the listing are looked at; all others belong to whoever reads the report.
 */
#include "collector/reports.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <yyjson.h>

#include "lib/text.h"

#define SCHEMA_PREFIX "bootmark/"

const char *const reports_state_words[REPORT_STATES] = {
	[REPORT_RUNNING] = "running",
	[REPORT_PARTIAL] = "partial",
	[REPORT_COMPLETE] = "complete",
};

bool reports_is_id(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t i;

	for (i = 0; form[i] && text[i]; i++) {
		bool is_digit =
			(text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');

		if (form[i] == 'x' ? !is_digit : text[i] != '-')
			return false;
	}
	return !form[i] && !text[i];
}

bool reports_may_replace(enum report_state have, enum report_state given)
{
	return have != REPORT_COMPLETE && given >= have;
}

__attribute__((format(printf, 2, 3)))
static enum reports_verdict not_report(char *why, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, REPORTS_WHY_BYTES, fmt, args);
	va_end(args);
	return REPORTS_NOT_REPORT;
}

/*
 * The value of `key`, or NULL where it is absent. A key given twice is an error (*twice): readers
 * differ in which one they take, and id and state must mean the same to all.
 */
static yyjson_val *get_once(yyjson_val *object, const char *key, bool *twice)
{
	yyjson_val *name, *found = NULL;
	yyjson_obj_iter at;

	*twice = false;
	if (!yyjson_obj_iter_init(object, &at))
		return NULL;
	while ((name = yyjson_obj_iter_next(&at))) {
		if (!yyjson_equals_str(name, key))
			continue;
		*twice = *twice || found;
		found = yyjson_obj_iter_get_val(name);
	}
	return found;
}

/* A text for the listing; the length counts, for a string may hold NUL characters. */
static void clean_value(char *to, size_t size, yyjson_val *value)
{
	if (yyjson_is_str(value))
		text_clean(to, size, yyjson_get_str(value), yyjson_get_len(value));
	else
		to[0] = '\0';
}

static enum reports_verdict check_run(yyjson_val *run, struct report_head *head, char *why)
{
	bool id_twice, state_twice;
	yyjson_val *id = get_once(run, "id", &id_twice);
	yyjson_val *state = get_once(run, "state", &state_twice);

	if (id_twice || state_twice)
		return not_report(why, "\"run\" has \"%s\" twice", id_twice ? "id" : "state");
	if (!yyjson_is_str(id) || yyjson_get_len(id) != STORE_ID_BYTES - 1 ||
	    !reports_is_id(yyjson_get_str(id)))
		return not_report(why, "\"run\".\"id\" is no UUID in lower case");
	text_copy(head->id, sizeof(head->id), yyjson_get_str(id));
	for (int i = 0; i < REPORT_STATES; i++) {
		if (yyjson_equals_str(state, reports_state_words[i])) {
			head->state = (enum report_state)i;
			clean_value(head->label, sizeof(head->label), yyjson_obj_get(run, "label"));
			return REPORTS_FINE;
		}
	}
	return not_report(why, "\"run\".\"state\" is not running, partial or complete");
}

static enum reports_verdict check_root(yyjson_val *root, struct report_head *head, char *why)
{
	bool schema_twice, run_twice;
	yyjson_val *schema, *run, *disks;
	enum reports_verdict verdict;

	if (!yyjson_is_obj(root))
		return not_report(why, "the JSON text is no object");
	schema = get_once(root, "schema", &schema_twice);
	run = get_once(root, "run", &run_twice);
	if (schema_twice || run_twice)
		return not_report(why, "\"%s\" is there twice", schema_twice ? "schema" : "run");
	if (!yyjson_is_str(schema) ||
	    strncmp(yyjson_get_str(schema), SCHEMA_PREFIX, sizeof(SCHEMA_PREFIX) - 1) != 0)
		return not_report(why, "\"schema\" does not begin with " SCHEMA_PREFIX);
	if (!yyjson_is_obj(run))
		return not_report(why, "\"run\" is no object");
	verdict = check_run(run, head, why);
	if (verdict != REPORTS_FINE)
		return verdict;
	clean_value(head->product, sizeof(head->product),
		    yyjson_obj_get(yyjson_obj_get(root, "machine"), "product"));
	disks = yyjson_obj_get(root, "disks");
	head->disk_n = yyjson_is_arr(disks) ? (uint32_t)yyjson_arr_size(disks) : 0;
	return REPORTS_FINE;
}

enum reports_verdict reports_check(const char *body, size_t len, struct report_head *head,
				   char *why)
{
	enum reports_verdict verdict;
	yyjson_read_err error = { 0 };
	yyjson_doc *doc;

	memset(head, 0, sizeof(*head));
	why[0] = '\0';
	if (len == 0) {
		snprintf(why, REPORTS_WHY_BYTES, "the body is empty");
		return REPORTS_NOT_JSON;
	}
	/* Numbers stay text: they are the reader's business, and a large one is no error. Without
	 * YYJSON_READ_INSITU the body is only read. */
	doc = yyjson_read_opts((char *)(uintptr_t)body, len, YYJSON_READ_NUMBER_AS_RAW, NULL,
			       &error);
	if (!doc && error.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) {
		snprintf(why, REPORTS_WHY_BYTES, "out of memory");
		return REPORTS_NO_MEMORY;
	}
	if (!doc) {
		snprintf(why, REPORTS_WHY_BYTES, "no JSON: %s at byte %zu of %zu", error.msg,
			 error.pos, len);
		return REPORTS_NOT_JSON;
	}
	verdict = check_root(yyjson_doc_get_root(doc), head, why);
	yyjson_doc_free(doc);
	return verdict;
}

void reports_time(char *buf, size_t size, long long ms)
{
	time_t seconds = (time_t)(ms / 1000);
	char second[32] = "";
	struct tm t;

	if (!gmtime_r(&seconds, &t) || !strftime(second, sizeof(second), "%Y-%m-%dT%H:%M:%S", &t))
		text_copy(second, sizeof(second), "0000-00-00T00:00:00");
	snprintf(buf, size, "%s.%03dZ", second, (int)(ms % 1000));
}
