/* SPDX-License-Identifier: MIT */
/* The collector's HTTP side: one server, its limits, its start and its end. */
#ifndef COLLECTOR_HTTP_H
#define COLLECTOR_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;
struct server;

struct server_setup {
	int listen_fd;			/* the caller closes it after server_stop */
	struct store *store;
	const char *token;		/* NULL: none is asked for */
	const char *tls_cert, *tls_key;	/* PEM texts, or both NULL */
	size_t max_bytes;		/* of one report */
	unsigned int timeout_s;		/* idle, or a request's head; 20 times that a request */
	unsigned int max_connections;
	unsigned int max_per_address;	/* 0: no limit */
	unsigned int max_speed;		/* speed tests at a time; 0: none */
};

/*
 * Serves in threads of its own until server_stop. The setup's pointers stay the caller's and must
 * live as long. Returns 0 or -errno.
 */
int server_start(struct server **server, const struct server_setup *setup);
/* To be called about once a second: ends connections past their deadline. */
void server_tick(struct server *server);
/* Takes no more connections; those with a request in progress finish it. */
void server_quiesce(struct server *server);
/* Requests in progress. */
unsigned int server_active(const struct server *server);
/* Ends every connection and frees the server. */
void server_stop(struct server *server);

#endif
