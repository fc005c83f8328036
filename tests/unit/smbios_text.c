/* SPDX-License-Identifier: MIT */
/* SMBIOS tables from text; see smbios_text.h. */
#include "tests/unit/smbios_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noreturn))
static void fail(const char *what, const char *where)
{
	printf("Bail out! SMBIOS text: %s at \"%.60s\"\n", what, where);
	exit(255);
}

static void add_byte(struct smbios_text *t, unsigned byte)
{
	if (t->len == sizeof(t->table))
		fail("more than fits", "");
	t->table[t->len++] = (uint8_t)byte;
}

static unsigned hex_byte(const char *s)
{
	unsigned byte;

	if (sscanf(s, "%2x", &byte) != 1)
		fail("two hex digits expected", s);
	return byte;
}

static unsigned long long take_number(const char **s)
{
	char *end;
	unsigned long long value = strtoull(*s, &end, 0);

	if (end == *s)
		fail("a number expected", *s);
	*s = end;
	return value;
}

/* Appends a quoted string behind the formatted part. */
static void take_string(struct smbios_text *t, const char **s)
{
	const char *c = *s;

	if (*c++ != '"')
		fail("a quote expected", *s);
	for (; *c && *c != '"'; c++) {
		if (*c != '\\')
			add_byte(t, (unsigned char)*c);
		else if (*++c == 'x')
			add_byte(t, hex_byte(c + 1)), c += 2;
		else
			add_byte(t, *c == 'n' ? '\n' : (unsigned char)*c);
	}
	if (*c != '"')
		fail("no end of the string", *s);
	add_byte(t, 0);
	*s = c + 1;
}

/* One item such as w08=72. Its value goes to `at`, the start of the structure. */
static void take_item(struct smbios_text *t, size_t at, size_t length, unsigned *strings,
		      const char **s)
{
	static const char sizes[] = "bw-d---q";
	char kind = **s;
	const char *start = *s, *place = strchr(sizes, kind);
	char *end;
	size_t offset = strtoul(*s + 1, &end, 16), bytes = place ? (size_t)(place - sizes) + 1 : 1;
	unsigned long long value;

	if (*end != '=' || offset + bytes > length)
		fail("no such place in the structure", start);
	*s = end + 1;
	if (kind == 'x') {
		for (; **s && **s != ' '; *s += 2, offset++)
			t->table[at + offset] = (uint8_t)hex_byte(*s);
		return;
	}
	if (kind == 's') {
		take_string(t, s);
		t->table[at + offset] = (uint8_t)++*strings;
		return;
	}
	value = take_number(s);
	for (size_t i = 0; i < bytes; i++)
		t->table[at + offset + i] = (uint8_t)(value >> 8 * i);
}

static void take_structure(struct smbios_text *t, const char *s)
{
	unsigned type = (unsigned)take_number(&s), handle = (unsigned)take_number(&s);
	size_t length = (size_t)take_number(&s), at = t->len;
	unsigned strings = 0;

	for (size_t i = 0; i < length; i++)
		add_byte(t, 0);
	t->table[at] = (uint8_t)type;
	t->table[at + 1] = (uint8_t)length;
	t->table[at + 2] = (uint8_t)handle;
	t->table[at + 3] = (uint8_t)(handle >> 8);
	while (*(s += strspn(s, " \t")))
		take_item(t, at, length, &strings, &s);
	add_byte(t, 0);
	if (!strings)
		add_byte(t, 0);
	t->structures++;
}

void smbios_text_add(struct smbios_text *t, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;

	while (copy && (line = strsep(&rest, "\n"))) {
		line += strspn(line, " \t");
		if (!strncmp(line, "raw ", 4))
			for (const char *s = line + 4; *(s += strspn(s, " ")); s += 2)
				add_byte(t, hex_byte(s));
		else if (line[0] && line[0] != '#')
			take_structure(t, line);
	}
	free(copy);
}

static void set_sum(uint8_t *bytes, size_t len, size_t at)
{
	unsigned sum = 0;

	bytes[at] = 0;
	for (size_t i = 0; i < len; i++)
		sum += bytes[i];
	bytes[at] = (uint8_t)-sum;
}

/* SMBIOS 3.6, sections 5.2.1 and 5.2.2. */
size_t smbios_text_entry(const struct smbios_text *t, unsigned major, unsigned minor,
			 uint8_t to[32])
{
	memset(to, 0, 32);
	if (major >= 3) {
		memcpy(to, "_SM3_", 5);
		to[6] = 24;
		to[7] = (uint8_t)major;
		to[8] = (uint8_t)minor;
		to[10] = 1;
		to[12] = (uint8_t)t->len;
		to[13] = (uint8_t)(t->len >> 8);
		set_sum(to, 24, 5);
		return 24;
	}
	memcpy(to, "_SM_", 4);
	to[5] = 31;
	to[6] = (uint8_t)major;
	to[7] = (uint8_t)minor;
	memcpy(to + 16, "_DMI_", 5);
	to[22] = (uint8_t)t->len;
	to[23] = (uint8_t)(t->len >> 8);
	to[28] = (uint8_t)t->structures;
	to[29] = (uint8_t)(t->structures >> 8);
	set_sum(to + 16, 15, 5);
	set_sum(to, 31, 4);
	return 31;
}
