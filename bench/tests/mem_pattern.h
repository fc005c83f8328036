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
	 * Called for the first block of the first thread, after it was written (step 0) and after
	 * it was inverted (step 1), before it is checked. For the unit test that puts errors there;
	 * NULL else.
	 */
	void (*meddle)(void *context, unsigned step, uint64_t *word, size_t words);
	void *meddle_context;
};

#endif
