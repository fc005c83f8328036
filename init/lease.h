/* SPDX-License-Identifier: MIT */
/*
 * One interface's addresses, routes and name servers, from DHCP or from ip=: taken from text, set
 * in the kernel, and left as a file for whoever waits for the network.
 */
#ifndef INIT_LEASE_H
#define INIT_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "init/ip_param.h"

#define LEASE_ROUTES_MAX 32
#define LEASE_DNS_MAX 3
#define LEASE_RESOLV_CONF "/run/resolv.conf"	/* /etc/resolv.conf in the image is a link to it */

struct lease_route {
	uint32_t to;
	uint8_t prefix;
	uint32_t gateway;	/* 0: the destination is on the link itself */
};

struct lease {
	char interface[IP_PARAM_NAME_BYTES];
	bool is_static;
	uint32_t address;
	uint8_t prefix;
	uint32_t metric;	/* lower is preferred */
	uint32_t mtu_bytes;	/* 0: leave it */
	uint32_t lease_s;	/* 0: for ever, or not said */
	uint32_t server;
	uint32_t route_n;
	struct lease_route route[LEASE_ROUTES_MAX];	/* in the order in which they can be set */
	uint32_t dns_n;
	uint32_t dns[LEASE_DNS_MAX];
	uint32_t ntp;
};

/* A named value of the DHCP client, or NULL: getenv, or a table in tests. */
typedef const char *lease_value_fn(const char *name, void *ctx);

/*
 * Fills a lease from udhcpc's values (interface, ip, mask or subnet, router, dns, staticroutes or
 * msstaticroutes, mtu, lease, serverid, ntpsrv, BOOTMARK_METRIC). Where classless routes (option
 * 121, else Microsoft's 249) are given, option 3 is ignored, as RFC 3442 says. Returns 0, or
 * -EINVAL where there is no usable interface or address.
 */
int lease_parse(struct lease *l, lease_value_fn *value, void *ctx);

/* Fills a lease from one ip= word. */
void lease_from_param(struct lease *l, const struct ip_param *ip, const char *interface,
		      uint32_t metric);

/*
 * Puts the routes into an order in which the kernel takes them and adds what they need: a gateway
 * outside the interface's network is first made a destination of its own on the link.
 */
void lease_order_routes(struct lease *l);

/*
 * Sets address, MTU and routes of the lease in the kernel and removes other addresses of the
 * interface. Returns 0 or -errno of the address; *route_errors counts the routes the kernel
 * refused.
 */
int lease_apply(const struct lease *l, unsigned int *route_errors);

/* Removes all addresses of the interface. Returns 0 or -errno. */
int lease_unapply(const char *interface);

/*
 * Writes BOOT_NET_DIR/INTERFACE.lease (one NAME=VALUE per line) and makes resolv.conf anew, or
 * removes the lease. Several processes may do so at the same time. Return 0 or -errno.
 */
int lease_save(const struct lease *l);
int lease_forget(const char *interface);

/* Name servers of the command line, which come before all others. Returns 0 or -errno. */
int lease_save_nameservers(const uint32_t *dns, uint32_t n);

/* The number of leases there are now: interfaces that have an address. */
unsigned int lease_count(void);

/* One line for the console: "10.0.0.5/24, router 10.0.0.1, dns 10.0.0.1 (metric 100)". Returns
 * buf. */
const char *lease_text(const struct lease *l, char *buf, size_t size);

#endif
