/* SPDX-License-Identifier: MIT */
/* What the tests of hdparm, dd and bench.sh share: their runs become one result. */
#ifndef BENCH_TESTS_STREAM_TEST_H
#define BENCH_TESTS_STREAM_TEST_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/io/stream.h"
#include "bench/tests/test.h"

/*
 * The disk once more, O_RDONLY, through the page cache; closed by the caller unless a stream was
 * left behind on it. Returns the descriptor or -errno; -ESTALE where the node has become another
 * device.
 */
int stream_test_open(const struct test_context *c);

/* A stream over the test's part of the disk, from its start, with its limits and its watcher. */
struct stream stream_test_init(const struct test_context *c, int fd, uint32_t block_bytes);

/*
 * Runs it, adds what it met to r->io, and where it went well a point (ns, bytes) to `runs` (may be
 * NULL). Otherwise sets the status and reason of `r` and returns false. *left_behind becomes true
 * where `s->fd` must not be closed.
 */
bool stream_test_run(const struct stream *s, struct result *r, struct series *runs,
		     bool *left_behind);

/* Where a test writes: the disk itself, or a scratch file of its own on a file system. */
struct stream_target {
	int fd;
	bool is_file;
	int flags;		/* of the disk's descriptor, as they were */
	uint64_t room_bytes;	/* no more fits: to the end of the disk, or what is free */
};

/*
 * Where on a disk with consent to be overwritten a stream of `bytes` goes: behind the part that
 * this run wrote with random bytes, so that later tests do not read the stream's zeros; on a disk
 * too small for that, over the end of that part, where the fewest do. `room_bytes`: from there to
 * the end of the disk.
 */
void stream_test_place(const struct test_context *c, uint64_t bytes, uint64_t *offset_bytes,
		       uint64_t *room_bytes);

/*
 * Opens where `c` writes, through the page cache: its write_fd (with O_DIRECT taken off until
 * stream_target_close), else an empty scratch file in its dir for up to `bytes`. Sets via, path and
 * area of `r`. Returns 0, or -errno with the status and reason of `r` set.
 */
int stream_target_open(struct stream_target *t, const struct test_context *c, uint64_t bytes,
		       struct result *r);

/* Ends it, and lets go of what the page cache holds of it. A file's space is free again. */
void stream_target_close(struct stream_target *t, bool left_behind);

/*
 * Writes `bytes` (less where there is no room) in blocks through the page cache to a fresh target,
 * within budget_ns; a point of `runs`. The reason of `r` then tells how much of it was done, where
 * it was not all. Returns false where it failed, with `r` ended.
 */
bool stream_test_write(const struct test_context *c, const struct stream *form, uint64_t bytes,
		       uint64_t budget_ns, struct result *r, struct series *runs);

/* Tells the context that a call of this test was left behind, where one was. */
void stream_test_leave(const struct test_context *c, bool left_behind);

/* Waits, telling the person who waits; the device is left alone meanwhile. */
void stream_test_pause(const struct test_context *c, uint64_t ns);

/* A metric of bytes per second with the runs as its samples: their median. */
void stream_test_median(struct result *r, const char *name, const struct series *runs);

#endif
