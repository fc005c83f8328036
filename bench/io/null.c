/* SPDX-License-Identifier: MIT */
/*
 * The engine that does nothing: each request is complete as soon as it is asked for.
 *
 * What a job on it reaches is the cost of our own loop, clock and histogram included.
 */
#include "bench/io/engine.h"

#include <errno.h>

struct null_state {
	uint32_t block_bytes;
	uint32_t first, n;		/* ring of the requests not reaped yet */
	uint32_t slot[IO_DEPTH_MAX];	/* a power of two: indices wrap by a mask */
};

static int null_setup(void *state, struct io_engine_setup *s)
{
	struct null_state *null = state;

	if (s->flush) {
		s->what = "flush";
		return -EOPNOTSUPP;
	}
	null->block_bytes = s->block_bytes;
	return 0;
}

static int null_submit(void *state, const struct io_request *request, uint32_t n)
{
	struct null_state *null = state;

	for (uint32_t i = 0; i < n; i++)
		null->slot[(null->first + null->n++) % IO_DEPTH_MAX] = request[i].slot;
	return (int)n;
}

static int null_reap(void *state, struct io_done *done, uint32_t room, uint64_t wait_ns)
{
	struct null_state *null = state;
	uint32_t n = null->n < room ? null->n : room;

	(void)wait_ns;
	for (uint32_t i = 0; i < n; i++) {
		done[i].slot = null->slot[null->first++ % IO_DEPTH_MAX];
		done[i].result = null->block_bytes;
	}
	null->n -= n;
	return (int)n;
}

static void null_teardown(void *state)
{
	(void)state;
}

const struct io_engine io_engine_null = {
	.name = "null",
	.help = "does nothing: the cost of our own loop",
	.state_bytes = sizeof(struct null_state),
	.setup = null_setup,
	.submit = null_submit,
	.reap = null_reap,
	.teardown = null_teardown,
};
