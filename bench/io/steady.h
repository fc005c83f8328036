/* SPDX-License-Identifier: MIT */
/* Whether the mean rate of a job is known well enough for its window to close. */
#ifndef BENCH_IO_STEADY_H
#define BENCH_IO_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/io/job.h"

/*
 * No decision from fewer intervals, and after each one no other before a quarter more have come:
 * with a look at every interval the first one that happens to lie close would end the job.
 */
#define IO_STEADY_MIN 20
/*
 * Where the rate may rise or fall: if it went on so until runtime_ns, the mean of all of it would
 * differ from the one found by at most so many times the share asked for.
 */
#define IO_STEADY_DRIFT 3

struct io_steady_state {
	uint32_t next;		/* number of intervals at the next look */
};

/*
 * To be called with the first `n` intervals of the series, `elapsed_ns` after the window opened and
 * with `bytes` moved since. True: the window may close.
 */
bool io_steady_reached(struct io_steady_state *s, const struct io_job *job,
		       const uint64_t *series_bytes, uint32_t n, uint64_t elapsed_ns,
		       uint64_t bytes);

/* Fills has_rate_ci and rate_ci_share of an outcome from its series. */
void io_steady_note(struct io_outcome *out);

#endif
