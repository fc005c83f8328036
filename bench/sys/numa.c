/* SPDX-License-Identifier: MIT */
/* NUMA nodes: which CPUs and how much memory are near each other. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/model/fields.h"
#include "bench/sys/cpu_places.h"
#include "bench/sys/memory.h"
#include "bench/sys/order.h"
#include "bench/sys/sysfs.h"
#include "lib/cpu_list.h"

static void read_cpus(const char *dir, struct numa_node *node)
{
	size_t n;
	unsigned *list = sysfs_read_list(dir, "cpulist", &n);

	cpu_list_print(list, n, node->cpus, sizeof(node->cpus));
	free(list);
}

/* "Node 0 MemTotal:       16288892 kB" */
static uint64_t read_memory(const char *dir)
{
	char text[SYSFS_VALUE_BYTES];
	ssize_t n = sysfs_read_bytes(dir, "meminfo", text, sizeof(text) - 1);

	if (n <= 0)
		return 0;
	text[n] = '\0';
	return memory_text_bytes(text, " MemTotal:");
}

void numa_read(const char *root, struct cpu_info *c)
{
	char dir[SYSFS_PATH_BYTES], path[SYSFS_PATH_BYTES];
	struct sysfs_names names;

	if (!sysfs_join(dir, root, "sys/devices/system/node") || sysfs_list(dir, ".", &names) < 0)
		return;
	order_sort(names.name, names.n);
	for (size_t i = 0; i < names.n; i++) {
		struct numa_node *node;
		unsigned number;
		int used = 0;

		/* five digits: a kernel has 1,024 nodes at most */
		if (sscanf(names.name[i], "node%5u%n", &number, &used) != 1 ||
		    names.name[i][used] || !sysfs_join(path, dir, names.name[i]))
			continue;
		node = fields_add(&fields_cpu, c, "nodes");
		if (!node)
			continue;
		node->node = number;
		read_cpus(path, node);
		node->memory_bytes = read_memory(path);
	}
	sysfs_list_free(&names);
}
