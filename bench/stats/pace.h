/* SPDX-License-Identifier: MIT */
/*
 * How fast a disk moves data over a time whose length is not known beforehand: where its pace
 * drops, and how much of the fast pace is back later.
 *
 * Speeds are bytes over time, never medians: in an interval of a slow disk lie but a few blocks,
 * and a median of whole blocks is off by half of one. Some devices answer nothing for a while and
 * then all that was in flight (QEMU merges what is sequential, limiters hand out credit at
 * intervals): where no drop is found, up to 16 intervals are added up and looked at again.
 */
#ifndef BENCH_STATS_PACE_H
#define BENCH_STATS_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/stats/changepoint.h"

#define PACE_VALUES_MAX CHANGEPOINT_VALUES_MAX

struct pace {
	uint64_t interval_ns;	/* of each value */
	uint32_t n;
	double bytes[PACE_VALUES_MAX];
	/* the value that is being collected */
	uint32_t part_n, parts;
	double part_bytes;
};

/* The first drop, and what came behind the last one. */
struct pace_drop {
	uint32_t drops;		/* how many there were */
	uint64_t at_ns;		/* since the start */
	double at_bytes;	/* moved until then */
	double before, after;	/* bytes per second: up to the first drop, from the last one on */
	uint64_t after_ns;	/* how long the last level has lasted */
};

/* Begins a series of intervals of `interval_ns`. */
void pace_init(struct pace *p, uint64_t interval_ns);
/*
 * Adds what was moved in the next interval. When there is no more room, neighbours are added up and
 * values are for twice the time from then on.
 */
void pace_add(struct pace *p, uint64_t bytes);
/*
 * Looks for a drop by 15 % or more, of medians and means, between levels of 10 values or more (6
 * where they are sums of several). False: there is none. About 2 ms.
 */
bool pace_find_drop(const struct pace *p, struct pace_drop *drop);
/*
 * True where the new level has lasted long enough to be one: 50 intervals as given to pace_init
 * (5 s of 100 ms: disks pause for seconds to tidy up), and a quarter of the time before the drop
 * where that is more, but not above 600 intervals.
 */
bool pace_is_settled(const struct pace *p, const struct pace_drop *drop);

/* A burst after an idle time: at which of two known levels does it run, and for how many bytes? */
struct burst {
	double fast, slow;	/* bytes per interval */
	uint32_t window;	/* intervals by which its first pace and its end are judged */
	uint32_t n;
	double bytes[PACE_VALUES_MAX];	/* what is beyond is not looked at */
};

#define BURST_WINDOW_MIN 10
#define BURST_WINDOW_MAX 100
#define BURST_FLIGHTS 2.5	/* so often the bytes in flight must fit into a window */

/*
 * Begins one whose writer keeps `in_flight` bytes in flight: some devices answer them in one heap.
 */
void burst_init(struct burst *b, double fast, double slow, double in_flight);
/* Adds an interval. True: those of the last window ran nearer to the slow level. */
bool burst_add(struct burst *b, uint64_t bytes);
/* Share of the fast level that the first window, or what there is of it, ran at. */
double burst_first_share(const struct burst *b);
/* Bytes before its pace fell, 0 where it never was fast; all of them where it did not fall. */
double burst_fast_bytes(const struct burst *b);

#endif
