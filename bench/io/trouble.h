/* SPDX-License-Identifier: MIT */
/* What came back other than asked: counted by kind, and judged whether the job can go on. */
#ifndef BENCH_IO_TROUBLE_H
#define BENCH_IO_TROUBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/io/job.h"

struct io_trouble {
	uint32_t bad_row;	/* I/Os in a row that were not complete transfers */
	uint32_t zero_row;	/* zero-length ones among them, in a row */
	uint64_t row_ns;	/* when the row began */
};

/*
 * Counts one I/O at `offset_bytes` that was no complete transfer (`result` as in struct io_done).
 * Returns true where the job has to end; *end then says how.
 */
bool io_trouble_add(struct io_trouble *t, const struct io_job *job, struct io_outcome *out,
		    uint64_t offset_bytes, int64_t result, uint64_t now_ns, enum io_end *end);

/*
 * True where the device behind `fd` is gone or no longer holds bytes up to `end_bytes`: a removed
 * device keeps its descriptor, answers reads with 0 bytes and states a size of 0.
 */
bool io_device_gone(int fd, uint64_t end_bytes);

#endif
