/* SPDX-License-Identifier: MIT */
/*
 * The way to the collector and to other servers. Only where asked: the collector is one that option
 * upload names, the others are those of option nodes.
 */
#include "bench/tests/net.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/net/measure.h"
#include "bench/net/nodes.h"
#include "bench/upload/send.h"
#include "bench/upload/trust.h"
#include "lib/text.h"

#define COLLECTORS_MAX 3	/* of option upload: the others are there for bad days */
#define MB UINT64_C(1000000)

/* The most bytes of one transfer: traffic may cost money. */
static const uint64_t limit_bytes[PROFILES] = {
	[PROFILE_QUICK] = 100 * MB, [PROFILE_STANDARD] = 1000 * MB, [PROFILE_FULL] = 5000 * MB,
};

/* The i-th address of option upload that can be used; false where there is none. */
static bool find_collector(const struct options *o, unsigned i, char url[URL_BYTES])
{
	char why[120], host[256];
	unsigned port;

	for (unsigned item = 0; options_item(o, OPT_ID_UPLOAD, item, url, URL_BYTES); item++)
		if (!url_check(url, why, sizeof(why)) &&
		    !url_host(url, host, sizeof(host), &port) && i-- == 0)
			return true;
	return false;
}

static unsigned collector_targets(const struct options *o, unsigned i, char *name)
{
	char url[URL_BYTES], host[256] = "";
	unsigned n = 0, port;

	while (n < COLLECTORS_MAX && find_collector(o, n, url))
		n++;
	if (i < n && find_collector(o, i, url) && !url_host(url, host, sizeof(host), &port))
		snprintf(name, DISK_NAME_BYTES, port == 80 || port == 443 ? "%.50s" : "%.50s:%u",
			 host, port);
	if (n == 0)
		text_copy(name, DISK_NAME_BYTES, "option upload names no address");
	return n;
}

static unsigned node_targets(const struct options *o, unsigned i, char *name)
{
	struct nodes *nodes = malloc(sizeof(*nodes));
	unsigned n = 0;

	if (nodes && nodes_load(nodes, options_text(o, OPT_ID_NODES)) == 0)
		n = nodes->n;
	if (i < n)
		text_copy(name, DISK_NAME_BYTES, nodes->node[i].name);
	if (n == 0)
		text_copy(name, DISK_NAME_BYTES, "option nodes names no server");
	free(nodes);
	return n;
}

static void measure(const struct test_context *c, struct measure_setup *setup, struct result *r)
{
	if (strcmp(options_text(c->options, OPT_ID_NET), "off") == 0) {
		result_end(r, RESULT_SKIPPED, "option net=off: no network is brought up");
		return;
	}
	setup->root = options_text(c->options, OPT_ID_ROOT);
	if (!setup->root[0])
		setup->root = "/";
	setup->budget_ns = c->budget_ns;
	setup->limit_bytes = limit_bytes[options_number(c->options, OPT_ID_PROFILE) % PROFILES];
	setup->progress = c->progress;
	setup->context = c->progress_context;
	if (send_init()) {
		result_end(r, RESULT_FAILED, "out of memory");
		return;
	}
	measure_server(setup, r);
	send_end();
}

/* Whom to trust, as for an upload; false with the result ended where that can never work. */
static bool set_trust(const struct options *o, struct measure_setup *setup, struct result *r)
{
	const char *ca = options_text(o, OPT_ID_CA);

	setup->token = options_text(o, OPT_ID_TOKEN);
	setup->pin = options_text(o, OPT_ID_PIN);
	setup->roots = ca[0] ? ca : trust_find_roots(NULL, 0);
	if (setup->token[0] && !trust_check_token(setup->token))
		result_end(r, RESULT_FAILED, "option token: no header can hold it");
	else if (setup->pin[0] && !trust_check_pin(setup->pin))
		result_end(r, RESULT_FAILED, "option pin is not sha256// and the 44 characters of "
			   "base64 of a SHA-256");
	else if (ca[0] && access(ca, R_OK) < 0)
		result_end(r, RESULT_FAILED, "option ca: %s: %s", ca, strerror(errno));
	else
		return true;
	return false;
}

static void run_collector(const struct test_context *c, struct result *r)
{
	char url[URL_BYTES], speed[URL_BYTES];
	struct measure_setup setup = {
		.kind = MEASURE_COLLECTOR, .url = speed, .upload = "", .remark = "",
	};
	int err;

	if (!find_collector(c->options, c->target, url)) {
		result_end(r, RESULT_SKIPPED, "option upload names no address");
		return;
	}
	err = url_speed(url, speed, sizeof(speed));
	if (err == -ENOENT) {
		setup.kind = MEASURE_LATENCY;
		setup.remark = "the server is no collector and has no /v1/speed: only its latency "
			       "was measured";
		err = url_root(url, speed, sizeof(speed));
	}
	if (err)
		result_end(r, RESULT_FAILED, "the address is too long");
	else if (set_trust(c->options, &setup, r)) {
		/* an upload's token belongs to the upload's address, not to a server's root */
		if (setup.kind == MEASURE_LATENCY)
			setup.token = "";
		measure(c, &setup, r);
	}
}

/* Public servers get neither the token nor the collector's own authorities and pins. */
static void run_node(const struct test_context *c, struct result *r)
{
	struct nodes *nodes = malloc(sizeof(*nodes));
	struct measure_setup setup = {
		.kind = MEASURE_NODE, .remark = "", .pin = "", .token = "",
		.roots = trust_find_roots(NULL, 0),
	};

	if (!nodes) {
		result_end(r, RESULT_FAILED, "out of memory");
	} else if (nodes_load(nodes, options_text(c->options, OPT_ID_NODES)) ||
		   c->target >= nodes->n || strcmp(nodes->node[c->target].name, r->target)) {
		result_end(r, RESULT_SKIPPED, "the list of nodes has changed: it is not there any "
			   "more");
	} else {
		setup.url = nodes->node[c->target].url;
		setup.upload = nodes->node[c->target].upload;
		measure(c, &setup, r);
	}
	free(nodes);
}

const struct test test_net_collector = {
	.name = "net-collector",
	.title = "network: the way to the collector",
	.help = "Looks up the name, connects, waits for the first byte, downloads and uploads at "
		"the collector that option upload names, over IPv4 and IPv6.",
	.family = "network", .phase = PHASE_NETWORK, .rank = 20,
	.time = { { 2000, 4000 }, { 4000, 8000 }, { 8000, 15000 } },
	.targets = collector_targets, .fits = test_fits_anywhere, .run = run_collector,
};

const struct test test_net_node = {
	.name = "net-node",
	.title = "network: download from a server",
	.help = "Looks up the name, connects, waits for the first byte and downloads from each "
		"server of option nodes, over IPv4 and IPv6.",
	.family = "network", .phase = PHASE_NETWORK, .rank = 40,
	.time = { { 1500, 3000 }, { 3000, 6000 }, { 5000, 10000 } },
	.targets = node_targets, .fits = test_fits_anywhere, .run = run_node,
};
