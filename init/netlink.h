/* SPDX-License-Identifier: MIT */
/*
 * rtnetlink, the part init needs: links up, IPv4 addresses and routes (rtnetlink(7)). All addresses
 * are numbers in host byte order. Every function returns 0 or -errno, the kernel's own answer.
 */
#ifndef INIT_NETLINK_H
#define INIT_NETLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NETLINK_NAME_BYTES 16

struct netlink_link {
	int index;
	char name[NETLINK_NAME_BYTES];
	char kind[16];		/* "": hardware, or as good as; else "veth", "bond", "vlan" ... */
	uint16_t type;		/* ARPHRD_* */
	uint32_t flags;		/* IFF_* */
	int master;		/* index of the bond or bridge it belongs to, or 0 */
	bool has_mac;
	uint8_t mac[6];
	bool gone;		/* RTM_DELLINK */
};

struct netlink_route {
	int link;		/* interface index */
	uint32_t to;
	uint8_t prefix;
	uint32_t gateway;	/* 0: directly on the link */
	uint32_t metric;
};

/* Opens a socket that also receives `groups` (RTMGRP_*), close-on-exec. Returns it or -errno. */
int netlink_open(uint32_t groups);

/* Calls `each` for every link of the machine. It uses a socket of its own: `each` may talk over
 * others. */
int netlink_links(void (*each)(const struct netlink_link *l, void *ctx), void *ctx);

/* Reads what a socket with RTMGRP_LINK has received and calls `each` for every link message.
 * -EAGAIN: nothing there. -ENOBUFS: messages were lost, ask for all links again. */
int netlink_events(int fd, void (*each)(const struct netlink_link *l, void *ctx), void *ctx);

int netlink_link_up(int fd, int link);
int netlink_set_mtu(int fd, int link, uint32_t mtu_bytes);

/* Adds the address with its network's route at `metric`, or renews it where it is there already. */
int netlink_add_address(int fd, int link, uint32_t address, uint8_t prefix, uint32_t metric);

/* Removes every IPv4 address of the link but `keep`/`keep_prefix` (keep 0: all), and so their
 * routes. */
int netlink_flush_addresses(int fd, int link, uint32_t keep, uint8_t keep_prefix);

/* Adds or replaces a route. */
int netlink_add_route(int fd, const struct netlink_route *r);

/* Parses one RTM_NEWLINK or RTM_DELLINK message of `len` bytes. Returns false for any other. */
bool netlink_parse_link(const void *message, size_t len, struct netlink_link *l);

#endif
