/* SPDX-License-Identifier: MIT */
/*
 * The turn of one disk: some of its entries, and the workers that run them one after the other. Or
 * of one entry that is about no disk.
 */
#ifndef BENCH_RUN_TURN_H
#define BENCH_RUN_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/run/closing.h"
#include "bench/run/supervise.h"
#include "bench/run/worker.h"

/* What is known of a disk from one turn to the next. */
struct turn_disk {
	char lost[RESULT_REASON_BYTES];	/* why nothing more can run on it; "" while it can */
	struct worker_area area;
	struct closing *closing;	/* what was done to it */
};

struct supervisor {
	const struct plan *plan;
	const struct disk_list *disks;
	const struct supervise_limits *limits;
	const struct supervise_events *events;
	struct turn_disk *disk;		/* one for each of disks */
	uint64_t memory_bytes;		/* for each worker */
	uint64_t memory_shared_bytes;	/* were all disks at work */
	size_t disk_n;			/* disks in the plan */
	enum supervise_end end;		/* why no new entry begins; SUPERVISE_DONE: they do */
};

/* What ended the watch over a worker. */
enum turn_watch {
	WATCH_ENDED,	/* the worker closed its pipe */
	WATCH_GARBLED,	/* it sent bytes that are no frames */
	WATCH_LATE,	/* an entry passed its deadline */
	WATCH_LOST,	/* a result says that the disk is gone or silent */
	WATCH_STOP,	/* the whole run ends: supervisor.end says why */
	WATCH_UNREADY,	/* the others would not wait any longer */
};

enum turn_state {
	TURN_IDLE,	/* no worker: turn_start, or the turn is over */
	TURN_RUNNING,
	TURN_ENDING,	/* its worker is waited for */
};

struct turn {
	enum turn_state state;
	size_t next, end;	/* entries not ended yet */
	struct turn_disk *disk;
	struct turn_disk none;	/* `disk` of an entry without one */
	bool gated;
	struct worker worker;
	bool running;		/* entry `next` was started and has not ended */
	bool ready;		/* and waits at its gate */
	bool released;		/* the gate was opened */
	uint64_t entry_start_ns;
	enum turn_watch why;	/* why it is ending */
	uint64_t waited_ns;	/* for the entry at hand when it was given up */
	uint64_t reap_until_ns;
	struct frame_reader reader;
};

/* Begins the turn of entries first .. end - 1, all of one disk, or of one without a disk. */
void turn_init(const struct supervisor *s, struct turn *t, size_t first, size_t end, bool gated);
/*
 * From TURN_IDLE: starts a worker for what is left, or ends what cannot run. False: the turn is
 * over, all its entries have ended.
 */
bool turn_start(const struct supervisor *s, struct turn *t);
/*
 * From TURN_RUNNING: takes what the worker has sent and looks at the clock; may go over to
 * TURN_ENDING.
 */
void turn_step(const struct supervisor *s, struct turn *t);
/* When turn_step must be called again even if nothing comes; UINT64_MAX: it need not. */
uint64_t turn_due_ns(const struct supervisor *s, const struct turn *t);
/* From TURN_RUNNING to TURN_ENDING: the worker is killed, but after WATCH_ENDED. */
void turn_give_up(struct turn *t, enum turn_watch why);
/* From TURN_ENDING: collects the worker if it has ended, and goes to TURN_IDLE; never waits. */
void turn_collect(const struct supervisor *s, struct turn *t);
/* Lets a turn that is `ready` begin. */
void turn_release(struct turn *t);
/* Ends all entries that are left, with a reason. */
void turn_skip(const struct supervisor *s, struct turn *t, const char *why);

#endif
