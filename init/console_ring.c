/* SPDX-License-Identifier: MIT */
/* The ring between the one pipe and the many consoles, the filter, and the consoles' names. */
#include <stdio.h>
#include <string.h>

#include "init/console.h"

static void put_byte(struct console_ring *r, unsigned char c)
{
	r->data[r->head++ % CONSOLE_RING_BYTES] = (char)c;
}

static bool is_control(unsigned char c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

/* The second byte of U+0080 to U+009F, which some terminals obey like their escape sequences. */
static bool is_c1(unsigned char c)
{
	return c >= 0x80 && c <= 0x9F;
}

void console_ring_put(struct console_ring *r, const char *from, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)from[i], before = r->before;

		r->before = c;
		/* What follows 0xC2 decides whether it begins a letter or a control character. */
		if (before == 0xC2 && !is_c1(c))
			put_byte(r, before);
		if (c == '\r')
			put_byte(r, '\n');
		else if (c == '\n' && before == '\r')
			continue;	/* the line has ended already */
		else if (c != 0xC2)
			put_byte(r, is_control(c) || (before == 0xC2 && is_c1(c)) ? '?' : c);
	}
}

/* The start of the first line after `from`, or `from` itself where there is none. */
static uint64_t next_line(const struct console_ring *r, uint64_t from)
{
	for (uint64_t at = from; at < r->head; at++)
		if (r->data[at % CONSOLE_RING_BYTES] == '\n')
			return at + 1;
	return from;
}

size_t console_ring_get(const struct console_ring *r, uint64_t *at, uint64_t *lost,
			const char **data)
{
	uint64_t left, to_end;

	if (r->head - *at > CONSOLE_RING_BYTES) {
		uint64_t to = next_line(r, r->head - CONSOLE_RING_BYTES / 2);

		*lost += to - *at;
		*at = to;
	}
	left = r->head - *at;
	to_end = CONSOLE_RING_BYTES - *at % CONSOLE_RING_BYTES;
	*data = r->data + *at % CONSOLE_RING_BYTES;
	return (size_t)(left < to_end ? left : to_end);
}

static bool add_name(char names[CONSOLE_MAX][CONSOLE_NAME_BYTES], unsigned int *n, const char *name,
		     size_t len)
{
	/* A name is a file in /dev, nothing else; the kernel gives no others. */
	if (!len || len >= CONSOLE_NAME_BYTES || memchr(name, '/', len) || name[0] == '.')
		return false;
	for (unsigned int i = 0; i < *n; i++)
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return false;
	if (*n == CONSOLE_MAX)
		return false;
	memcpy(names[*n], name, len);
	names[*n][len] = '\0';
	++*n;
	return true;
}

unsigned int console_names_of(const char *active, char names[CONSOLE_MAX][CONSOLE_NAME_BYTES])
{
	unsigned int n = 0;

	/* The screen first: it gets its place even where the kernel has many consoles. */
	add_name(names, &n, "tty0", 4);
	while (*active) {
		size_t len = strcspn(active, " \n");

		add_name(names, &n, active, len);
		active += len;
		active += strspn(active, " \n");
	}
	return n;
}

void console_path(char path[CONSOLE_PATH_BYTES], const char *name)
{
	snprintf(path, CONSOLE_PATH_BYTES, "/dev/%.*s", CONSOLE_NAME_BYTES - 1, name);
}
