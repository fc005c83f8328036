/* SPDX-License-Identifier: MIT */
/* A thread for calls that may hang; see watched.h. */
#include "bench/tests/watched.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "lib/clock.h"

#define LOOK_NS (100 * NS_PER_MS)	/* how late a silence can be noticed */
#define TICK_NS NS_PER_S		/* progress */

void *watched_memory(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	return memory == MAP_FAILED ? NULL : memory;
}

void watched_memory_free(void *memory, size_t bytes)
{
	munmap(memory, bytes);
}

bool watched_beat(struct watched *w, uint64_t bytes)
{
	atomic_store(&w->bytes, bytes);
	atomic_store(&w->beat_ns, clock_ns());
	return !atomic_load(&w->given_up);
}

static void *run(void *context)
{
	struct watched *w = context;

	w->work(w);
	pthread_mutex_lock(&w->lock);
	w->ended = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static int init(struct watched *w)
{
	pthread_condattr_t monotonic;
	int err = pthread_condattr_init(&monotonic);

	if (err)
		return err;
	err = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	if (!err)
		err = pthread_cond_init(&w->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return err ? err : pthread_mutex_init(&w->lock, NULL);
}

/* Waits until the work has ended or is silent for too long. Returns whether it has ended. */
static bool wait_for_end(struct watched *w)
{
	uint64_t start_ns = clock_ns(), tick_ns = start_ns + TICK_NS, now_ns = start_ns;
	bool ended;

	pthread_mutex_lock(&w->lock);
	while (!w->ended && now_ns - atomic_load(&w->beat_ns) + LOOK_NS / 2 < w->stall_ns) {
		uint64_t until_ns = now_ns + LOOK_NS;
		struct timespec until = { .tv_sec = (time_t)(until_ns / NS_PER_S),
					  .tv_nsec = (long)(until_ns % NS_PER_S) };

		(void)pthread_cond_timedwait(&w->changed, &w->lock, &until);
		now_ns = clock_ns();
		if (now_ns < tick_ns || w->ended || !w->progress)
			continue;
		tick_ns = now_ns + TICK_NS;
		pthread_mutex_unlock(&w->lock);
		w->progress(w->progress_context, now_ns - start_ns, atomic_load(&w->bytes));
		pthread_mutex_lock(&w->lock);
	}
	ended = w->ended;
	if (!ended)
		atomic_store(&w->given_up, true);
	pthread_mutex_unlock(&w->lock);
	return ended;
}

int watched_run(struct watched *w)
{
	sigset_t all, before;
	pthread_t thread;
	int err = init(w);

	if (err)
		return -err;
	(void)watched_beat(w, 0);
	/* signals are the caller's: none interrupts a call that is timed */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, NULL, run, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return -err;
	if (!wait_for_end(w)) {
		pthread_detach(thread);
		return -ETIMEDOUT;
	}
	pthread_join(thread, NULL);
	return 0;
}
