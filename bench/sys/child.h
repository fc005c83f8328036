/* SPDX-License-Identifier: MIT */
/* Processes forked for a call that may never return, and what they must let go of. */
#ifndef BENCH_SYS_CHILD_H
#define BENCH_SYS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * In the child: closes all but `pipe_fd`, which becomes CHILD_ANSWER_FD, and puts /dev/null in the
 * place of the standard streams: a child that is stuck in the kernel must not keep anything open
 * that others wait on. Returns false where that cannot be done; then the child ends.
 */
bool child_close_others(int pipe_fd);

/* A process that asks something which may never be answered. All zero is none. */
struct child {
	pid_t pid;	/* 0: there is none */
	int fd;		/* what it says */
};

#define CHILD_ANSWER_FD 3	/* in the child: where its answer goes */

/*
 * Forks a process that runs `work`, which answers with child_say, and ends. It holds nothing open
 * but its answer's pipe, and dies with its parent. Returns 0 or -errno.
 */
int child_start(struct child *c, void (*work)(void *context), void *context);
/* In the child: writes to the parent; false where that no longer listens. */
bool child_say(const void *data, size_t len);
/*
 * Takes up to `size` bytes of what the child says, until it has ended or said all, or `until_ns` of
 * clock_ns() is reached. Returns their number.
 */
size_t child_listen(struct child *c, void *to, size_t size, uint64_t until_ns);
/* True where the process is gone, or there is none. Does not wait; child_end is still to come. */
bool child_has_ended(const struct child *c);
/* Kills the child. One that is stuck in the kernel is left behind. May be called twice. */
void child_end(struct child *c);

#endif
