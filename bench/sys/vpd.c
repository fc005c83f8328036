/* SPDX-License-Identifier: MIT */
/*
 * Decodes SCSI vital product data pages; see vpd.h. Every length in a page is checked against the
 * bytes that are there.
 */
#include "bench/sys/vpd.h"

#include <stdio.h>
#include <string.h>

#include "lib/text.h"

/* The page's payload, cut to what is there; 0 bytes where it is not this page. */
static size_t payload(const uint8_t *page, size_t len, uint8_t code, const uint8_t **data)
{
	size_t said;

	*data = NULL;
	if (len < 4 || page[1] != code)
		return 0;
	said = (size_t)page[2] << 8 | page[3];
	*data = page + 4;
	return said < len - 4 ? said : len - 4;
}

bool vpd_serial(const uint8_t *page, size_t len, char *to, size_t size)
{
	const uint8_t *data;
	size_t n = payload(page, len, 0x80, &data);

	to[0] = '\0';
	return n > 0 && text_clean(to, size, data, n) > 0;	/* without padding */
}

/* One designation descriptor, SPC-5 7.7.6.1. */
struct designator {
	uint8_t code_set, type, len;
	const uint8_t *id;
};

enum { SET_BINARY = 1, SET_ASCII = 2, SET_UTF8 = 3 };
enum { TYPE_T10 = 1, TYPE_EUI = 2, TYPE_NAA = 3, TYPE_NAME = 8 };

/* Worth as a name of the logical unit; 0: none. A longer one of the same kind says more. */
static unsigned worth(const struct designator *d)
{
	if (d->len == 0)
		return 0;
	switch (d->type) {
	case TYPE_NAA:
		return d->code_set == SET_BINARY && (d->len == 8 || d->len == 16) ?
			4000u + d->len : 0;
	case TYPE_EUI:
		return d->code_set == SET_BINARY && (d->len == 8 || d->len == 12 || d->len == 16) ?
			3000u + d->len : 0;
	case TYPE_NAME:
		return d->code_set == SET_UTF8 ? 2000u + d->len : 0;
	case TYPE_T10:
		return d->code_set == SET_ASCII || d->code_set == SET_UTF8 ? 1000u + d->len : 0;
	default:
		return 0;
	}
}

static bool print_hex(char *to, size_t size, const char *prefix, const struct designator *d)
{
	size_t used = (size_t)snprintf(to, size, "%s", prefix);

	if (used + 2 * (size_t)d->len >= size) {
		to[0] = '\0';	/* half a name would be a wrong name */
		return false;
	}
	for (size_t i = 0; i < d->len; i++)
		used += (size_t)snprintf(to + used, size - used, "%02x", d->id[i]);
	return true;
}

static bool print_name(char *to, size_t size, const struct designator *d)
{
	char text[256 + 4] = "";

	if (d->type == TYPE_NAA)
		return print_hex(to, size, "naa.", d);
	if (d->type == TYPE_EUI)
		return print_hex(to, size, "eui.", d);
	if (d->type == TYPE_T10)
		strcpy(text, "t10.");
	memcpy(text + strlen(text), d->id, d->len);
	return text_clean(to, size, text, (d->type == TYPE_T10 ? 4u : 0u) + d->len) > 0;
}

bool vpd_lun_name(const uint8_t *page, size_t len, char *to, size_t size)
{
	const uint8_t *data;
	size_t n = payload(page, len, 0x83, &data), at = 0;
	struct designator best = { .len = 0 };

	to[0] = '\0';
	while (at + 4 <= n) {
		struct designator d = {
			.code_set = data[at] & 0x0f, .type = data[at + 1] & 0x0f,
			.len = data[at + 3], .id = data + at + 4,
		};
		bool of_lun = (data[at + 1] & 0x30) == 0;

		if (at + 4 + d.len > n)
			break;
		if (of_lun && worth(&d) > worth(&best))
			best = d;
		at += 4u + d.len;
	}
	return best.len > 0 && print_name(to, size, &best);
}

/* An ATA string: two characters in each 16-bit word, the first in the upper half. */
static void ata_text(char *to, size_t size, const uint8_t *words, size_t first, size_t n)
{
	uint8_t text[80];

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = words[2 * (first + i) + 1];
		text[2 * i + 1] = words[2 * (first + i)];
	}
	text_clean(to, size, text, 2 * n);
}

static unsigned ata_word(const uint8_t *words, size_t i)
{
	return (unsigned)words[2 * i] | (unsigned)words[2 * i + 1] << 8;
}

bool vpd_ata(const uint8_t *page, size_t len, struct vpd_ata *ata)
{
	const uint8_t *data, *words;
	size_t n = payload(page, len, 0x89, &data);
	unsigned type, capabilities;

	*ata = (struct vpd_ata){ .is_serial_ata = -1 };
	/*
	 * SAT-4 table 228: command code at byte 56 of the page, 512 bytes of identify data from
	 * byte 60
	 */
	if (n < 56 + 512 || (data[52] != 0xEC && data[52] != 0xA1))
		return false;
	words = data + 56;
	ata->is_device = data[52] == 0xEC;
	ata_text(ata->serial, sizeof(ata->serial), words, 10, 10);
	ata_text(ata->firmware, sizeof(ata->firmware), words, 23, 4);
	ata_text(ata->model, sizeof(ata->model), words, 27, 20);
	type = ata_word(words, 222);
	capabilities = ata_word(words, 76);
	if (type != 0 && type != 0xFFFF)
		ata->is_serial_ata = type >> 12 == 1 ? 1 : type >> 12 == 0 ? 0 : -1;
	if (ata->is_serial_ata < 0 && capabilities != 0 && capabilities != 0xFFFF)
		ata->is_serial_ata = 1;
	return ata->model[0] || ata->serial[0];
}

int vpd_rotation(const uint8_t *page, size_t len)
{
	const uint8_t *data;

	if (payload(page, len, 0xB1, &data) < 2)
		return -1;
	return data[0] << 8 | data[1];
}
