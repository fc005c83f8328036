/* SPDX-License-Identifier: MIT */
/* What every memory test has to know of where it runs, and how it ends when it cannot. */
#ifndef BENCH_TESTS_MEM_SITE_H
#define BENCH_TESTS_MEM_SITE_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/sys/mem_space.h"
#include "bench/tests/mem_levels.h"
#include "bench/tests/test.h"

struct mem_site {
	unsigned *cpu;		/* that may be used, ascending */
	size_t cpu_n;
	struct mem_levels levels;	/* of the first of them */
	struct mem_space space;
	uint64_t most_bytes;	/* that a test may take: half of what is free, see mem_space.h */
};

/* Reads all that; false: it ended `r` with the reason. mem_site_free frees it. */
bool mem_site_read(const struct test_context *c, struct mem_site *s, struct result *r);
void mem_site_free(struct mem_site *s);

/*
 * Ends `r` as the error of a test's threads or memory asks: skipped where memory is short, timeout
 * where some do not return, else failed.
 */
void mem_site_end(struct result *r, int err);

/* Whether there are fewer bytes than `times` all of `cache_bytes`: then says so by a mark. */
void mem_site_mark_small(struct result *r, uint64_t bytes, unsigned times, uint64_t cache_bytes,
			 const char *whose, bool no_memory);

/* A tick of a crew (see crew.h) whose context is the struct test_context: tells the progress. */
void mem_site_tick(void *context, uint64_t elapsed_ns);

#endif
