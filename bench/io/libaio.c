/* SPDX-License-Identifier: MIT */
/*
 * The engine on the kernel's asynchronous I/O (io_setup, io_submit, io_getevents), through libaio.
 *
 * Completions are taken straight from the ring that the kernel maps into the process, as fio can
 * and libaio itself does; where the ring is not what we know, every reap is a system call. Waiting
 * always is.
 */
#include "bench/io/engine.h"

#include <errno.h>
#include <libaio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "bench/io/aio_limit.h"
#include "lib/clock.h"

/* struct aio_ring of the kernel's fs/aio.c; its layout is user ABI, marked by the magic number. */
struct ring {
	unsigned id, nr;
	_Atomic unsigned head;		/* ours to move */
	_Atomic unsigned tail;		/* the kernel's */
	unsigned magic, compat_features, incompat_features, header_bytes;
	struct io_event event[];
};
#define RING_MAGIC 0xa10a10a1U

struct libaio_state {
	io_context_t context;
	struct ring *ring;		/* NULL: not to be read directly */
	struct iocb iocb[IO_DEPTH_MAX];
	struct iocb *list[IO_BATCH];
	struct io_event event[IO_BATCH];
};

/* Sets the context up for s->depth, for less where the kernel allows no more. */
static int context_setup(struct libaio_state *a, struct io_engine_setup *s)
{
	uint32_t asked = s->depth;
	size_t used;
	int err = io_setup((int)s->depth, &a->context);

	if (err == -EAGAIN && aio_limit_raise(AIO_LIMIT_NR_PATH, AIO_LIMIT_MAX_PATH, s->depth,
					      s->note, IO_NOTE_BYTES) >= 0)
		err = io_setup((int)s->depth, &a->context);
	while (err == -EAGAIN && s->depth > 1) {
		s->depth /= 2;
		err = io_setup((int)s->depth, &a->context);
	}
	if (!err && s->depth < asked) {
		used = strlen(s->note);
		snprintf(s->note + used, IO_NOTE_BYTES - used,
			 "%sthe kernel allows no more asynchronous I/O: "
			 "queue depth %u instead of %u",
			 used ? "; " : "", s->depth, asked);
	}
	return err;
}

static int libaio_setup(void *state, struct io_engine_setup *s)
{
	struct libaio_state *a = state;
	int err;

	if (s->flush) {
		s->what = "flush";
		return -EOPNOTSUPP;
	}
	err = context_setup(a, s);
	if (err) {
		s->what = "io_setup";
		return err;
	}
	a->ring = (struct ring *)a->context;
	if (a->ring->magic != RING_MAGIC || a->ring->incompat_features)
		a->ring = NULL;
	for (uint32_t i = 0; i < s->depth; i++) {
		io_prep_pread(&a->iocb[i], s->fd, s->buffers + i * s->buffer_stride, s->block_bytes,
			      0);
		a->iocb[i].data = (void *)(uintptr_t)i;
	}
	return 0;
}

static int libaio_submit(void *state, const struct io_request *request, uint32_t n)
{
	struct libaio_state *a = state;
	int got;

	if (n > IO_BATCH)
		n = IO_BATCH;
	for (uint32_t i = 0; i < n; i++) {
		struct iocb *iocb = &a->iocb[request[i].slot];

		iocb->aio_lio_opcode = request[i].write ? IO_CMD_PWRITE : IO_CMD_PREAD;
		iocb->u.c.offset = (long long)request[i].offset_bytes;
		a->list[i] = iocb;
	}
	got = io_submit(a->context, (long)n, a->list);
	return got == -EAGAIN || got == -EINTR ? IO_SUBMIT_FULL : got;
}

static inline void event_to_done(const struct io_event *event, struct io_done *done)
{
	done->slot = (uint32_t)(uintptr_t)event->data;
	done->result = (int64_t)(long)event->res;
}

static uint32_t ring_reap(struct ring *ring, struct io_done *done, uint32_t room)
{
	unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	/* acquire: the events below the tail are read after it */
	unsigned tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	uint32_t n = 0;

	while (n < room && head != tail) {
		event_to_done(&ring->event[head], &done[n++]);
		if (++head == ring->nr)
			head = 0;
	}
	/* release: the kernel may write over them only once they were read */
	if (n)
		atomic_store_explicit(&ring->head, head, memory_order_release);
	return n;
}

static int libaio_reap(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns)
{
	struct libaio_state *a = state;
	struct timespec wait = {
		.tv_sec = (time_t)(wait_ns / NS_PER_S),
		.tv_nsec = (long)(wait_ns % NS_PER_S),
	};
	uint32_t n;
	int got;

	if (room > IO_BATCH)
		room = IO_BATCH;
	if (a->ring) {
		n = ring_reap(a->ring, done, room);
		if (n)
			return (int)n;
	}
	got = io_getevents(a->context, 1, (long)room, a->event, &wait);
	for (int i = 0; i < got; i++)
		event_to_done(&a->event[i], &done[i]);
	return got == -EINTR ? IO_REAP_NONE : got;
}

static void libaio_teardown(void *state)
{
	struct libaio_state *a = state;

	(void)io_destroy(a->context);
}

const struct io_engine io_engine_libaio = {
	.name = "libaio",
	.help = "the kernel's asynchronous I/O, submitted and reaped in batches",
	.state_bytes = sizeof(struct libaio_state),
	.setup = libaio_setup,
	.submit = libaio_submit,
	.reap = libaio_reap,
	.teardown = libaio_teardown,
};
