/* SPDX-License-Identifier: MIT */
/* rtnetlink: see netlink.h. */
#include "init/netlink.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/clock.h"

#define ANSWER_LIMIT_S 5 /* the kernel answers at once; a driver may hold the lock for a while */
#define BUFFER_BYTES 32768	/* a dump's message has at most this (NLMSG_GOODSIZE and more) */
#define EVENT_BUFFER_BYTES (1024 * 1024)

struct request {
	struct nlmsghdr head;
	union {
		struct ifinfomsg link;
		struct ifaddrmsg address;
		struct rtmsg route;
		char room[128];
	} body;
};

int netlink_open(uint32_t groups)
{
	const struct timeval limit = { .tv_sec = ANSWER_LIMIT_S };
	struct sockaddr_nl at = { .nl_family = AF_NETLINK, .nl_groups = groups };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	int size = EVENT_BUFFER_BYTES, err;

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) ||
	    (groups && setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size))) ||
	    bind(fd, (struct sockaddr *)&at, sizeof(at))) {
		err = -errno;
		close(fd);
		return err;
	}
	return fd;
}

static void request_init(struct request *r, uint16_t type, uint16_t flags, size_t body_bytes)
{
	memset(r, 0, sizeof(*r));
	r->head.nlmsg_len = (uint32_t)NLMSG_LENGTH(body_bytes);
	r->head.nlmsg_type = type;
	r->head.nlmsg_flags = NLM_F_REQUEST | flags;
	/* Tells this request's answer from one that came too late for an earlier request. */
	r->head.nlmsg_seq = (uint32_t)clock_ns();
}

/* The requests here have at most five attributes of 4 bytes: `room` holds them all. */
static void request_u32(struct request *r, unsigned short type, uint32_t value)
{
	struct rtattr *a = (struct rtattr *)((char *)r + NLMSG_ALIGN(r->head.nlmsg_len));

	a->rta_type = type;
	a->rta_len = (unsigned short)RTA_LENGTH(sizeof(value));
	memcpy(RTA_DATA(a), &value, sizeof(value));
	r->head.nlmsg_len = (uint32_t)(NLMSG_ALIGN(r->head.nlmsg_len) + RTA_ALIGN(a->rta_len));
}

/*
 * Receives one datagram from the kernel. Returns its bytes, or -errno; a datagram from another
 * process is dropped and counts as -EINTR.
 */
static ssize_t receive(int fd, char *buf, size_t size, int flags)
{
	struct sockaddr_nl from = { 0 };
	socklen_t from_len = sizeof(from);
	ssize_t n = recvfrom(fd, buf, size, flags, (struct sockaddr *)&from, &from_len);

	if (n < 0)
		return -errno;
	return from.nl_pid ? -EINTR : n;
}

typedef int answer_fn(const struct nlmsghdr *h, void *ctx);

/* Sends, then hands each message of the answer to `each` until the last one. Returns the kernel's
 * error. */
static int talk(int fd, struct request *r, answer_fn *each, void *ctx)
{
	_Alignas(struct nlmsghdr) char buf[BUFFER_BYTES];
	int err = 0;

	if (send(fd, r, r->head.nlmsg_len, 0) < 0)
		return -errno;
	for (;;) {
		ssize_t got = receive(fd, buf, sizeof(buf), 0);
		size_t len;

		if (got == -EINTR)
			continue;
		if (got < 0)
			return (int)got;
		len = (size_t)got;
		for (struct nlmsghdr *h = (struct nlmsghdr *)buf; NLMSG_OK(h, len);
		     h = NLMSG_NEXT(h, len)) {
			if (h->nlmsg_seq != r->head.nlmsg_seq)
				continue;
			if (h->nlmsg_type == NLMSG_ERROR) {
				if (h->nlmsg_len < NLMSG_LENGTH(sizeof(struct nlmsgerr)))
					return -EBADMSG;
				return ((struct nlmsgerr *)NLMSG_DATA(h))->error;
			}
			if (h->nlmsg_type == NLMSG_DONE)
				return err;
			if (each && !err)
				err = each(h, ctx);
		}
	}
}

static void parse_linkinfo(struct rtattr *info, struct netlink_link *l)
{
	size_t len = RTA_PAYLOAD(info);

	for (struct rtattr *a = RTA_DATA(info); RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		if (a->rta_type != IFLA_INFO_KIND)
			continue;
		memcpy(l->kind, RTA_DATA(a), RTA_PAYLOAD(a) < sizeof(l->kind) - 1 ? RTA_PAYLOAD(a) :
		       sizeof(l->kind) - 1);
	}
}

bool netlink_parse_link(const void *message, size_t len, struct netlink_link *l)
{
	const struct nlmsghdr *h = message;
	const struct ifinfomsg *info = NLMSG_DATA(h);
	size_t left;

	memset(l, 0, sizeof(*l));
	if (len < NLMSG_LENGTH(sizeof(*info)) || h->nlmsg_len > len ||
	    h->nlmsg_len < NLMSG_LENGTH(sizeof(*info)) ||
	    (h->nlmsg_type != RTM_NEWLINK && h->nlmsg_type != RTM_DELLINK))
		return false;
	l->gone = h->nlmsg_type == RTM_DELLINK;
	l->index = info->ifi_index;
	l->type = info->ifi_type;
	l->flags = info->ifi_flags;
	left = IFLA_PAYLOAD(h);
	for (struct rtattr *a = IFLA_RTA(info); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
		size_t size = RTA_PAYLOAD(a);

		switch (a->rta_type & NLA_TYPE_MASK) {
		case IFLA_IFNAME:
			memcpy(l->name, RTA_DATA(a),
			       size < sizeof(l->name) ? size : sizeof(l->name) - 1);
			l->name[sizeof(l->name) - 1] = '\0';
			break;
		case IFLA_ADDRESS:
			l->has_mac = size == sizeof(l->mac);
			if (l->has_mac)
				memcpy(l->mac, RTA_DATA(a), sizeof(l->mac));
			break;
		case IFLA_MASTER:
			if (size == sizeof(l->master))
				memcpy(&l->master, RTA_DATA(a), sizeof(l->master));
			break;
		case IFLA_LINKINFO:
			parse_linkinfo(a, l);
			break;
		}
	}
	return true;
}

struct links_ctx {
	void (*each)(const struct netlink_link *l, void *ctx);
	void *ctx;
};

static int each_link(const struct nlmsghdr *h, void *ctx)
{
	struct links_ctx *c = ctx;
	struct netlink_link l;

	if (netlink_parse_link(h, h->nlmsg_len, &l))
		c->each(&l, c->ctx);
	return 0;
}

int netlink_links(void (*each)(const struct netlink_link *l, void *ctx), void *ctx)
{
	struct links_ctx c = { each, ctx };
	struct request r;
	int fd = netlink_open(0), err;

	if (fd < 0)
		return fd;
	request_init(&r, RTM_GETLINK, NLM_F_DUMP, sizeof(r.body.link));
	err = talk(fd, &r, each_link, &c);
	close(fd);
	return err;
}

int netlink_events(int fd, void (*each)(const struct netlink_link *l, void *ctx), void *ctx)
{
	_Alignas(struct nlmsghdr) char buf[BUFFER_BYTES];
	struct links_ctx c = { each, ctx };

	for (;;) {
		ssize_t got = receive(fd, buf, sizeof(buf), MSG_DONTWAIT);
		size_t len;

		if (got == -EINTR)
			continue;
		if (got < 0)
			return got == -EAGAIN ? 0 : (int)got;
		len = (size_t)got;
		for (struct nlmsghdr *h = (struct nlmsghdr *)buf; NLMSG_OK(h, len);
		     h = NLMSG_NEXT(h, len))
			each_link(h, &c);
	}
}

int netlink_link_up(int fd, int link)
{
	struct request r;

	request_init(&r, RTM_NEWLINK, NLM_F_ACK, sizeof(r.body.link));
	r.body.link.ifi_index = link;
	r.body.link.ifi_flags = IFF_UP;
	r.body.link.ifi_change = IFF_UP;
	return talk(fd, &r, NULL, NULL);
}

int netlink_set_mtu(int fd, int link, uint32_t mtu_bytes)
{
	struct request r;

	request_init(&r, RTM_NEWLINK, NLM_F_ACK, sizeof(r.body.link));
	r.body.link.ifi_index = link;
	request_u32(&r, IFLA_MTU, mtu_bytes);
	return talk(fd, &r, NULL, NULL);
}

static void request_address(struct request *r, uint16_t type, uint16_t flags, int link,
			    uint32_t address, uint8_t prefix)
{
	request_init(r, type, NLM_F_ACK | flags, sizeof(r->body.address));
	r->body.address.ifa_family = AF_INET;
	r->body.address.ifa_prefixlen = prefix;
	r->body.address.ifa_index = (uint32_t)link;
	request_u32(r, IFA_LOCAL, htonl(address));
	request_u32(r, IFA_ADDRESS, htonl(address));
}

int netlink_add_address(int fd, int link, uint32_t address, uint8_t prefix, uint32_t metric)
{
	struct request r;

	request_address(&r, RTM_NEWADDR, NLM_F_CREATE | NLM_F_REPLACE, link, address, prefix);
	if (prefix < 31)	/* RFC 3021: a network of two has no broadcast address */
		request_u32(&r, IFA_BROADCAST, htonl(address | UINT32_MAX >> prefix));
	request_u32(&r, IFA_RT_PRIORITY, metric);
	return talk(fd, &r, NULL, NULL);
}

#define FLUSH_MAX 64

struct flush_ctx {
	int link;
	uint32_t keep;
	uint8_t keep_prefix;
	unsigned int n;
	struct {
		uint32_t address;
		uint8_t prefix;
	} found[FLUSH_MAX];
};

static int each_address(const struct nlmsghdr *h, void *ctx)
{
	struct flush_ctx *c = ctx;
	const struct ifaddrmsg *m = NLMSG_DATA(h);
	size_t left;

	if (h->nlmsg_type != RTM_NEWADDR || h->nlmsg_len < NLMSG_LENGTH(sizeof(*m)) ||
	    m->ifa_index != (uint32_t)c->link || m->ifa_family != AF_INET)
		return 0;
	left = IFA_PAYLOAD(h);
	for (struct rtattr *a = IFA_RTA(m); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
		uint32_t address;

		if (a->rta_type != IFA_LOCAL || RTA_PAYLOAD(a) != sizeof(address) ||
		    c->n == FLUSH_MAX)
			continue;
		memcpy(&address, RTA_DATA(a), sizeof(address));
		address = ntohl(address);
		if (address == c->keep && m->ifa_prefixlen == c->keep_prefix)
			continue;
		c->found[c->n].address = address;
		c->found[c->n++].prefix = m->ifa_prefixlen;
	}
	return 0;
}

int netlink_flush_addresses(int fd, int link, uint32_t keep, uint8_t keep_prefix)
{
	struct flush_ctx c = { .link = link, .keep = keep, .keep_prefix = keep_prefix };
	struct request r;
	int err;

	request_init(&r, RTM_GETADDR, NLM_F_DUMP, sizeof(r.body.address));
	r.body.address.ifa_family = AF_INET;
	err = talk(fd, &r, each_address, &c);
	for (unsigned int i = 0; i < c.n; i++) {
		int del_err;

		request_address(&r, RTM_DELADDR, 0, link, c.found[i].address, c.found[i].prefix);
		del_err = talk(fd, &r, NULL, NULL);
		/* A secondary address goes with its primary one. */
		if (del_err && del_err != -EADDRNOTAVAIL && !err)
			err = del_err;
	}
	return err;
}

int netlink_add_route(int fd, const struct netlink_route *route)
{
	uint32_t mask = route->prefix ? UINT32_MAX << (32 - route->prefix) : 0;
	struct request r;

	request_init(&r, RTM_NEWROUTE, NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE,
		     sizeof(r.body.route));
	r.body.route.rtm_family = AF_INET;
	r.body.route.rtm_dst_len = route->prefix;
	r.body.route.rtm_table = RT_TABLE_MAIN;
	r.body.route.rtm_protocol = RTPROT_BOOT;
	r.body.route.rtm_scope = route->gateway ? RT_SCOPE_UNIVERSE : RT_SCOPE_LINK;
	r.body.route.rtm_type = RTN_UNICAST;
	if (route->prefix)
		request_u32(&r, RTA_DST, htonl(route->to & mask));
	if (route->gateway)
		request_u32(&r, RTA_GATEWAY, htonl(route->gateway));
	request_u32(&r, RTA_OIF, (uint32_t)route->link);
	request_u32(&r, RTA_PRIORITY, route->metric);
	return talk(fd, &r, NULL, NULL);
}
