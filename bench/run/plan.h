/* SPDX-License-Identifier: MIT */
/*
 * The plan: which test runs on which disk, when and for how long, and why others do not. Made
 * before anything is measured; time-bounded, never size-bounded.
 *
 * Entries are sorted by phase, then lane, then disk, then in the order of the test table: the order
 * of running. In PHASE_ALONE the disks of one lane are measured one after the other, lanes side by
 * side. In PHASE_TOGETHER every disk is a lane, and the n-th entries of all lanes start together.
 *
 * Tests that are not about disks (PHASE_MACHINE, PHASE_NETWORK) stand in the first plan alone, also
 * where there is no disk: one entry for each of a test's targets, one after the other.
 */
#ifndef BENCH_RUN_PLAN_H
#define BENCH_RUN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/model/result.h"
#include "bench/sys/disk.h"
#include "bench/tests/test.h"
#include "lib/options.h"

#define PLAN_NOTES_MAX 8
#define PLAN_NOTE_BYTES 200

#define PLAN_NO_DISK SIZE_MAX
#define PLAN_TARGETS_MAX 64	/* of one test that is not about disks */

struct plan_entry {
	size_t disk;		/* index into the disk list, or PLAN_NO_DISK */
	unsigned target;	/* without a disk: which of the test's targets, and its name */
	char target_name[DISK_NAME_BYTES];
	enum test_phase phase;
	unsigned lane;		/* within the phase, from 0 */
	const struct test *test;
	size_t place;		/* of the test in its table */
	enum result_status status;	/* RESULT_PLANNED, or why it will not run */
	char why[RESULT_REASON_BYTES];
	uint64_t budget_ns;	/* at most so long in all; 0 where it will not run */
	uint64_t stall_ns;	/* longest wait for one I/O before the device counts as silent */
	uint64_t deadline_ns;	/* longest time it may take before its process is given up */
	bool no_time;		/* why it will not run: it was left out to save time */
	bool may_end_early;	/* its time was nobody's wish: a good answer may come sooner */
};

struct plan {
	struct plan_entry *entry;	/* owned; in the order of running, disk by disk */
	size_t n;
	const struct options *options;	/* it was made with: must live as long */
	uint64_t total_ns;	/* upper bound of the whole plan; lanes overlap */
	unsigned lane_n[PHASES];
	uint32_t note_n;
	char note[PLAN_NOTES_MAX][PLAN_NOTE_BYTES];	/* sentences: what was shortened, and why */
};

/*
 * Plans every test of the profile, or those option tests names, for every taken disk from index
 * `first_disk` on (disks from a later index than 0 on came late: they have no PHASE_TOGETHER).
 * Disks of different controllers get lanes of their own where there are more than two disks.
 * Returns 0 or -ENOMEM. plan_free frees it.
 */
int plan_make(struct plan *p, const struct disk_list *disks, size_t first_disk,
	      const struct options *o);

/* What a plan is made from, beside disks and options. */
struct plan_world {
	const struct test *const *test;
	size_t test_n;
	unsigned cpus;		/* this process may use: so many lanes at most */
	uint64_t spent_ns;	/* of the run's time, by earlier plans */
	bool late;		/* there were earlier plans: this one is about late disks alone */
};

/* plan_make with a world that is not ours: once time was spent, or in a unit test. */
int plan_make_in(const struct plan_world *world, struct plan *p, const struct disk_list *disks,
		 size_t first_disk, const struct options *o);
/* The test table and this process's CPUs; nothing spent. */
struct plan_world plan_world_own(void);
void plan_free(struct plan *p);

/*
 * Words in option `tests` that are no test's name, family or phase are noted in `o`. Returns
 * -EINVAL where they were typed as a flag, so that the mistake is seen at once; else 0, as the
 * appliance measures what it can.
 */
int plan_check_tests(struct options *o);

#endif
