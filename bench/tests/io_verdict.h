/* SPDX-License-Identifier: MIT */
/* What the outcome of an I/O job means for the person who rents the disk. */
#ifndef BENCH_TESTS_IO_VERDICT_H
#define BENCH_TESTS_IO_VERDICT_H

#include <stddef.h>

#include "bench/io/job.h"
#include "bench/model/result.h"

/* A test with more than one in so many transfers failed, short or empty has failed as a whole. */
#define IO_VERDICT_BAD_SHARE 100

/*
 * RESULT_OK where the job ran its whole time and at most 1 in IO_VERDICT_BAD_SHARE transfers went
 * wrong, else RESULT_FAILED. `why` gets the sentence (always for FAILED; for OK where something
 * went wrong or had to be changed, else ""). `job` is what was asked for.
 */
enum result_status io_verdict(const struct io_job *job, const struct io_outcome *out, char *why,
			      size_t why_bytes);

#endif
