/* SPDX-License-Identifier: MIT */
/* A job from its entry to its end: what makes no sense is refused, the rest is run. */
#include "bench/io/job.h"

#include <errno.h>
#include <fcntl.h>

#include "bench/io/engine.h"
#include "bench/io/jobs.h"
#include "bench/io/loop.h"
#include "bench/io/merge.h"

const struct io_end_row io_end_table[IO_END_COUNT] = {
	[IO_END_TIME] = { IO_END_TIME, "time", "ran its whole time" },
	[IO_END_BYTES] = { IO_END_BYTES, "bytes", "moved all it was asked to" },
	[IO_END_STEADY] = { IO_END_STEADY, "steady", "its mean was known well enough" },
	[IO_END_ENOUGH] = { IO_END_ENOUGH, "enough", "its caller had seen enough" },
	[IO_END_NO_IO] = { IO_END_NO_IO, "no_io", "not one I/O completed in time" },
	[IO_END_VANISHED] = { IO_END_VANISHED, "vanished", "the device is gone" },
	[IO_END_SHRUNK] = { IO_END_SHRUNK, "shrunk", "the device has become smaller" },
	[IO_END_ERRORS] = { IO_END_ERRORS, "errors", "too many I/Os failed, gave up" },
	[IO_END_STALLED] = { IO_END_STALLED, "stalled", "the device stopped answering" },
	[IO_END_SETUP] = { IO_END_SETUP, "setup", "could not be started" },
};

/*
 * True where the descriptor cannot do what the job asks of it. What is no descriptor at all is the
 * engine's matter: one that does no I/O needs none.
 */
static bool is_opened_wrongly(const struct io_job *job)
{
	int flags = fcntl(job->fd, F_GETFL), mode = flags & O_ACCMODE;

	if (flags < 0)
		return false;
	if (job->access != IO_WRITE && mode == O_WRONLY)
		return true;
	return job->access != IO_READ && mode == O_RDONLY;
}

/* The name of the first field of what is read or written that makes no sense, or NULL. */
static const char *access_fault(const struct io_job *job)
{
	if (job->access > IO_MIX || is_opened_wrongly(job))
		return "access";
	if (job->order > IO_RANDOM_ONCE)
		return "order";
	if (job->read_percent > 100)
		return "share of reads";
	if (job->flush && job->access == IO_READ)
		return "flush";
	return NULL;
}

/* The name of the first field that makes no sense, or NULL. */
static const char *job_fault(const struct io_job *job)
{
	uint32_t block = job->block_bytes, align = job->align_bytes;
	const struct io_steady *steady = &job->steady;

	if (!align || align % 512 || !block || block % align)
		return "block size";
	if (job->depth < 1 || job->depth > IO_DEPTH_MAX)
		return "queue depth";
	if (job->jobs > IO_JOBS_MAX)
		return "jobs";
	if (job->area_bytes < block || job->area_offset_bytes % align ||
	    job->area_offset_bytes > (uint64_t)INT64_MAX - job->area_bytes ||
	    job->area_bytes > (uint64_t)INT64_MAX)
		return "area";
	if (!job->runtime_ns || !job->stall_ns)
		return "time";
	if (job->bytes_max && job->bytes_max < block)
		return "bytes";
	if (!(steady->share >= 0 && steady->share < 1) || (steady->share > 0 && !job->series_ns))
		return "steady";
	if (job->interval && (job->jobs > 1 || !job->series_ns))
		return "interval";
	return access_fault(job);
}

/* One loop, in the calling thread. */
static int run_alone(const struct io_engine *engine, const struct io_job *job,
		     struct io_outcome *out)
{
	struct io_loop *r;
	int err = io_loop_map(&r, engine, job, out);

	if (err)
		return err;
	err = io_loop_setup(r, NULL);
	if (!err && job->gate && !job->gate(job->context)) {
		(void)io_loop_finish(r);
		err = io_loop_failed(out, "gate", -ECANCELED);
	}
	if (err) {
		io_loop_unmap(r);
		return err;
	}
	out->jobs_used = 1;
	io_loop_run(r);
	if (io_loop_finish(r))
		io_loop_unmap(r);
	io_steady_note(out);
	return 0;
}

/* Several, each in a thread of its own; where there are fewer blocks than jobs, one for each. */
static int run_several(const struct io_engine *engine, const struct io_job *job,
		       struct io_outcome *out)
{
	uint64_t blocks = job->area_bytes / job->block_bytes;
	struct io_job fewer = *job;
	int err;

	if (job->bytes_max && job->bytes_max / job->block_bytes < blocks)
		blocks = job->bytes_max / job->block_bytes;
	if ((job->split_area || job->bytes_max) && blocks < job->jobs)
		fewer.jobs = (uint32_t)blocks;
	err = fewer.jobs > 1 ? io_jobs_run(engine, &fewer, out) : run_alone(engine, &fewer, out);
	if (fewer.jobs < job->jobs)
		io_merge_note(out, "%u jobs instead of %u: there are no more blocks", fewer.jobs,
			      job->jobs);
	return err;
}

int io_job_run_on(const struct io_engine *engine, const struct io_job *job, struct io_outcome *out)
{
	const char *fault = job_fault(job);

	io_loop_empty(out);
	if (fault)
		return io_loop_failed(out, fault, -EINVAL);
	return job->jobs > 1 ? run_several(engine, job, out) : run_alone(engine, job, out);
}

int io_job_run(const struct io_job *job, struct io_outcome *out)
{
	const struct io_engine *engine = io_engine_find(job->engine);

	if (engine)
		return io_job_run_on(engine, job, out);
	io_loop_empty(out);
	return io_loop_failed(out, "engine", -EINVAL);
}
