/* SPDX-License-Identifier: MIT */
/*
 * Names every disk so that no two of the machine share a name: by WWN where it can be trusted, else
 * by model and serial number, else by its place on the bus.
 *
 * A WWN or serial number that two different disks show names neither of them: both fall to the next
 * kind. USB docks are known for it (one number for all their slots).
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bench/sys/found.h"
#include "bench/sys/placeholder.h"
#include "lib/text.h"

enum candidate { BY_WWN, BY_SERIAL, BY_PATH, BY_NAME };

static size_t hex_len(const char *s)
{
	return strspn(s, "0123456789abcdefABCDEF");
}

static bool is_uniform(const char *s)
{
	return s[0] && strspn(s, (const char[]){ s[0], '\0' }) == strlen(s);
}

static bool starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* NAA 2, 5, 6 carry the IEEE company id in the digits after the first (NAA 2: after three more). */
static bool naa_is_good(const char *hex)
{
	size_t n = hex_len(hex);
	const char *company = hex + (hex[0] == '2' ? 4 : 1);

	if (hex[n] || (n != 16 && n != 32) || !strchr("256", hex[0]) || is_uniform(hex))
		return false;
	return strspn(company, "0") < 6;
}

/* EUI-64, its 96-bit form and NGUID: the company id begins the EUI-64, and NGUIDs last half. */
static bool eui_is_good(const char *hex)
{
	size_t n = hex_len(hex);

	if (hex[n] || (n != 16 && n != 24 && n != 32) || is_uniform(hex))
		return false;
	return strspn(n == 32 ? hex + 16 : hex, "0") < 6;
}

bool identity_wwid_is_good(const char *wwid)
{
	if (starts(wwid, "naa."))
		return naa_is_good(wwid + 4);
	if (starts(wwid, "0x"))
		return naa_is_good(wwid + 2);
	if (starts(wwid, "eui."))
		return eui_is_good(wwid + 4);
	if (starts(wwid, "uuid."))
		return strlen(wwid + 5) == 36 && strspn(wwid + 5, "0-") < 36;
	return false;	/* "t10." and "nvme." are made of the serial number, which is used itself */
}

void identity_plain_wwid(const char *wwid, char *to, size_t size)
{
	static const char *const prefixes[] = { "naa.", "0x", "eui.", "uuid." };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (starts(wwid, prefixes[i])) {
			wwid += strlen(prefixes[i]);
			break;
		}
	text_copy(to, size, wwid);
	for (; *to; to++)
		*to = (char)tolower((unsigned char)*to);
}

/* The identity of that kind, or "" where the entry has none. */
static void name_by(const struct found *f, enum candidate kind, char to[DISK_TEXT_BYTES])
{
	const struct disk *d = &f->disk;
	char text[2 * DISK_TEXT_BYTES + 48] = "", wwn[DISK_TEXT_BYTES];
	int n = 0;

	/* an area of an eMMC shows the card's own numbers, and must not take them from the card */
	if (d->skip == DISK_EMMC_AREA && kind != BY_NAME) {
		to[0] = '\0';
		return;
	}
	switch (kind) {
	case BY_WWN:
		identity_plain_wwid(d->wwn, wwn, sizeof(wwn));
		if (identity_wwid_is_good(d->wwn))
			n = snprintf(text, sizeof(text), "wwn:%s", wwn);
		break;
	case BY_SERIAL:
		if (placeholder_serial(d->serial))
			break;
		n = snprintf(text, sizeof(text), "serial:%s%s%s", d->model, d->model[0] ? "/" : "",
			     d->serial);
		/* one serial number stands for all namespaces of an NVMe disk */
		if (f->namespace_id > 1)
			n += snprintf(text + n, sizeof(text) - (size_t)n, "/ns%llu",
				      (unsigned long long)f->namespace_id);
		break;
	case BY_PATH:
		if (f->bus_path[0])
			n = snprintf(text, sizeof(text), "path:%s", f->bus_path);
		break;
	case BY_NAME:
		n = snprintf(text, sizeof(text), "path:%s", d->name);
		break;
	}
	/* a cut name might equal another one */
	text_copy(to, DISK_TEXT_BYTES, n > 0 && n < DISK_TEXT_BYTES ? text : "");
}

static bool is_unique(const struct found_list *l, size_t at, enum candidate kind, const char *name)
{
	char other[DISK_TEXT_BYTES];

	for (size_t i = 0; i < l->n; i++) {
		if (i == at || l->found[i].same_as != i)
			continue;
		name_by(&l->found[i], kind, other);
		if (text_same(other, name))
			return false;
	}
	return true;
}

void identity_assign(struct found_list *l)
{
	char name[DISK_TEXT_BYTES];

	for (size_t i = 0; i < l->n; i++) {
		struct disk *d = &l->found[i].disk;

		if (l->found[i].same_as != i)
			continue;
		for (enum candidate kind = BY_WWN; kind <= BY_NAME; kind++) {
			name_by(&l->found[i], kind, name);
			if (!name[0] || (kind != BY_NAME && !is_unique(l, i, kind, name)))
				continue;
			text_copy(d->identity, sizeof(d->identity), name);
			d->identity_is_path = kind >= BY_PATH;
			break;
		}
	}
	for (size_t i = 0; i < l->n; i++) {	/* all paths of a disk share its identity */
		struct disk *d = &l->found[i].disk;
		const struct disk *first = &l->found[l->found[i].same_as].disk;

		if (first == d)
			continue;
		text_copy(d->identity, sizeof(d->identity), first->identity);
		d->identity_is_path = first->identity_is_path;
	}
}
