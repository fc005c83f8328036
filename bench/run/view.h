/* SPDX-License-Identifier: MIT */
/*
 * What a person sees while the run goes on: one line when a test begins, one when it ends; on a
 * terminal one moving line below sums up what runs. Plain ASCII, 79 columns.
 */
#ifndef BENCH_RUN_VIEW_H
#define BENCH_RUN_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/model/report.h"
#include "bench/run/plan.h"
#include "bench/sys/disk.h"
#include "lib/options.h"

#define VIEW_RUNNING_MAX 256	/* tests running at once that are followed */

/* A test at work. */
struct view_running {
	size_t entry, number;	/* in its plan; of all tests begun */
	char head[80];		/* of its lines */
	char target[24];
	uint64_t last_ns, last_bytes;	/* of the progress shown before */
	double rate;		/* bytes per second since; below 0: not known */
	uint64_t left_ns;
};

struct view {
	FILE *out;
	bool is_terminal;
	size_t total;		/* tests of all plans so far that will run */
	size_t done;		/* of them begun */
	size_t running_n;
	struct view_running running[VIEW_RUNNING_MAX];
};

void view_init(struct view *v, FILE *out);
/*
 * Devices, their reasons, and how long it will take; adds the plan's tests to the total. `late`:
 * the devices came after those of an earlier plan.
 */
void view_plan(struct view *v, const struct plan *p, const struct disk_list *disks,
	       size_t first_disk, bool late, const struct options *o);
/* The disks are being asked for their health, which may take a moment. */
void view_health(const struct view *v, size_t disks, bool at_end);
/* What is about to happen to a disk whose data will be lost. */
void view_destroy(const struct view *v, const struct disk *d);
/* So many seconds are left to stop the run before it destroys data. */
void view_countdown(const struct view *v, unsigned left_s);
/* `entry` tells tests that run at the same time apart. */
void view_started(struct view *v, size_t entry, const struct result *r, const char *title);
/* `bytes` moved so far; shown is the rate since the call before. 0: the test moves none. */
void view_progress(struct view *v, size_t entry, uint64_t budget_ns, uint64_t elapsed_ns,
		   uint64_t bytes);
void view_ended(struct view *v, size_t entry, const struct result *r, const char *title);
/*
 * What was found, and where the report is; `save_err` is a negative errno where it could not be
 * written.
 */
void view_finish(struct view *v, const struct report *r, const char *dir, int save_err);

#endif
