/* SPDX-License-Identifier: MIT */
/*
 * How much memory the kernel has to work with (MemTotal: what is installed, less firmware's share).
 */
#include <stdio.h>
#include <string.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/sysfs.h"

void memory_read(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES], text[SYSFS_VALUE_BYTES];
	unsigned long long kib;
	const char *line;
	ssize_t n;

	if (!sysfs_join(dir, root, "proc"))
		return;
	n = sysfs_read_bytes(dir, "meminfo", text, sizeof(text) - 1);
	if (n <= 0)
		return;
	text[n] = '\0';
	line = strstr(text, "MemTotal:");
	if (!line || (line != text && line[-1] != '\n'))
		return;
	/* always "kB", and always 1,024 bytes each */
	if (sscanf(line + 9, " %llu kB", &kib) == 1 && kib <= UINT64_MAX / 1024)
		m->memory_bytes = kib * 1024;
}
