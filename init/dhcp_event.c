/* SPDX-License-Identifier: MIT */
/* udhcpc's events: see dhcp_event.h. */
#include "init/dhcp_event.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "init/boot.h"
#include "init/lease.h"
#include "init/log.h"
#include "lib/clock.h"
#include "lib/file.h"

#define LEASE_LINE_BYTES 256

static const char *from_environment(const char *name, void *ctx)
{
	(void)ctx;
	return getenv(name);
}

/* udhcpc says so after every round of questions; the console hears of the 1st, 2nd, 4th, 8th ... */
static void say_no_answer(const char *interface)
{
	char path[96], text[16];
	unsigned long n = 0;

	snprintf(path, sizeof(path), BOOT_NET_DIR "/%s.unanswered", interface);
	if (file_read(path, text, sizeof(text)) > 0)
		n = strtoul(text, NULL, 10);
	n++;
	snprintf(text, sizeof(text), "%lu\n", n);
	(void)file_replace(path, text, strlen(text));	/* only a counter for this message */
	if ((n & (n - 1)) == 0)
		log_say("net: %s: DHCP: no answer yet (round %lu); asking on", interface, n);
}

/* A renewal says nothing: on a short lease that would be a line every minute. */
static int take_lease(bool say)
{
	char text[LEASE_LINE_BYTES];
	unsigned int route_errors;
	struct lease l;
	int err = lease_parse(&l, from_environment, NULL);

	if (err) {
		log_say("net: %s: DHCP: the lease has no usable address and is ignored",
			l.interface[0] ? l.interface : "?");
		return EXIT_FAILURE;
	}
	err = lease_apply(&l, &route_errors);
	if (err) {
		log_say("net: %s: DHCP: %s: %s", l.interface, lease_text(&l, text, sizeof(text)),
			strerror(-err));
		return EXIT_FAILURE;
	}
	if (route_errors)
		log_say("net: %s: DHCP: %u routes of the lease could not be set", l.interface,
			route_errors);
	if (say)
		log_say("net: %s: DHCP: %s at uptime %.3f s", l.interface,
			lease_text(&l, text, sizeof(text)), (double)clock_ns() / (double)NS_PER_S);
	err = lease_save(&l);
	if (err)
		log_say("net: %s: the lease cannot be stored: %s", l.interface, strerror(-err));
	return EXIT_SUCCESS;
}

int dhcp_event(int argc, char **argv)
{
	const char *event = argc > 1 ? argv[1] : "", *interface = getenv("interface");

	if (fcntl(DHCP_EVENT_LOG_FD, F_GETFD) >= 0)
		log_to(DHCP_EVENT_LOG_FD);
	if (!interface || !ip_param_is_name(interface)) {
		log_say("net: " DHCP_EVENT_NAME ": called without an interface");
		return EXIT_FAILURE;
	}
	if (!strcmp(event, "bound") || !strcmp(event, "renew"))
		return take_lease(!strcmp(event, "bound"));
	if (!strcmp(event, "leasefail")) {
		say_no_answer(interface);
		return EXIT_SUCCESS;
	}
	if (!strcmp(event, "nak")) {
		log_say("net: %s: DHCP: the server took its offer back", interface);
		return EXIT_SUCCESS;
	}
	if (!strcmp(event, "deconfig")) {
		int err = lease_unapply(interface);
		int forget_err = lease_forget(interface);

		return err || forget_err ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	return EXIT_SUCCESS;	/* an event of a later udhcpc */
}
