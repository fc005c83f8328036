/* SPDX-License-Identifier: MIT */
/* Becoming another program: a clean environment, no parameters of outside, never through a
 * shell. */
#ifndef INIT_LAUNCH_H
#define INIT_LAUNCH_H

#define LAUNCH_PATH "PATH=/bin:/sbin:/usr/bin:/usr/sbin"

/*
 * Replaces this process by the program `path` with `argv` and a small fixed environment. The kernel
 * hands unknown words of its command line to init as arguments and environment; none of them goes
 * on. Returns never: where the program cannot be started it says so and exits with
 * STAGE_EXIT_NO_PROGRAM.
 */
_Noreturn void launch_exec(const char *path, char *const argv[]);

/* The same with `extra`, up to LAUNCH_EXTRA_MAX more "NAME=VALUE" strings, NULL-terminated. */
_Noreturn void launch_exec_env(const char *path, char *const argv[], char *const extra[]);
#define LAUNCH_EXTRA_MAX 8

/* Sets this process's oom_score_adj: -1000 for init and the runner, 0 for what may be given up. */
void launch_oom_score(int score);

#endif
