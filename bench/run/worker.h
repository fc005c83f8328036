/* SPDX-License-Identifier: MIT */
/*
 * The process that touches a disk. It runs some entries of the plan, all on one disk, tells what it
 * found through a pipe and ends; whatever happens to it, its supervisor lives on. What is not about
 * disks is run the same way, one entry to a process.
 */
#ifndef BENCH_RUN_WORKER_H
#define BENCH_RUN_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/run/plan.h"
#include "bench/sys/disk.h"

/* The part of a disk its tests measure on; passed from worker to worker. */
struct worker_area {
	uint64_t offset_bytes, bytes;
	bool written;	/* by this run, with incompressible data */
};

/* The test whose result, where it is ok, is the area that all later tests of its disk use. */
#define WORKER_FILL_TEST "fill-area"

struct worker_order {
	const struct plan *plan;
	size_t first, end;	/* entries; those not RESULT_PLANNED are passed over */
	const struct disk *disk;	/* of all of them; NULL: they are about none */
	struct worker_area area;
	uint64_t memory_bytes;	/* for the buffers of one test */
	/* the same for a test that is compared with one on all disks: no more than that has */
	uint64_t memory_shared_bytes;
	bool gated;		/* each test waits for its start, see gate_fd */
};

struct worker {
	pid_t pid;
	int fd;		/* its frames come from here; non-blocking */
	/*
	 * Of a gated one: after FRAME_READY one byte written here lets a test begin; -1: it is not
	 * gated. A gate that is closed lets nothing begin.
	 */
	int gate_fd;
};

/* The whole disk, written by nobody we know. */
struct worker_area worker_area_whole(const struct disk *d);
/* Takes the area over from a result, where it is one of WORKER_FILL_TEST that went well. */
void worker_area_take(struct worker_area *area, const struct result *r);

/* Forks a worker. Returns 0 and fills `w` (the caller closes its descriptors), or -errno. */
int worker_start(const struct worker_order *order, struct worker *w);

#endif
