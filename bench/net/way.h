/* SPDX-License-Identifier: MIT */
/*
 * The way to one server over one family of addresses: is there one, and how long does it take?
 * Shared by measure.c and way.c.
 */
#ifndef BENCH_NET_WAY_H
#define BENCH_NET_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/net/measure.h"
#include "bench/net/resolve.h"
#include "bench/net/transfer.h"

#define WAY_REDIRECTS_MAX 3

struct way {
	int family;
	const char *suffix;		/* of its metrics: "ipv4" */
	const char *word;		/* for people: "IPv4" */
	bool is_alive;			/* the server has answered, and nothing has failed since */
	bool is_absent;			/* the name has no address of this family */
	bool is_unreachable;		/* failed before the server could say anything */
	bool has_speed;			/* MEASURE_COLLECTOR: there is a /v1/speed */
	char why[RESULT_REASON_BYTES];	/* of what failed first; "" */
	char url[URL_BYTES];		/* after redirects */
	unsigned port;
	struct resolve_address address;
	double download, upload;	/* bytes per second; 0: not measured */
};

void way_init(struct way *w, int family);
/* Ends the way with a reason (printf form); the first one stays. */
void way_fail(struct way *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Looks up the name, connects a few times, and asks for a first byte a few times; follows
 * redirects. Adds the metrics of it to `r`. Takes at most `limit_ns`.
 */
void way_reach(struct way *w, const struct measure_setup *setup, uint64_t limit_ns,
	       struct result *r);

/* Appends metric NAME_ipv4 or NAME_ipv6. */
struct metric *way_metric(const struct way *w, struct result *r, const char *name,
			  enum metric_unit unit, double value);

#endif
