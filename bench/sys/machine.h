/* SPDX-License-Identifier: MIT */
/* What the machine and its kernel are: DMI, CPU, memory, links, clock, kernel log. */
#ifndef BENCH_SYS_MACHINE_H
#define BENCH_SYS_MACHINE_H

#include "bench/model/report.h"

/* Fills `m` from <root>/sys and <root>/proc; what cannot be read stays absent. Never fails. */
void machine_read(const char *root, struct machine_info *m);
/* Fills kernel, kernel_config_sha256 of `t` and clocksource of `r`. */
void machine_read_kernel(const char *root, struct tool_info *t, struct run_info *r);
/* Sets kernel_faults of `m` to what the running kernel's log tells now. Does not block. */
void machine_read_faults(struct machine_info *m);
/*
 * Tail of the kernel log: lines of warning level and above, and lines that name a block device or
 * I/O error, at most `limit_bytes`, newest kept, valid UTF-8, text after "bench.token=" masked.
 * malloc'ed (caller frees) or NULL where it cannot be read. Does not block.
 */
char *machine_kernel_log(size_t limit_bytes);

#endif
