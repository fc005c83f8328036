/* SPDX-License-Identifier: MIT */
/*
 * Blocking system calls that may never return, done in a thread that can be given up.
 *
 * Tests whose definition is one plain read(2) or write(2) at a time do these in the thread; the
 * caller watches for signs of life. A thread whose call does not come back is left alone for ever,
 * with all it uses: that must be memory nobody gives back (watched_memory), reached through
 * `context` alone. What both sides look at is guarded by `lock`, which is never held over a call
 * that may hang.
 */
#ifndef BENCH_TESTS_WATCHED_H
#define BENCH_TESTS_WATCHED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watched {
	/* set these; the rest is watched_run's */
	void (*work)(struct watched *w);
	void *context;		/* of work */
	uint64_t stall_ns;	/* longest silence between two beats */
	void (*progress)(void *context, uint64_t elapsed_ns, uint64_t bytes);	/* may be NULL */
	void *progress_context;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	_Atomic uint64_t beat_ns;	/* the last sign of life */
	_Atomic uint64_t bytes;		/* moved so far, for progress */
	_Atomic bool given_up;
	bool ended;			/* with lock held */
};

/* Zeroed memory that is kept for a thread that may outlive its caller, or NULL. */
void *watched_memory(size_t bytes);
/* Gives it back: only where watched_run did not return -ETIMEDOUT. */
void watched_memory_free(void *memory, size_t bytes);

/*
 * Runs w->work in a thread. Returns 0 when it has ended, -ETIMEDOUT when it gave no sign of life
 * for stall_ns and was given up, -errno where there was no thread to be had.
 */
int watched_run(struct watched *w);

/*
 * Called by the work before each call that may hang: a sign of life. False: it was given up and
 * has to end without touching anything more.
 */
bool watched_beat(struct watched *w, uint64_t bytes);

#endif
