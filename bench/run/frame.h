/* SPDX-License-Identifier: MIT */
/*
 * What a worker process tells its supervisor, through a pipe: fixed headers, plain structs. Both
 * ends are the same program, but the sender may have crashed half way or gone wild: the reader
 * checks everything.
 */
#ifndef BENCH_RUN_FRAME_H
#define BENCH_RUN_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "bench/model/result.h"

enum frame_type {
	FRAME_STARTED = 1,	/* no payload: the entry begins */
	FRAME_PROGRESS,		/* struct frame_progress */
	FRAME_RESULT,		/* struct result: the entry has ended */
	FRAME_READY,		/* no payload: set up, and waiting for its gate to open */
};

struct frame_progress {
	uint64_t elapsed_ns;
	uint64_t bytes;		/* moved so far */
};

/* Writes one frame; `payload` may be NULL where len is 0. Blocks. Returns 0 or -errno. */
int frame_write(int fd, enum frame_type type, uint32_t entry, const void *payload, uint32_t len);

/* Collects frames from a non-blocking descriptor. */
struct frame_reader {
	size_t have;
	struct frame {
		uint32_t magic;
		uint32_t type;	/* enum frame_type */
		uint32_t entry;
		uint32_t len;
		union {
			struct frame_progress progress;
			struct result result;
		} u;
	} frame;
};

#define FRAME_HEADER_BYTES offsetof(struct frame, u)

void frame_reader_init(struct frame_reader *r);
/*
 * Reads what is there. Returns 1 when r->frame holds a whole, well-formed frame (call again for the
 * next), 0 when more must come first, -EPIPE at the end of the stream, -EBADMSG for bytes that are
 * no frame, or -errno of read.
 */
int frame_read(struct frame_reader *r, int fd);

#endif
