/* SPDX-License-Identifier: MIT */
/*
 * Does option destroy name this disk, and no other?
 *
 * Names are compared byte by byte. Never by prefix, never by case: a serial number cut on its way
 * here must not become another disk's. WWNs alone have several spellings, of one number.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bench/consent/checks.h"
#include "bench/sys/identity.h"
#include "bench/sys/placeholder.h"
#include "lib/text.h"

#define ITEM_BYTES 512
#define REPLACEMENT "\xEF\xBF\xBD"	/* U+FFFD: stands for bytes that were no text */

/* A name of full length may have been cut, and one with these characters cannot be typed. */
static bool is_whole(const char *name)
{
	return name[0] && strlen(name) < DISK_TEXT_BYTES - 1 && !strpbrk(name, ",\"") &&
	       !strstr(name, REPLACEMENT);
}

bool name_serial_is_usable(const struct disk *d)
{
	return is_whole(d->write.serial) && !placeholder_serial(d->write.serial) &&
	       strcmp(d->write.serial, "blank") != 0;
}

bool name_wwn_is_usable(const struct disk *d)
{
	return is_whole(d->write.wwn) && identity_wwid_is_good(d->write.wwn);
}

static bool same_wwn(const char *a, const char *b)
{
	char left[DISK_TEXT_BYTES], right[DISK_TEXT_BYTES];

	identity_plain_wwid(a, left, sizeof(left));
	identity_plain_wwid(b, right, sizeof(right));
	return left[0] && !strcmp(left, right);
}

/* Memory and files: no serial numbers, but the kernel's name is one the same person made. */
bool name_is_node_kind(const struct disk *d)
{
	static const char *const kinds[] = { "loop", "zram", "ram" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t n = strlen(kinds[i]);

		if (!strncmp(d->name, kinds[i], n) && d->name[n] &&
		    strspn(d->name + n, "0123456789") == strlen(d->name + n))
			return true;
	}
	return false;
}

static bool is_node_name(const struct disk *d, const char *item)
{
	return !strcmp(item, d->name) || !strcmp(item, d->node);
}

/* Typed for this very run, not carried along in a file or a boot menu. */
static bool is_typed(const struct options *o)
{
	return o->value[OPT_ID_DESTROY].source == OPT_FROM_FLAG &&
	       o->value[OPT_ID_DISKS].source == OPT_FROM_FLAG;
}

static bool disks_has_node(const struct disk *d, const struct options *o)
{
	char item[ITEM_BYTES];

	for (unsigned k = 0; options_item(o, OPT_ID_DISKS, k, item, sizeof(item)); k++)
		if (is_node_name(d, item))
			return true;
	return false;
}

static enum naming name_by_item(const struct disk *d, const char *item, const struct options *o)
{
	if (name_serial_is_usable(d) && !strcmp(item, d->write.serial))
		return NAMING_SERIAL;
	if (name_wwn_is_usable(d) && same_wwn(item, d->write.wwn))
		return NAMING_WWN;
	if (name_is_node_kind(d) && is_node_name(d, item) && is_typed(o) && disks_has_node(d, o))
		return NAMING_NODE;
	return NAMING_NONE;
}

/* A name that comes near is no name, and the person who gave it wants to know why. */
static void explain(const struct disk *d, const char *item, char why[CHECK_WHY_BYTES])
{
	const char *serial = d->write.serial, *text = NULL;

	if (why[0])
		return;
	if (name_is_node_kind(d) && is_node_name(d, item))
		text = "a device without a serial number can only be named where both --disks and "
		       "--destroy give its kernel name as flags";
	else if (is_node_name(d, item))
		text = "option destroy gives its kernel name, which may be another disk's after "
		       "the next boot: a serial number or WWN is needed";
	else if (serial[0] && !strcmp(item, serial))
		text = "option destroy gives its serial number, which is a filler or not whole";
	else if (serial[0] && text_same(item, serial))
		text = "option destroy gives its serial number in another case";
	else if (serial[0] && strlen(item) > 2 && !strncasecmp(item, serial, strlen(item)))
		text = "option destroy gives only the beginning of its serial number";
	if (text)
		snprintf(why, CHECK_WHY_BYTES, "%s", text);
}

enum naming name_in_destroy(const struct disk_list *l, size_t at, const struct options *o,
			    char why[CHECK_WHY_BYTES])
{
	const struct disk *d = &l->disk[at];
	char item[ITEM_BYTES];
	bool blank = false;

	why[0] = '\0';
	for (unsigned k = 0; options_item(o, OPT_ID_DESTROY, k, item, sizeof(item)); k++) {
		enum naming by = name_by_item(d, item, o);

		if (by != NAMING_NONE) {
			why[0] = '\0';
			return name_is_clear(l, at, by, why) ? by : NAMING_NONE;
		}
		if (!strcmp(item, "blank"))
			blank = true;
		else
			explain(d, item, why);
	}
	if (!blank || why[0])
		return NAMING_NONE;
	return name_is_clear(l, at, NAMING_BLANK, why) ? NAMING_BLANK : NAMING_NONE;
}

/* Paths to one disk share its identity. */
static bool same_disk(const struct disk *a, const struct disk *b)
{
	return a->identity[0] && !strcmp(a->identity, b->identity);
}

bool name_is_clear(const struct disk_list *l, size_t at, enum naming by, char why[CHECK_WHY_BYTES])
{
	const struct disk *d = &l->disk[at];

	if (by == NAMING_NODE)
		return true;
	for (size_t i = 0; i < l->n; i++) {
		const struct disk *other = &l->disk[i];
		bool wwn, both_wwn, serial;

		if (i == at || same_disk(d, other) || other->skip == DISK_EMMC_AREA)
			continue;
		both_wwn = name_wwn_is_usable(d) && name_wwn_is_usable(other);
		wwn = both_wwn && same_wwn(d->write.wwn, other->write.wwn);
		serial = name_serial_is_usable(d) &&
			 text_same(d->write.serial, other->write.serial);
		/* the namespaces of an NVMe disk share its serial number, and have WWNs */
		if (serial && both_wwn && !wwn && by != NAMING_SERIAL)
			serial = false;
		if (!wwn && !serial)
			continue;
		snprintf(why, CHECK_WHY_BYTES, "its %s is that of %s too: neither can be named",
			 serial ? "serial number" : "WWN", other->name);
		return false;
	}
	if (d->identity_is_path && by != NAMING_BLANK) {
		snprintf(why, CHECK_WHY_BYTES, "neither its serial number nor its WWN can be "
			 "trusted, so it cannot be named");
		return false;
	}
	return true;
}

void name_note_strangers(const struct disk_list *l, struct options *o)
{
	char item[ITEM_BYTES], shown[96], why[CHECK_WHY_BYTES];

	for (unsigned k = 0; options_item(o, OPT_ID_DESTROY, k, item, sizeof(item)); k++) {
		bool known = !strcmp(item, "blank");

		for (size_t i = 0; i < l->n && !known; i++) {
			why[0] = '\0';
			explain(&l->disk[i], item, why);
			known = why[0] || name_by_item(&l->disk[i], item, o) != NAMING_NONE;
		}
		text_clean_str(shown, sizeof(shown), item);
		if (!known)
			options_note(o, "destroy: \"%s\" is the serial number or WWN of no disk of "
				     "this machine", shown);
	}
}
