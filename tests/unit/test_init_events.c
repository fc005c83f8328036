/* SPDX-License-Identifier: MIT */
/* What the kernel tells init: device events, link messages, and the clock's decision. */
#include "tests/unit/tap.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>

#include "init/netlink.h"
#include "init/uevent.h"
#include "init/wallclock.h"

static void test_uevents(void)
{
	static const char add[] = "add@/devices/virtual/block/sda\0ACTION=add\0DEVPATH=/x\0"
		"SUBSYSTEM=block\0DEVNAME=sda\0DEVTYPE=disk\0SEQNUM=7";
	static const char foreign[] = "libudev\0\xfe\xed\xca\xfe";
	char noise[256];
	struct uevent e;
	unsigned int seed = 3;

	ok(uevent_parse(add, sizeof(add), &e), "a disk is added");
	is_str(e.action, "add", "its action");
	is_str(e.subsystem, "block", "its subsystem");
	is_str(e.name, "sda", "its name");
	ok(uevent_is_storage(&e), "it is about storage");
	ok(!uevent_parse(add, sizeof(add) - 1, &e), "one without its end is refused");
	ok(!uevent_parse("", 0, &e) && !uevent_parse("\0", 1, &e), "so is nothing");
	ok(!uevent_parse(foreign, sizeof(foreign), &e), "so is udev's own form");
	ok(!uevent_parse("add@/x\0ACTION=add", 18, &e), "so is one without a subsystem");
	memcpy(e.subsystem, "net", 4);
	ok(!uevent_is_storage(&e), "a network card is no storage");
	for (int round = 0; round < 5000; round++) {
		size_t len = (seed = seed * 1103515245 + 12345) >> 16 & 255;

		for (size_t i = 0; i < len; i++)
			noise[i] =
				"@=\0ACTIONSUBYEMDV"[(seed = seed * 1103515245 + 12345) >> 16 & 15];
		uevent_parse(noise, len, &e);
	}
	ok(e.name[UEVENT_NAME_BYTES - 1] == '\0', "rubbish does no harm");
}

struct message {
	struct nlmsghdr h;
	struct ifinfomsg i;
	char attributes[256];
};

static void attribute(struct message *m, unsigned short type, const void *data, size_t len)
{
	struct rtattr *a = (struct rtattr *)((char *)m + NLMSG_ALIGN(m->h.nlmsg_len));

	a->rta_type = type;
	a->rta_len = (unsigned short)RTA_LENGTH(len);
	memcpy(RTA_DATA(a), data, len);
	m->h.nlmsg_len = (unsigned int)(NLMSG_ALIGN(m->h.nlmsg_len) + RTA_ALIGN(a->rta_len));
}

static struct message link_message(void)
{
	struct message m = {
		.h = { .nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
		       .nlmsg_type = RTM_NEWLINK },
		.i = { .ifi_type = ARPHRD_ETHER, .ifi_index = 5, .ifi_flags = IFF_UP },
	};

	return m;
}

static void test_links(void)
{
	struct message m = link_message();
	struct netlink_link l;
	struct {
		struct rtattr a;
		char kind[8];
	} info = { { RTA_LENGTH(5), IFLA_INFO_KIND }, "veth" };
	int master = 3;

	attribute(&m, IFLA_IFNAME, "eth0", 5);
	attribute(&m, IFLA_ADDRESS, "\x02\0\0\0\0\x01", 6);
	attribute(&m, IFLA_MASTER, &master, sizeof(master));
	attribute(&m, IFLA_LINKINFO, &info, info.a.rta_len);
	ok(netlink_parse_link(&m, m.h.nlmsg_len, &l), "a link message");
	ok(l.index == 5 && l.type == ARPHRD_ETHER && l.flags == IFF_UP && !l.gone, "its numbers");
	is_str(l.name, "eth0", "its name");
	is_str(l.kind, "veth", "its kind");
	is_int(l.master, 3, "its master");
	ok(l.has_mac && l.mac[0] == 2 && l.mac[5] == 1, "its MAC");
	for (size_t len = 0; len < m.h.nlmsg_len; len++)
		if (netlink_parse_link(&m, len, &l))
			fprintf(stderr, "# cut at %zu was taken\n", len),
				ok(false, "a cut message");
	m.h.nlmsg_type = RTM_DELLINK;
	ok(netlink_parse_link(&m, m.h.nlmsg_len, &l) && l.gone, "a link that is gone");
	m.h.nlmsg_type = RTM_NEWADDR;
	ok(!netlink_parse_link(&m, m.h.nlmsg_len, &l), "another message is none");
	m = link_message();
	attribute(&m, IFLA_IFNAME, "a-name-of-more-than-15-letters", 31);
	attribute(&m, IFLA_ADDRESS, "\1\2\3\4\5\6\7\10", 8);
	ok(netlink_parse_link(&m, m.h.nlmsg_len, &l), "one with odd attributes");
	is_str(l.name, "a-name-of-more-", "a long name is cut");
	ok(!l.has_mac, "eight bytes are no MAC of Ethernet");
}

#define BUILD 1796000000

static void test_clock(void)
{
	struct wallclock w;

	wallclock_decide(&w, BUILD + 100, BUILD, 0, 5);
	ok(!w.set && !strncmp(w.note, "ok: ", 4), "a clock after the build date is believed");
	wallclock_decide(&w, 315532800, BUILD, 0, 5);
	ok(w.set && w.to_s == BUILD, "1980 is not");
	is_str(w.note,
	       "corrected: was 1980-01-01T00:00:00Z, set to 2026-11-30T00:53:20Z, the date of this "
	       "build; the true time is later",
	       "and the report will say so");
	wallclock_decide(&w, 315532800, BUILD, BUILD + 5000, 5);
	ok(w.set && w.to_s == BUILD + 5005, "a given time counts from the boot");
	ok(strstr(w.note, "the time given at boot") != NULL, "and is named");
	wallclock_decide(&w, BUILD + 5030, BUILD, BUILD + 5000, 5);
	ok(!w.set, "a clock near to the given time stays");
	wallclock_decide(&w, BUILD + 9000, BUILD, BUILD + 5000, 5);
	ok(w.set && w.to_s == BUILD + 5005, "one that is ahead of it does not");
	wallclock_decide(&w, 315532800, BUILD, 1000, 5);
	ok(w.set && w.to_s == BUILD, "a given time before the build date is no time");
	wallclock_decide(&w, -5, BUILD, 0, 0);
	ok(w.set && w.to_s == BUILD, "a clock before 1970");
}

int main(void)
{
	test_uevents();
	test_links();
	test_clock();
	return tap_done();
}
