/* SPDX-License-Identifier: MIT */
/*
 * The process that touches a disk. It runs some entries of the plan, all on one disk, tells what it
 * found through a pipe and ends; whatever happens to it, its supervisor lives on.
 */
#ifndef BENCH_RUN_WORKER_H
#define BENCH_RUN_WORKER_H

#include <stdint.h>
#include <sys/types.h>

#include "bench/run/plan.h"
#include "bench/sys/disk.h"

/*
 * Forks a worker for entries first .. end - 1 of the plan (same disk; those not RESULT_PLANNED are
 * passed over). On success returns its process id and sets *fd to the non-blocking end its frames
 * come from (caller closes); else -errno.
 */
pid_t worker_start(const struct plan *p, size_t first, size_t end, const struct disk *disk,
		   int *fd);

#endif
