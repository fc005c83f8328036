/* SPDX-License-Identifier: MIT */
/* The amounts that the kernel's texts of memory state. */
#ifndef BENCH_SYS_MEMORY_H
#define BENCH_SYS_MEMORY_H

#include <stdint.h>

/* A line of <root>/proc/meminfo, 0 where it cannot be read. `key` ends in a colon. */
uint64_t memory_line_bytes(const char *root, const char *key);

/*
 * The amount behind the first `key` ("MemTotal:") in the text of a meminfo, the machine's or a
 * node's, in bytes; 0 where there is none.
 */
uint64_t memory_text_bytes(const char *text, const char *key);

#endif
