/* SPDX-License-Identifier: MIT */
/*
 * What a worker holds of its disk from test to test: a descriptor to read, one to write, or a
 * folder for files. Nothing is opened before a test needs it.
 */
#ifndef BENCH_RUN_HOLD_H
#define BENCH_RUN_HOLD_H

#include <stdbool.h>

#include "bench/consent/consent.h"
#include "bench/consent/scratch.h"
#include "bench/tests/test.h"

struct hold {
	const struct disk *disk;
	int fd, write_fd;	/* -1: not open */
	bool has_dir;
	struct scratch scratch;
	char refused[RESULT_REASON_BYTES];	/* why it cannot be written; "" while it may be */
};

/* `d` may be NULL: then there is nothing to open, and tests that write are refused. */
void hold_init(struct hold *h, const struct disk *d);
/*
 * Opens what the context's test needs and the disk's consent allows: fd, write_fd and dir of `c`.
 * Returns false where it cannot be had; then `r` has ended with the reason.
 */
bool hold_for(struct hold *h, struct test_context *c, struct result *r);
/* Unmounts and closes. */
void hold_end(struct hold *h);

#endif
