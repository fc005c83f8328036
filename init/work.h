/* SPDX-License-Identifier: MIT */
/*
 * The stages' work: each function runs in a process of its own and is the `work` of one row in
 * stages.c. It returns 0, -ECANCELED where it had nothing to do, or another -errno, and has then
 * said why; see struct stage.
 */
#ifndef INIT_WORK_H
#define INIT_WORK_H

#include <stdio.h>

struct boot;

int work_mounts(struct boot *b);	/* mounts.c */
int work_console(struct boot *b);	/* console.c */
int work_tune(struct boot *b);		/* tune.c */
int work_options(struct boot *b);	/* settings.c */
int work_watchdog(struct boot *b);	/* watchdog.c */
int work_network(struct boot *b);	/* net.c */
int work_guard_late(struct boot *b);	/* guard.c */
int work_settle(struct boot *b);	/* settle.c */
int work_guard(struct boot *b);		/* guard.c */
int work_clock(struct boot *b);		/* wallclock.c */
int work_run(struct boot *b);		/* programs.c */
int work_close(struct boot *b);		/* programs.c */
int work_upload(struct boot *b);	/* programs.c */
int work_result(struct boot *b);	/* result.c */

/* Prints the mounts as the shell commands they equal (mounts.c). */
void mounts_print(FILE *out);

#endif
