/* SPDX-License-Identifier: MIT */
/* A job of several threads, each with a loop, an engine's ring and offsets of its own. */
#ifndef BENCH_IO_JOBS_H
#define BENCH_IO_JOBS_H

#include "bench/io/engine.h"
#include "bench/io/job.h"

/* io_job_run_on() for job->jobs > 1; the job makes sense and `out` is empty. */
int io_jobs_run(const struct io_engine *engine, const struct io_job *job, struct io_outcome *out);

#endif
