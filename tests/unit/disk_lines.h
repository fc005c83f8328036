/* SPDX-License-Identifier: MIT */
/*
 * A disk list as lines of text, so that a test compares all of it at once and shows what differs.
 */
#ifndef TESTS_UNIT_DISK_LINES_H
#define TESTS_UNIT_DISK_LINES_H

#include <stddef.h>

#include "bench/sys/disk.h"

/*
 * "NAME: SKIP (DETAIL) TRANSPORT IDENTITY [PATHS]" for each disk; detail and paths where there are
 * any.
 */
const char *disk_lines(const struct disk_list *l, char *text, size_t size);
/* The disk of that name; a test without it ends. */
struct disk *disk_lines_find(struct disk_list *l, const char *name);

#endif
