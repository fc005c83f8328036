/* SPDX-License-Identifier: MIT */
/* Does a name a person gave mean this disk? */
#ifndef BENCH_SYS_MATCH_H
#define BENCH_SYS_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/sys/disk.h"

/*
 * Sets hit[i] for each disk of `list` that `item` names (hit has list->n elements, all are set): a
 * kernel name or a path (any symlink or node that leads to the device); where that names none, a
 * serial number, a WWN (any case, with or without naa. eui. uuid. 0x wwn-) or an identity. Returns
 * the number of hits.
 */
size_t match_disks(const struct disk_list *list, const char *root, const char *item, bool *hit);

/* Why `item` names no disk of the list, in a few words, e.g. "a partition of sda". */
void match_explain(const char *root, const char *item, char *why, size_t size);

#endif
