/* SPDX-License-Identifier: MIT */
/* A lease from text, its routes in order, and the lease as text: pure functions. See lease.h. */
#include "init/lease.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"

#define MTU_MIN_BYTES 576	/* RFC 791: every host takes packets of this size */
#define MTU_MAX_BYTES 65535
#define WORD_BYTES 32		/* an address with a prefix length; a longer word is neither */

/* Copies the next blank-separated word; "" for one that is too long. Returns false at the end. */
static bool next_word(const char **at, char word[WORD_BYTES])
{
	size_t len;

	*at += strspn(*at, " \t");
	len = strcspn(*at, " \t");
	if (!len)
		return false;
	word[0] = '\0';
	if (len < WORD_BYTES) {
		memcpy(word, *at, len);
		word[len] = '\0';
	}
	*at += len;
	return true;
}

static uint32_t number_or_zero(const char *text, uint32_t max)
{
	char *end;
	unsigned long n;

	if (!text || text[0] < '0' || text[0] > '9')
		return 0;
	errno = 0;
	n = strtoul(text, &end, 10);
	return errno || *end || n > max ? 0 : (uint32_t)n;
}

static uint32_t first_address(const char *text)
{
	char word[WORD_BYTES];
	uint32_t address;

	while (text && next_word(&text, word))
		if (ip_param_address(word, &address) && ip_param_is_host(address))
			return address;
	return 0;
}

static void parse_dns(struct lease *l, const char *text)
{
	char word[WORD_BYTES];
	uint32_t address;

	while (text && l->dns_n < LEASE_DNS_MAX && next_word(&text, word))
		if (ip_param_address(word, &address) && address)
			l->dns[l->dns_n++] = address;
}

static bool parse_destination(char *word, struct lease_route *r)
{
	char *slash = strchr(word, '/');

	r->prefix = 32;
	if (slash) {
		*slash = '\0';
		if (strchr(slash + 1, '.') || !ip_param_mask(slash + 1, &r->prefix))
			return false;
	}
	return ip_param_address(word, &r->to);
}

/* Pairs "DESTINATION/PREFIX GATEWAY", as udhcpc writes options 121 and 249. */
static void parse_classless(struct lease *l, const char *text)
{
	char to[WORD_BYTES], gateway[WORD_BYTES];

	while (l->route_n < LEASE_ROUTES_MAX && next_word(&text, to) && next_word(&text, gateway)) {
		struct lease_route r;

		if (parse_destination(to, &r) && ip_param_address(gateway, &r.gateway))
			l->route[l->route_n++] = r;
	}
}

static void parse_routes(struct lease *l, lease_value_fn *value, void *ctx)
{
	const char *classless = value("staticroutes", ctx);

	if (!classless || !*classless)
		classless = value("msstaticroutes", ctx);
	if (classless && *classless)
		parse_classless(l, classless);
	if (l->route_n)
		return;		/* RFC 3442: the router option is then ignored */
	l->route[0].gateway = first_address(value("router", ctx));
	l->route_n = l->route[0].gateway ? 1 : 0;
}

int lease_parse(struct lease *l, lease_value_fn *value, void *ctx)
{
	const char *name = value("interface", ctx), *ip = value("ip", ctx);
	const char *mask = value("mask", ctx), *subnet = value("subnet", ctx);

	memset(l, 0, sizeof(*l));
	if (!name || !ip_param_is_name(name))
		return -EINVAL;
	text_copy(l->interface, sizeof(l->interface), name);
	if (!ip || !ip_param_address(ip, &l->address) || !ip_param_is_host(l->address))
		return -EINVAL;
	if (!(mask && ip_param_mask(mask, &l->prefix) && l->prefix) &&
	    !(subnet && ip_param_mask(subnet, &l->prefix) && l->prefix))
		l->prefix = ip_param_class_prefix(l->address);
	l->metric = number_or_zero(value("BOOTMARK_METRIC", ctx), UINT32_MAX);
	l->mtu_bytes = number_or_zero(value("mtu", ctx), MTU_MAX_BYTES);
	if (l->mtu_bytes < MTU_MIN_BYTES)
		l->mtu_bytes = 0;
	l->lease_s = number_or_zero(value("lease", ctx), UINT32_MAX);
	l->server = first_address(value("serverid", ctx));
	l->ntp = first_address(value("ntpsrv", ctx));
	parse_dns(l, value("dns", ctx));
	parse_routes(l, value, ctx);
	lease_order_routes(l);
	return 0;
}

void lease_from_param(struct lease *l, const struct ip_param *ip, const char *interface,
		      uint32_t metric)
{
	memset(l, 0, sizeof(*l));
	text_copy(l->interface, sizeof(l->interface), interface);
	l->is_static = true;
	l->address = ip->address;
	l->prefix = ip->prefix;
	l->metric = metric;
	if (ip->gateway) {
		l->route[0].gateway = ip->gateway;
		l->route_n = 1;
	}
	for (int i = 0; i < 2; i++)
		if (ip->dns[i])
			l->dns[l->dns_n++] = ip->dns[i];
	lease_order_routes(l);
}

static uint32_t mask_of(uint8_t prefix)
{
	return prefix ? UINT32_MAX << (32 - prefix) : 0;
}

static bool within(uint32_t address, uint32_t network, uint8_t prefix)
{
	return ((address ^ network) & mask_of(prefix)) == 0;
}

/* True where the kernel knows how to reach `gateway` once the first `n` routes are set. */
static bool on_link(const struct lease *l, uint32_t gateway, uint32_t n)
{
	if (within(gateway, l->address, l->prefix))
		return true;
	for (uint32_t i = 0; i < n; i++)
		if (!l->route[i].gateway && within(gateway, l->route[i].to, l->route[i].prefix))
			return true;
	return false;
}

void lease_order_routes(struct lease *l)
{
	const struct lease given = *l;

	l->route_n = 0;
	for (uint32_t i = 0; i < given.route_n; i++)
		if (!given.route[i].gateway)
			l->route[l->route_n++] = given.route[i];
	for (uint32_t i = 0; i < given.route_n; i++) {
		const struct lease_route *r = &given.route[i];

		if (!r->gateway)
			continue;
		if (!on_link(l, r->gateway, l->route_n) && l->route_n < LEASE_ROUTES_MAX)
			l->route[l->route_n++] = (struct lease_route){
				.to = r->gateway, .prefix = 32
			};
		if (l->route_n < LEASE_ROUTES_MAX)
			l->route[l->route_n++] = *r;
	}
}

__attribute__((format(printf, 3, 4)))
static void append(char *buf, size_t size, const char *fmt, ...)
{
	size_t used = strlen(buf);
	va_list args;

	va_start(args, fmt);
	vsnprintf(buf + used, size - used, fmt, args);
	va_end(args);
}

const char *lease_text(const struct lease *l, char *buf, size_t size)
{
	char ip[IP_TEXT_BYTES];

	snprintf(buf, size, "%s/%u", ip_text(l->address, ip), (unsigned int)l->prefix);
	for (uint32_t i = 0; i < l->route_n; i++)
		if (!l->route[i].prefix && l->route[i].gateway)
			append(buf, size, ", router %s", ip_text(l->route[i].gateway, ip));
	for (uint32_t i = 0; i < l->dns_n; i++)
		append(buf, size, "%s%s", i ? " " : ", dns ", ip_text(l->dns[i], ip));
	append(buf, size, " (metric %u)", (unsigned int)l->metric);
	return buf;
}
