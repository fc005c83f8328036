/* SPDX-License-Identifier: MIT */
/* smartctl's JSON as a whole; see decode.h. */
#include "bench/health/decode.h"

#include <stdio.h>
#include <string.h>

#include "bench/health/plausible.h"
#include "bench/health/value.h"
#include "bench/model/fields.h"
#include "lib/text.h"

/* smartctl(8), "EXIT STATUS": only the first two bits mean that there is no data. */
#define EXIT_NO_DATA 0x03
#define EXIT_NOT_TOLD 0x01	/* taken where the answer does not say it: no data */
#define EXIT_COMMAND_FAILED 0x04
#define EXIT_DISK_FAILING 0x08

/* Asked for by --nocheck=standby,3: smartctl itself never sets both bits at once. */
#define EXIT_STANDBY 3

void health_init(struct health *h)
{
	memset(h, 0, sizeof(*h));
	fields_init(&fields_health, h);
}

/*
 * Parses from the first '{' on: errors of the loader, of ioctls, or of smartctl itself may stand
 * before it. What follows the JSON is left. NULL: there is no whole JSON, and `why` says so.
 */
static yyjson_doc *parse(const char *text, size_t len, char *why, size_t why_bytes)
{
	const char *begin = len ? memchr(text, '{', len) : NULL;
	yyjson_doc *doc = NULL;
	yyjson_read_err said = { .msg = "" };

	if (begin)
		/* without YYJSON_READ_INSITU the text is only read, whatever the type says */
		doc = yyjson_read_opts((char *)(uintptr_t)begin, len - (size_t)(begin - text),
				       YYJSON_READ_STOP_WHEN_DONE |
				       YYJSON_READ_ALLOW_INVALID_UNICODE, NULL, &said);
	if (doc)
		return doc;
	if (begin)
		snprintf(why, why_bytes, "its answer is cut or no JSON: %s at byte %zu of %zu",
			 said.msg, said.pos + (size_t)(begin - text), len);
	else if (!text_clean(why, why_bytes, text, len))
		snprintf(why, why_bytes, "it said nothing");
	return NULL;
}

/* The first message of smartctl that is an error, else the first of all. */
static void first_message(yyjson_val *root, char *to, size_t size)
{
	yyjson_val *all = value_at(NULL, root, "smartctl/messages"), *m;
	char text[240], severity[32];
	yyjson_arr_iter it;

	*to = '\0';
	if (!yyjson_arr_iter_init(all, &it))
		return;
	while ((m = yyjson_arr_iter_next(&it))) {
		value_text(NULL, m, "severity", severity, sizeof(severity));
		if (!value_text(NULL, m, "string", text, sizeof(text)))
			continue;
		if (!*to || !strcmp(severity, "error"))
			text_copy(to, size, text);
		if (!strcmp(severity, "error"))
			return;
	}
}

static bool any_message_has(yyjson_val *root, const char *part)
{
	yyjson_val *all = value_at(NULL, root, "smartctl/messages"), *m;
	char text[240];
	yyjson_arr_iter it;

	if (!yyjson_arr_iter_init(all, &it))
		return false;
	while ((m = yyjson_arr_iter_next(&it)))
		if (value_text(NULL, m, "string", text, sizeof(text)) && strstr(text, part))
			return true;
	return false;
}

static void read_source(yyjson_val *root, struct health *h)
{
	int64_t major, minor;

	text_copy(h->source, sizeof(h->source), "smartctl");
	if (yyjson_arr_size(value_at(NULL, root, "smartctl/version")) < 2)
		return;
	major = yyjson_get_sint(yyjson_arr_get(value_at(NULL, root, "smartctl/version"), 0));
	minor = yyjson_get_sint(yyjson_arr_get(value_at(NULL, root, "smartctl/version"), 1));
	if (major > 0 && major < 1000 && minor >= 0 && minor < 1000)
		snprintf(h->source, sizeof(h->source), "smartctl %d.%d", (int)major, (int)minor);
}

/* What devices of all protocols are asked for alike. */
static void read_common(yyjson_val *root, struct health *h)
{
	int64_t rpm = 0;
	bool passed;

	value_text(h, root, "model_name", h->model, sizeof(h->model));
	value_text(h, root, "serial_number", h->serial, sizeof(h->serial));
	value_text(h, root, "firmware_version", h->firmware, sizeof(h->firmware));
	if (value_bool(h, root, "smart_status/passed", &passed))
		h->passed = passed ? TRI_YES : TRI_NO;
	value_counter(h, root, "power_on_time/hours", 1, "power_on_hours", &h->power_on_hours);
	value_counter(h, root, "power_cycle_count", 1, "power_cycles", &h->power_cycles);
	value_i32(h, root, "temperature/current", &h->temperature_celsius);
	if (value_whole(h, root, "rotation_rate", &rpm) && rpm > 1 && rpm < 100000)
		h->rotation_rpm = (uint32_t)rpm;
}

static void read_protocol(yyjson_val *root, struct health *h)
{
	char protocol[16], type[64];

	value_text(h, root, "device/protocol", protocol, sizeof(protocol));
	value_text(h, root, "device/type", type, sizeof(type));
	if (!strcmp(protocol, "ATA")) {
		text_copy(h->protocol, sizeof(h->protocol), "ata");
		decode_ata(root, h);
	} else if (!strcmp(protocol, "SCSI")) {
		text_copy(h->protocol, sizeof(h->protocol), "scsi");
		decode_scsi(root, h);
	} else if (!strcmp(protocol, "NVMe")) {
		text_copy(h->protocol, sizeof(h->protocol), "nvme");
		decode_nvme(root, h);
	}
	if (!strncmp(type, "snt", 3) && !h->reason[0])
		plausible_doubt(h, "source", "read through a USB bridge, which may invent what it "
				"does not know");
}

/* True where at least one value speaks of health; a model's name alone does not. */
static bool says_anything(const struct health *h)
{
	return h->passed != TRI_UNKNOWN || h->power_on_hours >= 0 || h->power_cycles > 0 ||
		h->temperature_celsius != INT32_MIN || h->wear_percent >= 0 ||
		h->spare_percent >= 0 || h->reallocated >= 0 || h->pending >= 0 ||
		h->uncorrectable >= 0 || h->media_errors >= 0 || h->written_bytes >= 0 ||
		h->read_bytes >= 0 || h->self_tests_n > 0 || h->warning_n > 0;
}

/* No data: what is the reason? */
static void judge_nothing(yyjson_val *root, int64_t status, struct health *h)
{
	bool available = true, enabled = true;

	if (!h->reason[0])
		first_message(root, h->reason, sizeof(h->reason));
	value_bool(h, root, "smart_support/available", &available);
	value_bool(h, root, "smart_support/enabled", &enabled);
	if (any_message_has(root, "mode, exit(") || status == EXIT_STANDBY) {
		h->state = HEALTH_STANDBY;
		text_copy(h->reason, sizeof(h->reason), "it sleeps and was not woken");
	} else if (any_message_has(root, "Unknown USB bridge")) {
		h->state = HEALTH_UNSUPPORTED;
		text_copy(h->reason, sizeof(h->reason), "not readable behind USB bridge");
	} else if (!(status & EXIT_NO_DATA) && available && !enabled) {
		h->state = HEALTH_UNSUPPORTED;
		text_copy(h->reason, sizeof(h->reason), "SMART is switched off in the drive, and "
			  "switching it on would change the drive");
	} else if (!(status & EXIT_NO_DATA)) {
		h->state = HEALTH_UNSUPPORTED;
		if (!h->reason[0])
			text_copy(h->reason, sizeof(h->reason), "it gives no data on its health");
	} else if (!h->reason[0]) {
		snprintf(h->reason, sizeof(h->reason), "smartctl ended with %d and gave no reason",
			 (int)(status & 0xFF));
	}
}

void decode_smartctl(const char *text, size_t len, struct health *h)
{
	yyjson_doc *doc = parse(text, len, h->reason, sizeof(h->reason));
	yyjson_val *root = yyjson_doc_get_root(doc);
	int64_t status = EXIT_NOT_TOLD;
	char message[160];

	h->state = HEALTH_FAILED;
	text_copy(h->source, sizeof(h->source), "smartctl");
	if (!doc)
		return;
	read_source(root, h);
	if (!value_whole(h, root, "smartctl/exit_status", &status) || status < 0)
		status = yyjson_is_obj(value_at(h, root, "device")) ? 0 : EXIT_NOT_TOLD;
	read_common(root, h);
	/* a sleeping drive's record is empty but for its name: not a second disk, not a failure */
	if (!(status & EXIT_NO_DATA))
		read_protocol(root, h);
	plausible_check(h);
	if ((status & EXIT_NO_DATA) || !says_anything(h)) {
		judge_nothing(root, status, h);
	} else {
		h->state = HEALTH_READ;
		if (status & EXIT_DISK_FAILING)
			h->passed = TRI_NO;
		first_message(root, message, sizeof(message));
		if (status & EXIT_COMMAND_FAILED)
			snprintf(h->reason, sizeof(h->reason), "some of what it was asked for "
				 "was not answered%s%s", message[0] ? ": " : "", message);
	}
	yyjson_doc_free(doc);
}

bool decode_is_unknown_bridge(const char *text, size_t len)
{
	char why[64];
	yyjson_doc *doc = parse(text, len, why, sizeof(why));
	bool unknown = any_message_has(yyjson_doc_get_root(doc), "Unknown USB bridge");

	yyjson_doc_free(doc);
	return unknown;
}

size_t decode_scan(const char *text, size_t len, struct decode_scanned *to, size_t max)
{
	char why[64];
	yyjson_doc *doc = parse(text, len, why, sizeof(why));
	yyjson_val *v;
	yyjson_arr_iter it;
	size_t n = 0;

	if (yyjson_arr_iter_init(value_at(NULL, yyjson_doc_get_root(doc), "devices"), &it)) {
		while ((v = yyjson_arr_iter_next(&it))) {
			struct decode_scanned one;

			/* "megaraid,8": the number says which disk behind the controller */
			if (!value_text(NULL, v, "name", one.node, sizeof(one.node)) ||
			    !value_text(NULL, v, "type", one.type, sizeof(one.type)) ||
			    one.node[0] != '/' || !strchr(one.type, ','))
				continue;
			if (n < max)
				to[n] = one;
			n++;
		}
	}
	yyjson_doc_free(doc);
	return n;
}
