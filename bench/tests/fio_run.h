/* SPDX-License-Identifier: MIT */
/*
 * Jobs of fio's shape: some threads with a queue each, in a region of fio's `size` per file, and
 * the whole of fio's statistics. What fio's own jobs (fio_jobs.c) and YABS's (yabs.c) share.
 */
#ifndef BENCH_TESTS_FIO_RUN_H
#define BENCH_TESTS_FIO_RUN_H

#include <stddef.h>

#include "bench/io/job.h"
#include "bench/tests/test.h"

/* What tells the jobs of both families apart: fio's parameters. */
struct fio_param {
	enum io_access access;
	enum io_order order;
	uint32_t block_bytes, depth, jobs;
	uint64_t size_bytes;	/* fio's `size`: of each job's file, or of the one they share */
	bool shared;		/* all jobs work on one file */
	uint64_t ramp_ns;	/* fio's `ramp_time` */
};

/* A device with room for fewer blocks measures its own first few, over and over. */
#define FIO_RUN_BLOCKS_MIN 16

/* struct test's hooks, for tests whose `param` is a struct fio_param. */
enum result_status fio_run_fits(const struct test *test, const struct disk *disk, char *why,
				size_t why_bytes);
void fio_run(const struct test_context *c, struct result *r);

/*
 * The job that measures `c`: within its area, memory and time. `note` gets what could not be as
 * fio's parameters say, and where the jobs' regions lie; else "".
 */
void fio_run_job(const struct test_context *c, struct io_job *job, char *note, size_t note_bytes);

#endif
