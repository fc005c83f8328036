/* SPDX-License-Identifier: MIT */
/* What the files of the plan share: who goes into which lane, and how much time each test gets. */
#ifndef BENCH_RUN_PLAN_PARTS_H
#define BENCH_RUN_PLAN_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/run/plan.h"

/* What an entry takes beside its measuring time: opening, buffers, handing over the result. */
#define PLAN_ENTRY_NS (50 * NS_PER_MS)
/* The same for a worker of PHASE_ALONE, and for a round of PHASE_TOGETHER and each disk in it. */
#define PLAN_WORKER_NS (50 * NS_PER_MS)
#define PLAN_ROUND_NS (200 * NS_PER_MS)
#define PLAN_ROUND_DISK_NS (20 * NS_PER_MS)
/* A file system is made on a disk, and taken off it. */
#define PLAN_FILES_NS (3 * NS_PER_S)
/* Disks that were written to are closed, all at the same time. */
#define PLAN_CLOSE_NS (2 * NS_PER_S)
/* A rotating disk first answers, and at the end is waited for, with many requests in flight. */
#define PLAN_ROTATING_NS (500 * NS_PER_MS)
/* Beyond budget and stall time, for opening the disk and allocating buffers on a busy machine. */
#define PLAN_GRACE_NS (5 * NS_PER_S)
/* Below this a rate says nothing: no test is ever cut to less. */
#define PLAN_FLOOR_NS (250 * NS_PER_MS)
/* Tests up to this rank are never left out for want of time. */
#define PLAN_RANK_KEPT 10

/* Names of profiles and the time all measuring may take in them; 0: no limit. */
struct plan_profile {
	const char *name;
	uint64_t limit_ns;	/* of the plan: the rest is for start, health, upload and end */
	const char *promise;	/* of the whole run, in words */
};
extern const struct plan_profile plan_profiles[PROFILES];

/* What is at hand while a plan is made. */
struct plan_work {
	const struct plan_world *world;
	struct plan *p;
	const struct disk_list *disks;
	const struct options *o;
	size_t first_disk;
	bool late;		/* the disks came late: nobody is measured together with them */
	size_t taken;		/* disks to measure */
	size_t room;		/* entries the plan has room for */
	size_t controllers;	/* they hang on; those not known count as one */
	unsigned *lane;		/* of each disk of the list, in PHASE_ALONE */
	unsigned *group;	/* of each disk: its controller's number */
	/* of each controller: its lane, and its disks (room for as many as there are disks) */
	unsigned *group_lane, *group_n;
	uint64_t *lane_ns;	/* room for one sum per lane */
	enum test_profile profile;
};

/* Appends a sentence to the plan's notes; what finds no room is left out. */
void plan_note(struct plan *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * plan_lanes.c: disks of one controller share a lane; up to two disks share one in any case. With
 * more controllers than `lanes_max`, those with few disks share. plan_lanes_force: that many lanes,
 * whatever hangs where. Set w->lane and p->lane_n[PHASE_ALONE], and plan_lanes w->controllers.
 */
void plan_lanes(struct plan_work *w, unsigned lanes_max);
void plan_lanes_force(struct plan_work *w, unsigned lanes);

/* plan_time.c: the time of a test in a profile, that of the next profile that has it where this
 * one has not. */
struct test_time plan_test_time(const struct test *t, enum test_profile profile);
/* plan_time.c: gives each entry its budget and the plan its total, lanes and notes. */
void plan_share_time(struct plan_work *w);

#endif
