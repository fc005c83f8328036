/* SPDX-License-Identifier: MIT */
/*
 * An engine whose answers a test writes: each I/O is answered by `answer`, in order, at a fixed
 * pace. Each thread of a job has a ring of its own; what a test sets and looks at is one for all. A
 * test file includes this once.
 */
#ifndef TESTS_UNIT_FAKE_ENGINE_H
#define TESTS_UNIT_FAKE_ENGINE_H

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bench/io/engine.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define FAKE_NEVER INT64_MIN	/* the I/O does not come back */
#define FAKE_BLOCK 4096
#define FAKE_BLOCKS 4096	/* of the device that is there */
#define MS NS_PER_MS

struct fake_ring {
	uint32_t first, n;
	struct { uint32_t slot; int64_t result; } queue[IO_DEPTH_MAX];
	uint64_t asked, never, last_offset_bytes;
	bool busy[IO_DEPTH_MAX];
	struct io_engine_setup setup;
};

static struct fake {
	/* what to set; n counts the I/Os of one ring from 0 */
	int64_t (*answer)(uint64_t n, uint64_t offset_bytes);	/* NULL: complete */
	int (*refuse)(uint64_t n);	/* errno that submit gives for request n, 0 takes it */
	void (*written)(const unsigned char *data, uint64_t offset_bytes);
	uint64_t (*pause_of)(uint64_t n);	/* instead of pause_ns; n: I/Os asked so far */
	uint64_t pause_ns;		/* before each reap that brings something */
	uint64_t submit_ns;		/* what a submit call takes */
	uint32_t take_max;		/* most requests one submit takes; 0: all */
	uint32_t room;			/* most in flight: beyond, submit is full; 0: all */
	bool always_full;
	uint32_t reap_max;		/* most completions one reap brings; 0: all */
	bool hiccups;			/* every other reap brings nothing */
	uint32_t grant_depth;		/* depth that setup grants; 0: as asked */
	uint32_t grant_total;		/* depth that all rings together are granted; 0: any */
	int setup_err, reap_err;
	int fill;			/* byte that a read leaves in the buffer; -1: nothing */
	/* what to look at */
	_Atomic uint64_t asked, writes, submits, reaps, largest_submit, largest_in_flight;
	_Atomic uint64_t order_breaks, slots_twice;
	_Atomic uint32_t granted, set_up, torn_down;	/* rings */
	struct io_engine_setup setup;	/* of the last ring */
} fake;

/* Descriptors of a device that is there, and of one that is gone. */
static int fake_whole_fd, fake_empty_fd;

/* To be called first. */
static void fake_devices(void)
{
	fake_whole_fd = memfd_create("whole", MFD_CLOEXEC);
	fake_empty_fd = memfd_create("empty", MFD_CLOEXEC);
	if (fake_whole_fd < 0 || fake_empty_fd < 0 ||
	    ftruncate(fake_whole_fd, FAKE_BLOCKS * FAKE_BLOCK))
		tap_bail("no memory files");
}

static void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.fill = 1;
	fake.pause_ns = 20000;
}

/* Random reads of the whole device for 100 ms. */
static struct io_job fake_job(uint32_t depth)
{
	struct io_job job = {
		.fd = fake_whole_fd, .engine = "fake", .order = IO_RANDOM,
		.block_bytes = FAKE_BLOCK, .align_bytes = 512, .depth = depth,
		.area_bytes = FAKE_BLOCKS * FAKE_BLOCK, .runtime_ns = 100 * MS,
		.stall_ns = 2 * NS_PER_S, .seed = 7,
	};

	return job;
}

static int fake_setup(void *state, struct io_engine_setup *s)
{
	struct fake_ring *ring = state;
	uint32_t left = fake.grant_total - fake.granted;

	if (fake.setup_err || (fake.grant_total && !left)) {
		s->what = "fake_setup";
		return fake.setup_err ? -fake.setup_err : -EAGAIN;
	}
	if (fake.grant_depth) {
		s->depth = fake.grant_depth;
		snprintf(s->note, IO_NOTE_BYTES, "less");
	}
	if (fake.grant_total && left < s->depth)
		s->depth = left;
	fake.granted += s->depth;
	fake.set_up++;
	ring->setup = fake.setup = *s;
	return 0;
}

static void fake_most(_Atomic uint64_t *most, uint64_t value)
{
	uint64_t seen = *most;

	while (value > seen && !atomic_compare_exchange_weak(most, &seen, value))
		;
}

static void fake_take(struct fake_ring *ring, const struct io_request *request)
{
	unsigned char *data = ring->setup.buffers + request->slot * ring->setup.buffer_stride;
	uint64_t offset = request->offset_bytes;
	int64_t result = fake.answer ? fake.answer(ring->asked, offset) : FAKE_BLOCK;
	uint32_t at = (ring->first + ring->n) % IO_DEPTH_MAX;

	if (ring->asked++ && offset < ring->last_offset_bytes)
		fake.order_breaks++;
	fake.asked++;
	ring->last_offset_bytes = offset;
	fake.slots_twice += ring->busy[request->slot];
	ring->busy[request->slot] = true;
	if (request->write) {
		fake.writes++;
		if (fake.written)
			fake.written(data, offset);
	}
	if (result == FAKE_NEVER) {
		ring->never++;
		return;
	}
	ring->queue[at].slot = request->slot;
	ring->queue[at].result = result;
	ring->n++;
	if (!request->write && fake.fill >= 0 && result > 0)
		memset(data, fake.fill, (size_t)result);
}

static void fake_sleep(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

	nanosleep(&t, NULL);
}

static int fake_submit(void *state, const struct io_request *request, uint32_t n)
{
	struct fake_ring *ring = state;
	int err = fake.refuse ? fake.refuse(ring->asked) : 0;

	fake.submits++;
	if (fake.submit_ns)
		fake_sleep(fake.submit_ns);
	if (err) {
		ring->asked++;
		fake.asked++;
		return -err;
	}
	if (fake.take_max && n > fake.take_max)
		n = fake.take_max;
	if (fake.room && n > fake.room - ring->n)
		n = fake.room - ring->n;
	if (fake.always_full || !n)
		return IO_SUBMIT_FULL;
	fake_most(&fake.largest_submit, n);
	for (uint32_t i = 0; i < n; i++)
		fake_take(ring, &request[i]);
	fake_most(&fake.largest_in_flight, ring->n + ring->never);
	return (int)n;
}

static int fake_reap(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns)
{
	struct fake_ring *ring = state;
	uint32_t n = ring->n < room ? ring->n : room;
	uint64_t pause_ns = fake.pause_of ? fake.pause_of(ring->asked) : fake.pause_ns;

	if (fake.reap_max && n > fake.reap_max)
		n = fake.reap_max;
	fake.reaps++;
	if (fake.reap_err)
		return -fake.reap_err;
	if (fake.hiccups && fake.reaps % 2)
		return IO_REAP_NONE;
	fake_sleep(n ? pause_ns : wait_ns);
	for (uint32_t i = 0; i < n; i++) {
		done[i].slot = ring->queue[ring->first].slot;
		done[i].result = ring->queue[ring->first].result;
		ring->busy[done[i].slot] = false;
		ring->first = (ring->first + 1) % IO_DEPTH_MAX;
	}
	ring->n -= n;
	return n ? (int)n : IO_REAP_NONE;
}

static void fake_teardown(void *state)
{
	struct fake_ring *ring = state;

	fake.granted -= ring->setup.depth;
	fake.torn_down++;
}

static const struct io_engine fake_engine = {
	.name = "fake",
	.help = "answers as a test wants",
	.state_bytes = sizeof(struct fake_ring),
	.setup = fake_setup,
	.submit = fake_submit,
	.reap = fake_reap,
	.teardown = fake_teardown,
};

#endif
