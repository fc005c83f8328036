/* SPDX-License-Identifier: MIT */
/* A disk list as lines of text; see disk_lines.h. */
#include "tests/unit/disk_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4)))
static void add(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

const char *disk_lines(const struct disk_list *l, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < l->n; i++) {
		const struct disk *d = &l->disk[i];

		add(text, size, "%s: %s", d->name, disk_skip_table[d->skip].word);
		if (d->skip_detail[0])
			add(text, size, " (%s)", d->skip_detail);
		add(text, size, " %s %s", d->transport, d->identity);
		for (uint32_t k = 0; d->path_n > 1 && k < d->path_n && k < DISK_PATHS_MAX; k++)
			add(text, size, "%s%s", k ? " " : " [", d->path[k]);
		add(text, size, "%s\n", d->path_n > 1 ? "]" : "");
	}
	return text;
}

struct disk *disk_lines_find(struct disk_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->disk[i].name, name))
			return &l->disk[i];
	printf("Bail out! no disk %s\n", name);
	exit(255);
}
