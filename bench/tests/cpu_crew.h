/* SPDX-License-Identifier: MIT */
/*
 * Threads that do the same work, each kept to a CPU of its own, measured over a common window.
 *
 * Every thread sets up its own state, warms up, and finds how many iterations make a batch that is
 * long beside a look at the clock. It goes on working until all are ready; from then on each notes
 * after every batch when it was and how much was done, and none ever waits for another. The window
 * begins when the last has made its first note. It is cut into slices of equal length, and what a
 * thread did in a slice is taken from its notes, a batch that lies on the border in the proportion
 * of its time. The rate of a slice is the sum over all threads.
 *
 * crew.h, whose threads meet before and after each piece of work, will not do here: the rate of a
 * window would be that of the slowest core, and a core that waits cools down and leaves its power
 * to the others.
 *
 * The calling thread sleeps, and looks around a few times per second: its ticks are the place to
 * read sensors.
 */
#ifndef BENCH_TESTS_CPU_CREW_H
#define BENCH_TESTS_CPU_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/tests/cpu_kernel.h"

#define CPU_CREW_SLICES_MAX 256
#define CPU_CREW_SLICES_MIN 5		/* with fewer a variation says nothing */
#define CPU_CREW_WHY_BYTES 160

struct cpu_crew_order {
	const struct cpu_kernel *kernel;
	const struct cpu_input *input;
	const unsigned *cpu;
	unsigned n;		/* CPUs, and threads */
	uint64_t time_ns;	/* for all of it */
	uint64_t slice_ns;
	/* it may end when the slices vary by no more and half of the time is over; 0: never */
	double enough_cv;
	/* a few times per second, at clock_ns() `now_ns`; `begun`: in the window. May be NULL */
	void (*tick)(void *context, uint64_t now_ns, bool begun);
	void *tick_context;
	/* pthread_create, unless a test puts another in its place */
	int (*create)(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
		      void *arg);
};

struct cpu_crew_outcome {
	char why[CPU_CREW_WHY_BYTES];	/* it could not be measured; "": it could */
	bool is_wrong;			/* since a result came out wrong */
	bool is_busy;			/* since other programs had the CPUs */
	uint64_t begin_ns;		/* of the window, as clock_ns() */
	uint64_t measured_ns;		/* slices together */
	unsigned slice_n;
	double slice[CPU_CREW_SLICES_MAX];	/* rates of all threads, in work per second */
	double *member;			/* rate of each thread, median of its slices; owned */
	double cpu_share;		/* of the window that the threads had a CPU */
	double switches_per_s;		/* a thread lost its CPU to others so often */
	double part[CPU_PARTS_MAX];	/* of the first thread */
};

/* Runs the order. Returns 0, or -ENOMEM; what else goes wrong is in `out->why`. */
int cpu_crew_run(const struct cpu_crew_order *order, struct cpu_crew_outcome *out);
void cpu_crew_free(struct cpu_crew_outcome *out);

/* Coefficient of variation (deviation over mean) of `n` values; NAN for fewer than two. */
double cpu_crew_variation(const double *value, unsigned n);

/* A note of a thread: until then it had done so many iterations. */
struct cpu_crew_note {
	uint64_t at_ns, done;
};
/*
 * Iterations done between two times, out of `n` notes in order of time. The notes must reach over
 * both; what lies outside counts as the first or the last note.
 */
double cpu_crew_done_between(const struct cpu_crew_note *note, size_t n, uint64_t from_ns,
			     uint64_t to_ns);

#endif
