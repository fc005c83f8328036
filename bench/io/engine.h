/* SPDX-License-Identifier: MIT */
/*
 * What an I/O engine is: a way to hand I/Os to the kernel and to get them back, nothing else.
 *
 * An engine is one file and one row of io_engine_table. It keeps no time, counts nothing and judges
 * no result: the loop in job.c does, in the same way for all. Both calls work on batches; a batch
 * of one must cost no more than a call made for one. All calls for one state are made by the same
 * thread, setup and teardown included.
 */
#ifndef BENCH_IO_ENGINE_H
#define BENCH_IO_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/io/job.h"

struct io_engine_setup {
	int fd;
	uint32_t block_bytes;
	bool writes;		/* some requests write */
	bool flush;		/* see struct io_job; -EOPNOTSUPP where the engine cannot */
	uint32_t depth;		/* in: wanted; out: what the engine got, at least 1 */
	unsigned char *buffers;	/* buffer of slot n at buffers + n * buffer_stride, page-aligned */
	size_t buffer_stride;
	const char *what;	/* out, on failure: the call that failed */
	char *note;		/* out: IO_NOTE_BYTES; what had to be changed, else left alone */
};

struct io_request {
	uint32_t slot;		/* 0 .. depth - 1, not in flight */
	bool write;		/* the slot's buffer to the device, else the other way */
	uint64_t offset_bytes;
};

struct io_done {
	uint32_t slot;
	int64_t result;		/* bytes transferred, or -errno */
};

/* submit: nothing taken, the queue is full; reap first */
#define IO_SUBMIT_FULL 0
/* reap: nothing came back within the time given, or a signal came first */
#define IO_REAP_NONE 0

struct io_engine {
	const char *name;
	const char *help;
	size_t state_bytes;	/* zeroed, 64-byte aligned, lasts from setup to teardown */
	/* Returns 0 or -errno (with s->what); after a failure nothing is left to take down. */
	int (*setup)(void *state, struct io_engine_setup *s);
	/*
	 * Hands over the first of n >= 1 requests, in order. Returns how many were taken,
	 * IO_SUBMIT_FULL, or -errno: request[0] was refused, it is not in flight.
	 */
	int (*submit)(void *state, const struct io_request *request, uint32_t n);
	/*
	 * Fills at most `room` completions, waiting up to wait_ns for the first. Returns their
	 * number, IO_REAP_NONE, or -errno: the engine is broken and what is in flight is not known
	 * any more.
	 */
	int (*reap)(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns);
	/* Only called with nothing in flight. */
	void (*teardown)(void *state);
};

extern const struct io_engine io_engine_libaio, io_engine_uring, io_engine_sync, io_engine_null;

extern const struct io_engine *const io_engine_table[];	/* the first row is the default */
extern const size_t io_engine_table_n;

/* Finds a row by name or returns NULL. */
const struct io_engine *io_engine_find(const char *name);

/* io_job_run() with an engine that need not be in the table; job->engine is not looked at. */
int io_job_run_on(const struct io_engine *engine, const struct io_job *job, struct io_outcome *out);

#endif
