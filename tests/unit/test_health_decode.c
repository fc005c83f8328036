/* SPDX-License-Identifier: MIT */
/*
 * smartctl's JSON of made-up devices, in tests/fixtures/smartctl: NAME.json is the answer, NAME.txt
 * what is to be read from it, a value per line. Devices of all kinds, and answers that are broken.
 */
#include <dirent.h>
#include <inttypes.h>

#include "bench/health/decode.h"
#include "bench/model/fields.h"
#include "tests/unit/golden.h"
#include "tests/unit/tap.h"

#define FOLDER "tests/fixtures/smartctl"
#define DEVICES_MIN 20

/* Prints every value of a struct that is there, as "key: value" lines. */
static void print_shape(FILE *to, const struct shape *shape, const void *base, const char *indent)
{
	for (size_t i = 0; i < shape->n; i++) {
		const struct field *f = &shape->field[i];
		const char *at = (const char *)base + f->offset;

		if (fields_absent(f, base))
			continue;
		switch (f->kind) {
		case FIELD_TEXT:
			fprintf(to, "%s%s: %s\n", indent, f->key, at);
			break;
		case FIELD_WORD:
			fprintf(to, "%s%s: %s\n", indent, f->key,
				f->word((unsigned)fields_number(f, base)));
			break;
		case FIELD_BOOL:
		case FIELD_TRISTATE:
			fprintf(to, "%s%s: %s\n", indent, f->key,
				fields_number(f, base) ? "yes" : "no");
			break;
		case FIELD_DOUBLE:
			fprintf(to, "%s%s: %g\n", indent, f->key,
				*(const double *)(const void *)at);
			break;
		case FIELD_ARRAY:
			for (size_t k = 0; k < fields_count(f, base); k++) {
				fprintf(to, "%s%s:\n", indent, f->key);
				print_shape(to, f->shape, fields_element(f, base, k), "\t");
			}
			break;
		default:
			fprintf(to, "%s%s: %" PRId64 "\n", indent, f->key, fields_number(f, base));
		}
	}
}

static void check_device(const char *name)
{
	char path[512], *text = NULL, *said = NULL;
	size_t len = 0, said_len = 0;
	struct health h;
	FILE *to;

	snprintf(path, sizeof(path), FOLDER "/%s", name);
	if (!ok(file_load(path, 1 << 20, &text, &len) == 0, "%s is read", name))
		return;
	health_init(&h);
	decode_smartctl(text, len, &h);
	to = open_memstream(&said, &said_len);
	if (!to)
		tap_bail("no memory");
	print_shape(to, &fields_health, &h, "");
	fclose(to);
	snprintf(path + strlen(path) - 5, 5, ".txt");
	golden_is(path, said, said_len);
	free(said);
	free(text);
}

static int is_json(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return len > 5 && !strcmp(e->d_name + len - 5, ".json");
}

static void test_devices(void)
{
	struct dirent **entry = NULL;
	int n = scandir(FOLDER, &entry, is_json, alphasort);

	if (!ok(n >= DEVICES_MIN, "%d answers are there", n))
		tap_diag("run from the project's folder");
	for (int i = 0; i < n; i++) {
		check_device(entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
}

/* However an answer is cut, it is no data, or it is all of it: nothing in between, no crash. */
static void test_every_cut(void)
{
	char *text = NULL;
	size_t len = 0, wrong = 0;
	struct health h;

	if (file_load(FOLDER "/nvme-healthy.json", 1 << 20, &text, &len))
		tap_bail("no fixture: run from the project's folder");
	for (size_t cut = 0; cut + 2 < len; cut++) {
		char *part = malloc(cut + 1);

		/* a copy of its own size, so that the sanitizer sees a byte too far */
		if (!part)
			tap_bail("no memory");
		memcpy(part, text, cut);
		health_init(&h);
		decode_smartctl(part, cut, &h);
		wrong += h.state != HEALTH_FAILED || !h.reason[0];
		free(part);
	}
	is_uint(wrong, 0, "a cut answer is a failure with a reason, wherever the cut");
	free(text);
}

/* Any byte of an answer may be another one. */
static void test_every_byte(void)
{
	static const char bytes[] = "\"{}[],:0-\\\xff\x01";
	char *text = NULL;
	size_t len = 0, without_reason = 0;
	struct health h;

	if (file_load(FOLDER "/sas-hdd.json", 1 << 20, &text, &len))
		tap_bail("no fixture: run from the project's folder");
	for (size_t i = 0; i < len; i++) {
		char kept = text[i];

		for (size_t k = 0; k < sizeof(bytes); k++) {
			text[i] = bytes[k];
			health_init(&h);
			decode_smartctl(text, len, &h);
			without_reason += h.state != HEALTH_READ && !h.reason[0];
		}
		text[i] = kept;
	}
	is_uint(without_reason, 0, "with any byte changed: data, or a reason");
	free(text);
}

static void test_scan(void)
{
	static const char text[] = "noise\n{\"devices\":[{\"name\":\"/dev/sda\",\"type\":\"scsi\"},"
		"{\"name\":\"/dev/bus/0\",\"type\":\"megaraid,8\",\"protocol\":\"SCSI\"},"
		"{\"name\":\"/dev/bus/11\",\"type\":\"megaraid,9\"},{\"name\":\"-d\","
		"\"type\":\"megaraid,1\"},{\"name\":7,\"type\":\"x,1\"},null]}";
	struct decode_scanned found[2];

	is_uint(decode_scan(text, strlen(text), found, 2), 2, "two devices have no name");
	is_str(found[0].node, "/dev/bus/0", "the first");
	is_str(found[1].type, "megaraid,9", "the second");
	is_uint(decode_scan(text, strlen(text), found, 1), 2, "all are counted");
	is_uint(decode_scan(text, 60, found, 2), 0, "a cut list is none");
	is_uint(decode_scan("", 0, found, 2), 0, "nothing is none");
}

int main(void)
{
	test_devices();
	test_every_cut();
	test_every_byte();
	test_scan();
	return tap_done();
}
