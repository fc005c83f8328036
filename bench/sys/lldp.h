/* SPDX-License-Identifier: MIT */
/*
 * LLDP neighbours (IEEE 802.1AB): switches say on each port who they are, every 30 s as a rule.
 *
 * A process of its own listens while the run goes on and whoever wants to know takes what has
 * arrived, without waiting. Nothing is sent. It needs CAP_NET_RAW.
 */
#ifndef BENCH_SYS_LLDP_H
#define BENCH_SYS_LLDP_H

#include <stddef.h>
#include <stdint.h>

#include "bench/model/machine.h"
#include "bench/sys/child.h"

struct lldp_neighbour {
	char interface[32];	/* of ours, that heard it */
	char chassis[64];	/* its chassis ID */
	char port[128];		/* the port it sent from */
	char system[128];	/* its name, else its chassis ID */
};

/*
 * Reads an LLDPDU, that is what follows the Ethernet header, into `n` without its interface.
 * Returns 0, or -EBADMSG where it is none: the three mandatory TLVs are not there in their order,
 * or a length does not fit. -ENODATA: the neighbour says good-bye.
 */
int lldp_parse(const uint8_t *pdu, size_t len, struct lldp_neighbour *n);

struct lldp_listener {
	struct child child;
};

/* Begins to listen on all interfaces. Returns 0 or -errno; then the other calls do nothing. */
int lldp_begin(struct lldp_listener *l);
/* Puts what was heard so far to the interfaces of `m`, the newest last. Does not wait. */
void lldp_take(struct lldp_listener *l, struct machine_info *m);
void lldp_end(struct lldp_listener *l);

#endif
