/* SPDX-License-Identifier: MIT */
/* Measures the way to one server, over IPv4 and IPv6. */
#include "bench/net/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/net/network.h"
#include "bench/net/rates.h"
#include "bench/net/transfer.h"
#include "bench/net/way.h"
#include "lib/clock.h"
#include "lib/text.h"

#define NO_SPEED_REMARK "the server has no /v1/speed: only its latency was measured"
#define FAMILIES 2
#define PARALLEL 4
/* In hundredths of the budget: all of it that may be used, and the search for a way per family. */
#define USED_PART 92
#define REACH_PART 22
/* Of what is left for a family, in hundredths. */
#define DOWNLOAD_PART 40
#define PARALLEL_PART 20
#define PARALLEL_LEAST_NS (NS_PER_S / 2)	/* else the single connections get the time */
#define MOVE_LEAST_NS (NS_PER_S / 5)
#define ANSWER_PART 15		/* of an upload's time, for the answer */
#define REQUEST_MAX_BYTES UINT64_C(1000000000)	/* a collector takes and gives a little more */

struct measure {
	const struct measure_setup *setup;
	struct result *r;
	uint64_t start_ns, end_ns;
	uint64_t bytes;			/* moved by transfers that are over */
	struct way way[FAMILIES];
	struct transfer_outcome outcome;	/* of the transfer at hand */
};

static uint64_t part_ns(uint64_t ns, unsigned hundredths)
{
	return ns / 100 * hundredths;
}

static uint64_t left_ns(uint64_t end_ns)
{
	uint64_t now_ns = clock_ns();

	return now_ns < end_ns ? end_ns - now_ns : 0;
}

static void tell(void *context, uint64_t bytes)
{
	struct measure *m = context;

	m->setup->progress(m->setup->context, clock_ns() - m->start_ns, m->bytes + bytes);
}

/* One transfer of a way for at most `slice_ns`; its rate in bytes per second, or 0. */
static double move(struct measure *m, const struct way *w, enum transfer_kind kind,
		   const char *url, unsigned streams, uint64_t slice_ns)
{
	static const struct timespec full_pause = { .tv_nsec = 100000000 };
	const struct measure_setup *setup = m->setup;
	struct transfer_outcome *o = &m->outcome;
	uint64_t now_ns = clock_ns();
	char whole[URL_BYTES + 32];
	struct transfer_setup t = {
		.kind = kind, .url = whole, .address = w->address.text, .port = w->port,
		.streams = streams, .limit_bytes = setup->limit_bytes,
		.request_bytes = REQUEST_MAX_BYTES,
		.until_ns = now_ns + slice_ns, .give_up_ns = now_ns + slice_ns,
		.roots = setup->roots, .pin = setup->pin, .token = setup->token,
		.progress = setup->progress ? tell : NULL, .context = m,
	};

	if (kind == TRANSFER_UPLOAD)
		t.until_ns -= part_ns(slice_ns, ANSWER_PART);
	snprintf(whole, sizeof(whole), "%s", url);
	if (kind == TRANSFER_DOWNLOAD && setup->kind == MEASURE_COLLECTOR)
		snprintf(whole, sizeof(whole), "%s?bytes=%" PRIu64, url,
			 setup->limit_bytes < REQUEST_MAX_BYTES ? setup->limit_bytes
								: REQUEST_MAX_BYTES);
	transfer_run(&t, o);
	/* a collector that is full: it may only not have seen yet that our last transfer is over */
	while (o->status == 503 && setup->kind == MEASURE_COLLECTOR &&
	       clock_ns() < now_ns + slice_ns / 2) {
		nanosleep(&full_pause, NULL);
		transfer_run(&t, o);
	}
	m->bytes += o->rates.bytes;
	if (o->is_fine && o->rates.bytes < TRANSFER_AGAIN_BYTES && o->elapsed_ns < slice_ns / 2) {
		o->is_fine = false;
		snprintf(o->why, sizeof(o->why), "%" PRIu64 " bytes are too few to tell a rate",
			 o->rates.bytes);
	}
	if (!o->is_fine || o->elapsed_ns == 0)
		return 0;
	return (double)o->rates.bytes * (double)NS_PER_S / (double)o->elapsed_ns;
}

/* The rate over all, its course, and the rate after slow start. */
static void put_rate(struct measure *m, const struct way *w, const char *name, double rate)
{
	const struct transfer_outcome *o = &m->outcome;
	char steady[24], series[24];
	uint64_t silent_ns = o->elapsed_ns - o->rates.last_ns;

	snprintf(steady, sizeof(steady), "%s_steady", name);
	snprintf(series, sizeof(series), "%s_%s", name, w->suffix);
	way_metric(w, m->r, name, UNIT_BYTES_PER_S, rate);
	/* not finite where it is not known: then there is no such metric */
	way_metric(w, m->r, steady, UNIT_BYTES_PER_S, rates_steady(&o->rates, o->elapsed_ns));
	rates_series(&o->rates, o->elapsed_ns,
		     result_series(m->r, series, UNIT_NS, UNIT_BYTES_PER_S));
	if (o->rates.last_ns < o->elapsed_ns && silent_ns > o->elapsed_ns / 3)
		result_mark(m->r, "stalled", "%s over %s: nothing came through in the last %.1f s",
			    name, w->word, (double)silent_ns / (double)NS_PER_S);
}

static void download(struct measure *m, struct way *w, uint64_t slice_ns, uint64_t parallel_ns)
{
	double rate = move(m, w, TRANSFER_DOWNLOAD, w->url, 1, slice_ns);

	if (rate <= 0) {
		way_fail(w, "download: %s", m->outcome.why);
		return;
	}
	w->download = rate;
	put_rate(m, w, "download", rate);
	if (!parallel_ns)
		return;
	rate = move(m, w, TRANSFER_DOWNLOAD, w->url, PARALLEL, parallel_ns);
	if (rate > 0)
		way_metric(w, m->r, "download_parallel", UNIT_BYTES_PER_S, rate);
	else
		result_mark(m->r, "no-parallel", "%d connections over %s: %s", PARALLEL, w->word,
			    m->outcome.why);
}

/*
 * To a collector over the address that was measured before; to another server, which may have
 * another name, over an address of its own.
 */
static void upload(struct measure *m, const struct way *down, uint64_t slice_ns)
{
	const struct measure_setup *setup = m->setup;
	const char *url = setup->kind == MEASURE_COLLECTOR ? down->url : setup->upload;
	struct way w = *down;
	double rate;

	if (setup->kind != MEASURE_COLLECTOR) {
		struct resolve_answer answer;
		char host[256];

		if (url_host(url, host, sizeof(host), &w.port) ||
		    resolve_name(host, w.port, w.family, slice_ns / 2, &answer) != RESOLVE_FOUND) {
			result_mark(m->r, "no-upload", "%s: no address of the server to send to",
				    w.word);
			return;
		}
		w.address = answer.address[0];
	}
	rate = move(m, &w, TRANSFER_UPLOAD, url, 1, slice_ns);
	if (rate <= 0) {
		result_mark(m->r, "no-upload", "%s: %s", w.word, m->outcome.why);
		return;
	}
	m->way[down - m->way].upload = rate;
	put_rate(m, &w, "upload", rate);
	way_metric(&w, m->r, "upload_retransmits", UNIT_COUNT, (double)m->outcome.retransmits);
}

/* Moves bytes over one way, in the time that is its own. */
static void use_way(struct measure *m, struct way *w, uint64_t time_ns)
{
	bool up = m->setup->kind == MEASURE_COLLECTOR || m->setup->upload[0];
	uint64_t parallel_ns = part_ns(time_ns, PARALLEL_PART);
	uint64_t down_ns = part_ns(time_ns, up ? DOWNLOAD_PART : 100 - PARALLEL_PART);
	uint64_t end_ns = clock_ns() + time_ns;

	if (time_ns < MOVE_LEAST_NS) {
		way_fail(w, "the server answered too late: no time was left to move bytes");
		return;
	}
	if (parallel_ns < PARALLEL_LEAST_NS) {
		down_ns += up ? parallel_ns / 2 : parallel_ns;
		parallel_ns = 0;
	}
	download(m, w, down_ns, parallel_ns);
	if (up && w->is_alive)
		upload(m, w, left_ns(end_ns));
}

static void use_ways(struct measure *m)
{
	unsigned left = 0;

	for (int i = 0; i < FAMILIES; i++)
		left += m->way[i].is_alive && (m->way[i].has_speed ||
					       m->setup->kind == MEASURE_NODE);
	for (int i = 0; i < FAMILIES; i++) {
		struct way *w = &m->way[i];

		if (w->is_alive && (w->has_speed || m->setup->kind == MEASURE_NODE))
			use_way(m, w, left_ns(m->end_ns) / left--);
	}
}

static void reach(struct measure *m)
{
	static const int families[FAMILIES] = { AF_INET, AF_INET6 };

	m->r->metric_n = 0;
	for (int i = 0; i < FAMILIES; i++) {
		way_init(&m->way[i], families[i]);
		way_reach(&m->way[i], m->setup, part_ns(m->setup->budget_ns, REACH_PART), m->r);
	}
}

/* Both ways end on this machine: it has no network, or none yet. */
static bool has_no_network(const struct measure *m)
{
	char why[160];

	for (int i = 0; i < FAMILIES; i++)
		if ((!m->way[i].is_unreachable && !m->way[i].is_absent) ||
		    !network_trouble(m->setup->root, m->way[i].family, why, sizeof(why)))
			return false;
	return true;
}

/* A network that comes up while others are measured may be late: waits for it, half the time. */
static void await_network(struct measure *m)
{
	const struct timespec moment = { .tv_nsec = 100000000 };
	uint64_t half_ns = m->start_ns + m->setup->budget_ns / 2;

	if (!has_no_network(m))
		return;
	while (clock_ns() < half_ns) {
		nanosleep(&moment, NULL);
		if (has_no_network(m))
			continue;
		reach(m);
		return;
	}
}

/* One reason where both ways have the same, or one is not there at all. */
static void end_failed(const struct measure *m)
{
	const struct way *a = &m->way[0], *b = &m->way[1];

	if (a->is_absent && b->is_absent)
		result_end(m->r, RESULT_FAILED, "DNS: the name has no address");
	else if (a->is_absent || !strcmp(a->why, b->why))
		result_end(m->r, RESULT_FAILED, "%s", b->why);
	else if (b->is_absent)
		result_end(m->r, RESULT_FAILED, "%s", a->why);
	else
		result_end(m->r, RESULT_FAILED, "IPv4: %s; IPv6: %s", a->why, b->why);
}

static void end(struct measure *m)
{
	bool alive = false, no_speed = false;
	double down = 0, up = 0;

	for (int i = 0; i < FAMILIES; i++) {
		alive |= m->way[i].is_alive;
		no_speed |= m->way[i].is_alive && m->setup->kind == MEASURE_COLLECTOR &&
			    !m->way[i].has_speed;
		down = fmax(down, m->way[i].download);
		up = fmax(up, m->way[i].upload);
	}
	if (down > 0)
		result_metric(m->r, "download", UNIT_BYTES_PER_S, down);
	if (up > 0)
		result_metric(m->r, "upload", UNIT_BYTES_PER_S, up);
	if (!alive) {
		end_failed(m);
		return;
	}
	for (int i = 0; i < FAMILIES; i++)
		if (!m->way[i].is_alive && !m->way[i].is_absent)
			result_mark(m->r, i ? "no-ipv6" : "no-ipv4", "%s", m->way[i].why);
	result_end(m->r, RESULT_OK, "%s", no_speed ? NO_SPEED_REMARK : m->setup->remark);
}

/* Where it went: the addresses, then the URL without its secrets. */
static void put_path(const struct measure *m)
{
	char shown[URL_BYTES], path[URL_BYTES + 128];
	const char *url = m->way[0].url[0] ? m->way[0].url : m->setup->url;

	url_shown(m->setup->url, shown, sizeof(shown));
	snprintf(path, sizeof(path), "%s%s%s%s%s", m->way[0].address.text,
		 m->way[0].address.text[0] ? " " : "", m->way[1].address.text,
		 m->way[1].address.text[0] ? " " : "", shown);
	text_copy(m->r->path, sizeof(m->r->path), path);
	text_copy(m->r->via, sizeof(m->r->via), url_is_https(url) ? "https" : "http");
}

void measure_server(const struct measure_setup *setup, struct result *r)
{
	struct measure *m = calloc(1, sizeof(*m));
	struct network_counters before, after;
	char said[RESULT_REASON_BYTES];

	if (!m) {
		result_end(r, RESULT_FAILED, "out of memory");
		return;
	}
	m->setup = setup;
	m->r = r;
	m->start_ns = clock_ns();
	m->end_ns = m->start_ns + part_ns(setup->budget_ns, USED_PART);
	network_count(setup->root, &before);
	reach(m);
	await_network(m);
	use_ways(m);
	network_count(setup->root, &after);
	if (network_errors(&before, &after, said, sizeof(said)))
		result_mark(r, "errors", "while bytes moved, %s", said);
	put_path(m);
	end(m);
	free(m);
}
