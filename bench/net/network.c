/* SPDX-License-Identifier: MIT */
/* What the kernel says of the network: why nothing can be reached, and what interfaces counted. */
#include "bench/net/network.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "bench/sys/sysfs.h"
#include "lib/file.h"
#include "lib/text.h"

#define TABLE_MAX_BYTES (1 << 20)	/* of a table in /proc/net */
#define ROUTE_REJECTS 0x200		/* RTF_REJECT of linux/route.h */

/* Calls `each` with the folder of every interface but the loopback, in the order of names. */
static void each_interface(const char *root, void (*each)(void *context, const char *dir),
			   void *context)
{
	char net[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct sysfs_names names;

	if (!sysfs_join(net, root, "sys/class/net") || sysfs_list(net, ".", &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		uint64_t type = 0;

		if (sysfs_join(dir, net, names.name[i]) && sysfs_is_dir(dir, ".") &&
		    sysfs_read_u64(dir, "type", &type) && type != ARPHRD_LOOPBACK)
			each(context, dir);
	}
	sysfs_list_free(&names);
}

/* Names of the interfaces, with and without a link. */
struct links {
	unsigned up_n, down_n;
	char up[120], down[120];
};

static void add_name(char *list, size_t size, unsigned *n, const char *name)
{
	char clean[32];
	size_t used = strlen(list);

	text_clean_str(clean, sizeof(clean), name);
	snprintf(list + used, size - used, "%s%s", (*n)++ ? ", " : "", clean);
}

static void add_link(void *context, const char *dir)
{
	struct links *l = context;
	uint64_t carrier = 0;

	if (sysfs_read_u64(dir, "carrier", &carrier) && carrier)
		add_name(l->up, sizeof(l->up), &l->up_n, sysfs_base(dir));
	else
		add_name(l->down, sizeof(l->down), &l->down_n, sysfs_base(dir));
}

/* What a table of /proc/net says of one line: is there an address, or a way out? */
struct way {
	bool address, out;
};

/* Iface Destination Gateway Flags RefCnt Use Metric Mask ... */
static void read_route4(const char *line, struct way *w)
{
	char name[32];
	unsigned long to, gateway, flags, mask;

	if (sscanf(line, "%31s %lx %lx %lx %*s %*s %*s %lx", name, &to, &gateway, &flags,
		   &mask) != 5 || !strcmp(name, "lo"))
		return;
	w->address = true;	/* each address brings a route to its own net */
	w->out |= to == 0 && mask == 0 && !(flags & ROUTE_REJECTS);
}

/* destination length source length next-hop metric refcnt use flags device */
static void read_route6(const char *line, struct way *w)
{
	char to[40], name[32];
	unsigned long len, flags;

	if (sscanf(line, "%39s %lx %*s %*s %*s %*s %*s %*s %lx %31s", to, &len, &flags,
		   name) == 4 && strcmp(name, "lo"))
		w->out |= len == 0 && strspn(to, "0") == strlen(to) && !(flags & ROUTE_REJECTS);
}

/* address index length scope flags device; scope 0 is global */
static void read_address6(const char *line, struct way *w)
{
	char name[32];
	unsigned long scope;

	if (sscanf(line, "%*s %*s %*s %lx %*s %31s", &scope, name) == 2 && strcmp(name, "lo"))
		w->address |= scope == 0;
}

static void read_table(const char *root, const char *table,
		       void (*line)(const char *line, struct way *w), struct way *w)
{
	char path[SYSFS_PATH_BYTES], *text, *at, *save;
	size_t len;

	if (!sysfs_join(path, root, table) || file_load(path, TABLE_MAX_BYTES, &text, &len))
		return;
	for (at = strtok_r(text, "\n", &save); at; at = strtok_r(NULL, "\n", &save))
		line(at, w);
	free(text);
}

bool network_trouble(const char *root, int family, char *why, size_t why_bytes)
{
	const char *word = family == AF_INET6 ? "IPv6" : "IPv4";
	struct links l = { 0 };
	struct way w = { 0 };

	why[0] = '\0';
	each_interface(root, add_link, &l);
	if (family == AF_INET6) {
		read_table(root, "proc/net/if_inet6", read_address6, &w);
		read_table(root, "proc/net/ipv6_route", read_route6, &w);
	} else {
		read_table(root, "proc/net/route", read_route4, &w);
	}
	if (l.up_n + l.down_n == 0)
		snprintf(why, why_bytes, "this machine has no network interface");
	else if (l.up_n == 0)
		snprintf(why, why_bytes, "%s: no link", l.down);
	else if (!w.address)
		snprintf(why, why_bytes, "%s: no %s address", l.up, word);
	else if (!w.out)
		snprintf(why, why_bytes, "%s: no %s default route", l.up, word);
	return why[0] != '\0';
}

static void add_counts(void *context, const char *dir)
{
	struct network_counters *now = context;
	struct network_counts *c = &now->one[now->n];

	if (now->n == NETWORK_INTERFACES_MAX)
		return;
	memset(c, 0xff, sizeof(*c));	/* UINT64_MAX in each */
	text_clean_str(c->name, sizeof(c->name), sysfs_base(dir));
	sysfs_read_u64(dir, "statistics/rx_errors", &c->rx_errors);
	sysfs_read_u64(dir, "statistics/tx_errors", &c->tx_errors);
	sysfs_read_u64(dir, "statistics/rx_dropped", &c->rx_dropped);
	sysfs_read_u64(dir, "statistics/tx_dropped", &c->tx_dropped);
	sysfs_read_u64(dir, "carrier_changes", &c->carrier_changes);
	now->n++;
}

void network_count(const char *root, struct network_counters *now)
{
	now->n = 0;
	each_interface(root, add_counts, now);
}

static const struct network_counts *find(const struct network_counters *in, const char *name)
{
	for (unsigned i = 0; i < in->n; i++)
		if (!strcmp(in->one[i].name, name))
			return &in->one[i];
	return NULL;
}

static uint64_t grown(uint64_t before, uint64_t now)
{
	return before == UINT64_MAX || now == UINT64_MAX || now < before ? 0 : now - before;
}

static size_t say(char *said, size_t size, size_t used, const char *name, uint64_t n,
		  const char *what)
{
	if (n && used < size)
		used += (size_t)snprintf(said + used, size - used, "%s%s: %" PRIu64 " %s error%s",
					 used ? ", " : "", name, n, what, n == 1 ? "" : "s");
	return used;
}

bool network_errors(const struct network_counters *before, const struct network_counters *now,
		    char *said, size_t said_bytes)
{
	size_t used = 0;

	said[0] = '\0';
	for (unsigned i = 0; i < now->n; i++) {
		const struct network_counts *c = &now->one[i], *b = find(before, c->name);

		if (!b)
			continue;
		used = say(said, said_bytes, used, c->name, grown(b->rx_errors, c->rx_errors),
			   "receive");
		used = say(said, said_bytes, used, c->name, grown(b->tx_errors, c->tx_errors),
			   "send");
	}
	return used > 0;
}
