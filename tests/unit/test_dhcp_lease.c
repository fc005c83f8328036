/* SPDX-License-Identifier: MIT */
/* A lease from udhcpc's values: addresses, masks, classless routes (RFC 3442), and hostile ones. */
#include "tests/unit/tap.h"

#include <errno.h>

#include "init/lease.h"

struct pair {
	const char *name, *value;
};

static const char *from_table(const char *name, void *ctx)
{
	for (const struct pair *p = ctx; p->name; p++)
		if (!strcmp(p->name, name))
			return p->value;
	return NULL;
}

static struct lease l;

/* A lease of 10.9.0.5/24 on eth0 with up to three values more. */
static int parse3(const char *n1, const char *v1, const char *n2, const char *v2, const char *n3,
		  const char *v3)
{
	struct pair table[] = {
		{ n1, v1 }, { n2, v2 }, { n3, v3 }, { "interface", "eth0" }, { "ip", "10.9.0.5" },
		{ "mask", "24" }, { NULL, NULL },
	};

	for (int i = 0; i < 3; i++)
		if (!table[i].name)
			table[i].name = "";
	return lease_parse(&l, from_table, table);
}

static int parse1(const char *n1, const char *v1)
{
	return parse3(n1, v1, NULL, NULL, NULL, NULL);
}

/* The routes as one text: "10.0.0.0/8>10.1.1.1 ..."; without '>' where they are on the link. */
static const char *routes(char *buf, size_t size)
{
	char to[IP_TEXT_BYTES], gateway[IP_TEXT_BYTES];

	buf[0] = '\0';
	for (uint32_t i = 0; i < l.route_n; i++) {
		size_t used = strlen(buf);

		snprintf(buf + used, size - used, "%s%s/%u", i ? " " : "",
			 ip_text(l.route[i].to, to), l.route[i].prefix);
		used = strlen(buf);
		if (l.route[i].gateway)
			snprintf(buf + used, size - used, ">%s",
				 ip_text(l.route[i].gateway, gateway));
	}
	return buf;
}

static void test_plain(void)
{
	char buf[512];

	is_int(parse3("router", "10.9.0.1 10.9.0.2", "dns", "10.9.0.53 10.9.0.54 1.1.1.1 8.8.8.8",
		      "BOOTMARK_METRIC", "210"), 0, "a plain lease");
	is_uint(l.address, 0x0A090005, "its address");
	is_uint(l.prefix, 24, "its prefix");
	is_uint(l.metric, 210, "its metric");
	is_uint(l.dns_n, 3, "three name servers, the resolver asks no more");
	is_str(routes(buf, sizeof(buf)), "0.0.0.0/0>10.9.0.1",
	       "the first router is the default route");
	is_str(lease_text(&l, buf, sizeof(buf)),
	       "10.9.0.5/24, router 10.9.0.1, dns 10.9.0.53 10.9.0.54 1.1.1.1 (metric 210)",
	       "as text");
	is_int(parse3("mtu", "9000", "lease", "3600", "serverid", "10.9.0.1"), 0, "more values");
	is_uint(l.mtu_bytes, 9000, "an MTU");
	is_uint(l.lease_s, 3600, "a time");
	is_uint(l.server, 0x0A090001, "a server");
	is_uint(l.route_n, 0, "no router, no route");
}

static void test_classless(void)
{
	char buf[512];

	parse3("staticroutes", "0.0.0.0/0 10.9.0.1 10.0.0.0/8 10.9.0.2", "router", "10.9.0.99",
	       NULL, NULL);
	is_str(routes(buf, sizeof(buf)), "0.0.0.0/0>10.9.0.1 10.0.0.0/8>10.9.0.2",
	       "option 121 is taken, option 3 is not");
	parse3("msstaticroutes", "172.16.0.0/12 10.9.0.3", "router", "10.9.0.99", NULL, NULL);
	is_str(routes(buf, sizeof(buf)), "172.16.0.0/12>10.9.0.3",
	       "option 249 where 121 is missing");
	parse3("staticroutes", "10.0.0.0/8 10.9.0.2", "msstaticroutes", "11.0.0.0/8 10.9.0.2", NULL,
	       NULL);
	is_str(routes(buf, sizeof(buf)), "10.0.0.0/8>10.9.0.2", "option 121 wins over 249");
	parse1("staticroutes", "0.0.0.0/0 10.7.0.1 10.7.0.0/16 0.0.0.0");
	is_str(routes(buf, sizeof(buf)), "10.7.0.0/16 0.0.0.0/0>10.7.0.1",
	       "a route on the link comes before one through it");
	parse1("staticroutes", "0.0.0.0/0 172.31.1.1 10.0.0.0/8 172.31.1.1");
	is_str(routes(buf, sizeof(buf)), "172.31.1.1/32 0.0.0.0/0>172.31.1.1 10.0.0.0/8>172.31.1.1",
	       "a router outside is first made known on the link, once");
	parse3("staticroutes", "rubbish", "router", "10.9.0.1", NULL, NULL);
	is_str(routes(buf, sizeof(buf)), "0.0.0.0/0>10.9.0.1",
	       "rubbish in option 121 leaves option 3");
	parse1("staticroutes",
	       "10.0.0.0/33 10.9.0.1 10.0.0.0/8/9 10.9.0.1 10.0.0.0/255.0.0.0 10.9.0.1 1 2 "
	       "11.0.0.0/8 10.9.0.1 12.0.0.0/8");
	is_str(routes(buf, sizeof(buf)), "11.0.0.0/8>10.9.0.1", "only whole and valid pairs count");
}

static void test_many_routes(void)
{
	char text[4096] = "";

	for (int i = 0; i < 60; i++) {
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "10.%d.0.0/16 172.31.%d.1 ", i, i);
	}
	is_int(parse1("staticroutes", text), 0, "more routes than there is room for");
	is_uint(l.route_n, LEASE_ROUTES_MAX, "are cut");
}

static void test_own_network(void)
{
	struct pair table[] = {
		{ "interface", "eth0" }, { "ip", "203.0.113.7" }, { "subnet", "255.255.255.255" },
		{ "router", "198.51.100.1" }, { NULL, NULL },
	};
	char buf[512];

	is_int(lease_parse(&l, from_table, table), 0, "an address that is its own network");
	is_uint(l.prefix, 32, "from the dotted mask");
	is_str(routes(buf, sizeof(buf)), "198.51.100.1/32 0.0.0.0/0>198.51.100.1",
	       "its router is outside");
}

static void test_refused(void)
{
	static const struct pair bad[] = {
		{ "ip", "" },
		{ "ip", "0.0.0.0" },
		{ "ip", "127.0.0.1" },
		{ "ip", "255.255.255.255" },
		{ "ip", "10.9.0.5;reboot" },
		{ "ip", "$(reboot)" },
		{ "interface", "" },
		{ "interface", "../../etc" },
		{ "interface", "a b" },
		{ "interface", "0123456789abcdef" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_int(parse1(bad[i].name, bad[i].value), -EINVAL, "%s=%s", bad[i].name,
		       bad[i].value);
}

static void test_odd_values(void)
{
	char longest[2000];

	memset(longest, '9', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	is_int(parse3("mask", "0", "subnet", "255.255.0.255", "mtu", "68"), 0,
	       "masks that are none");
	is_uint(l.prefix, 8, "the class of the address stands in");
	is_uint(l.mtu_bytes, 0, "an MTU below 576 is left out");
	parse3("mtu", "-1", "lease", longest, "BOOTMARK_METRIC", "4294967296");
	ok(!l.mtu_bytes && !l.lease_s && !l.metric, "numbers that are none");
	parse3("router", longest, "dns", longest, "staticroutes", longest);
	ok(!l.route_n && !l.dns_n, "words of 2 kB");
	parse3("router", "0.0.0.0 127.0.0.1 10.9.0.1", "dns", "x 10.9.0.53\t;", NULL, NULL);
	is_uint(l.route[0].gateway, 0x0A090001, "the first router that can be one");
	ok(l.dns_n == 1 && l.dns[0] == 0x0A090035, "the name server among rubbish");
}

static void test_static(void)
{
	struct ip_param ip = {
		.address = 0x0A080005,
		.prefix = 32,
		.gateway = 0x0A080001,
		.dns = { 0, 0x01010101 },
	};
	char buf[512];

	lease_from_param(&l, &ip, "eth7", 230);
	is_str(l.interface, "eth7", "a static lease's interface");
	ok(l.is_static && l.metric == 230, "is static");
	is_str(routes(buf, sizeof(buf)), "10.8.0.1/32 0.0.0.0/0>10.8.0.1",
	       "its routes are in order too");
	ok(l.dns_n == 1 && l.dns[0] == 0x01010101, "its name server");
}

int main(void)
{
	test_plain();
	test_classless();
	test_many_routes();
	test_own_network();
	test_refused();
	test_odd_values();
	test_static();
	return tap_done();
}
