/* SPDX-License-Identifier: MIT */
/* A lease in the kernel and on the file system: see lease.h. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/lease.h"
#include "init/netlink.h"
#include "lib/file.h"

#define LOCK_FILE BOOT_NET_DIR "/.lock"
#define NAMESERVERS_FILE BOOT_NET_DIR "/nameservers"
#define SUFFIX ".lease"
#define PATH_BYTES 96
#define LEASE_BYTES 4096

int lease_apply(const struct lease *l, unsigned int *route_errors)
{
	int link = (int)if_nametoindex(l->interface), fd, err;

	*route_errors = 0;
	if (!link)
		return -errno;
	fd = netlink_open(0);
	if (fd < 0)
		return fd;
	/* A network card may refuse a size; the smaller one it has works as well. */
	if (l->mtu_bytes)
		(void)netlink_set_mtu(fd, link, l->mtu_bytes);
	err = netlink_flush_addresses(fd, link, l->address, l->prefix);
	if (!err)
		err = netlink_add_address(fd, link, l->address, l->prefix, l->metric);
	for (uint32_t i = 0; i < l->route_n && !err; i++) {
		const struct lease_route *r = &l->route[i];
		struct netlink_route nr = {
			.link = link, .to = r->to, .prefix = r->prefix, .gateway = r->gateway,
			.metric = l->metric,
		};

		*route_errors += netlink_add_route(fd, &nr) != 0;
	}
	close(fd);
	return err;
}

int lease_unapply(const char *interface)
{
	int link = (int)if_nametoindex(interface), fd, err;

	if (!link)
		return -errno;
	fd = netlink_open(0);
	if (fd < 0)
		return fd;
	err = netlink_flush_addresses(fd, link, 0, 0);
	close(fd);
	return err;
}

static int lock(void)
{
	int fd = open(LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The value of NAME= in a file this program wrote, up to the line's end. Returns false if
 * absent. */
static bool value_of(const char *text, const char *name, char *value, size_t size)
{
	size_t name_len = strlen(name), len;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (strncmp(line, name, name_len) || line[name_len] != '=')
			continue;
		line += name_len + 1;
		len = strcspn(line, "\n");
		if (len >= size)
			len = size - 1;
		memcpy(value, line, len);
		value[len] = '\0';
		return true;
	}
	return false;
}

static bool is_lease_name(const char *name)
{
	size_t len = strlen(name);

	return len > sizeof(SUFFIX) - 1 && name[0] != '.' &&
	       !strcmp(name + len - (sizeof(SUFFIX) - 1), SUFFIX);
}

/* Adds the servers of one text to the list, in the order of their metric; doubles count once. */
struct servers {
	unsigned int n;
	struct {
		unsigned long metric;
		char address[IP_TEXT_BYTES];
	} row[64];
};

static void add_servers(struct servers *s, const char *text)
{
	char metric[16] = "0", dns[LEASE_DNS_MAX * IP_TEXT_BYTES + 1], *save = NULL;

	value_of(text, "metric", metric, sizeof(metric));
	if (!value_of(text, "dns", dns, sizeof(dns)))
		return;
	for (char *w = strtok_r(dns, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		unsigned long m = strtoul(metric, NULL, 10);
		unsigned int at = s->n;

		if (s->n == sizeof(s->row) / sizeof(s->row[0]) || strlen(w) >= IP_TEXT_BYTES)
			return;
		for (; at && s->row[at - 1].metric > m; at--)
			s->row[at] = s->row[at - 1];
		s->row[at].metric = m;
		snprintf(s->row[at].address, sizeof(s->row[at].address), "%s", w);
		s->n++;
	}
}

static bool seen_before(const struct servers *s, unsigned int i)
{
	for (unsigned int j = 0; j < i; j++)
		if (!strcmp(s->row[i].address, s->row[j].address))
			return true;
	return false;
}

/* Makes resolv.conf from everything there is; the caller holds the lock. */
static int write_resolv_conf(void)
{
	struct servers servers = { 0 };
	char path[PATH_BYTES + 256], text[LEASE_BYTES], out[512] = "";
	unsigned int n = 0;
	struct dirent *e;
	DIR *dir = opendir(BOOT_NET_DIR);

	if (!dir)
		return -errno;
	if (file_read(NAMESERVERS_FILE, text, sizeof(text)) >= 0)
		add_servers(&servers, text);
	while ((e = readdir(dir))) {
		if (!is_lease_name(e->d_name))
			continue;
		snprintf(path, sizeof(path), BOOT_NET_DIR "/%s", e->d_name);
		if (file_read(path, text, sizeof(text)) >= 0)
			add_servers(&servers, text);
	}
	closedir(dir);
	for (unsigned int i = 0; i < servers.n && n < LEASE_DNS_MAX; i++) {
		size_t used = strlen(out);

		if (seen_before(&servers, i))
			continue;
		snprintf(out + used, sizeof(out) - used, "nameserver %s\n", servers.row[i].address);
		n++;
	}
	return file_replace(LEASE_RESOLV_CONF, out, strlen(out));
}

static void format_lease(const struct lease *l, char *text, size_t size)
{
	char ip[IP_TEXT_BYTES], dns[LEASE_DNS_MAX * IP_TEXT_BYTES + 1] = "";
	uint32_t gateway = 0;
	int n;

	for (uint32_t i = 0; i < l->dns_n; i++) {
		size_t used = strlen(dns);

		snprintf(dns + used, sizeof(dns) - used, "%s%s", i ? " " : "",
			 ip_text(l->dns[i], ip));
	}
	for (uint32_t i = 0; i < l->route_n; i++)
		if (!l->route[i].prefix)
			gateway = l->route[i].gateway;
	n = snprintf(text, size, "interface=%s\nmethod=%s\naddress=%s/%u\n", l->interface,
		     l->is_static ? "static" : "dhcp", ip_text(l->address, ip),
		     (unsigned int)l->prefix);
	n += snprintf(text + n, size - (size_t)n, "gateway=%s\n",
		      gateway ? ip_text(gateway, ip) : "");
	n += snprintf(text + n, size - (size_t)n, "dns=%s\nserver=%s\n", dns,
		      l->server ? ip_text(l->server, ip) : "");
	snprintf(text + n, size - (size_t)n, "ntp=%s\nlease_s=%u\nmetric=%u\n",
		 l->ntp ? ip_text(l->ntp, ip) : "", (unsigned int)l->lease_s,
		 (unsigned int)l->metric);
}

int lease_save(const struct lease *l)
{
	char path[PATH_BYTES], text[LEASE_BYTES];
	int fd = lock(), err, resolv_err;

	snprintf(path, sizeof(path), BOOT_NET_DIR "/%s" SUFFIX, l->interface);
	format_lease(l, text, sizeof(text));
	err = file_replace(path, text, strlen(text));
	resolv_err = write_resolv_conf();
	if (fd >= 0)
		close(fd);
	return err ? err : resolv_err;
}

int lease_forget(const char *interface)
{
	char path[PATH_BYTES];
	int fd = lock(), err = 0;

	snprintf(path, sizeof(path), BOOT_NET_DIR "/%s" SUFFIX, interface);
	if (!unlink(path))
		err = write_resolv_conf();
	else if (errno != ENOENT)
		err = -errno;
	if (fd >= 0)
		close(fd);
	return err;
}

int lease_save_nameservers(const uint32_t *dns, uint32_t n)
{
	char text[LEASE_DNS_MAX * IP_TEXT_BYTES + 32] = "dns=", ip[IP_TEXT_BYTES];
	int fd, err;

	for (uint32_t i = 0; i < n && i < LEASE_DNS_MAX; i++) {
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "%s%s", i ? " " : "",
			 ip_text(dns[i], ip));
	}
	fd = lock();
	err = file_replace(NAMESERVERS_FILE, text, strlen(text));
	if (!err)
		err = write_resolv_conf();
	if (fd >= 0)
		close(fd);
	return err;
}

unsigned int lease_count(void)
{
	DIR *dir = opendir(BOOT_NET_DIR);
	unsigned int n = 0;
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		n += is_lease_name(e->d_name);
	if (dir)
		closedir(dir);
	return n;
}
