/* SPDX-License-Identifier: MIT */
/* LLDP neighbours; see lldp.h. Each byte comes from whoever is on the wire. */
#include "bench/sys/lldp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/model/report.h"
#include "lib/text.h"

#define FRAME_BYTES 9216	/* jumbo frames too; LLDPDUs are not longer than a frame */
#define SAID_MAX 64		/* neighbours told, however many a hostile wire invents */

/* IEEE 802.1AB-2016, table 8-1 and clauses 8.5.2.2, 8.5.3.2. */
enum tlv { TLV_END, TLV_CHASSIS, TLV_PORT, TLV_TTL, TLV_PORT_TEXT, TLV_SYSTEM };
enum { CHASSIS_MAC = 4, CHASSIS_ADDRESS = 5 };
enum { PORT_ALIAS = 1, PORT_MAC = 3, PORT_ADDRESS = 4, PORT_NAME = 5 };
enum { FAMILY_IPV4 = 1, FAMILY_IPV6 = 2 };

struct part {
	const uint8_t *at;
	size_t len;
};

/* Takes the next TLV off `rest`. False where none is whole. */
static bool next(struct part *rest, unsigned *type, struct part *value)
{
	size_t len;

	if (rest->len < 2)
		return false;
	*type = rest->at[0] >> 1;
	len = (size_t)(rest->at[0] & 1) << 8 | rest->at[1];
	if (len > rest->len - 2)
		return false;
	*value = (struct part){ rest->at + 2, len };
	rest->at += 2 + len;
	rest->len -= 2 + len;
	return true;
}

/* An ID: what follows its subtype is a MAC address, a network address or text. */
static void take_id(const struct part *id, unsigned mac, unsigned address, char *to, size_t size)
{
	const uint8_t *at = id->at + 1;
	size_t len = id->len - 1;

	to[0] = '\0';
	if (id->at[0] == mac && len == 6)
		snprintf(to, size, "%02x:%02x:%02x:%02x:%02x:%02x", at[0], at[1], at[2], at[3],
			 at[4], at[5]);
	else if (id->at[0] == address && len == 5 && at[0] == FAMILY_IPV4)
		inet_ntop(AF_INET, at + 1, to, (socklen_t)size);
	else if (id->at[0] == address && len == 17 && at[0] == FAMILY_IPV6)
		inet_ntop(AF_INET6, at + 1, to, (socklen_t)size);
	else if (id->at[0] != mac && id->at[0] != address)
		text_clean(to, size, at, len);
}

/* One of the three TLVs that stand first, in this order. */
static bool expect(struct part *rest, enum tlv want, size_t least, struct part *value)
{
	unsigned type;

	return next(rest, &type, value) && type == want && value->len >= least;
}

int lldp_parse(const uint8_t *pdu, size_t len, struct lldp_neighbour *n)
{
	struct part rest = { pdu, len }, chassis, port, ttl, value;
	char port_text[128] = "";
	unsigned type;

	*n = (struct lldp_neighbour){ .interface = "" };
	if (!expect(&rest, TLV_CHASSIS, 2, &chassis) || !expect(&rest, TLV_PORT, 2, &port) ||
	    !expect(&rest, TLV_TTL, 2, &ttl))
		return -EBADMSG;
	if (!ttl.at[0] && !ttl.at[1])
		return -ENODATA;
	take_id(&chassis, CHASSIS_MAC, CHASSIS_ADDRESS, n->chassis, sizeof(n->chassis));
	take_id(&port, PORT_MAC, PORT_ADDRESS, n->port, sizeof(n->port));
	do {
		if (!next(&rest, &type, &value))
			return -EBADMSG;
		if (type == TLV_SYSTEM)
			text_clean(n->system, sizeof(n->system), value.at, value.len);
		else if (type == TLV_PORT_TEXT)
			text_clean(port_text, sizeof(port_text), value.at, value.len);
	} while (type != TLV_END);
	/* a number or an address tells people less than the port's description */
	if (port_text[0] && port.at[0] != PORT_NAME && port.at[0] != PORT_ALIAS)
		text_copy(n->port, sizeof(n->port), port_text);
	if (!n->system[0])
		text_copy(n->system, sizeof(n->system), n->chassis);
	return 0;
}

/* The groups that LLDP uses: a network card drops what is sent to a group nobody wants. */
static void join_groups(int fd)
{
	static const uint8_t last[] = { 0x0e, 0x03, 0x00 };
	struct if_nameindex *all = if_nameindex();

	for (const struct if_nameindex *i = all; i && i->if_index; i++)
		for (size_t k = 0; k < sizeof(last); k++) {
			const struct packet_mreq join = {
				.mr_ifindex = (int)i->if_index, .mr_type = PACKET_MR_MULTICAST,
				.mr_alen = ETH_ALEN,
				.mr_address = { 0x01, 0x80, 0xc2, 0x00, 0x00, last[k] },
			};

			setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &join, sizeof(join));
		}
	if_freenameindex(all);
}

static bool was_said(const struct lldp_neighbour *said, size_t n, const struct lldp_neighbour *new)
{
	for (size_t i = 0; i < n; i++)
		if (!memcmp(&said[i], new, sizeof(*new)))
			return true;
	return false;
}

static void listen_for_ever(void *context)
{
	static uint8_t frame[FRAME_BYTES];
	static struct lldp_neighbour said[SAID_MAX];
	int fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, htons(ETH_P_LLDP));
	size_t n = 0;

	(void)context;
	if (fd < 0)
		return;
	join_groups(fd);
	while (n < SAID_MAX) {
		struct sockaddr_ll from = { .sll_ifindex = 0 };
		socklen_t from_len = sizeof(from);
		ssize_t len = recvfrom(fd, frame, sizeof(frame), 0, (struct sockaddr *)&from,
				       &from_len);
		char name[IF_NAMESIZE];

		if (len < 0 && errno != EINTR && errno != ENETDOWN && errno != ENOBUFS)
			return;
		/* a socket for one protocol is not given what goes out */
		if (len <= 0 || lldp_parse(frame, (size_t)len, &said[n]) ||
		    !if_indextoname((unsigned)from.sll_ifindex, name))
			continue;
		text_clean_str(said[n].interface, sizeof(said[n].interface), name);
		if (was_said(said, n, &said[n]))
			continue;
		if (!child_say(&said[n], sizeof(said[n])))
			return;
		n++;
	}
}

int lldp_begin(struct lldp_listener *l)
{
	return child_start(&l->child, listen_for_ever, NULL);
}

void lldp_take(struct lldp_listener *l, struct machine_info *m)
{
	struct lldp_neighbour n;

	/* what it says is smaller than PIPE_BUF: it has arrived whole or not at all */
	while (child_listen(&l->child, &n, sizeof(n), 0) == sizeof(n))
		for (uint32_t i = 0; i < REPORT_KEPT(m->nic_n, m->nic); i++)
			if (!strcmp(m->nic[i].name, n.interface)) {
				text_copy(m->nic[i].lldp_system, sizeof(m->nic[i].lldp_system),
					  n.system);
				text_copy(m->nic[i].lldp_port, sizeof(m->nic[i].lldp_port),
					  n.port);
			}
}

void lldp_end(struct lldp_listener *l)
{
	child_end(&l->child);
}
