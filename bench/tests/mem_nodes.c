/* SPDX-License-Identifier: MIT */
/* The NUMA nodes; see mem_nodes.h. */
#include "bench/tests/mem_nodes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/io/place.h"
#include "bench/sys/memory.h"
#include "bench/sys/sysfs.h"
#include "lib/file.h"

#define NODES_MAX 1024		/* what the kernel can be built for */
#define LONG_BITS (CHAR_BIT * sizeof(unsigned long))
#define POLICY_BIND 2		/* MPOL_BIND of <linux/mempolicy.h> */

static int read_node(const char *root, unsigned id, const unsigned *allowed, size_t allowed_n,
		     struct mem_node *node)
{
	char path[SYSFS_PATH_BYTES], text[SYSFS_VALUE_BYTES];
	int n = place_near(root, (int)id, allowed, allowed_n, &node->cpu);

	if (n < 0)
		return n;
	node->id = id;
	node->cpu_n = (size_t)n;
	snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%u/meminfo", root, id);
	if (file_read(path, text, sizeof(text)) > 0) {
		node->total_bytes = memory_text_bytes(text, " MemTotal:");
		node->free_bytes = memory_text_bytes(text, " MemFree:");
	}
	return 0;
}

int mem_nodes_read(const char *root, const unsigned *allowed, size_t allowed_n,
		   struct mem_nodes *nodes)
{
	char dir[SYSFS_PATH_BYTES];
	unsigned *id = NULL;
	size_t n;
	int err = 0;

	memset(nodes, 0, sizeof(*nodes));
	if (sysfs_join(dir, root, "sys/devices/system/node"))
		id = sysfs_read_list(dir, "online", &n);
	if (!id)
		return -ENOENT;
	nodes->node = calloc(n, sizeof(*nodes->node));
	if (!nodes->node)
		err = -ENOMEM;
	for (size_t i = 0; i < n && !err && id[i] < NODES_MAX; i++) {
		nodes->n = i + 1;
		err = read_node(root, id[i], allowed, allowed_n, &nodes->node[i]);
	}
	free(id);
	if (err)
		mem_nodes_free(nodes);
	return err;
}

void mem_nodes_free(struct mem_nodes *nodes)
{
	for (size_t i = 0; i < nodes->n; i++)
		free(nodes->node[i].cpu);
	free(nodes->node);
	memset(nodes, 0, sizeof(*nodes));
}

size_t mem_nodes_with_memory(const struct mem_nodes *nodes)
{
	size_t n = 0;

	for (size_t i = 0; i < nodes->n; i++)
		n += nodes->node[i].total_bytes > 0;
	return n;
}

int mem_nodes_bind(unsigned id, void *at, uint64_t bytes)
{
	unsigned long mask[NODES_MAX / LONG_BITS] = { 0 };

	if (id >= NODES_MAX)
		return -EINVAL;
	mask[id / LONG_BITS] = 1UL << (id % LONG_BITS);
	/* the kernel reads one bit less than it is told */
	if (syscall(SYS_mbind, at, (size_t)bytes, POLICY_BIND, mask, (unsigned long)NODES_MAX + 1,
		    0))
		return -errno;
	return 0;
}
