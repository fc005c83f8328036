/* SPDX-License-Identifier: MIT */
/*
 * Runs a plan: one worker process per disk, the lanes of a phase side by side, each entry under a
 * deadline on the monotonic clock. A worker that crashes costs its entry, one that hangs its disk;
 * everything else is still measured.
 */
#ifndef BENCH_RUN_SUPERVISE_H
#define BENCH_RUN_SUPERVISE_H

#include <stddef.h>
#include <stdint.h>

#include "bench/run/frame.h"
#include "bench/run/plan.h"

/* What the caller is told. Every entry of the plan ends exactly once, also those that never ran. */
struct supervise_events {
	void *context;
	void (*started)(void *context, size_t entry);
	void (*progress)(void *context, size_t entry, const struct frame_progress *progress);
	void (*ended)(void *context, size_t entry, const struct result *result);
	/* about twice a second, between all others; may be NULL */
	void (*tick)(void *context);
	/* what this run wrote could not be taken back, or its lock not put back; may be NULL */
	void (*not_closed)(void *context, const struct disk *d, const char *why);
	/* all entries of a phase have ended; may be NULL */
	void (*phase_ended)(void *context, enum test_phase phase);
};

enum supervise_end {
	SUPERVISE_DONE,		/* every entry had its turn */
	SUPERVISE_DEADLINE,	/* the run's deadline came first */
	SUPERVISE_STOPPED,	/* stop_fd became readable */
};

struct supervise_limits {
	uint64_t run_start_ns;	/* clock_ns() of the run's start */
	uint64_t deadline_ns;	/* clock_ns() at which the run ends, whatever happens */
	int stop_fd;		/* readable: stop now (a signalfd); -1: none */
	/*
	 * In PHASE_TOGETHER: so long the disks of a round wait for one that does not get ready; 0:
	 * the usual time
	 */
	uint64_t ready_ns;
};

enum supervise_end supervise_run(const struct plan *p, const struct disk_list *disks,
				 const struct supervise_limits *limits,
				 const struct supervise_events *events);

#endif
