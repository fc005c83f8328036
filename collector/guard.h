/* SPDX-License-Identifier: MIT */
/*
 * A deadline for each connection: a peer that sends or takes a byte now and then is never idle, and
 * would hold its place for ever.
 *
 * Invariant: a watched socket is open from guard_open to guard_close; guard_sweep only shuts it
 * down, and whoever owns it sees the end and closes it. All functions may be called from several
 * threads.
 */
#ifndef COLLECTOR_GUARD_H
#define COLLECTOR_GUARD_H

#include <pthread.h>
#include <stdint.h>

struct guarded {
	int fd;
	uint64_t deadline_ns;	/* as clock_ns */
	struct guarded *prev, *next;
};

struct guard {
	pthread_mutex_t lock;
	struct guarded *first;
};

void guard_init(struct guard *g);
void guard_destroy(struct guard *g);
/* Watches a socket. Returns its entry, or NULL (out of memory: it is not watched). */
struct guarded *guard_open(struct guard *g, int fd, uint64_t deadline_ns);
/* A new deadline; `entry` may be NULL. */
void guard_extend(struct guard *g, struct guarded *entry, uint64_t deadline_ns);
/* Ends watching and frees the entry; before the socket is closed. `entry` may be NULL. */
void guard_close(struct guard *g, struct guarded *entry);
/* Shuts down what is past its deadline. Returns how many. */
unsigned int guard_sweep(struct guard *g, uint64_t now_ns);

#endif
