/* SPDX-License-Identifier: MIT */
/*
 * Measures the way to one server, over IPv4 and IPv6: name, connections, first byte, download and
 * upload. docs/network.md explains the metrics.
 */
#ifndef BENCH_NET_MEASURE_H
#define BENCH_NET_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/model/result.h"

enum measure_kind {
	MEASURE_NODE,		/* any file on any server; redirects are followed, few of them */
	MEASURE_COLLECTOR,	/* its /v1/speed */
	MEASURE_LATENCY,	/* no bytes are moved */
};

struct measure_setup {
	enum measure_kind kind;
	const char *root;	/* of /sys and /proc */
	const char *url;	/* checked (nodes.c, url.h) */
	const char *upload;	/* to PUT bytes to; "" for none; a collector's is `url` */
	const char *remark;	/* the reason of a result that is fine; "" for none */
	const char *roots;	/* as trust_apply takes them */
	const char *pin, *token;	/* "" or ... */
	uint64_t budget_ns;	/* for all of it */
	uint64_t limit_bytes;	/* of each transfer */
	void (*progress)(void *context, uint64_t elapsed_ns, uint64_t bytes);	/* may be NULL */
	void *context;
};

/* Fills `r` and ends it. libcurl must be initialised (send_init). */
void measure_server(const struct measure_setup *setup, struct result *r);

#endif
