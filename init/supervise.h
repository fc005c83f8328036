/* SPDX-License-Identifier: MIT */
/*
 * PID 1's own loop: forks the stages, waits for signals in sequence, collects every orphan, keeps
 * the watchdog fed. It never opens a device, never waits for a process it cannot outlast, and exits
 * never.
 */
#ifndef INIT_SUPERVISE_H
#define INIT_SUPERVISE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct boot;

#define SUPERVISE_PET_S 60	/* how long the watchdog is still fed after PID 1 last said so */

enum supervise_event {
	SUPERVISE_TIME_OVER,	/* the time given had passed */
	SUPERVISE_ENDED,	/* the process ended; its status was stored */
	SUPERVISE_INTERRUPTED,	/* Ctrl-Alt-Del was pressed */
};

/*
 * Waits until process `pid` ends (-1: only for the time) or until `until_ns`, monotonic. Meanwhile
 * orphans are collected, helpers that died are started again and the watchdog is fed if `pet`.
 * *wait_status is set for SUPERVISE_ENDED.
 */
enum supervise_event supervise_wait(struct boot *b, pid_t pid, uint64_t until_ns, bool pet,
				    int *wait_status);

/* Forks; the child has its own session and no blocked signals. Returns as fork does, but retries a
 * shortage of processes or memory for a second. */
pid_t supervise_fork(void);

/* The whole boot. Never returns. */
_Noreturn void supervise_boot(struct boot *b);

#endif
