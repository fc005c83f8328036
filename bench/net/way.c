/* SPDX-License-Identifier: MIT */
/* The way to one server over one family of addresses: is there one, and how long does it take? */
#include "bench/net/way.h"

#include <errno.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/net/network.h"
#include "bench/stats/summary.h"
#include "lib/clock.h"
#include "lib/text.h"

#define CONNECTS 10		/* at most, in a quarter of the time */
#define CONNECT_PAUSE_NS (10 * NS_PER_MS)
#define FIRST_BYTES 3
#define BUSY_PAUSE_NS (NS_PER_S / 2)

void way_init(struct way *w, int family)
{
	memset(w, 0, sizeof(*w));
	w->family = family;
	w->suffix = family == AF_INET6 ? "ipv6" : "ipv4";
	w->word = family == AF_INET6 ? "IPv6" : "IPv4";
}

void way_fail(struct way *w, const char *fmt, ...)
{
	char text[SEND_ERROR_BYTES];
	va_list args;

	w->is_alive = false;
	if (w->why[0])
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text_clean_str(w->why, sizeof(w->why), text);
}

struct metric *way_metric(const struct way *w, struct result *r, const char *name,
			  enum metric_unit unit, double value)
{
	char whole[40];

	snprintf(whole, sizeof(whole), "%s_%s", name, w->suffix);
	return result_metric(r, whole, unit, value);
}

/* The median of what was sampled, with the samples. */
static void put_samples(const struct way *w, struct result *r, const char *name, double *v,
			uint32_t n)
{
	struct metric *m;

	if (n == 0)
		return;
	m = way_metric(w, r, name, UNIT_NS, 0);
	metric_samples(m, v, n);
	if (m)
		m->value = m->median;
}

static void rest(uint64_t ns)
{
	struct timespec left = { .tv_sec = (time_t)(ns / NS_PER_S),
				 .tv_nsec = (long)(ns % NS_PER_S) };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static uint64_t left_ns(uint64_t end_ns)
{
	uint64_t now_ns = clock_ns();

	return now_ns < end_ns ? end_ns - now_ns : 0;
}

/* Ends the way where the network did not even reach the server; says what is wrong here. */
static void fail_unreachable(struct way *w, const struct measure_setup *setup, const char *why)
{
	char trouble[160];

	w->is_unreachable = true;
	if (network_trouble(setup->root, w->family, trouble, sizeof(trouble)))
		way_fail(w, "%s (%s)", trouble, why);
	else
		way_fail(w, "%s", why);
}

/* Asks for the addresses of the URL's host; false where there is none. */
static bool look_up(struct way *w, const struct measure_setup *setup, uint64_t end_ns,
		    struct resolve_answer *answer)
{
	char host[256], said[320];

	if (url_host(w->url, host, sizeof(host), &w->port)) {
		way_fail(w, "the address has no proper host or port");
		return false;
	}
	switch (resolve_name(host, w->port, w->family, left_ns(end_ns), answer)) {
	case RESOLVE_FOUND:
		return true;
	case RESOLVE_NONE:
		w->is_absent = true;
		way_fail(w, "DNS: %s has no %s address", host, w->word);
		break;
	case RESOLVE_TIMEOUT:
		fail_unreachable(w, setup, "DNS: no answer in time");
		break;
	case RESOLVE_FAILED:
		snprintf(said, sizeof(said), "DNS: %s: %s", host, gai_strerror(answer->eai));
		fail_unreachable(w, setup, said);
		break;
	case RESOLVE_NO_MEMORY:
		way_fail(w, "out of memory");
		break;
	}
	return false;
}

/* Takes the first address that accepts a connection, then connects some more times. */
static bool connect_some(struct way *w, const struct measure_setup *setup,
			 const struct resolve_answer *answer, uint64_t end_ns, struct result *r)
{
	uint64_t quarter_ns = clock_ns() + left_ns(end_ns) / 4, took_ns = 0;
	double sample[CONNECTS];
	char said[120];
	uint32_t n = 0;
	int err = -ETIMEDOUT;

	for (unsigned i = 0; i < answer->n && err; i++) {
		w->address = answer->address[i];
		err = resolve_connect(&w->address, left_ns(end_ns) / (answer->n - i), &took_ns);
	}
	if (err) {
		snprintf(said, sizeof(said), "no connection to %s: %s", w->address.text,
			 strerror(-err));
		if (err == -ECONNREFUSED)
			way_fail(w, "%s", said);
		else
			fail_unreachable(w, setup, said);
		return false;
	}
	sample[n++] = (double)took_ns;
	while (n < CONNECTS && clock_ns() + CONNECT_PAUSE_NS + took_ns < quarter_ns) {
		rest(CONNECT_PAUSE_NS);
		if (resolve_connect(&w->address, left_ns(quarter_ns), &took_ns) == 0)
			sample[n++] = (double)took_ns;
	}
	put_samples(w, r, "connect", sample, n);
	return true;
}

/* One request for a first byte, or the head alone. */
static void ask(const struct way *w, const struct measure_setup *setup, uint64_t end_ns,
		struct transfer_outcome *o)
{
	char url[URL_BYTES + 16];
	const struct transfer_setup t = {
		.kind = setup->kind == MEASURE_LATENCY ? TRANSFER_HEAD : TRANSFER_FIRST_BYTE,
		.url = url, .address = w->address.text, .port = w->port, .streams = 1,
		.limit_bytes = UINT64_MAX, .until_ns = end_ns, .give_up_ns = end_ns,
		.roots = setup->roots, .pin = setup->pin, .token = setup->token,
	};

	snprintf(url, sizeof(url), "%s%s", w->url,
		 setup->kind == MEASURE_COLLECTOR ? "?bytes=1" : "");
	transfer_run(&t, o);
}

/* A collector that has too many guests at the moment may have fewer soon. */
static void ask_in_turn(const struct way *w, const struct measure_setup *setup, uint64_t end_ns,
			struct transfer_outcome *o)
{
	for (;;) {
		ask(w, setup, end_ns, o);
		if (o->status != 503 || setup->kind != MEASURE_COLLECTOR ||
		    left_ns(end_ns) < 2 * BUSY_PAUSE_NS)
			return;
		rest(BUSY_PAUSE_NS);
	}
}

/* An older collector, or another server: the way to it is known all the same. */
static bool is_without_speed(const struct measure_setup *setup, int status)
{
	return setup->kind == MEASURE_COLLECTOR &&
	       (status == 404 || status == 405 || status == 501);
}

static void judge(struct way *w, const struct measure_setup *setup,
		  const struct transfer_outcome *o)
{
	w->has_speed = setup->kind == MEASURE_COLLECTOR && o->is_fine;
	w->is_alive = o->is_fine || is_without_speed(setup, o->status);
	if (!w->is_alive)
		way_fail(w, "%s", o->why);
}

/* Asks a few times, each in a connection of its own. */
static void first_bytes(struct way *w, const struct measure_setup *setup, uint64_t end_ns,
			struct transfer_outcome *o, struct result *r)
{
	double ttfb[FIRST_BYTES], tls[FIRST_BYTES];
	uint32_t n = 0, tls_n = 0;
	uint64_t took_ns, start_ns;

	do {
		start_ns = clock_ns();
		ask_in_turn(w, setup, end_ns, o);
		took_ns = clock_ns() - start_ns;
		if (n == 0)
			judge(w, setup, o);
		if (o->ttfb_ns)
			ttfb[n++] = (double)o->ttfb_ns;
		if (o->tls_ns)
			tls[tls_n++] = (double)o->tls_ns;
	} while (o->ttfb_ns && w->is_alive && n < FIRST_BYTES && took_ns < left_ns(end_ns));
	put_samples(w, r, "tls", tls, tls_n);
	put_samples(w, r, "ttfb", ttfb, n);
}

/* Goes where a redirect of a node points; false where it does not, or may not. */
static bool redirect(struct way *w, const struct measure_setup *setup,
		     const struct transfer_outcome *o)
{
	char why[120], host[256];
	unsigned port;

	if (setup->kind != MEASURE_NODE || !o->location[0])
		return false;
	if (url_check(o->location, why, sizeof(why)) ||
	    url_host(o->location, host, sizeof(host), &port))
		return false;
	text_copy(w->url, sizeof(w->url), o->location);
	w->why[0] = '\0';
	return true;
}

void way_reach(struct way *w, const struct measure_setup *setup, uint64_t limit_ns,
	       struct result *r)
{
	struct transfer_outcome *o = malloc(sizeof(*o));
	uint64_t end_ns = clock_ns() + limit_ns;
	uint32_t metric_n = r->metric_n;
	struct resolve_answer answer;

	if (!o) {
		way_fail(w, "out of memory");
		return;
	}
	text_copy(w->url, sizeof(w->url), setup->url);
	for (int i = 0; i <= WAY_REDIRECTS_MAX; i++) {
		r->metric_n = metric_n;		/* those of the last address count */
		if (!look_up(w, setup, end_ns, &answer))
			break;
		way_metric(w, r, "dns", UNIT_NS, (double)answer.took_ns);
		if (!connect_some(w, setup, &answer, end_ns, r))
			break;
		first_bytes(w, setup, end_ns, o, r);
		if (i == WAY_REDIRECTS_MAX && o->location[0]) {
			w->why[0] = '\0';
			way_fail(w, "more than %d redirects", WAY_REDIRECTS_MAX);
		} else if (redirect(w, setup, o)) {
			continue;
		}
		break;
	}
	free(o);
}
