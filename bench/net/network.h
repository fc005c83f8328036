/* SPDX-License-Identifier: MIT */
/* What the kernel says of the network: why nothing can be reached, and what interfaces counted. */
#ifndef BENCH_NET_NETWORK_H
#define BENCH_NET_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NETWORK_INTERFACES_MAX 32

/*
 * Why `family` (AF_INET or AF_INET6) reaches nothing beyond this machine: no interface, no link, no
 * address, no default route, with the interfaces' names. Returns false, and an empty text, where
 * nothing is wrong. `root`: see sysfs.h.
 */
bool network_trouble(const char *root, int family, char *why, size_t why_bytes);

/* What one interface has counted since it exists; UINT64_MAX: not told. */
struct network_counts {
	char name[32];
	uint64_t rx_errors, tx_errors, rx_dropped, tx_dropped, carrier_changes;
};

struct network_counters {
	unsigned n;
	struct network_counts one[NETWORK_INTERFACES_MAX];
};

/* Counters of all interfaces but the loopback. */
void network_count(const char *root, struct network_counters *now);

/*
 * Whether errors were counted on an interface since `before`; `said` then tells how many, where:
 * "eth0: 12 receive errors, eth0: 3 send errors".
 */
bool network_errors(const struct network_counters *before, const struct network_counters *now,
		    char *said, size_t said_bytes);

#endif
