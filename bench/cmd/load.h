/* SPDX-License-Identifier: MIT */
/* Reads the stored report that a subcommand was given. */
#ifndef BENCH_CMD_LOAD_H
#define BENCH_CMD_LOAD_H

#include "bench/model/report.h"

/*
 * Reads report file `name`, or standard input for "-", into `r` (uninitialised; report_free frees
 * it). Returns false after a message of `bench COMMAND` that says why not; then `r` holds nothing.
 */
bool load_report(struct report *r, const char *command, const char *name);

#endif
