/* SPDX-License-Identifier: MIT */
/*
 * Memory as the firmware has it: modules and empty slots (SMBIOS 3.6 section 7.18) of the arrays
 * that are the system's memory (7.17); flash, cache and video memory are listed there as well.
 *
 * Invariant: installed_bytes is the sum of all modules; absent where one does not tell its size.
 */
#include <stdint.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/placeholder.h"
#include "bench/sys/smbios.h"
#include "bench/sys/words.h"
#include "lib/text.h"

enum { ARRAY_TYPE = 16, MODULE_TYPE = 17 };
#define MODULE_BYTES_MIN 0x15	/* of SMBIOS 2.1, which first had such a structure */
#define SEEN_MAX 256	/* more arrays and modules than any board has */
#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

/* Table 73. "Other" and "Unknown" say nothing. */
static const char *const ecc_words[] = {
	NULL, NULL, NULL, "none", "parity", "single-bit", "multi-bit", "crc",
};

/* Table 77. */
static const char *const form_words[] = {
	NULL, NULL, NULL, "SIMM", "SIP", "Chip", "DIP", "ZIP", "Proprietary Card", "DIMM", "TSOP",
	"Row of Chips", "RIMM", "SODIMM", "SRIMM", "FB-DIMM", "Die", "CAMM",
};

/* Table 78. */
static const char *const type_words[] = {
	NULL, NULL, NULL, "DRAM", "EDRAM", "VRAM", "SRAM", "RAM", "ROM", "Flash", "EEPROM",
	"FEPROM", "EPROM", "CDRAM", "3DRAM", "SDRAM", "SGRAM", "RDRAM", "DDR", "DDR2",
	"DDR2 FB-DIMM", NULL, NULL, NULL, "DDR3", "FBD2", "DDR4", "LPDDR", "LPDDR2", "LPDDR3",
	"LPDDR4", "Logical non-volatile device", "HBM", "HBM2", "DDR5", "LPDDR5", "HBM3",
};

/* Table 79, without those that only repeat the type. */
static const struct {
	unsigned bit;
	const char *word;
} detail_words[] = {
	{ 13, "Registered" }, { 14, "Unbuffered" }, { 15, "LRDIMM" }, { 12, "Non-Volatile" },
};

struct seen {
	struct smbios_entry entry[SEEN_MAX];
	size_t n;
};

static const char *word_of(const char *const *words, size_t n, const struct smbios_entry *e,
			   size_t offset)
{
	uint64_t value;

	if (!smbios_number(e, offset, 1, &value) || value >= n || !words[value])
		return "";
	return words[value];
}

#define WORD_OF(words, e, offset) word_of(words, sizeof(words) / sizeof(*(words)), e, offset)

/* A number for which some values mean "not known": they and too short a structure give 0. */
static uint32_t known(const struct smbios_entry *e, size_t offset, size_t bytes, uint64_t unknown)
{
	uint64_t value;

	if (!smbios_number(e, offset, bytes, &value) || value == unknown)
		return 0;
	return (uint32_t)value;
}

/* What the array is for: 3 is system memory, 4 to 7 are video, flash, NVRAM and cache. */
static bool is_system_array(const struct smbios_entry *e)
{
	uint64_t use;

	return !smbios_number(e, 0x05, 1, &use) || use < 4 || use > 7;
}

/* A module whose array is not in the table is taken for the system's. */
static bool in_system_array(const struct smbios *s, const struct smbios_entry *module)
{
	struct smbios_place p = { .at = 0 };
	struct smbios_entry e;
	uint64_t handle;

	if (!smbios_number(module, 0x04, 2, &handle))
		return true;
	while (smbios_next(s, &p, &e))
		if (e.type == ARRAY_TYPE && e.handle == handle)
			return is_system_array(&e);
	return true;
}

static void read_array(const struct smbios_entry *e, struct memory_info *m)
{
	const char *ecc = WORD_OF(ecc_words, e, 0x06);
	uint64_t max = 0, slots = 0;

	/* boards with several arrays mostly repeat the word */
	if (!words_hold(m->ecc, ecc))
		words_append(m->ecc, sizeof(m->ecc), " ", ecc);
	/* in KiB; 80000000h: see the extended one, in bytes */
	if (smbios_number(e, 0x07, 4, &max)) {
		if (max != 0x80000000u)
			m->max_bytes += max * KIB;
		else if (smbios_number(e, 0x0f, 8, &max) && m->max_bytes + max >= max)
			m->max_bytes += max;
	}
	if (smbios_number(e, 0x0d, 2, &slots))
		m->slots += (uint32_t)slots;
}

/* Bytes of a module; `is_there` also where its size is not known (0 then). */
static uint64_t read_size(const struct smbios_entry *e, bool *is_there)
{
	uint64_t size;

	*is_there = smbios_number(e, 0x0c, 2, &size) && size != 0;
	if (!*is_there || size == 0xffff)
		return 0;
	if (size != 0x7fff)
		return size & 0x8000 ? (size & 0x7fff) * KIB : size * MIB;
	/* the highest bit is reserved */
	return smbios_number(e, 0x1c, 4, &size) ? (size & 0x7fffffff) * MIB : 0;
}

/* Millions of transfers per second; FFFFh: see the extended one. */
static uint32_t read_speed(const struct smbios_entry *e, size_t offset, size_t extended)
{
	uint32_t speed = known(e, offset, 2, 0);

	if (speed != 0xffff)
		return speed;
	return known(e, extended, 4, 0) & 0x7fffffff;
}

static void read_text(const struct smbios_entry *e, size_t offset, char *to, size_t size)
{
	if (smbios_string(e, offset, to, size) && placeholder_firmware(to))
		to[0] = '\0';
}

/* Where it is: "CPU1" is no filler here. */
static void read_place(const struct smbios_entry *e, size_t offset, char *to, size_t size)
{
	if (smbios_string(e, offset, to, size) && placeholder_text(to))
		to[0] = '\0';
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Some boards print the bytes of the name: "0x4B564D..." becomes "KVM...". */
static void undo_hex(char *text, size_t size)
{
	char bytes[64];
	size_t n = 0, len = strlen(text);
	bool ended = false;

	if (len < 12 || len % 2 || strncmp(text, "0x", 2) || len / 2 > sizeof(bytes))
		return;
	for (size_t i = 2; i < len; i += 2) {
		int high = hex_digit(text[i]), low = hex_digit(text[i + 1]), c = high << 4 | low;

		if (high < 0 || low < 0 || (c ? c < ' ' || c > '~' || ended : false))
			return;
		ended |= !c;
		if (c)
			bytes[n++] = (char)c;
	}
	if (n)
		text_clean(text, size, bytes, n);
}

static void read_detail(const struct smbios_entry *e, char *to, size_t size)
{
	uint64_t bits = 0;

	smbios_number(e, 0x13, 2, &bits);
	for (size_t i = 0; i < sizeof(detail_words) / sizeof(*detail_words); i++)
		if (bits >> detail_words[i].bit & 1)
			words_append(to, size, " ", detail_words[i].word);
}

/* Of an empty slot only its names mean something: the rest is what the firmware left there. */
static void read_module(const struct smbios_entry *e, bool is_there, struct memory_module *to)
{
	read_place(e, 0x10, to->slot, sizeof(to->slot));
	read_place(e, 0x11, to->bank, sizeof(to->bank));
	if (!is_there)
		return;
	read_text(e, 0x17, to->maker, sizeof(to->maker));
	read_text(e, 0x18, to->serial, sizeof(to->serial));
	if (placeholder_serial(strncmp(to->serial, "0x", 2) ? to->serial : to->serial + 2))
		to->serial[0] = '\0';
	read_text(e, 0x1a, to->part, sizeof(to->part));
	undo_hex(to->part, sizeof(to->part));
	text_copy(to->type, sizeof(to->type), WORD_OF(type_words, e, 0x12));
	text_copy(to->form, sizeof(to->form), WORD_OF(form_words, e, 0x0e));
	read_detail(e, to->detail, sizeof(to->detail));
	to->total_bits = known(e, 0x08, 2, 0xffff);
	to->data_bits = known(e, 0x0a, 2, 0xffff);
	to->rated_mt_per_s = read_speed(e, 0x15, 0x54);
	to->speed_mt_per_s = read_speed(e, 0x20, 0x58);
	to->ranks = known(e, 0x1b, 1, 0) & 0x0f;
	to->millivolts = known(e, 0x26, 2, 0);
}

/* Some tables hold the same structure twice; equal modules still differ in handle and slot. */
static bool is_repeated(struct seen *seen, const struct smbios_entry *e)
{
	for (size_t i = 0; i < seen->n; i++) {
		const struct smbios_entry *s = &seen->entry[i];

		if (s->whole == e->whole && !memcmp(s->data, e->data, e->whole))
			return true;
	}
	if (seen->n < SEEN_MAX)
		seen->entry[seen->n++] = *e;
	return false;
}

void smbios_memory_read(const struct smbios *s, struct machine_info *machine)
{
	struct memory_info *m = &machine->memory;
	struct seen seen = { .n = 0 };
	struct smbios_place p = { .at = 0 };
	bool is_there, sizes_known = true;
	struct smbios_entry e;

	while (smbios_next(s, &p, &e)) {
		if ((e.type != ARRAY_TYPE && e.type != MODULE_TYPE) || is_repeated(&seen, &e))
			continue;
		if (e.type == ARRAY_TYPE && is_system_array(&e))
			read_array(&e, m);
		if (e.type == ARRAY_TYPE || e.length < MODULE_BYTES_MIN || !in_system_array(s, &e))
			continue;
		uint64_t size = read_size(&e, &is_there);
		struct memory_module *to = fields_add(&fields_memory, m, "modules");

		if (is_there && !size)
			sizes_known = false;
		m->installed_bytes += size;
		if (!to)
			continue;
		to->size_bytes = size;
		read_module(&e, is_there, to);
	}
	if (!sizes_known)
		m->installed_bytes = 0;
	if (m->slots < m->module_n)
		m->slots = m->module_n;
}
