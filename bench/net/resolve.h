/* SPDX-License-Identifier: MIT */
/*
 * Addresses of a host's name, within a time limit, and connections to them.
 *
 * The resolver of the C library can take as long as it likes: it works in a thread, which is left
 * to itself when the time is over.
 */
#ifndef BENCH_NET_RESOLVE_H
#define BENCH_NET_RESOLVE_H

#include <arpa/inet.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define RESOLVE_ADDRESSES_MAX 4

struct resolve_address {
	struct sockaddr_storage to;
	socklen_t to_bytes;
	char text[INET6_ADDRSTRLEN];	/* as numbers */
};

enum resolve_end {
	RESOLVE_FOUND,
	RESOLVE_NONE,		/* the name has no address of this family */
	RESOLVE_FAILED,		/* the name servers could not say */
	RESOLVE_TIMEOUT,
	RESOLVE_NO_MEMORY,	/* or no thread */
};

struct resolve_answer {
	unsigned n;
	struct resolve_address address[RESOLVE_ADDRESSES_MAX];
	uint64_t took_ns;
	int eai;		/* what getaddrinfo said */
};

/* Asks for addresses of `family` (AF_INET or AF_INET6); `host` may also be such an address. */
enum resolve_end resolve_name(const char *host, unsigned port, int family, uint64_t limit_ns,
			      struct resolve_answer *answer);

/*
 * Connects and closes again. Returns 0 with the time it took, or -errno; -ETIMEDOUT also where
 * `limit_ns` was too short.
 */
int resolve_connect(const struct resolve_address *address, uint64_t limit_ns, uint64_t *took_ns);

#endif
