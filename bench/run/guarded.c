/* SPDX-License-Identifier: MIT */
/* Tells init's lock from a disk's own write protection. */
#include "bench/run/guarded.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"

#define GUARDED_MAX_BYTES 65536

size_t guarded_apply(struct disk_list *list, size_t first, const char *dir)
{
	char path[PATH_MAX], *text, *name, *save = NULL;
	size_t len, n = 0;

	snprintf(path, sizeof(path), "%s/guarded", dir);
	if (file_load(path, GUARDED_MAX_BYTES, &text, &len))
		return 0;
	for (name = strtok_r(text, "\n", &save); name; name = strtok_r(NULL, "\n", &save)) {
		for (size_t i = first; i < list->n; i++) {
			if (strcmp(list->disk[i].name, name))
				continue;
			list->disk[i].read_only = false;
			list->disk[i].write.guarded = true;
			n++;
		}
	}
	free(text);
	return n;
}
