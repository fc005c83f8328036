/* SPDX-License-Identifier: MIT */
/*
 * The engine of plain system calls: one pread() or pwrite() at a time.
 *
 * The call is made when its completion is asked for, so that all of its time is completion and none
 * of it submission. A flush after a write belongs to the same I/O: its latency is what a database
 * waits for at a commit.
 */
#include "bench/io/engine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct sync_state {
	int fd;
	uint32_t block_bytes;
	bool flush, waiting;
	unsigned char *buffer;
	struct io_request request;
};

static int sync_setup(void *state, struct io_engine_setup *s)
{
	struct sync_state *sync = state;
	size_t used = strlen(s->note);

	if (s->depth > 1)
		snprintf(s->note + used, IO_NOTE_BYTES - used,
			 "%splain system calls go one at a time: queue depth 1 instead of %u",
			 used ? "; " : "", s->depth);
	s->depth = 1;
	sync->fd = s->fd;
	sync->block_bytes = s->block_bytes;
	sync->flush = s->flush;
	sync->buffer = s->buffers;	/* with one at a time there is slot 0 alone */
	return 0;
}

static int sync_submit(void *state, const struct io_request *request, uint32_t n)
{
	struct sync_state *sync = state;

	(void)n;
	if (sync->waiting)
		return IO_SUBMIT_FULL;
	sync->request = request[0];
	sync->waiting = true;
	return 1;
}

/* Bytes transferred, or -errno. */
static int64_t transfer(const struct sync_state *sync)
{
	off_t at = (off_t)sync->request.offset_bytes;
	ssize_t got;

	do {
		got = sync->request.write ? pwrite(sync->fd, sync->buffer, sync->block_bytes, at) :
					    pread(sync->fd, sync->buffer, sync->block_bytes, at);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (sync->flush && sync->request.write && got == (ssize_t)sync->block_bytes &&
	    fdatasync(sync->fd))
		return -errno;
	return got;
}

static int sync_reap(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns)
{
	struct sync_state *sync = state;

	(void)room;
	(void)wait_ns;	/* a system call in progress cannot be left */
	if (!sync->waiting)
		return IO_REAP_NONE;
	done[0].slot = sync->request.slot;
	done[0].result = transfer(sync);
	sync->waiting = false;
	return 1;
}

static void sync_teardown(void *state)
{
	(void)state;
}

const struct io_engine io_engine_sync = {
	.name = "sync",
	.help = "plain pread and pwrite, one at a time; the only one that can flush after a write",
	.state_bytes = sizeof(struct sync_state),
	.setup = sync_setup,
	.submit = sync_submit,
	.reap = sync_reap,
	.teardown = sync_teardown,
};
