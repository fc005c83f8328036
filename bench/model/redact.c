/* SPDX-License-Identifier: MIT */
/*
 * Taking out of a report what tells one machine or owner from another.
 *
 * Which members that are stands in fields.c. What they held may also appear in free text (a kernel
 * log line names a serial number, an option a WWN), so it is collected first and replaced there.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/model/fields.h"
#include "bench/model/redact_raw.h"
#include "bench/model/report.h"
#include "lib/options.h"
#include "lib/text.h"

#define INSTEAD "(redacted)"
#define SECRET_BYTES_MIN 4	/* a serial number such as "0" tells nothing and is everywhere */

static int add_secret(struct report *r, const char *text)
{
	if (strlen(text) < SECRET_BYTES_MIN || !strcmp(text, INSTEAD))
		return 0;
	if (r->secret_n == r->secret_room) {
		size_t room = r->secret_room ? 2 * r->secret_room : 64;
		void *more = reallocarray(r->secret, room, sizeof(*r->secret));

		if (!more)
			return -ENOMEM;
		r->secret = more;
		r->secret_room = room;
	}
	text_copy(r->secret[r->secret_n++], sizeof(*r->secret), text);
	return 0;
}

/* A WWN appears as "naa.5000c500a1b2c3d4" in sysfs and as bare digits elsewhere. */
static int add_wwn(struct report *r, const char *wwn)
{
	const char *dot = strchr(wwn, '.');
	int err = add_secret(r, wwn);

	return err || !dot ? err : add_secret(r, dot + 1);
}

/* The words of a list of disks but for those that are this machine's own device names. */
static int add_named_disks(struct report *r, const char *list)
{
	int err = 0;

	while (*list && !err) {
		size_t len = strcspn(list, ",");
		char word[REPORT_TEXT_BYTES];
		const char *name = word;

		text_clean(word, sizeof(word), list, len);
		if (!strncmp(name, "/dev/", 5))
			name += 5;
		if (!report_disk(r, name))
			err = add_secret(r, word);
		list += len + (list[len] == ',');
	}
	return err;
}

static bool is_option(const struct named_text *o, enum opt_id id)
{
	return !strcmp(o->name, options_table[id].name);
}

/*
 * Labels of file systems are mostly words ("boot") that would take half a text along: they are
 * emptied where they stand, and not looked for.
 */
static int collect_machine(struct report *r, const struct machine_info *m)
{
	const char *const texts[] = {
		m->serial, m->uuid, m->board.serial, m->chassis.serial, m->chassis.asset_tag,
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts) && !err; i++)
		err = add_secret(r, texts[i]);
	for (size_t i = 0; i < REPORT_KEPT(m->memory.module_n, m->memory.module) && !err; i++)
		err = add_secret(r, m->memory.module[i].serial);
	for (size_t i = 0; i < REPORT_KEPT(m->signatures_n, m->signatures) && !err; i++)
		err = add_secret(r, m->signatures[i].uuid);
	return err;
}

static int collect(struct report *r)
{
	int err = collect_machine(r, &r->machine);

	if (!err)
		err = add_secret(r, r->run.label);
	for (size_t i = 0; i < r->disks.n && !err; i++) {
		const struct disk *d = &r->disks.disk[i];

		err = add_secret(r, d->serial);
		if (!err)
			err = add_wwn(r, d->wwn);
		if (!err && !d->identity_is_path)
			err = add_wwn(r, d->identity);
	}
	/* a disk behind a RAID controller is in no other list */
	for (size_t i = 0; i < r->health_n && !err; i++)
		err = add_secret(r, r->health[i].serial);
	for (size_t i = 0; i < r->option_n && !err; i++) {
		const struct named_text *o = &r->option[i];

		if (is_option(o, OPT_ID_DISKS) || is_option(o, OPT_ID_EXCLUDE) ||
		    is_option(o, OPT_ID_DESTROY))
			err = add_named_disks(r, o->text);
	}
	return err;
}

static size_t hex_digits(const char *text)
{
	size_t n = 0;

	while (isxdigit((unsigned char)text[n]))
		n++;
	return n;
}

/*
 * Bytes of a MAC address that `text` begins with, or of a world-wide name of 64 bits as drivers
 * print it (SPC-4, NAA IEEE Registered: 5h, 16 digits); 0: neither. Ports of SAS disks and their
 * controllers have such names, and those are in no list of this machine.
 */
static size_t address_at(const char *text)
{
	size_t i = 0;

	if (text[0] == '0' && text[1] == 'x' && text[2] == '5')
		return hex_digits(text + 2) == 16 ? 18 : 0;
	while (i < 17 && (i % 3 == 2 ? text[i] == ':' : isxdigit((unsigned char)text[i])))
		i++;
	return i == 17 ? i : 0;
}

/* Bytes of the longest secret that `text` begins with, or of an address; 0: neither. */
static size_t secret_at(const struct report *r, const char *text)
{
	size_t longest = address_at(text);

	for (size_t k = 0; k < r->secret_n; k++) {
		size_t len = strlen(r->secret[k]);

		if (len > longest && !strncasecmp(text, r->secret[k], len))
			longest = len;
	}
	return longest;
}

/* Which bytes a secret may begin with: most texts are long and hold none. */
static void find_beginnings(const struct report *r, bool begins[256])
{
	memset(begins, 0, 256 * sizeof(*begins));
	for (unsigned c = 0; c < 256; c++)
		begins[c] = isxdigit((int)c);	/* addresses */
	for (size_t k = 0; k < r->secret_n; k++) {
		unsigned char c = (unsigned char)r->secret[k][0];

		begins[c] = begins[tolower(c)] = begins[toupper(c)] = true;
	}
}

/* The text without secrets, malloc'ed, or NULL. */
static char *scrubbed(const struct report *r, const char *text)
{
	/* a secret has at least 4 bytes, so the text grows to 10/4 at most; see redact_raw.h */
	char *clean = malloc(strlen(text) * REDACT_RAW_GROWTH + sizeof(INSTEAD));
	size_t used = 0, value;
	bool begins[256];

	if (!clean)
		return NULL;
	find_beginnings(r, begins);
	while (*text) {
		size_t len = begins[(unsigned char)*text] ? secret_at(r, text) : 0;

		if (redact_raw_at(text, &value, &len)) {
			memcpy(clean + used, text, value);
			used += value;
			memcpy(clean + used, "\"" INSTEAD "\"", sizeof(INSTEAD) + 1);
			used += sizeof(INSTEAD) + 1;
			text += len;
		} else if (len) {
			memcpy(clean + used, INSTEAD, sizeof(INSTEAD) - 1);
			used += sizeof(INSTEAD) - 1;
			text += len;
		} else {
			clean[used++] = *text++;
		}
	}
	clean[used] = '\0';
	return clean;
}

static int scrub_field(const struct report *r, const struct field *f, void *base)
{
	char *text = (char *)base + f->offset;
	char *clean;

	if (f->kind == FIELD_LINES)
		memcpy(&text, (char *)base + f->offset, sizeof(text));
	clean = scrubbed(r, text);
	if (!clean)
		return -ENOMEM;
	if (f->kind == FIELD_LINES) {
		memcpy((char *)base + f->offset, &clean, sizeof(clean));
		free(text);
		return 0;
	}
	text_copy(text, f->size_bytes, clean);
	free(clean);
	return 0;
}

static int redact_shape(const struct report *r, const struct shape *shape, void *base)
{
	int err = 0;

	for (size_t i = 0; i < shape->n && !err; i++) {
		const struct field *f = &shape->field[i];

		if (fields_absent(f, base))
			continue;
		if (f->traits & FIELD_PRIVATE)
			memset((char *)base + f->offset, 0, f->size_bytes);
		else if (f->traits & FIELD_PROSE)
			err = scrub_field(r, f, base);
		else if (f->kind == FIELD_GROUP)
			err = redact_shape(r, f->shape, (char *)base + f->offset);
		else if (f->kind == FIELD_ARRAY || f->kind == FIELD_LIST)
			for (size_t k = 0; k < fields_count(f, base) && !err; k++)
				err = redact_shape(r, f->shape, fields_element(f, base, k));
	}
	return err;
}

/* Values that name the owner or his disks as a whole. */
static void redact_options(struct report *r)
{
	static const enum opt_id private_options[] = {
		OPT_ID_DISKS, OPT_ID_EXCLUDE, OPT_ID_DESTROY, OPT_ID_LABEL, OPT_ID_UPLOAD,
	};

	for (size_t i = 0; i < r->option_n; i++)
		for (size_t k = 0; k < sizeof(private_options) / sizeof(private_options[0]); k++)
			if (is_option(&r->option[i], private_options[k]))
				text_copy(r->option[i].text, sizeof(r->option[i].text), INSTEAD);
}

int report_redact(struct report *r)
{
	int err = collect(r);

	if (!err) {
		redact_options(r);
		err = redact_shape(r, &fields_report, r);
	}
	r->run.redacted = !err;
	return err;
}
