/* SPDX-License-Identifier: MIT */
/* How much memory there is to work with now. */
#ifndef BENCH_SYS_MEMORY_H
#define BENCH_SYS_MEMORY_H

#include <stdint.h>

/* MemAvailable of /proc/meminfo, UINT64_MAX where it cannot be read. */
uint64_t memory_available_bytes(void);

/* A line of <root>/proc/meminfo, 0 where it cannot be read. `key` ends in a colon. */
uint64_t memory_line_bytes(const char *root, const char *key);

/*
 * The amount behind the first `key` ("MemTotal:") in the text of a meminfo, the machine's or a
 * node's, in bytes; 0 where there is none.
 */
uint64_t memory_text_bytes(const char *text, const char *key);

#endif
