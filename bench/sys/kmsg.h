/* SPDX-License-Identifier: MIT */
/* Which lines of the kernel log belong into a report, and how. */
#ifndef BENCH_SYS_KMSG_H
#define BENCH_SYS_KMSG_H

#include <stdbool.h>
#include <stddef.h>

#define KMSG_LINE_BYTES 1024

/*
 * Takes one record of /dev/kmsg ("priority,sequence,microseconds,flags;text", then lines of
 * properties; Documentation/ABI/testing/dev-kmsg). Writes "[seconds.micros] text" to `line`,
 * secrets masked, and returns whether it is wanted: warning level and above, or about storage.
 */
bool kmsg_line(const char *record, size_t len, char line[KMSG_LINE_BYTES]);

/* True for a record of the kernel itself: programs write to its log too. */
bool kmsg_is_kernels(const char *record, size_t len);

/*
 * Gives `take` every record that the kernel's log holds now, oldest first; does not block. Returns
 * 0 or -errno.
 */
int kmsg_read(void (*take)(void *context, const char *record, size_t len), void *context);

/* The newest lines, at most `limit` bytes together. */
struct kmsg_tail {
	char *text;	/* owned, room for 2 * limit + 1 bytes */
	size_t used, limit;
};

/* Returns 0 or -ENOMEM. */
int kmsg_tail_init(struct kmsg_tail *t, size_t limit);
/* Adds `line` and a newline; drops old lines when room is short. */
void kmsg_tail_add(struct kmsg_tail *t, const char *line);
/* Hands the text over (caller frees), whole lines only; `t` is empty then. */
char *kmsg_tail_take(struct kmsg_tail *t);

#endif
