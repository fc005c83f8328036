/* SPDX-License-Identifier: MIT */
/* A deadline for each connection: a list under one lock, swept once a second by the main thread. */
#include "collector/guard.h"

#include <stdlib.h>
#include <sys/socket.h>

void guard_init(struct guard *g)
{
	pthread_mutex_init(&g->lock, NULL);
	g->first = NULL;
}

void guard_destroy(struct guard *g)
{
	pthread_mutex_destroy(&g->lock);
}

struct guarded *guard_open(struct guard *g, int fd, uint64_t deadline_ns)
{
	struct guarded *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->fd = fd;
	entry->deadline_ns = deadline_ns;
	pthread_mutex_lock(&g->lock);
	entry->next = g->first;
	if (g->first)
		g->first->prev = entry;
	g->first = entry;
	pthread_mutex_unlock(&g->lock);
	return entry;
}

void guard_extend(struct guard *g, struct guarded *entry, uint64_t deadline_ns)
{
	if (!entry)
		return;
	pthread_mutex_lock(&g->lock);
	entry->deadline_ns = deadline_ns;
	pthread_mutex_unlock(&g->lock);
}

void guard_close(struct guard *g, struct guarded *entry)
{
	if (!entry)
		return;
	pthread_mutex_lock(&g->lock);
	if (entry->prev)
		entry->prev->next = entry->next;
	else
		g->first = entry->next;
	if (entry->next)
		entry->next->prev = entry->prev;
	pthread_mutex_unlock(&g->lock);
	free(entry);
}

unsigned int guard_sweep(struct guard *g, uint64_t now_ns)
{
	unsigned int n = 0;

	pthread_mutex_lock(&g->lock);
	for (struct guarded *entry = g->first; entry; entry = entry->next) {
		if (entry->deadline_ns > now_ns)
			continue;
		shutdown(entry->fd, SHUT_RDWR);
		entry->deadline_ns = UINT64_MAX;	/* once is enough */
		n++;
	}
	pthread_mutex_unlock(&g->lock);
	return n;
}
