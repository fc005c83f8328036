/* SPDX-License-Identifier: MIT */
/* How fast each NUMA node reaches its own memory, and that of the others. */
#ifndef BENCH_TESTS_MEM_NODE_H
#define BENCH_TESTS_MEM_NODE_H

#include "bench/tests/test.h"

extern const struct test test_mem_node;

struct mem_node_param {
	const char *root;	/* before /sys */
	bool unbound;		/* memory lies anywhere: nodes of a unit test are made up */
};

#endif
