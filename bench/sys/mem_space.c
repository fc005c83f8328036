/* SPDX-License-Identifier: MIT */
/* How much memory a test may take; see mem_space.h. */
#include "bench/sys/mem_space.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/sys/memory.h"
#include "bench/sys/sysfs.h"
#include "lib/file.h"

#define RESERVE_MIN_BYTES (UINT64_C(24) << 20)
#define RESERVE_MAX_BYTES (UINT64_C(2) << 30)
#define RESERVE_PART 16
#define GROUPS_BYTES 4096	/* /proc/self/cgroup */

/* What a group may still take; UINT64_MAX: it has no limit. Version 2, then version 1. */
static uint64_t group_left(const char *dir)
{
	static const char *const names[][2] = {
		{ "memory.max", "memory.current" },
		{ "memory.limit_in_bytes", "memory.usage_in_bytes" },
	};
	uint64_t max, now;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sysfs_read_u64(dir, names[i][0], &max) &&
		    sysfs_read_u64(dir, names[i][1], &now))
			return max > now ? max - now : 0;
	return UINT64_MAX;
}

/* The least that a group and those above it leave, from `path` up to where groups are mounted. */
static uint64_t groups_left(const char *mount, const char *path)
{
	char dir[SYSFS_PATH_BYTES];
	uint64_t least = UINT64_MAX, left;
	size_t mount_len = strlen(mount);

	if (strstr(path, "..") ||
	    snprintf(dir, sizeof(dir), "%s%s", mount, path) >= (int)sizeof(dir))
		return least;
	for (;;) {
		left = group_left(dir);
		if (left < least)
			least = left;
		if (strlen(dir) <= mount_len)
			return least;
		*strrchr(dir, '/') = '\0';
	}
}

/* What the control groups of this process leave: lines "0::PATH" and "N:memory:PATH". */
static uint64_t limit_of_groups(const char *root)
{
	char path[SYSFS_PATH_BYTES], mount[SYSFS_PATH_BYTES], text[GROUPS_BYTES], *save = NULL;
	uint64_t least = UINT64_MAX, left;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	if (file_read(path, text, sizeof(text)) <= 0)
		return least;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *names = strchr(line, ':'), *at = names ? strchr(names + 1, ':') : NULL;

		if (!at)
			continue;
		*at++ = '\0';
		if (names[1] == '\0')
			snprintf(mount, sizeof(mount), "%s/sys/fs/cgroup", root);
		else if (!strcmp(names + 1, "memory"))
			snprintf(mount, sizeof(mount), "%s/sys/fs/cgroup/memory", root);
		else
			continue;
		left = groups_left(mount, at);
		if (left < least)
			least = left;
	}
	return least;
}

int mem_space_read(const char *root, struct mem_space *s)
{
	uint64_t limit = limit_of_groups(root);

	s->total_bytes = memory_line_bytes(root, "MemTotal:");
	s->free_bytes = memory_line_bytes(root, "MemAvailable:");
	if (!s->free_bytes)	/* kernels before 3.14 */
		s->free_bytes = memory_line_bytes(root, "MemFree:");
	if (s->free_bytes > limit)
		s->free_bytes = limit;
	return s->total_bytes ? 0 : -ENODATA;
}

uint64_t mem_space_reserve(const struct mem_space *s)
{
	uint64_t part = s->total_bytes / RESERVE_PART;

	return part < RESERVE_MIN_BYTES ? RESERVE_MIN_BYTES :
	       part > RESERVE_MAX_BYTES ? RESERVE_MAX_BYTES : part;
}

uint64_t mem_space_room(const struct mem_space *s)
{
	uint64_t reserve = mem_space_reserve(s);

	return s->free_bytes > reserve ? s->free_bytes - reserve : 0;
}

uint64_t mem_space_half(const struct mem_space *s, uint64_t limit_bytes)
{
	return s->free_bytes / 2 < limit_bytes ? s->free_bytes / 2 : limit_bytes;
}
