/* SPDX-License-Identifier: MIT */
/* The NUMA nodes: which processors and how much memory each has. */
#ifndef BENCH_TESTS_MEM_NODES_H
#define BENCH_TESTS_MEM_NODES_H

#include <stddef.h>
#include <stdint.h>

struct mem_node {
	unsigned id;		/* the kernel's number */
	unsigned *cpu;		/* its CPUs that may be used, ascending; NULL: none */
	size_t cpu_n;
	uint64_t total_bytes, free_bytes;	/* 0: it has no memory */
};

struct mem_nodes {
	struct mem_node *node;	/* ascending */
	size_t n;
};

/*
 * Reads those that are online, out of <root>/sys/devices/system/node, with what they have of
 * `allowed` (ascending). Returns 0, -ENOENT where the kernel knows of no nodes, or -ENOMEM.
 */
int mem_nodes_read(const char *root, const unsigned *allowed, size_t allowed_n,
		   struct mem_nodes *nodes);
void mem_nodes_free(struct mem_nodes *nodes);
/* How many of them have memory. */
size_t mem_nodes_with_memory(const struct mem_nodes *nodes);
/* Memory that is touched from now on comes from that node alone (mbind). Returns 0 or -errno. */
int mem_nodes_bind(unsigned id, void *at, uint64_t bytes);

#endif
