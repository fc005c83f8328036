/* SPDX-License-Identifier: MIT */
/*
 * The firmware's table of what is built in (SMBIOS, DMTF DSP0134 3.6): walking its structures and
 * taking values out of them. Any byte may come: nothing is read past a structure's own length or
 * the table's end, and a structure that cannot be told from the next ends the walk.
 */
#ifndef BENCH_SYS_SMBIOS_H
#define BENCH_SYS_SMBIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct smbios {
	uint8_t *table;		/* owned; smbios_free */
	size_t len;
	unsigned version;	/* 0x0302 for 3.2; 0 where there was no entry point */
	unsigned structures;	/* so many belong to the table; 0: as many as there are */
	bool ends_marked;	/* the structure of type 127 ends it */
};

/* A structure; it points into the table. */
struct smbios_entry {
	const uint8_t *data;
	uint8_t type, length;	/* of the formatted part */
	uint16_t handle;
	size_t whole;		/* with its strings */
};

/* A place in the table: all zero is its beginning. */
struct smbios_place {
	size_t at;
	unsigned structures;	/* behind it */
};

/*
 * The table of <root>/sys/firmware/dmi: `tables`, else the single `entries`. Both need root.
 * Returns 0, -errno, or -ENODATA where nothing is in it; then there is nothing to be freed.
 */
int smbios_load(const char *root, struct smbios *s);
void smbios_free(struct smbios *s);

/* The next structure. False at the end, or where what is there is none. */
bool smbios_next(const struct smbios *s, struct smbios_place *p, struct smbios_entry *e);
/* The first structure of a type. */
bool smbios_first(const struct smbios *s, uint8_t type, struct smbios_entry *e);

/*
 * The number at `offset`, little-endian, of 1 to 8 bytes. False where the structure, made to an
 * older version, ends before it.
 */
bool smbios_number(const struct smbios_entry *e, size_t offset, size_t bytes, uint64_t *value);
/*
 * The string whose number stands at `offset`, cleaned. False, and empty, where there is none: also
 * where the table ends within it.
 */
bool smbios_string(const struct smbios_entry *e, size_t offset, char *to, size_t size);

#endif
