/* SPDX-License-Identifier: MIT */
/* What udhcpc calls in place of a script: this same program, under the name dhcp-event. */
#ifndef INIT_DHCP_EVENT_H
#define INIT_DHCP_EVENT_H

#define DHCP_EVENT_NAME "dhcp-event"
#define DHCP_EVENT_PATH "/sbin/dhcp-event"	/* a link to /init */
#define DHCP_EVENT_LOG_FD 9		/* the console pipe; udhcpc takes 3 and 4 itself */

/*
 * Handles one event: argv[1] is deconfig, bound, renew, leasefail or nak; the values stand in the
 * environment as udhcpc's documentation says. No shell sees them. Returns an exit status.
 */
int dhcp_event(int argc, char **argv);

#endif
