/* SPDX-License-Identifier: MIT */
/* The placing of threads; see place.h. */
#include "bench/io/place.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/cpu_list.h"
#include "lib/file.h"

/* A cpu_set_t holds 1024; larger machines need a mask as long as the kernel's. */
#define CPUS_FIRST 1024u
#define CPUS_MAX (1u << 20)
#define LIST_BYTES 65536	/* of a node's list; each second of 8192 CPUs takes half of it */

int place_allowed(unsigned **allowed)
{
	cpu_set_t *set = NULL;
	unsigned room;
	int n = 0, err = EINVAL;

	*allowed = NULL;
	for (room = CPUS_FIRST; err == EINVAL && room <= CPUS_MAX; room *= 2) {
		set = CPU_ALLOC(room);
		if (!set)
			return -ENOMEM;
		err = sched_getaffinity(0, CPU_ALLOC_SIZE(room), set) ? errno : 0;
		if (!err)
			break;
		CPU_FREE(set);
	}
	if (err)
		return -err;
	*allowed = calloc(room, sizeof(**allowed));
	for (unsigned cpu = 0; *allowed && cpu < room; cpu++)
		if (CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(room), set))
			(*allowed)[n++] = cpu;
	CPU_FREE(set);
	return *allowed ? n : -ENOMEM;
}

int place_cpus(void)
{
	unsigned *allowed;
	int n = place_allowed(&allowed);

	free(allowed);
	return n;
}

int place_near(const char *root, int numa_node, const unsigned *allowed, size_t allowed_n,
	       unsigned **near)
{
	unsigned *node;
	size_t node_n;
	char path[256], *list;
	int n = 0;

	*near = NULL;
	if (numa_node < 0)
		return 0;
	list = malloc(LIST_BYTES);
	if (!list)
		return -ENOMEM;
	snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%d/cpulist", root, numa_node);
	node = file_read(path, list, LIST_BYTES) > 0 ? cpu_list_parse(list, &node_n) : NULL;
	free(list);
	if (!node)
		return 0;
	/* both ascend; what is on both stays, in place */
	for (size_t i = 0, k = 0; i < node_n && k < allowed_n; ) {
		if (node[i] == allowed[k]) {
			node[n++] = allowed[k];
			i++;
			k++;
		} else if (node[i] < allowed[k]) {
			i++;
		} else {
			k++;
		}
	}
	if (n)
		*near = node;
	else
		free(node);
	return n;
}

int place_keep_to(const unsigned *cpu, size_t n)
{
	unsigned room = CPUS_FIRST;
	cpu_set_t *set;
	size_t bytes;
	int err;

	/* the kernel takes a mask shorter than its own */
	for (size_t i = 0; i < n; i++)
		if (cpu[i] >= room)
			room = cpu[i] + 1;
	bytes = CPU_ALLOC_SIZE(room);
	set = CPU_ALLOC(room);
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(bytes, set);
	for (size_t i = 0; i < n; i++)
		CPU_SET_S(cpu[i], bytes, set);
	err = sched_setaffinity(0, bytes, set) ? -errno : 0;
	CPU_FREE(set);
	return err;
}

int place_thread(const char *root, int numa_node)
{
	unsigned *allowed, *near;
	int allowed_n, n, err = 0;

	if (numa_node < 0)
		return 0;
	allowed_n = place_allowed(&allowed);
	if (allowed_n < 0)
		return allowed_n;
	n = place_near(root, numa_node, allowed, (size_t)allowed_n, &near);
	if (n == allowed_n)
		n = n < 0 ? n : 0;	/* all it may run on is near already */
	else if (n > 0)
		err = place_keep_to(near, (size_t)n);
	free(near);
	free(allowed);
	return err ? err : n;
}
