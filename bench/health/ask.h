/* SPDX-License-Identifier: MIT */
/*
 * Questions to devices, each in a process of its own, several at a time, each under a deadline.
 *
 * A command to a sick disk may sleep in the kernel for ever, where not even SIGKILL ends it. Such a
 * process is killed and left behind: it holds nothing of ours (no standard streams, no pipes but
 * its own). Programs are run without a shell, with an environment of our own.
 */
#ifndef BENCH_HEALTH_ASK_H
#define BENCH_HEALTH_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/sys/child.h"

#define ASK_PARALLEL 32		/* processes at a time: each costs this program a descriptor */
#define ASK_LIMIT_BYTES (1u << 20)	/* whoever says more is killed */
#define ASK_ARGUMENTS 16

enum ask_end {
	ASK_PENDING,	/* not begun, or still running */
	ASK_ANSWERED,	/* it said what it had to say, and ended */
	ASK_TIMEOUT,	/* it did not end in time and was abandoned */
	ASK_TOO_LONG,	/* its answer was longer than ASK_LIMIT_BYTES */
	ASK_STOPPED,	/* all was to end: the run's deadline, or its stop signal */
	ASK_FAILED,	/* no process could be made for it: see error */
};

struct ask {
	/* A program and its arguments, NULL at the end; argv[0] is its path. */
	const char *argv[ASK_ARGUMENTS];
	/* Where argv[0] is NULL: runs in the child and answers with child_say. */
	void (*own)(const void *argument);
	const void *argument;
	/* The answer. */
	enum ask_end end;
	int error;		/* errno of ASK_FAILED */
	char *text;		/* malloc'ed, NUL behind it; NULL: there was nothing to take */
	size_t len;
	/* At work. */
	struct child child;
	bool said_all;
	uint64_t deadline_ns;
	size_t room;
};

struct ask_limits {
	unsigned timeout_ms;	/* for each */
	uint64_t deadline_ns;	/* of clock_ns(), for all */
	int stop_fd;		/* readable: end at once; it is not read. -1: there is none */
};

/* Asks all of them. The texts of those that timed out are kept as far as they came. */
void ask_all(struct ask *a, size_t n, const struct ask_limits *l);
/* Frees the answers. */
void ask_free(struct ask *a, size_t n);

#endif
