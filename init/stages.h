/* SPDX-License-Identifier: MIT */
/*
 * The boot as an ordered table: what happens, how long it may take, and what a failure means.
 *
 * PID 1 forks one process per stage, in the table's order. A stage that crashes, fails or passes
 * its deadline is reported and the next one begins; only a required one ends the measuring part.
 */
#ifndef INIT_STAGES_H
#define INIT_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct boot;

/* The rows' places; the order is the order of the boot. */
enum stage_id {
	STAGE_MOUNTS,
	STAGE_CONSOLE,
	STAGE_TUNE,
	STAGE_OPTIONS,
	STAGE_WATCHDOG,
	STAGE_NETWORK,
	STAGE_GUARD_LATE,
	STAGE_SETTLE,
	STAGE_GUARD,
	STAGE_CLOCK,
	STAGE_RUN,
	STAGE_CLOSE,
	STAGE_UPLOAD,
	STAGE_RESULT,
	STAGE_COUNT
};

enum stage_kind {
	STAGE_WAIT,	/* PID 1 waits until it has ended or its time is over */
	STAGE_HELPER,	/* goes on beside the others until the end; started again when it dies */
};

enum stage_flag {
	STAGE_REQUIRED =
		1 << 0, /* without it nothing can be measured: go on with the STAGE_ALWAYS rows */
	STAGE_ALWAYS = 1 << 1, /* also happens when a required stage failed */
};

enum stage_status {
	STAGE_NOT_STARTED,
	STAGE_RUNNING,
	STAGE_OK,
	STAGE_FAILED,		/* ended with a status that means failure */
	STAGE_CRASHED,		/* a signal ended it that nobody here sent */
	STAGE_TIMEOUT,		/* was killed at its deadline, or could not even be killed */
	STAGE_SKIPPED,		/* had nothing to do, or no time left */
};

#define STAGE_EXIT_SKIPPED 77		/* a stage's exit status for "nothing to do" */
#define STAGE_EXIT_NO_PROGRAM 127	/* its program could not be started */
#define STAGE_OK_CODE(code) (UINT32_C(1) << (code))

#define STAGE_HELPER_STARTS 4		/* a helper that dies is started again, this often in all */

struct stage {
	const char *name;	/* as in the console's `bootmark: stage NAME: ...` */
	const char *what;	/* for --print-stages and docs/init.md */
	enum stage_kind kind;
	unsigned int flags;	/* enum stage_flag bits */
	uint32_t limit_s;	/* longest time; 0: `limit` says */
	uint32_t grace_s; /* between SIGTERM and SIGKILL at the deadline; 0: SIGKILL at once */
	uint32_t ok_codes;	/* STAGE_OK_CODE() bits of the exit statuses that mean success */
	/* Nanoseconds the stage may take from now on, or 0: there is no time for it. NULL:
	 * limit_s. */
	uint64_t (*limit)(const struct boot *b, uint64_t now_ns);
	/* Runs in the stage's own process. Returns 0, -ECANCELED (nothing to do) or another -errno,
	 * and has then said why; or it never returns because it became another program. */
	int (*work)(struct boot *b);
};

extern const struct stage stages_table[STAGE_COUNT];

/* The status words of the console's lines: "ok", "failed" ... */
const char *stages_word(enum stage_status status);

/* The stage's time limit in nanoseconds at `now_ns`; 0: no time is left for it. */
uint64_t stages_limit_ns(const struct boot *b, enum stage_id id, uint64_t now_ns);

/* What a process's end means for its stage. `wait_status` as from waitpid, `killed`: by us. */
enum stage_status stages_judge(const struct stage *s, int wait_status, bool killed);

/* True where a required stage before `id` failed and `id` is not one that always happens. */
bool stages_pointless(const struct boot *b, enum stage_id id);

/* True where the report arrived at a collector. */
bool stages_delivered(const struct boot *b);

/* Why the run did not end by itself, as the report's reason, or "" where it did. Returns buf. */
const char *stages_run_reason(const struct boot *b, char *buf, size_t size);

/* How the time is divided: see docs/init.md, "Time". */
uint64_t stages_settle_limit_ns(const struct boot *b, uint64_t now_ns);
uint64_t stages_run_limit_ns(const struct boot *b, uint64_t now_ns);
uint64_t stages_upload_limit_ns(const struct boot *b, uint64_t now_ns);
uint64_t stages_result_limit_ns(const struct boot *b, uint64_t now_ns);
/* How long the result stays on the screen, in seconds. */
uint64_t stages_linger_s(const struct boot *b);

/* Prints the table, one row a line. */
void stages_print(FILE *out);

/* Checks the table itself: names, work, limits. Returns 0 or -EINVAL. */
int stages_selfcheck(void);

#endif
