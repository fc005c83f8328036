/* SPDX-License-Identifier: MIT */
/* How much memory there is to work with now. */
#ifndef BENCH_SYS_MEMORY_H
#define BENCH_SYS_MEMORY_H

#include <stdint.h>

/* MemAvailable of /proc/meminfo, UINT64_MAX where it cannot be read. */
uint64_t memory_available_bytes(void);

/* A line of <root>/proc/meminfo, 0 where it cannot be read. `key` ends in a colon. */
uint64_t memory_line_bytes(const char *root, const char *key);

#endif
