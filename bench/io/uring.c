/* SPDX-License-Identifier: MIT */
/*
 * The engine on io_uring, through liburing: registered buffers and a registered file, so that
 * neither is looked up or pinned for each I/O.
 *
 * Requests go to the kernel in submit, not together with the next wait: an I/O's latency then
 * begins where that of the other engines does, and the stated error of its clock holds here too.
 */
#include "bench/io/engine.h"

#include <errno.h>
#include <liburing.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "lib/clock.h"
#include "lib/file.h"

#define URING_DISABLED_PATH "/proc/sys/kernel/io_uring_disabled"

struct uring_state {
	struct io_uring ring;
	bool buffers_registered, file_registered;
	int fd;
	uint32_t block_bytes;
	unsigned char *buffers;
	size_t buffer_stride;
};

/*
 * Best first: completions are worked off when we ask for them and by no interrupt of ours (6.1),
 * whenever we are in the kernel anyway (5.19), or whenever the kernel likes.
 */
static const unsigned setup_flags[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
	IORING_SETUP_COOP_TASKRUN,
	0,
};

__attribute__((format(printf, 2, 3)))
static void add_note(struct io_engine_setup *s, const char *fmt, ...)
{
	size_t used = strlen(s->note);
	va_list args;

	if (used)
		used += (size_t)snprintf(s->note + used, IO_NOTE_BYTES - used, "; ");
	if (used >= IO_NOTE_BYTES)
		return;
	va_start(args, fmt);
	vsnprintf(s->note + used, IO_NOTE_BYTES - used, fmt, args);
	va_end(args);
}

/* Why io_uring_setup() is not to be had. */
static void explain(struct io_engine_setup *s, int err)
{
	char text[16];

	if (err == -ENOSYS)
		add_note(s, "this kernel has no io_uring");
	else if (err == -EPERM && file_read(URING_DISABLED_PATH, text, sizeof(text)) > 0 &&
		 atoi(text) > 0)
		add_note(s, "io_uring is switched off: sysctl kernel.io_uring_disabled is %d",
			 atoi(text));
	else if (err == -EPERM)
		add_note(s, "this process may not use io_uring");
}

static int ring_setup(struct uring_state *u, struct io_engine_setup *s)
{
	struct io_uring_params params;
	int err = -EINVAL;

	for (size_t i = 0; err == -EINVAL && i < sizeof(setup_flags) / sizeof(*setup_flags); i++) {
		memset(&params, 0, sizeof(params));
		params.flags = setup_flags[i];
		err = io_uring_queue_init_params(s->depth, &u->ring, &params);
	}
	s->what = "io_uring_setup";
	if (err) {
		explain(s, err);
		return err;
	}
	if (params.features & IORING_FEAT_EXT_ARG)
		return 0;
	/* without it each wait with a limit would need a request of its own */
	add_note(s, "this kernel's io_uring is too old");
	io_uring_queue_exit(&u->ring);
	return -ENOSYS;
}

/* Neither is needed to measure: where one is refused the note says what it was done without. */
static void ring_register(struct uring_state *u, struct io_engine_setup *s)
{
	struct iovec vec[IO_DEPTH_MAX];
	int err;

	for (uint32_t i = 0; i < s->depth; i++) {
		vec[i].iov_base = s->buffers + i * s->buffer_stride;
		vec[i].iov_len = s->block_bytes;
	}
	err = io_uring_register_buffers(&u->ring, vec, s->depth);
	u->buffers_registered = !err;
	if (err)
		add_note(s, "io_uring without registered buffers: %s", strerror(-err));
	err = io_uring_register_files(&u->ring, &s->fd, 1);
	u->file_registered = !err;
	if (err && err != -EBADF)
		add_note(s, "io_uring without a registered file: %s", strerror(-err));
}

static int uring_setup(void *state, struct io_engine_setup *s)
{
	struct uring_state *u = state;
	int err;

	if (s->flush) {
		s->what = "flush";
		return -EOPNOTSUPP;
	}
	err = ring_setup(u, s);
	if (err)
		return err;
	ring_register(u, s);
	u->fd = u->file_registered ? 0 : s->fd;
	u->block_bytes = s->block_bytes;
	u->buffers = s->buffers;
	u->buffer_stride = s->buffer_stride;
	return 0;
}

static inline void prepare(const struct uring_state *u, struct io_uring_sqe *sqe,
			   const struct io_request *request)
{
	unsigned char *buffer = u->buffers + request->slot * u->buffer_stride;
	int op = request->write ? IORING_OP_WRITE : IORING_OP_READ;

	if (u->buffers_registered)
		op = request->write ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED;
	io_uring_prep_rw(op, sqe, u->fd, buffer, u->block_bytes, request->offset_bytes);
	sqe->buf_index = (uint16_t)(u->buffers_registered ? request->slot : 0);
	sqe->flags = u->file_registered ? IOSQE_FIXED_FILE : 0;
	sqe->user_data = request->slot;
}

/*
 * What stands in the queue belongs to the kernel, also where a call took only a part of it: it goes
 * with the next call, of submit or of reap.
 */
static int uring_submit(void *state, const struct io_request *request, uint32_t n)
{
	struct uring_state *u = state;
	uint32_t queued = 0;

	while (queued < n) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);

		if (!sqe)
			break;
		prepare(u, sqe, &request[queued++]);
	}
	if (!queued)
		return IO_SUBMIT_FULL;
	/* a failure of the call itself is no matter of these requests: reap tries and tells */
	(void)io_uring_submit(&u->ring);
	return (int)queued;
}

static uint32_t take(struct uring_state *u, struct io_done *done, uint32_t room)
{
	struct io_uring_cqe *cqe;
	unsigned head;
	uint32_t n = 0;

	io_uring_for_each_cqe(&u->ring, head, cqe) {
		if (n == room)
			break;
		done[n].slot = (uint32_t)cqe->user_data;
		done[n++].result = cqe->res;
	}
	if (n)
		io_uring_cq_advance(&u->ring, n);
	return n;
}

static int uring_reap(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns)
{
	struct uring_state *u = state;
	struct __kernel_timespec wait = {
		.tv_sec = (int64_t)(wait_ns / NS_PER_S),
		.tv_nsec = (long long)(wait_ns % NS_PER_S),
	};
	struct io_uring_cqe *cqe;
	uint32_t n = take(u, done, room);
	int err;

	if (n)
		return (int)n;
	err = io_uring_submit_and_wait_timeout(&u->ring, &cqe, 1, &wait, NULL);
	if (err < 0 && err != -ETIME && err != -EINTR && err != -EAGAIN && err != -EBUSY)
		return err;
	return (int)take(u, done, room);
}

static void uring_teardown(void *state)
{
	struct uring_state *u = state;

	io_uring_queue_exit(&u->ring);
}

const struct io_engine io_engine_uring = {
	.name = "io_uring",
	.help = "io_uring with registered buffers and file, submitted and reaped in batches",
	.state_bytes = sizeof(struct uring_state),
	.setup = uring_setup,
	.submit = uring_submit,
	.reap = uring_reap,
	.teardown = uring_teardown,
};
