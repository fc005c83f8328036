/* SPDX-License-Identifier: MIT */
/*
 * SMBIOS tables from text that can be held against the tables of the specification. A line is one
 * structure: type, handle and length, and then values by their offset in it.
 *
 *	17 0x1100 0x54 w08=72 d1c=65536 b0e=9 s10="DIMM_A1" x08=00112233
 *
 * b, w, d and q are 1, 2, 4 and 8 bytes, little-endian; x is bytes as they are; s appends a string
 * to the structure's set (\xHH \n \\ \" inside) and stores its number. `raw 11 04 00` is bytes
 * without any meaning. What is not given is 0.
 */
#ifndef TESTS_UNIT_SMBIOS_TEXT_H
#define TESTS_UNIT_SMBIOS_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct smbios_text {
	uint8_t table[65536];
	size_t len;
	unsigned structures;
};

/* Adds the structures of all lines of `text`. A mistake in it ends the test. */
void smbios_text_add(struct smbios_text *t, const char *text);
/* Entry point for the table: _SM_ for major 2, _SM3_ from 3 on. Returns its length. */
size_t smbios_text_entry(const struct smbios_text *t, unsigned major, unsigned minor,
			 uint8_t to[32]);

#endif
