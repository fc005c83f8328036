/* SPDX-License-Identifier: MIT */
/* The files a subcommand is given, and the text it prints in the end. */
#ifndef BENCH_CMD_LOAD_H
#define BENCH_CMD_LOAD_H

#include <stddef.h>

#include "bench/model/report.h"

/*
 * Reads file `name`, or standard input for "-", of at most `limit_bytes` into `*text` (malloc'ed,
 * not terminated, caller frees). Returns false after a message of `bench COMMAND` that says why not
 * and what to give instead (`hint`).
 */
bool load_file(const char *command, const char *name, size_t limit_bytes, const char *hint,
	       char **text, size_t *len);
/*
 * Reads report file `name`, or standard input for "-", into `r` (uninitialised; report_free frees
 * it). Returns false after a message of `bench COMMAND` that says why not; then `r` holds nothing.
 */
bool load_report(struct report *r, const char *command, const char *name);

/*
 * Prints `text` to standard output and frees it; NULL counts as out of memory. Returns false after
 * a message of `bench COMMAND`.
 */
bool print_text(const char *command, char *text, size_t len);

#endif
