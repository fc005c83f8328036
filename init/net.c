/* SPDX-License-Identifier: MIT */
/*
 * The network helper: brings up every Ethernet link and asks for an address wherever there is
 * carrier, all at the same time, until the end. Tests never wait for it.
 *
 * One loop over two descriptors: the kernel's link messages and the signal that a DHCP client
 * ended. A card that appears late is one more message. The card the machine booted from (BOOTIF)
 * gets the best route metric, then each card in the order in which it appeared.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/dhcp_event.h"
#include "init/launch.h"
#include "init/lease.h"
#include "init/log.h"
#include "init/netlink.h"
#include "init/work.h"
#include "lib/clock.h"
#include "lib/file.h"

#ifndef IFF_LOWER_UP
#define IFF_LOWER_UP 0x10000	/* linux/if.h, which does not go together with net/if.h */
#endif

#define NIC_MAX 32
#define NET_AUTO 0		/* the option's first choice */
#define METRIC_BOOTIF 100
#define METRIC_FIRST 200
#define METRIC_STEP 10
#define CMDLINE_BYTES 16384
#define BUSYBOX "/bin/busybox"
#define RESTART_NS (5 * NS_PER_S)	/* pause before a DHCP client that ended is started again */
#define RESTARTS_MAX 20

/*
 * udhcpc asks five times, three seconds apart, waits five seconds and begins anew, for ever: a
 * switch port that stays silent for 30 s after link-up (spanning tree) or a slow relay is only a
 * late answer.
 */
#define DHCP_TRIES "5"
#define DHCP_TRY_S "3"
#define DHCP_PAUSE_S "5"

struct nic {
	int index;		/* 0: free */
	char name[NETLINK_NAME_BYTES];
	uint8_t mac[MAC_BYTES];
	uint32_t metric;
	bool carrier;
	bool configured;	/* static addresses set, or DHCP begun */
	bool no_dhcp;		/* static, or not wanted here */
	pid_t dhcp;
	uint64_t restart_ns;	/* when the DHCP client is to be started again; 0: not */
	unsigned int restarts;
};

struct net {
	struct boot *boot;
	int events, requests, signals;
	struct net_params params;
	bool used[IP_PARAM_MAX];	/* the ip= words that have found their card */
	struct nic nic[NIC_MAX];
	unsigned int seen;		/* cards that ever appeared */
};

static struct nic *nic_by_index(struct net *n, int index)
{
	for (int i = 0; i < NIC_MAX; i++)
		if (n->nic[i].index == index)
			return &n->nic[i];
	return NULL;
}

/* Hardware only: no bonds, bridges or VLANs, which nobody has set up here, and none of their
 * members. */
static bool is_card(const struct netlink_link *l)
{
	return l->type == ARPHRD_ETHER && !(l->flags & IFF_LOOPBACK) && !l->master && l->has_mac &&
		(!l->kind[0] || !strcmp(l->kind, "veth"));
}

static _Noreturn void dhcp_process(const struct net *n, const struct nic *nic)
{
	char metric[40];
	char *const argv[] = {
		(char *)"udhcpc", (char *)"-f", (char *)"-i", (char *)nic->name,
		(char *)"-s", (char *)DHCP_EVENT_PATH, (char *)"-t", (char *)DHCP_TRIES,
		(char *)"-T", (char *)DHCP_TRY_S, (char *)"-A", (char *)DHCP_PAUSE_S,
		(char *)"-O", (char *)"staticroutes", (char *)"-O", (char *)"msstaticroutes",
		(char *)"-O", (char *)"mtu", (char *)"-O", (char *)"ntpsrv", NULL
	};
	char *const extra[] = { metric, NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	launch_oom_score(0);
	snprintf(metric, sizeof(metric), "BOOTMARK_METRIC=%u", (unsigned int)nic->metric);
	/* The client's chatter is not shown; its events speak through their own descriptor. */
	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	dup2(n->boot->pipe_write, DHCP_EVENT_LOG_FD);	/* last: the number may have been `null` */
	log_to(DHCP_EVENT_LOG_FD);
	launch_exec_env(BUSYBOX, argv, extra);
}

static void dhcp_start(struct net *n, struct nic *nic)
{
	nic->restart_ns = 0;
	nic->dhcp = fork();
	if (nic->dhcp == 0)
		dhcp_process(n, nic);
	if (nic->dhcp > 0)
		return;
	nic->dhcp = 0;
	nic->restart_ns = clock_ns() + RESTART_NS;
	log_say("net: %s: DHCP: cannot fork: %s", nic->name, strerror(errno));
}

static void dhcp_ended(struct nic *nic, int status)
{
	nic->dhcp = 0;
	if (!nic->index)
		return;		/* the card is gone, and so its client */
	if (nic->restarts++ >= RESTARTS_MAX) {
		log_say("net: %s: DHCP: the client ended too often and stays away", nic->name);
		return;
	}
	if (nic->restarts == 1)
		log_say("net: %s: DHCP: the client ended (%s %d) and is started again", nic->name,
			WIFEXITED(status) ? "status" : "signal",
			WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	nic->restart_ns = clock_ns() + RESTART_NS;
}

static bool is_bootif(const struct net *n, const struct nic *nic)
{
	return n->params.has_bootif && !memcmp(n->params.bootif, nic->mac, MAC_BYTES);
}

/*
 * Does this ip= word mean this card? One without a device means BOOTIF, or else the first card with
 * carrier.
 */
static bool is_meant(const struct net *n, const struct ip_param *ip, const struct nic *nic)
{
	if (ip->has_mac)
		return !memcmp(ip->mac, nic->mac, MAC_BYTES);
	if (ip->device[0])
		return !strcmp(ip->device, nic->name);
	return n->params.has_bootif ? is_bootif(n, nic) : nic->carrier;
}

static void set_static(const struct nic *nic, const struct ip_param *ip)
{
	unsigned int route_errors;
	struct lease l;
	char text[256];
	int err;

	lease_from_param(&l, ip, nic->name, nic->metric);
	err = lease_apply(&l, &route_errors);
	if (!err)
		err = lease_save(&l);
	if (err)
		log_say("net: %s: static %s: %s", nic->name, lease_text(&l, text, sizeof(text)),
			strerror(-err));
	else
		log_say("net: %s: static %s", nic->name, lease_text(&l, text, sizeof(text)));
	if (route_errors)
		log_say("net: %s: the route to the gateway could not be set", nic->name);
}

/* True where DHCP is asked for on this card: by a word for it, by ip=dhcp, or by the lack of any
 * ip=. */
static bool wants_dhcp(const struct net *n, const struct nic *nic)
{
	if (!n->params.ip_n)
		return true;
	for (uint32_t i = 0; i < n->params.ip_n; i++) {
		const struct ip_param *ip = &n->params.ip[i];

		if (ip->dhcp && ((!ip->device[0] && !ip->has_mac) || is_meant(n, ip, nic)))
			return true;
	}
	return false;
}

static void nic_configure(struct net *n, struct nic *nic)
{
	for (uint32_t i = 0; i < n->params.ip_n && !nic->configured; i++) {
		const struct ip_param *ip = &n->params.ip[i];

		if (!ip->address || n->used[i] || !is_meant(n, ip, nic))
			continue;
		n->used[i] = nic->configured = nic->no_dhcp = true;
		set_static(nic, ip);
	}
	if (!nic->configured && nic->carrier && wants_dhcp(n, nic)) {
		nic->configured = true;
		dhcp_start(n, nic);
	}
}

static void say_carrier(const struct nic *nic)
{
	char path[64], speed[16] = "";
	ssize_t len;

	snprintf(path, sizeof(path), "/sys/class/net/%s/speed", nic->name);
	len = file_read(path, speed, sizeof(speed));
	speed[len > 0 ? strcspn(speed, "\n") : 0] = '\0';
	if (!nic->carrier)
		log_say("net: %s: link down", nic->name);
	else if (speed[0] && speed[0] != '-')
		log_say("net: %s: link up, %s Mb/s", nic->name, speed);
	else
		log_say("net: %s: link up", nic->name);
}

static struct nic *nic_add(struct net *n, const struct netlink_link *l)
{
	struct nic *nic = nic_by_index(n, 0);
	int err;

	if (!nic)
		return NULL;
	*nic = (struct nic){ .index = l->index, .metric = METRIC_FIRST + n->seen++ * METRIC_STEP };
	memcpy(nic->name, l->name, sizeof(nic->name));
	memcpy(nic->mac, l->mac, sizeof(nic->mac));
	if (is_bootif(n, nic))
		nic->metric = METRIC_BOOTIF;
	log_say("net: %s: %02x:%02x:%02x:%02x:%02x:%02x%s", nic->name, nic->mac[0], nic->mac[1],
		nic->mac[2], nic->mac[3], nic->mac[4], nic->mac[5],
		is_bootif(n, nic) ? ", the boot interface" : "");
	err = netlink_link_up(n->requests, nic->index);
	if (err)
		log_say("net: %s: cannot be brought up: %s", nic->name, strerror(-err));
	return nic;
}

static void nic_remove(struct nic *nic)
{
	log_say("net: %s: the card is gone", nic->name);
	if (nic->dhcp > 0)
		kill(nic->dhcp, SIGTERM);
	(void)lease_forget(nic->name);
	nic->index = 0;
}

static void on_link(const struct netlink_link *l, void *ctx)
{
	struct net *n = ctx;
	struct nic *nic = nic_by_index(n, l->index);
	bool carrier = (l->flags & (IFF_UP | IFF_LOWER_UP)) == (IFF_UP | IFF_LOWER_UP);

	if (l->gone || !is_card(l)) {
		if (nic && l->index)
			nic_remove(nic);
		return;
	}
	if (!nic)
		nic = nic_add(n, l);
	if (!nic)
		return;
	if (carrier != nic->carrier) {
		nic->carrier = carrier;
		say_carrier(nic);
		/* After a pause the other end may be another network: ask again at once. */
		if (carrier && nic->dhcp > 0)
			kill(nic->dhcp, SIGUSR1);
	}
	nic_configure(n, nic);
}

static void collect_clients(struct net *n)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	(void)!read(n->signals, &info, sizeof(info)); /* only a bell: waitpid says what happened */
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (int i = 0; i < NIC_MAX; i++)
			if (n->nic[i].dhcp == pid)
				dhcp_ended(&n->nic[i], status);
}

/* Starts the clients whose pause is over. Returns milliseconds until the next one, -1: none. */
static int restart_clients(struct net *n)
{
	uint64_t now = clock_ns();
	int wait_ms = -1;

	for (int i = 0; i < NIC_MAX; i++) {
		struct nic *nic = &n->nic[i];

		if (!nic->index || !nic->restart_ns)
			continue;
		if (nic->restart_ns <= now)
			dhcp_start(n, nic);
		if (nic->restart_ns > now) {
			int ms = (int)((nic->restart_ns - now) / NS_PER_MS) + 1;

			wait_ms = wait_ms < 0 || ms < wait_ms ? ms : wait_ms;
		}
	}
	return wait_ms;
}

static int net_open(struct net *n)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	n->signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (n->signals < 0)
		return -errno;
	/* Subscribed before the first look, so that nothing falls in between. */
	n->events = netlink_open(RTMGRP_LINK);
	n->requests = netlink_open(0);
	return n->events < 0 ? n->events : n->requests < 0 ? n->requests : 0;
}

static void read_params(struct net *n)
{
	char line[CMDLINE_BYTES];
	ssize_t len = file_read(BOOT_CMDLINE, line, sizeof(line));

	ip_param_parse(&n->params, line, len > 0 ? (size_t)len : 0);
	for (uint32_t i = 0; i < n->params.note_n && i < IP_PARAM_NOTES; i++)
		log_say("net: %s", n->params.note[i]);
	if (n->params.dns_n && lease_save_nameservers(n->params.dns, n->params.dns_n))
		log_say("net: the name servers cannot be stored");
}

/* Waits for the next thing to happen and deals with it. Returns 0 or -errno. */
static int net_once(struct net *n)
{
	struct pollfd fds[] = {
		{ .fd = n->events, .events = POLLIN }, { .fd = n->signals, .events = POLLIN },
	};
	int err = 0;

	if (poll(fds, 2, restart_clients(n)) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[1].revents)
		collect_clients(n);
	if (fds[0].revents)
		err = netlink_events(n->events, on_link, n);
	/* Messages were lost: look at everything again. */
	if (err == -ENOBUFS)
		err = netlink_links(on_link, n);
	return err;
}

int work_network(struct boot *b)
{
	static struct net n;
	int lo, err;

	n.boot = b;
	err = net_open(&n);
	if (err) {
		log_say("net: no access to the kernel's network: %s", strerror(-err));
		return err;
	}
	lo = (int)if_nametoindex("lo");
	if (lo)
		(void)netlink_link_up(n.requests, lo);
	if (options_number(&b->options, OPT_ID_NET) != NET_AUTO) {
		log_say("net: off, as bench.net says");
		return -ECANCELED;
	}
	read_params(&n);
	if (n.params.off) {
		log_say("net: off, as ip= says");
		return -ECANCELED;
	}
	err = netlink_links(on_link, &n);
	if (!err && !n.seen)
		log_say("net: no Ethernet card so far");
	while (!err)
		err = net_once(&n);
	log_say("net: the kernel's link messages: %s", strerror(-err));
	return err;
}
