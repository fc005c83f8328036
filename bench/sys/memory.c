/* SPDX-License-Identifier: MIT */
/*
 * How much memory the kernel has to work with (MemTotal: what is installed, less firmware's share),
 * and how much of it is free now.
 */
#include "bench/sys/memory.h"

#include <stdio.h>
#include <string.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/sysfs.h"

uint64_t memory_text_bytes(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	unsigned long long kib;

	/* always "kB", and always 1,024 bytes each */
	if (!at || sscanf(at + strlen(key), " %llu kB", &kib) != 1 || kib > UINT64_MAX / 1024)
		return 0;
	return kib * 1024;
}

uint64_t memory_line_bytes(const char *root, const char *key)
{
	char dir[SYSFS_PATH_BYTES], text[SYSFS_VALUE_BYTES];
	const char *line;
	ssize_t n;

	if (!sysfs_join(dir, root, "proc"))
		return 0;
	n = sysfs_read_bytes(dir, "meminfo", text, sizeof(text) - 1);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	line = strstr(text, key);
	if (!line || (line != text && line[-1] != '\n'))
		return 0;
	return memory_text_bytes(line, key);
}

void memory_read(const char *root, struct machine_info *m)
{
	m->memory_bytes = memory_line_bytes(root, "MemTotal:");
	m->memory.swap_bytes = memory_line_bytes(root, "SwapTotal:");
}
