/* SPDX-License-Identifier: MIT */
/*
 * A test: one row of test_table (bench/tests/table.c), run on one disk in a process of its own.
 *
 * A test measures and fills a struct result; it prints nothing and decides nothing about other
 * tests.
 */
#ifndef BENCH_TESTS_TEST_H
#define BENCH_TESTS_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/io/job.h"
#include "bench/model/result.h"
#include "bench/sys/disk.h"

#define TEST_TITLE_MAX 34	/* characters: the text report has no more room */

struct test;

/* What a running test is given. */
struct test_context {
	const struct test *test;
	const struct disk *disk;
	int fd;			/* the disk, O_RDONLY | O_DIRECT | O_CLOEXEC */
	uint64_t budget_ns;	/* measuring time, ramp included */
	uint64_t stall_ns;	/* longest wait for one I/O */
	/*
	 * tell the person that waits: about once per second, never inside the timed path; may be
	 * NULL
	 */
	void (*progress)(void *context, uint64_t elapsed_ns, uint64_t bytes);
	void *progress_context;
};

struct test {
	const char *name;	/* stable, e.g. "seq-read-qd1" */
	/* for people, at most TEST_TITLE_MAX, e.g. "sequential read 1 MiB, QD 1" */
	const char *title;
	const char *help;	/* what it measures and how, one or two sentences */
	enum io_order order;
	uint32_t block_bytes;
	uint32_t depth;
	unsigned weight;	/* share of a disk's time in a profile, relative to the others */
	/*
	 * Can this test run on this disk? RESULT_OK, or RESULT_UNSUPPORTED / RESULT_SKIPPED with
	 * the reason in `why`. Looks at `disk` alone; opens nothing.
	 */
	enum result_status (*fits)(const struct test *test, const struct disk *disk, char *why,
				   size_t why_bytes);
	/* Measures; always leaves a final status in `r` (never PLANNED or RUNNING). */
	void (*run)(const struct test_context *c, struct result *r);
};

extern const struct test *const test_table[];
extern const size_t test_table_n;

/* Finds a row by name or returns NULL. */
const struct test *test_find(const char *name);
/*
 * Checks the table: unique names, no missing hook. Returns 0 or -EINVAL. Called at start: a missing
 * hook is loud.
 */
int test_selfcheck(void);

#endif
