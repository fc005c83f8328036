/* SPDX-License-Identifier: MIT */
/*
 * Where the CPUs that a test uses sit, and which of them are fast: one of each core, the best one.
 * The list may have holes and be of any length.
 */
#ifndef BENCH_SYS_CPU_SEAT_H
#define BENCH_SYS_CPU_SEAT_H

#include <stddef.h>
#include <stdint.h>

#include "bench/sys/cpu_places.h"

/* A CPU as the kernel numbers it: one thread of a core. */
struct cpu_seat {
	struct cpu_place place;
	/*
	 * How fast the kernel takes it to be: its capacity, 2 and 1 for performance and efficiency
	 * cores that state none; 0: not known.
	 */
	uint64_t capacity;
	uint64_t max_khz;	/* highest frequency; 0: not known */
	unsigned core_first;	/* the first CPU of the list that sits on the same core */
};

struct cpu_seats {
	struct cpu_seat *seat;	/* by rising CPU number; owned */
	size_t n;
};

/*
 * Reads where each of the `n` CPUs sits, below `root`. A CPU whose place is not told is a core of
 * its own. Returns 0 or -errno; cpu_seat_free() in any case.
 */
int cpu_seat_read(const char *root, const unsigned *cpu, size_t n, struct cpu_seats *p);
void cpu_seat_free(struct cpu_seats *p);

/* One CPU of each core into `cpu` (room for p->n). Returns how many. */
size_t cpu_seat_cores(const struct cpu_seats *p, unsigned *cpu);
/* The first of the fastest CPUs: where cores differ, a test of one thread is to run on the best. */
unsigned cpu_seat_fastest(const struct cpu_seats *p);
/* How many different kinds of CPUs there are, by capacity. */
unsigned cpu_seat_kinds(const struct cpu_seats *p);

#endif
