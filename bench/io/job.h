/* SPDX-License-Identifier: MIT */
/*
 * One I/O job on one device, and what was counted while it ran.
 *
 * io_job_run() is the only way a test does timed I/O. It knows nothing of disks, tests or reports.
 * Nothing that went wrong becomes speed: only complete transfers count as I/Os and bytes.
 */
#ifndef BENCH_IO_JOB_H
#define BENCH_IO_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/stats/hist.h"

enum io_order {
	IO_SEQUENTIAL,	/* ascending from area_offset, wraps at the end of the area */
	IO_RANDOM,	/* uniform over all aligned blocks of the area, fixed seed */
};

struct io_job {
	int fd;			/* opened by the caller with O_RDONLY | O_DIRECT; not closed here */
	const char *engine;	/* "libaio", "null", ... a name of io_engine_table */
	enum io_order order;
	uint32_t block_bytes;	/* transfer size, a multiple of align_bytes */
	uint32_t align_bytes;	/* the device's logical block size */
	uint32_t depth;		/* I/Os in flight, 1 .. IO_DEPTH_MAX */
	uint64_t area_offset_bytes, area_bytes;	/* part of the device used, aligned */
	uint64_t ramp_ns;	/* at the start; its I/Os are not counted */
	uint64_t runtime_ns;	/* measured time after the ramp */
	uint64_t stall_ns;	/* no completion for so long ends the job as IO_END_STALLED */
	uint64_t seed;		/* of the offset generator */
	uint64_t series_ns;	/* interval of the time series; 0: none */
	/* called about once per series interval outside the timed path, may be NULL */
	void (*progress)(void *context, uint64_t elapsed_ns, uint64_t bytes);
	void *context;
};

#define IO_DEPTH_MAX 1024
#define IO_ERRORS_MAX 8		/* different errno values kept; more are counted in error_ios alone */
#define IO_SERIES_MAX 512	/* intervals kept; later ones are counted in series_lost */

/* How a job ended. One row each in io_end_table. */
enum io_end {
	IO_END_TIME,		/* ran its whole time */
	IO_END_NO_IO,		/* not one I/O completed in time: a failure, not a speed of 0 */
	IO_END_VANISHED,	/* zero-length reads below the end: the device is gone */
	IO_END_ERRORS,		/* every I/O failed, or too many in a row: gave up */
	IO_END_STALLED,		/* I/Os in flight, none came back for stall_ns */
	IO_END_SETUP,		/* could not start (setup_errno) */
	IO_END_COUNT
};

struct io_error {
	int err;		/* positive errno; 0 = short transfer */
	uint64_t count;
	uint64_t first_offset_bytes;
};

struct io_outcome {
	enum io_end end;
	int setup_errno;	/* positive errno for IO_END_SETUP */
	char setup_what[32];	/* the call that failed, e.g. "io_setup" */
	uint32_t depth_used;	/* lower than asked where the kernel allowed no more */
	uint64_t measured_ns;	/* ramp excluded; rates divide by this */
	uint64_t ios, bytes;	/* complete transfers within the measured time */
	uint64_t short_ios;	/* transfers with fewer bytes than asked */
	uint64_t zero_ios;	/* transfers of 0 bytes */
	uint64_t error_ios;	/* failed transfers */
	uint64_t unanswered_ios;	/* still in flight when the job ended by a stall */
	uint32_t error_n;
	struct io_error error[IO_ERRORS_MAX];
	uint64_t sampled_buffers, zero_buffers;	/* buffers looked at for data, and all-zero ones */
	uint64_t clock_error_ns;	/* bound of what one clock read per batch adds to a latency (largest batch gap seen) */
	uint64_t user_cpu_ns, system_cpu_ns;
	struct hist lat;	/* completion latency: submit call to reaped, per I/O */
	uint32_t series_n;
	uint64_t series_lost;
	uint64_t series_bytes[IO_SERIES_MAX];	/* bytes completed in each interval */
};

struct io_end_row {
	enum io_end end;
	const char *word;	/* "time", "no_io", ... */
	const char *sentence;
};
extern const struct io_end_row io_end_table[IO_END_COUNT];

/*
 * Runs the job to its end; `out` is always filled, also on failure. Blocks for ramp + runtime; where a
 * device stops answering returns after stall_ns with IO_END_STALLED, as far as the kernel lets a process
 * return at all (the caller keeps a deadline of its own in another process).
 * Returns 0 where the job ran (whatever it met), -errno where it could not be set up (end = SETUP).
 */
int io_job_run(const struct io_job *job, struct io_outcome *out);

#endif
