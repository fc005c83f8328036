/* SPDX-License-Identifier: MIT */
/*
 * Does memory keep what is written to it? Fills what is free, but for a reserve, with patterns and
 * checks them, as far as the time goes.
 *
 * It does not replace a memory tester that is booted: memory the kernel and its programs use is not
 * tested, and errors that ECC corrects are not seen.
 */
#ifndef BENCH_TESTS_MEM_PATTERN_H
#define BENCH_TESTS_MEM_PATTERN_H

#include "bench/tests/test.h"

extern const struct test test_mem_pattern;

struct mem_pattern_param {
	const char *root;	/* before /proc and /sys */
	uint64_t most_bytes;	/* to test; 0: no limit */
	/*
	 * Called by the first thread: for each block it has taken (step 2), and for its first one
	 * when all was written (step 0) or inverted (step 1), before that is checked. For the unit
	 * test, which puts errors there; NULL else.
	 */
	void (*meddle)(void *context, unsigned step, uint64_t *word, size_t words);
	void *meddle_context;
};

#endif
