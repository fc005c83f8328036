/* SPDX-License-Identifier: MIT */
/* What the two threads of a stream share: stream.c moves the bytes, stream_watch.c watches. */
#ifndef BENCH_IO_STREAM_THREAD_H
#define BENCH_IO_STREAM_THREAD_H

#include <stdatomic.h>

#include "bench/io/buffers.h"
#include "bench/io/stream.h"

#define STREAM_PROBE_SMALL (UINT64_C(1) << 20)	/* bytes */
#define STREAM_PROBE_LARGE (UINT64_C(16) << 20)
#define STREAM_PROBE_LONG (UINT64_C(256) << 20)
#define STREAM_PROBE_FAST 4e6	/* bytes per second: the large one takes 4 s at most */
/* Of what the disk could write in the whole time by the probe, so much may be dirty at first ... */
#define STREAM_PROBE_SHARE 0.5
/* ... and of what it could in the time that is left, once its rate is known. */
#define STREAM_FLUSH_SHARE 0.9

/* Allocated by the watcher, and left behind with the thread where that does not return. */
struct stream_thread {
	struct stream s;
	struct io_buffers block;
	int aside_fd;		/* /dev/zero or /dev/null; -1: none */
	int done_fd;		/* eventfd: the thread has ended */
	uint64_t start_ns;	/* of all, probes included; set before the thread begins */
	uint32_t zero_checks;
	struct io_outcome out;	/* the thread's until done_fd says that it has ended */
	_Atomic bool stop;	/* begin no further block */
	_Atomic bool closing;	/* the blocks are written, they are being flushed */
	_Atomic uint64_t bytes;
	_Atomic uint64_t began_ns;	/* when the timed part began; 0: not yet */
	_Atomic double probe_rate;
};

void *stream_thread_main(void *thread);

#endif
