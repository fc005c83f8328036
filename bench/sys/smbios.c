/* SPDX-License-Identifier: MIT */
/* Walks the structures of an SMBIOS table; see smbios.h. */
#include "bench/sys/smbios.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/order.h"
#include "bench/sys/sysfs.h"
#include "lib/file.h"
#include "lib/text.h"

#define TABLE_BYTES_MAX (1u << 20)	/* real ones have 2 to 20 kB */
#define STRUCTURES_MAX 4096u	/* nor more than a few hundred of these */
#define HEADER_BYTES 4
#define END_OF_TABLE 127

/* Sections 5.2.1 and 5.2.2. Without an entry point the table itself tells where it ends. */
static void read_entry_point(const char *dir, struct smbios *s)
{
	uint8_t raw[32];
	ssize_t n = sysfs_read_bytes(dir, "smbios_entry_point", raw, sizeof(raw));

	s->ends_marked = true;
	if (n >= 24 && !memcmp(raw, "_SM3_", 5)) {
		s->version = raw[7] << 8 | raw[8];
	} else if (n >= 31 && !memcmp(raw, "_SM_", 4)) {
		s->version = raw[6] << 8 | raw[7];
		s->structures = raw[28] | raw[29] << 8;
		/* such tables were counted, and some go on behind the mark */
		s->ends_marked = s->structures == 0;
	}
}

static int load_table(const char *root, struct smbios *s)
{
	char dir[SYSFS_PATH_BYTES], path[SYSFS_PATH_BYTES], *text;
	int err;

	if (!sysfs_join(dir, root, "sys/firmware/dmi/tables") || !sysfs_join(path, dir, "DMI"))
		return -ENAMETOOLONG;
	err = file_load(path, TABLE_BYTES_MAX, &text, &s->len);
	if (err)
		return err;
	s->table = (uint8_t *)text;
	read_entry_point(dir, s);
	return 0;
}

/* Appends one structure, closed by two NULs however it ends. */
static int add_raw(struct smbios *s, const uint8_t *raw, size_t n)
{
	uint8_t *more;

	if (n < HEADER_BYTES || raw[1] < HEADER_BYTES || raw[1] > n ||
	    s->len + n + 2 > TABLE_BYTES_MAX)
		return 0;
	more = realloc(s->table, s->len + n + 2);
	if (!more)
		return -ENOMEM;
	s->table = more;
	memcpy(more + s->len, raw, n);
	s->len += n;
	if (n < raw[1] + 2u || raw[n - 1] || raw[n - 2]) {
		more[s->len++] = 0;
		more[s->len++] = 0;
	}
	return 0;
}

/* One folder for each structure, named TYPE-NUMBER. */
static int load_entries(const char *root, struct smbios *s)
{
	char dir[SYSFS_PATH_BYTES], entry[SYSFS_PATH_BYTES];
	struct sysfs_names names;
	int err;

	if (!sysfs_join(dir, root, "sys/firmware/dmi/entries"))
		return -ENAMETOOLONG;
	err = sysfs_list(dir, ".", &names);
	if (err)
		return err;
	order_sort(names.name, names.n);
	for (size_t i = 0; i < names.n && !err; i++) {
		uint8_t raw[SYSFS_VALUE_BYTES];
		ssize_t n = -1;

		if (sysfs_join(entry, dir, names.name[i]))
			n = sysfs_read_bytes(entry, "raw", raw, sizeof(raw));
		/* the mark of the end would hide what sorts behind it */
		if (n > 0 && raw[0] != END_OF_TABLE)
			err = add_raw(s, raw, (size_t)n);
	}
	sysfs_list_free(&names);
	return err;
}

int smbios_load(const char *root, struct smbios *s)
{
	int err;

	*s = (struct smbios){ .table = NULL };
	err = load_table(root, s);
	if (err && err != -ENOMEM)
		err = load_entries(root, s);
	if (!err && s->len < HEADER_BYTES)
		err = -ENODATA;
	if (err)
		smbios_free(s);
	return err;
}

void smbios_free(struct smbios *s)
{
	free(s->table);
	*s = (struct smbios){ .table = NULL };
}

/* Section 6.1.3: behind the formatted part stand strings, each with its NUL, and one more NUL. */
static size_t whole_length(const uint8_t *data, size_t length, size_t room)
{
	for (size_t i = length; i + 1 < room; i++)
		if (!data[i] && !data[i + 1])
			return i + 2;
	return room;
}

bool smbios_next(const struct smbios *s, struct smbios_place *p, struct smbios_entry *e)
{
	const uint8_t *data = s->table + p->at;
	size_t room = s->len - p->at;

	if (room < HEADER_BYTES || data[1] < HEADER_BYTES || data[1] > room)
		return false;
	if (p->structures == (s->structures ? s->structures : STRUCTURES_MAX) ||
	    p->structures == STRUCTURES_MAX)
		return false;
	if (data[0] == END_OF_TABLE && s->ends_marked)
		return false;
	*e = (struct smbios_entry){
		.data = data, .type = data[0], .length = data[1],
		.handle = (uint16_t)(data[2] | data[3] << 8),
		.whole = whole_length(data, data[1], room),
	};
	p->at += e->whole;
	p->structures++;
	return true;
}

bool smbios_first(const struct smbios *s, uint8_t type, struct smbios_entry *e)
{
	struct smbios_place p = { .at = 0 };

	while (smbios_next(s, &p, e))
		if (e->type == type)
			return true;
	return false;
}

bool smbios_number(const struct smbios_entry *e, size_t offset, size_t bytes, uint64_t *value)
{
	uint64_t v = 0;

	if (offset + bytes > e->length)
		return false;
	for (size_t i = 0; i < bytes; i++)
		v |= (uint64_t)e->data[offset + i] << 8 * i;
	*value = v;
	return true;
}

bool smbios_string(const struct smbios_entry *e, size_t offset, char *to, size_t size)
{
	size_t at = e->length;
	uint64_t number;

	to[0] = '\0';
	if (!smbios_number(e, offset, 1, &number))
		return false;
	for (uint64_t i = 1; number > 0 && at < e->whole && e->data[at]; i++) {
		const uint8_t *end = memchr(e->data + at, 0, e->whole - at);

		if (!end)
			return false;
		if (i == number)
			return text_clean(to, size, e->data + at,
					  (size_t)(end - e->data) - at) > 0;
		at = (size_t)(end - e->data) + 1;
	}
	return false;
}
