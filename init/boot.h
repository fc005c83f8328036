/* SPDX-License-Identifier: MIT */
/*
 * What the processes of a boot share: one struct in memory that PID 1 maps before it forks
 * anything.
 *
 * Every stage runs in a child of PID 1, so that none of them can crash or block PID 1; what a stage
 * finds out and a later one needs stands here. Invariants: no pointers into one process; a stage
 * prepares a value in its own memory and stores it whole; fields that two processes use at the same
 * time are atomic.
 */
#ifndef INIT_BOOT_H
#define INIT_BOOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "init/stages.h"
#include "lib/options.h"

#define BOOT_DIR "/run/bootmark" /* report.json, report.txt and what init leaves beside them */
#define BOOT_CONSOLE_LOG BOOT_DIR "/console.log"
#define BOOT_CLOCK_FILE BOOT_DIR "/clock" /* "ok: ..." or "corrected: ...": read by `bench run` */
/* One name a line: what the guard set read-only; `bench` can tell it from a disk's own protection.
 */
#define BOOT_GUARDED_FILE BOOT_DIR "/guarded"
#define BOOT_NET_DIR BOOT_DIR "/net"		/* one NAME.lease per configured interface */
#define BOOT_CMDLINE "/proc/cmdline"
#define BOOT_CONFIG "/etc/bench.conf"

/* How far one stage came. */
struct stage_state {
	enum stage_status status;
	pid_t pid;		/* its process, also its session; 0 before it started */
	int wait_status;	/* as waitpid gave it; valid for STAGE_OK, _FAILED and _CRASHED */
	uint64_t start_ns;
	uint64_t end_ns;	/* 0: still running */
	unsigned int starts;	/* helpers: how often it was started */
};

struct boot {
	uint64_t start_ns;	/* monotonic, when PID 1 began: the total deadline counts from it */
	struct options options;	/* defaults until the stage `options` has stored the real ones */
	struct stage_state stage[STAGE_COUNT];

	/* The console: everybody writes into one pipe, the stage `console` reads it. */
	int pipe_read, pipe_write;
	_Atomic uint32_t console_pending;	/* not 0: it still has something to show */

	/* The watchdog's process feeds while the clock is below this; PID 1 keeps moving it. */
	_Atomic uint64_t pet_until_ns;
	_Atomic bool disarm_watchdog;	/* the machine is to stand still on purpose */
};

#endif
