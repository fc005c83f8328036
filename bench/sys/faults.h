/* SPDX-License-Identifier: MIT */
/* Which messages of the kernel tell of a fault, of what kind, and which device they name. */
#ifndef BENCH_SYS_FAULTS_H
#define BENCH_SYS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/model/machine.h"

#define FAULTS_LINKS 32

/* What must be remembered from line to line. */
struct faults {
	/* network interfaces that have had a link: one that goes down before is no fault */
	char up[FAULTS_LINKS][32];
	size_t up_n;
};

/*
 * Looks at one message, without its time, in the order of the log. A fault is added to `m`, or
 * counted where an equal one stands there: one of the same kind and device that differs in numbers
 * only. Returns whether it told of a fault.
 */
bool faults_add(struct faults *f, struct machine_info *m, const char *text);

#endif
