/* SPDX-License-Identifier: MIT */
/* What the kernel says of interfaces, addresses and routes becomes the reason of a dead network. */
#include "bench/net/network.h"

#include <sys/socket.h>

#include "bench/tests/net.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define ROUTE_HEAD "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow" \
	"\tIRTT\n"
#define ROUTE_NET "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
#define ROUTE_OUT "eth0\t00000000\t020200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
#define ADDRESS_LO "00000000000000000000000000000001 01 80 10 80       lo\n"
#define ADDRESS_LINK "fe800000000000000000000000000001 02 40 20 80     eth0\n"
#define ADDRESS_GLOBAL "20010db8000000000000000000000001 02 40 00 80     eth0\n"
#define ZERO "00000000000000000000000000000000"
#define ROUTE6(flags, device) ZERO " 00 " ZERO " 00 " ZERO " 00000400 00000001 00000000 " flags \
	" " device "\n"

static struct sysfs_fixture f;
static char why[160];

static const char *trouble(int family)
{
	network_trouble(f.root, family, why, sizeof(why));
	return why;
}

static void write_text(const char *path, const char *text)
{
	sysfs_fixture_write(&f, path, text, strlen(text));
}

static void reasons(void)
{
	sysfs_fixture_make(&f, "(lo) -> virtual/net/lo\ntype=772\ncarrier=1\n");
	is_str(trouble(AF_INET), "this machine has no network interface", "the loopback is none");
	sysfs_fixture_add(&f, "(eth0) -> pci0000:00/0000:00:03.0/net/eth0\ntype=1\ncarrier=0\n"
			  "(eth1) -> pci0000:00/0000:00:04.0/net/eth1\ntype=1\n");
	is_str(trouble(AF_INET), "eth0, eth1: no link", "links that are down, with their names");
	is_str(trouble(AF_INET6), "eth0, eth1: no link", "for both families");
	write_text("sys/devices/pci0000:00/0000:00:03.0/net/eth0/carrier", "1\n");
	is_str(trouble(AF_INET), "eth0: no IPv4 address", "a link without an address");
	write_text("proc/net/route", ROUTE_HEAD);
	is_str(trouble(AF_INET), "eth0: no IPv4 address", "the table's head is no address");
	write_text("proc/net/route", ROUTE_HEAD ROUTE_NET);
	is_str(trouble(AF_INET), "eth0: no IPv4 default route", "an address without a way out");
	write_text("proc/net/route", ROUTE_HEAD ROUTE_NET ROUTE_OUT);
	is_str(trouble(AF_INET), "", "a way out");
	ok(!network_trouble(f.root, AF_INET, why, sizeof(why)), "is no trouble");
	is_str(trouble(AF_INET6), "eth0: no IPv6 address", "of IPv6 it says nothing");
	write_text("proc/net/if_inet6", ADDRESS_LO ADDRESS_LINK);
	is_str(trouble(AF_INET6), "eth0: no IPv6 address", "a link-local address is none");
	write_text("proc/net/if_inet6", ADDRESS_LO ADDRESS_LINK ADDRESS_GLOBAL);
	is_str(trouble(AF_INET6), "eth0: no IPv6 default route", "a global one without a way out");
	write_text("proc/net/ipv6_route", ROUTE6("00200200", "lo") ROUTE6("00000201", "eth0"));
	is_str(trouble(AF_INET6), "eth0: no IPv6 default route", "routes that refuse are none");
	write_text("proc/net/ipv6_route", ROUTE6("00000003", "eth0"));
	is_str(trouble(AF_INET6), "", "a way out");
	write_text("proc/net/route", "\xff\xfe\n\n a b c\neth0\tzz\tyy\n");
	is_str(trouble(AF_INET), "eth0: no IPv4 address", "nonsense is nothing");
	sysfs_fixture_remove(&f);
}

static void counters(void)
{
	struct network_counters before, now;
	char said[200];

	sysfs_fixture_make(&f, "(lo) -> virtual/net/lo\ntype=772\nstatistics/rx_errors=9\n"
			   "(eth0) -> pci0000:00/0000:00:03.0/net/eth0\ntype=1\ncarrier_changes=2\n"
			   "statistics/rx_errors=5\nstatistics/tx_errors=0\n"
			   "statistics/rx_dropped=7\n"
			   "(eth1) -> pci0000:00/0000:00:04.0/net/eth1\ntype=1\n");
	network_count(f.root, &before);
	is_uint(before.n, 2, "all but the loopback are counted");
	is_uint(before.one[0].rx_errors, 5, "errors");
	is_uint(before.one[0].rx_dropped, 7, "drops");
	is_uint(before.one[0].carrier_changes, 2, "changes of the link");
	ok(before.one[0].tx_dropped == UINT64_MAX && before.one[1].rx_errors == UINT64_MAX,
	   "what is not told is not known");
	ok(!network_errors(&before, &before, said, sizeof(said)), "old errors are not new ones");
	write_text("sys/devices/pci0000:00/0000:00:03.0/net/eth0/statistics/rx_errors", "6\n");
	write_text("sys/devices/pci0000:00/0000:00:03.0/net/eth0/statistics/tx_errors", "12\n");
	write_text("sys/devices/pci0000:00/0000:00:04.0/net/eth1/statistics/rx_errors", "4\n");
	network_count(f.root, &now);
	ok(network_errors(&before, &now, said, sizeof(said)), "new ones are told");
	is_str(said, "eth0: 1 receive error, eth0: 12 send errors", "with their number and place");
	ok(!network_errors(&now, &before, said, sizeof(said)), "a counter that fell is none");
	is_str(said, "", "and nothing is said");
	sysfs_fixture_remove(&f);
}

static struct result r;
static struct options options;

/* The first target when the plan was made, and what it was called. */
static void run_link(const char *name)
{
	const struct test_context c = { .test = &test_net_link, .options = &options,
					.target = 0, .fd = -1, .write_fd = -1 };

	result_init(&r, "net-link", name);
	test_net_link.run(&c, &r);
}

static void links(void)
{
	char name[DISK_NAME_BYTES] = "";

	sysfs_fixture_make(&f, "(eth0) -> pci0000:00/0000:00:03.0/net/eth0\n"
			   "type=1\ncarrier=1\nspeed=1000\nduplex=half\nstatistics/rx_errors=5\n"
			   "statistics/tx_errors=0\ndevice -> ../../../0000:00:03.0\n"
			   "(eth1) -> pci0000:00/0000:00:04.0/net/eth1\n"
			   "type=1\ncarrier=0\ndevice -> ../../../0000:00:04.0\n");
	options_init(&options);
	options_set(&options, "root", f.root, OPT_FROM_FLAG);
	is_uint(test_net_link.targets(&options, 1, name), 2, "each interface is a target");
	is_str(name, "eth1", "by its name");
	run_link("eth0");
	is_int(r.status, RESULT_OK, "a link that is up");
	ok(result_find(&r, "link_speed") && result_find(&r, "link_speed")->value == 125e6,
	   "its speed, in bytes per second");
	ok(result_has_mark(&r, "half-duplex"), "half duplex is marked");
	ok(result_has_mark(&r, "errors"), "so are errors");
	is_str(r.mark[0].text, "since the system started, eth0: 5 receive errors", "how many");
	ok(!result_find(&r, "rx_dropped"), "what is not told is absent");
	run_link("eth1");
	is_int(r.status, RESULT_SKIPPED, "a link that is down");
	is_str(r.reason, "eth1 has no link", "and why");
	run_link("eth2");
	is_int(r.status, RESULT_SKIPPED, "an interface that is gone");
	sysfs_fixture_remove(&f);
}

/* The list of nodes changes between the plan and the test. */
static void lists(void)
{
	const struct test_context c = { .test = &test_net_node, .options = &options,
					.target = 0, .fd = -1, .write_fd = -1 };

	options_init(&options);
	options_set(&options, "nodes", "other=http://192.0.2.1/", OPT_FROM_FLAG);
	result_init(&r, "net-node", "near");
	test_net_node.run(&c, &r);
	is_int(r.status, RESULT_SKIPPED, "another server has a node's place: it is not measured");
	is_str(r.reason, "the list of nodes has changed: it is not there any more", "and why");
}

int main(void)
{
	reasons();
	counters();
	links();
	lists();
	return tap_done();
}
