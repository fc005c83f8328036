/* SPDX-License-Identifier: MIT */
/* What a process forked for a call that may never return must let go of. */
#ifndef BENCH_SYS_CHILD_H
#define BENCH_SYS_CHILD_H

#include <stdbool.h>

/*
 * In the child: closes all but `pipe_fd`, which becomes 3, and puts /dev/null in the place of the
 * standard streams: a child that is stuck in the kernel must not keep anything open that others
 * wait on. Returns false where that cannot be done; then the child ends.
 */
bool child_close_others(int pipe_fd);

#endif
