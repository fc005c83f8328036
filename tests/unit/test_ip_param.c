/* SPDX-License-Identifier: MIT */
/* The network words of a kernel command line: every form, every refusal, any bytes. */
#include "tests/unit/tap.h"

#include "init/ip_param.h"

static struct net_params p;

static void parse(const char *line)
{
	ip_param_parse(&p, line, strlen(line));
}

static void test_addresses(void)
{
	uint32_t a = 7;
	char buf[IP_TEXT_BYTES];
	static const char *const bad[] = {
		"",	    "1",	 "1.2.3",    "1.2.3.4.5", "1.2.3.256",
		"1.2.3.-4", " 1.2.3.4",	 "1.2.3.4 ", "1..3.4",	  "1.2.3.99999999999",
		"a.b.c.d",  "0x1.2.3.4", "1.2.3.",   ".1.2.3",
	};

	ok(ip_param_address("10.0.0.1", &a) && a == 0x0A000001, "10.0.0.1 is an address");
	is_str(ip_text(a, buf), "10.0.0.1", "and prints as itself");
	ok(ip_param_address("255.255.255.255", &a) && a == UINT32_MAX, "so is the highest");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(!ip_param_address(bad[i], &a), "\"%s\" is none", bad[i]);
}

static void test_masks(void)
{
	uint8_t n = 99;

	ok(ip_param_mask("255.255.255.0", &n) && n == 24, "a dotted mask");
	ok(ip_param_mask("255.255.255.255", &n) && n == 32, "all ones");
	ok(ip_param_mask("0.0.0.0", &n) && n == 0, "all zeros");
	ok(ip_param_mask("24", &n) && n == 24, "a prefix length");
	ok(ip_param_mask("0", &n) && n == 0, "the shortest");
	ok(ip_param_mask("32", &n) && n == 32, "the longest");
	ok(!ip_param_mask("33", &n), "none over 32");
	ok(!ip_param_mask("255.0.255.0", &n), "no holes");
	ok(!ip_param_mask("0.0.0.255", &n), "not the wrong way round");
	ok(!ip_param_mask("024", &n) && !ip_param_mask("", &n) && !ip_param_mask("x", &n),
	   "no others");
	is_uint(ip_param_class_prefix(0x0A000001), 8, "class A");
	is_uint(ip_param_class_prefix(0xAC100001), 16, "class B");
	is_uint(ip_param_class_prefix(0xC0A80001), 24, "class C");
}

static void test_hosts_and_names(void)
{
	ok(ip_param_is_host(0x0A000001), "10.0.0.1 may be a host");
	ok(!ip_param_is_host(0) && !ip_param_is_host(0x7F000001), "0.0.0.0 and 127.0.0.1 not");
	ok(!ip_param_is_host(0xE0000001) && !ip_param_is_host(UINT32_MAX),
	   "multicast, broadcast not");
	ok(ip_param_is_name("eth0") && ip_param_is_name("enp0s31f6.100"), "names of interfaces");
	ok(!ip_param_is_name("") && !ip_param_is_name(".") && !ip_param_is_name(".."), "not these");
	ok(!ip_param_is_name("a/b") && !ip_param_is_name("a b") && !ip_param_is_name("a\nb"),
	   "no slash, no blank, no newline");
	ok(!ip_param_is_name("sixteen-letters0"), "none of 16 characters");
}

static void test_long_form(void)
{
	parse("quiet ip=192.0.2.5::192.0.2.1:255.255.255.0:box:eth1:off:192.0.2.53:192.0.2.54 x");
	is_uint(p.ip_n, 1, "one ip=");
	is_uint(p.ip[0].address, 0xC0000205, "its address");
	is_uint(p.ip[0].gateway, 0xC0000201, "its gateway");
	is_uint(p.ip[0].prefix, 24, "its prefix");
	is_str(p.ip[0].device, "eth1", "its device");
	ok(!p.ip[0].dhcp, "no DHCP");
	is_uint(p.ip[0].dns[0], 0xC0000235, "its first name server");
	is_uint(p.ip[0].dns[1], 0xC0000236, "its second");
	parse("ip=10.1.2.3");
	is_uint(p.ip_n, 1, "an address alone is enough");
	is_uint(p.ip[0].prefix, 8, "its class gives the mask, as in the kernel");
	is_str(p.ip[0].device, "", "any device");
	parse("ip=10.1.2.3::10.1.0.1:22::eth0:dhcp");
	ok(p.ip_n == 1 && p.ip[0].address && !p.ip[0].dhcp, "a given address wins over dhcp");
	is_uint(p.ip[0].prefix, 22, "a mask may be a prefix length");
	parse("ip=:::::eth2:dhcp");
	ok(p.ip_n == 1 && p.ip[0].dhcp, "the long form may ask for DHCP");
	is_str(p.ip[0].device, "eth2", "on one device");
	parse("ip=::::host::dhcp");
	ok(p.ip_n == 1 && p.ip[0].dhcp && !p.ip[0].device[0], "or on any");
	parse("ip=203.0.113.7::198.51.100.1:255.255.255.255::52-54-00-aB-Cd-eF:none");
	ok(p.ip[0].has_mac && !memcmp(p.ip[0].mac, "\x52\x54\x00\xab\xcd\xef", 6),
	   "a MAC as device");
	parse("ip=10.0.0.5:::::eth0:off:1500:aa");
	ok(p.ip_n == 1 && !p.ip[0].dns[0] && !p.ip[0].dns[1],
	   "what is no name server there is left out");
}

static void test_short_forms(void)
{
	static const char *const dhcp[] = { "ip=dhcp", "ip=on", "ip=any", "ip=both", "ip=" };

	for (size_t i = 0; i < sizeof(dhcp) / sizeof(dhcp[0]); i++) {
		parse(dhcp[i]);
		ok(p.ip_n == 1 && p.ip[0].dhcp && !p.off && !p.note_n, "%s is DHCP", dhcp[i]);
	}
	parse("ip=off");
	ok(p.off && !p.ip_n, "ip=off is off");
	parse("ip=none");
	ok(p.off, "ip=none too");
	parse("ip=off ip=10.0.0.5");
	ok(!p.off && p.ip_n == 1, "but not beside an address");
	parse("ip=eth3:dhcp ip=eth4:dhcp");
	is_uint(p.ip_n, 2, "dracut's DEVICE:dhcp, twice");
	is_str(p.ip[1].device, "eth4", "the second device");
	parse("");
	ok(!p.ip_n && !p.off && !p.has_bootif && !p.dns_n && !p.note_n, "nothing from nothing");
	parse("zip=10.0.0.5 bench.ip=10.0.0.6 IP=10.0.0.7");
	is_uint(p.ip_n, 0, "only ip= is ip=");
}

static void test_refusals(void)
{
	static const char *const bad[] = {
		"ip=10.0.0.256",
		"ip=10.0.0.5::x",
		"ip=10.0.0.5:::255.0.255.0",
		"ip=10.0.0.5:::0",
		"ip=10.0.0.5:::::a/b",
		"ip=10.0.0.5:::::eth0:magic",
		"ip=[2001:db8::5]::::::",
		"ip=224.0.0.1",
		"ip=127.0.0.1",
		"ip=0.0.0.0",
		"ip=:::::eth0:off",
		"ip=a:b:c",
		"ip=1:2:3:4:5:6:7:8:9:10:11:12",
		"ip=$(reboot)",
		"ip=eth0:auto6",
		"nameserver=x",
		"nameserver=",
		"nameserver=0.0.0.0",
		"BOOTIF=zz",
		"BOOTIF=01-02-03",
		"BOOTIF=20-52-54-00-11-22-33",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		parse(bad[i]);
		ok(!p.ip_n && !p.dns_n && !p.has_bootif && p.note_n == 1,
		   "%s is refused with a note", bad[i]);
	}
}

static void test_bootif_and_dns(void)
{
	static const char *const good[] = {
		"BOOTIF=01-52-54-00-ab-cd-ef",
		"BOOTIF=52-54-00-AB-CD-EF",
		"BOOTIF=52:54:00:ab:cd:ef",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		parse(good[i]);
		ok(p.has_bootif && !memcmp(p.bootif, "\x52\x54\x00\xab\xcd\xef", 6), "%s", good[i]);
	}
	parse("nameserver=1.1.1.1 nameserver=8.8.8.8 nameserver=9.9.9.9 nameserver=4.4.4.4");
	is_uint(p.dns_n, IP_PARAM_DNS_MAX, "three name servers");
	is_uint(p.dns[2], 0x09090909, "in their order");
	is_uint(p.note_n, 1, "the fourth is noted");
}

static void test_limits_and_bytes(void)
{
	char line[8192];
	unsigned int seed = 1;
	size_t len = 0;

	for (int i = 0; i < 20; i++)
		len += (size_t)snprintf(line + len, sizeof(line) - len, "ip=10.0.0.%d ", i + 1);
	parse(line);
	is_uint(p.ip_n, IP_PARAM_MAX, "as many ip= as fit");
	is_uint(p.note_n, 20 - IP_PARAM_MAX, "the others are counted");
	memset(line, 'a', sizeof(line));
	memcpy(line, "ip=", 3);
	ip_param_parse(&p, line, sizeof(line));
	ok(!p.ip_n && p.note_n == 1, "a word of 8 kB");
	parse("root=\"a b ip=10.0.0.5\" \"ip=10.0.0.6\"\tip=10.0.0.7\n");
	is_uint(p.ip_n, 2, "quotes hold blanks, as in the kernel");
	is_uint(p.ip[0].address, 0x0A000006, "a quoted word is a word");
	ip_param_parse(&p, "ip=10.0.0.5\0::x", 15);
	is_uint(p.ip_n, 0, "a NUL byte does not end a word early");
	for (int round = 0; round < 20000; round++) {
		static const char pool[] =
			"ip=BOOTIFnameserver.0123456789:-abcdef \"\\\n\t\xff\x00[]";

		len = (seed = seed * 1103515245 + 12345) >> 16 & 127;
		for (size_t i = 0; i < len; i++)
			line[i] = pool[((seed = seed * 1103515245 + 12345) >> 16) % sizeof(pool)];
		memcpy(line, round & 1 ? "ip=" : "BOOTIF=", 3);
		ip_param_parse(&p, line, len);
	}
	ok(p.ip_n <= IP_PARAM_MAX, "20000 lines of rubbish");
}

int main(void)
{
	test_addresses();
	test_masks();
	test_hosts_and_names();
	test_long_form();
	test_short_forms();
	test_refusals();
	test_bootif_and_dns();
	test_limits_and_bytes();
	return tap_done();
}
