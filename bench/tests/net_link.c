/* SPDX-License-Identifier: MIT */
/* The machine's network links, as they are when the network was used: speed, duplex, errors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/net/network.h"
#include "bench/sys/machine_parts.h"
#include "bench/tests/net.h"
#include "lib/text.h"

#define BITS_TO_BYTES_PER_S (1e6 / 8)	/* of a Mbit/s */

static const char *root_of(const struct options *o)
{
	const char *root = options_text(o, OPT_ID_ROOT);

	return root[0] ? root : "/";
}

/* The interfaces with hardware behind them, malloc'ed, and how many; NULL: out of memory. */
static struct machine_info *read_links(const struct options *o, unsigned *n)
{
	struct machine_info *m = calloc(1, sizeof(*m));

	*n = 0;
	if (!m)
		return NULL;
	links_read(root_of(o), m);
	*n = (unsigned)REPORT_KEPT(m->nic_n, m->nic);
	return m;
}

static unsigned link_targets(const struct options *o, unsigned i, char *name)
{
	unsigned n;
	struct machine_info *m = read_links(o, &n);

	if (i < n)
		text_copy(name, DISK_NAME_BYTES, m->nic[i].name);
	free(m);
	return n;
}

/* By its name: when the plan was made there may have been others. False: it is gone. */
static bool find_link(const struct options *o, const char *name, struct nic_info *nic)
{
	unsigned n, i = 0;
	struct machine_info *m = read_links(o, &n);

	while (i < n && strcmp(m->nic[i].name, name))
		i++;
	if (i < n)
		*nic = m->nic[i];
	free(m);
	return i < n;
}

static void put_count(struct result *r, const char *name, uint64_t n)
{
	if (n != UINT64_MAX)
		result_metric(r, name, UNIT_COUNT, (double)n);
}

/* Since the interface exists. What grew while bytes moved stands at the tests that moved them. */
static void put_counts(struct result *r, const struct network_counts *c)
{
	static const struct network_counts zero;
	struct network_counters before = { .n = 1 }, now = { .n = 1 };
	char said[RESULT_REASON_BYTES];

	put_count(r, "rx_errors", c->rx_errors);
	put_count(r, "tx_errors", c->tx_errors);
	put_count(r, "rx_dropped", c->rx_dropped);
	put_count(r, "tx_dropped", c->tx_dropped);
	put_count(r, "carrier_changes", c->carrier_changes);
	before.one[0] = zero;
	now.one[0] = *c;
	memcpy(before.one[0].name, c->name, sizeof(c->name));
	if (network_errors(&before, &now, said, sizeof(said)))
		result_mark(r, "errors", "since the system started, %s", said);
}

static void link_run(const struct test_context *c, struct result *r)
{
	struct network_counters now;
	struct nic_info nic;

	if (!find_link(c->options, r->target, &nic)) {
		result_end(r, RESULT_SKIPPED, "the interface is gone");
		return;
	}
	network_count(root_of(c->options), &now);
	for (unsigned i = 0; i < now.n; i++)
		if (!strcmp(now.one[i].name, nic.name))
			put_counts(r, &now.one[i]);
	if (!nic.carrier) {
		result_end(r, RESULT_SKIPPED, "%s has no link", nic.name);
		return;
	}
	if (nic.speed_mbit_per_s > 0)
		result_metric(r, "link_speed", UNIT_BYTES_PER_S,
			      nic.speed_mbit_per_s * BITS_TO_BYTES_PER_S);
	if (!strcmp(nic.duplex, "half"))
		result_mark(r, "half-duplex", "%s sends or receives, but not both at a time",
			    nic.name);
	result_end(r, RESULT_OK, "%s", "");
}

const struct test test_net_link = {
	.name = "net-link",
	.title = "network: state of the links",
	.help = "Speed, duplex and error counters of every Ethernet interface, after the other "
		"network tests.",
	.family = "network", .phase = PHASE_NETWORK, .rank = 10,
	.time = { { 250, 250 }, { 250, 250 }, { 250, 250 } },
	.targets = link_targets, .fits = test_fits_anywhere, .run = link_run,
};
