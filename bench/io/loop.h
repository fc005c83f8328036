/* SPDX-License-Identifier: MIT */
/*
 * One thread's measuring loop: keeps `depth` I/Os in flight, takes the time, counts what came back.
 *
 * Private to job.c (which checks a job and runs one loop), jobs.c (which runs several) and the
 * loop's own two files: loop.c (the turns) and window.c (when counting begins and ends).
 */
#ifndef BENCH_IO_LOOP_H
#define BENCH_IO_LOOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "bench/io/buffers.h"
#include "bench/io/engine.h"
#include "bench/io/job.h"
#include "bench/io/offsets.h"
#include "bench/io/steady.h"
#include "bench/io/trouble.h"

#define IO_NOTE_ON_THEIR_WAY "I/Os were still on their way when the time was over"

enum io_phase {
	IO_PHASE_RAMP,		/* nothing counted */
	IO_PHASE_MEASURE,	/* the window is open */
	IO_PHASE_DRAIN,		/* nothing new is submitted */
};

/* Why a loop has to end that would go on by itself; the higher, the sooner. */
enum io_stop {
	IO_STOP_NOT,
	IO_STOP_STEADY,		/* the sum of all threads is known well enough */
	IO_STOP_PEER,		/* another thread met trouble that is no region's alone */
	IO_STOP_STALLED,	/* the device does not answer another one any more */
	IO_STOP_ABANDONED,	/* nobody waits for this thread any more: touch nothing, return */
};

struct io_slot {
	uint64_t submit_ns;	/* before its submit call; 0: not in flight */
	uint64_t after_ns;	/* behind its submit call, where the job wants detail */
	uint64_t offset_bytes;
	uint64_t number;	/* how many were issued before it */
	bool write;
	bool stale;		/* a read went into its buffer since it was filled for writing */
};

/*
 * One window for all threads of a job: opened by the first reply after the ramp and closed by the
 * first one at or after its end, whichever thread gets it. Windows of their own would be too short
 * or too long by the pauses between bursts of replies, which on a full queue are seconds.
 */
struct io_common {
	_Atomic uint64_t open_ns, close_ns;	/* 0: not yet */
	_Atomic uint64_t end_ns;	/* where it has to close for job.total_ns; 0: not known */
};

struct io_loop {
	struct io_job job;		/* of all threads; bytes_max of this one */
	uint32_t number;		/* of this thread, from 0 */
	const struct io_engine *engine;
	struct io_outcome *out;
	void *state;			/* the engine's, behind this struct in the same mapping */
	size_t mapped_bytes;
	struct io_buffers buffers;
	struct io_offsets offsets;
	struct io_trouble trouble;
	uint64_t side_state, data_state;	/* generators: read or write, and what is written */

	/* For the thread that watches several loops; `stop` is never NULL. */
	const _Atomic int *stop;	/* enum io_stop */
	_Atomic int own_stop;		/* where nobody else says */
	struct io_common *common;	/* never NULL */
	struct io_common own_common;	/* where there is one thread */
	_Atomic uint64_t beat_ns;	/* when the last turn was made; 0: none yet */
	_Atomic uint64_t bytes_seen;	/* out->bytes */
	_Atomic uint32_t series_seen;	/* out->series_n; what lies before it does not change */

	enum io_phase phase;
	bool ended_early;		/* out->end is final */
	bool broken;			/* the engine lost track of what is in flight */
	bool stalled;			/* the device does not answer, here or another thread */
	uint64_t start_ns, open_ns, last_reply_ns;
	uint64_t phase_end_ns;		/* of ramp or window; while draining early: of the grace */
	uint64_t last_end_ns;		/* the job is over by then, whatever happens */
	uint64_t tick_ns;		/* next progress */
	uint64_t look_ns;		/* next look around: a tick or the last end */
	uint64_t wait_ns;
	uint64_t ios_max;		/* the window closes after so many; UINT64_MAX: no limit */
	uint64_t series_next_ns;	/* UINT64_MAX: no series */
	uint64_t series_bytes;
	bool enough;			/* job.interval wants no more */
	bool steady;			/* the mean is known well enough */
	struct io_steady_state steadiness;
	uint64_t gap_sum_ns, gap_n;	/* submit calls that share a time stamp */
	struct rusage usage;		/* when the window opened */

	uint32_t depth, in_flight, sample_left;
	uint32_t pending_first, pending_n;	/* pending[pending_first .. pending_n - 1] */
	struct io_request pending[IO_DEPTH_MAX];
	struct io_slot slot[IO_DEPTH_MAX];
};

/* Makes an outcome of nothing. */
void io_loop_empty(struct io_outcome *out);
/* Notes in `out` that the job could not be set up; returns `err` (-errno). */
int io_loop_failed(struct io_outcome *out, const char *what, int err);

/*
 * Maps a loop for a job that makes sense (see job.c); `out` is empty and filled from here on.
 * Returns 0, or -errno with `out` saying why.
 */
int io_loop_map(struct io_loop **loop, const struct io_engine *engine, const struct io_job *job,
		struct io_outcome *out);
/*
 * Buffers and engine: all before the first I/O. To be called by the thread that runs the loop.
 * `one_by_one` is held while the engine is set up; it may be NULL. Returns 0, or -errno with `out`
 * saying why; nothing but the mapping is left then.
 */
int io_loop_setup(struct io_loop *r, pthread_mutex_t *one_by_one);
/* Runs to the end. */
void io_loop_run(struct io_loop *r);
/*
 * Takes down what io_loop_setup() made, also where no loop ran; where I/Os are still in flight all
 * of it stays as it is, see io_job_run(). Returns true where the mapping can go.
 */
bool io_loop_finish(struct io_loop *r);
void io_loop_unmap(struct io_loop *r);

/* ---- window.c ---- */

/*
 * Whether replies of time now_ns count. Opens the window of a loop that waits in the ramp while
 * another thread has opened it.
 */
bool io_window_counts(struct io_loop *r, uint64_t now_ns);

/* Opens the window at `now_ns`: from here on complete transfers count. */
void io_window_open(struct io_loop *r, uint64_t now_ns);
/* Closes it where it is open; from here on I/Os are only waited for. */
void io_window_close(struct io_loop *r, uint64_t now_ns);
/* Closes it; the first end that is told here is the one reported. */
void io_window_end(struct io_loop *r, enum io_end end, uint64_t now_ns);
/* The same for an end that is trouble, with the time of its first sign. */
void io_window_trouble(struct io_loop *r, enum io_end end, uint64_t since_ns, uint64_t now_ns);
/* Closes it because its time is over, and judges whether anything came. */
void io_window_time_over(struct io_loop *r, uint64_t now_ns);
/*
 * Closes the window of a loop whose thread hangs in a system call, from outside: a stall where the
 * device does not answer, else the time was over.
 */
void io_window_abandon(struct io_loop *r, uint64_t now_ns, bool stalled);
/* What is due at phase_end_ns. */
void io_window_phase_end(struct io_loop *r, uint64_t now_ns);
/* Ends the intervals of the series that lie before `now_ns`; not before series_next_ns. */
void io_window_series(struct io_loop *r, uint64_t now_ns);

#endif
