/* SPDX-License-Identifier: MIT */
/*
 * Threads that measure the memory together: each pinned to a CPU of its own, all started, timed and
 * ended in step. Those of cpu_crew.h measure processors and must never wait for each other.
 *
 * A member calls crew_meet wherever all must be equally far. It returns the same moment to all: the
 * one at which the last of them arrived. What lies between two meetings is thus a window common to
 * all, and its length is the time of the slowest. A typical member:
 *
 *	static int work(struct crew_member *m)
 *	{
 *		... allocate and touch what this thread will use ...
 *		start_ns = crew_meet(m);
 *		if (!start_ns)
 *			return 0;		(another one failed: leave)
 *		while (clock_ns() < start_ns + window_ns)
 *			... measure ...
 *		end_ns = crew_meet(m);
 *		return 0;
 *	}
 */
#ifndef BENCH_TESTS_CREW_H
#define BENCH_TESTS_CREW_H

#include <stddef.h>
#include <stdint.h>

struct crew;

struct crew_member {
	struct crew *crew;
	unsigned number;	/* from 0 */
	unsigned cpu;		/* it is pinned to */
	void *context;		/* of the order; shared by all */
};

struct crew_order {
	const unsigned *cpu;	/* one thread for each of these CPUs */
	size_t n;
	/* 0, or -errno, upon which all others leave at their next meeting */
	int (*work)(struct crew_member *m);
	void *context;
	uint64_t bound_ns;	/* all must have returned after so long */
	/* called about once per second by the waiting thread; may be NULL */
	void (*tick)(void *tick_context, uint64_t elapsed_ns);
	void *tick_context;
};

/*
 * Runs one crew. Returns 0 when all members returned 0; the error of the first that did not
 * (-EINVAL also for a CPU that is no longer to be had) or of a thread that could not be created;
 * -ETIMEDOUT: some members are still running, and whatever they use must stay for as long as this
 * process lives. Stacks are of CREW_STACK_BYTES: large things go to the heap.
 */
int crew_run(const struct crew_order *o);

#define CREW_STACK_BYTES (512u << 10)

/*
 * Waits for all members, awake: sleepers wake up at different times. Returns clock_ns() of the last
 * one's arrival, 0: leave at once.
 */
uint64_t crew_meet(struct crew_member *m);

#endif
