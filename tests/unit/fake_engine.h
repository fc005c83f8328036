/* SPDX-License-Identifier: MIT */
/*
 * An engine whose answers a test writes: each I/O is answered by `answer`, in order, at a fixed
 * pace. A test file includes this once.
 */
#ifndef TESTS_UNIT_FAKE_ENGINE_H
#define TESTS_UNIT_FAKE_ENGINE_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/io/engine.h"
#include "lib/clock.h"

#define FAKE_NEVER INT64_MIN	/* the I/O does not come back */
#define FAKE_BLOCK 4096

static struct fake {
	/* what to set */
	int64_t (*answer)(uint64_t n, uint64_t offset_bytes);	/* n: from 0; NULL: complete */
	int (*refuse)(uint64_t n);	/* errno that submit gives for request n, 0 takes it */
	uint64_t pause_ns;		/* before each reap that brings something */
	uint32_t take_max;		/* most requests one submit takes; 0: all */
	uint32_t room;			/* most in flight: beyond, submit is full; 0: all */
	bool always_full;
	uint32_t reap_max;		/* most completions one reap brings; 0: all */
	bool hiccups;			/* every other reap brings nothing */
	uint32_t grant_depth;		/* depth that setup grants; 0: as asked */
	int setup_err, reap_err;
	int fill;			/* byte that a read leaves in the buffer; -1: nothing */
	/* what to look at */
	uint64_t asked, submits, reaps, largest_submit, largest_in_flight;
	uint64_t last_offset_bytes, order_breaks, slots_twice;
	bool torn_down;
	/* own */
	uint32_t first, n;
	struct { uint32_t slot; int64_t result; } queue[IO_DEPTH_MAX];
	uint64_t never;
	bool busy[IO_DEPTH_MAX];
	struct io_engine_setup setup;
} fake;

static void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.fill = 1;
	fake.pause_ns = 20000;
}

static int fake_setup(void *state, struct io_engine_setup *s)
{
	(void)state;
	if (fake.setup_err) {
		s->what = "fake_setup";
		return -fake.setup_err;
	}
	if (fake.grant_depth) {
		s->depth = fake.grant_depth;
		snprintf(s->note, IO_NOTE_BYTES, "less");
	}
	fake.setup = *s;
	return 0;
}

static int fake_submit(void *state, const struct io_request *request, uint32_t n)
{
	int err = fake.refuse ? fake.refuse(fake.asked) : 0;

	(void)state;
	fake.submits++;
	if (err) {
		fake.asked++;
		return -err;
	}
	if (fake.take_max && n > fake.take_max)
		n = fake.take_max;
	if (fake.room && n > fake.room - fake.n)
		n = fake.room - fake.n;
	if (fake.always_full || !n)
		return IO_SUBMIT_FULL;
	fake.largest_submit = n > fake.largest_submit ? n : fake.largest_submit;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t offset = request[i].offset_bytes;
		int64_t result = fake.answer ? fake.answer(fake.asked, offset) : FAKE_BLOCK;
		uint32_t at = (fake.first + fake.n) % IO_DEPTH_MAX;

		if (fake.asked++ && offset < fake.last_offset_bytes)
			fake.order_breaks++;
		fake.last_offset_bytes = offset;
		fake.slots_twice += fake.busy[request[i].slot];
		fake.busy[request[i].slot] = true;
		if (result == FAKE_NEVER) {
			fake.never++;
			continue;
		}
		fake.queue[at].slot = request[i].slot;
		fake.queue[at].result = result;
		fake.n++;
		if (fake.fill >= 0 && result > 0)
			memset(fake.setup.buffers + request[i].slot * fake.setup.buffer_stride,
			       fake.fill, (size_t)result);
	}
	if (fake.n + fake.never > fake.largest_in_flight)
		fake.largest_in_flight = fake.n + fake.never;
	return (int)n;
}

static void fake_sleep(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

	nanosleep(&t, NULL);
}

static int fake_reap(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns)
{
	uint32_t n = fake.n < room ? fake.n : room;

	(void)state;
	if (fake.reap_max && n > fake.reap_max)
		n = fake.reap_max;
	fake.reaps++;
	if (fake.reap_err)
		return -fake.reap_err;
	if (fake.hiccups && fake.reaps % 2)
		return IO_REAP_NONE;
	fake_sleep(n ? fake.pause_ns : wait_ns);
	for (uint32_t i = 0; i < n; i++) {
		done[i].slot = fake.queue[fake.first].slot;
		done[i].result = fake.queue[fake.first].result;
		fake.busy[done[i].slot] = false;
		fake.first = (fake.first + 1) % IO_DEPTH_MAX;
	}
	fake.n -= n;
	return n ? (int)n : IO_REAP_NONE;
}

static void fake_teardown(void *state)
{
	(void)state;
	fake.torn_down = true;
}

static const struct io_engine fake_engine = {
	.name = "fake",
	.help = "answers as a test wants",
	.state_bytes = 64,
	.setup = fake_setup,
	.submit = fake_submit,
	.reap = fake_reap,
	.teardown = fake_teardown,
};

#endif
