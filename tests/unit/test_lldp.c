/* SPDX-License-Identifier: MIT */
/* LLDP: what a switch says, what a hostile wire says, and a frame over a pair of virtual cards. */
#include <errno.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/model/fields.h"
#include "bench/sys/lldp.h"
#include "lib/clock.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

#define CHASSIS "\x02\x07\x04\x00\x1b\x21\xaa\xbb\xcc"
#define PORT "\x04\x0b\x05" "Ethernet1/"	/* eleven bytes with the subtype */
#define TTL "\x06\x02\x00\x78"
#define END "\x00\x00"
#define PDU(text) text, sizeof(text) - 1

static const struct {
	const char *what, *pdu;
	size_t len;
	int err;
	const char *system, *port;
} rows[] = {
	{ "a switch", PDU(CHASSIS PORT TTL "\x0a\x05" "sw-12" "\x08\x04" "Desc" END), 0, "sw-12",
		"Ethernet1/" },
	{ "without a name", PDU(CHASSIS PORT TTL END), 0, "00:1b:21:aa:bb:cc", "Ethernet1/" },
	{ "a port by number, with its description", PDU(CHASSIS "\x04\x04\x07" "531" TTL "\x08\x09"
		"ge-0/0/14" "\x0a\x02" "r1" END), 0, "r1", "ge-0/0/14" },
	{ "a port by address", PDU(CHASSIS "\x04\x07\x03\x02\x00\x00\x00\x00\x07" TTL END), 0,
		"00:1b:21:aa:bb:cc", "02:00:00:00:00:07" },
	{ "a chassis by network address", PDU("\x02\x06\x05\x01\x0a\x00\x00\x01" PORT TTL END), 0,
		"10.0.0.1", "Ethernet1/" },
	{ "IPv6", PDU("\x02\x12\x05\x02\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01" PORT TTL END), 0,
		"2001:db8::1", "Ethernet1/" },
	{ "an address of the wrong length", PDU("\x02\x04\x04\x00\x1b\x21" PORT TTL END), 0, "",
		"Ethernet1/" },
	{ "unknown TLVs", PDU(CHASSIS PORT TTL "\xfe\x06\x00\x80\xc2\x01\x00\x01" "\x0a\x01" "x"
		END), 0, "x", "Ethernet1/" },
	{ "control characters", PDU(CHASSIS PORT TTL "\x0a\x08" "a\n\x1b[1m\xff\0" END), 0,
		"a \xEF\xBF\xBD[1m\xEF\xBF\xBD", "Ethernet1/" },
	{ "padding behind the end", PDU(CHASSIS PORT TTL END "\xff\xff\xff\xff"), 0,
		"00:1b:21:aa:bb:cc", "Ethernet1/" },
	{ "a good-bye", PDU(CHASSIS PORT "\x06\x02\x00\x00" END), -ENODATA, "", "" },
	{ "no end", PDU(CHASSIS PORT TTL), -EBADMSG, NULL, NULL },
	{ "the wrong order", PDU(PORT CHASSIS TTL END), -EBADMSG, NULL, NULL },
	{ "no time to live", PDU(CHASSIS PORT END), -EBADMSG, NULL, NULL },
	{ "a chassis ID without an ID", PDU("\x02\x01\x04" PORT TTL END), -EBADMSG, NULL, NULL },
	{ "an empty port", PDU(CHASSIS "\x04\x00" TTL END), -EBADMSG, NULL, NULL },
	{ "a length past the end", PDU(CHASSIS PORT TTL "\x0b\xff" "sw"), -EBADMSG, NULL, NULL },
	{ "nothing", PDU(""), -EBADMSG, NULL, NULL },
	{ "one byte", PDU("\x02"), -EBADMSG, NULL, NULL },
};

static void parsing(void)
{
	struct lldp_neighbour n;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		/* in memory of exactly that size, so that a byte too far is seen */
		uint8_t *pdu = malloc(rows[i].len + !rows[i].len);

		if (!pdu)
			tap_bail("no memory");
		memcpy(pdu, rows[i].pdu, rows[i].len);
		is_int(lldp_parse(pdu, rows[i].len, &n), rows[i].err, "%s", rows[i].what);
		if (rows[i].system) {
			is_str(n.system, rows[i].system, "... system");
			is_str(n.port, rows[i].port, "... port");
		}
		free(pdu);
	}
}

/* The longest texts, every length of a real frame, and noise behind a real head. */
static void hostile(void)
{
	static uint8_t frame[2048];
	static const char head[] = CHASSIS PORT TTL;
	struct lldp_neighbour n;
	uint32_t seed = 7;
	unsigned bad = 0;

	memcpy(frame, head, sizeof(head) - 1);
	memset(frame + sizeof(head) - 1, 'n', sizeof(frame) - sizeof(head));
	memcpy(frame + sizeof(head) - 1, "\x0b\xff", 2);
	memset(frame + sizeof(head) + 1 + 511, 0, 2);
	is_int(lldp_parse(frame, sizeof(frame), &n), 0, "a name of 511 bytes");
	is_uint(strlen(n.system), sizeof(n.system) - 1, "is cut");
	for (size_t len = 0; len < sizeof(head) + 512; len++) {
		uint8_t *pdu = malloc(len + 1);

		if (!pdu)
			tap_bail("no memory");
		memcpy(pdu, frame, len);
		bad += lldp_parse(pdu, len, &n) != -EBADMSG;
		free(pdu);
	}
	is_uint(bad, 0, "a frame cut anywhere is none");
	for (int round = 0; round < 20000; round++) {
		size_t len = (size_t)round % 300, keep = round % 3 ? sizeof(head) - 1 : 0;
		uint8_t *pdu = malloc(len + keep + 1);

		if (!pdu)
			tap_bail("no memory");
		memcpy(pdu, head, keep);
		for (size_t i = 0; i < len; i++) {
			seed = seed * 1664525u + 1013904223u;
			pdu[keep + i] = (uint8_t)(seed >> 24);
		}
		lldp_parse(pdu, keep + len, &n);
		bad += !text_is_utf8(n.system, strlen(n.system)) || strchr(n.system, '\n') ||
		       !text_is_utf8(n.port, strlen(n.port));
		free(pdu);
	}
	is_uint(bad, 0, "20,000 frames of noise give clean text");
}

/*
 * In a network of our own: two ends of a cable, a real frame sent into one by another program, and
 * a frame of ours that must not come back.
 */
static const char cable[] = "PATH=$PATH:/usr/sbin:/sbin; "
	"ip link add bm0 type veth peer name bm1 && ip link set bm0 up && ip link set bm1 up";
static const char send[] = "python3 -c '\n"
	"import socket\n"
	"def send(name, system):\n"
	"    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)\n"
	"    s.bind((name, 0))\n"
	"    tlv = lambda t, v: bytes([t << 1 | len(v) >> 8, len(v) & 255]) + v\n"
	"    s.send(bytes.fromhex(\"0180c200000e02000000000188cc\") +\n"
	"        tlv(1, b\"\\4\\2\\0\\0\\0\\0\\1\") + tlv(2, b\"\\5swp7\") +\n"
	"        tlv(3, b\"\\0\\x78\") + tlv(5, system) + tlv(0, b\"\"))\n"
	"send(\"bm1\", b\"leaf-3\")\n"
	"'";

/* In the child with a network of its own: 0 where all is as it should be. */
static int hear(void)
{
	static struct machine_info m;
	struct nic_info *nic;
	struct lldp_listener l;
	const struct timespec step = { .tv_nsec = 20 * 1000 * 1000 };

	fields_init(&fields_machine, &m);
	for (int i = 0; i < 2; i++) {
		nic = fields_add(&fields_machine, &m, "nics");
		snprintf(nic->name, sizeof(nic->name), "bm%d", i);
	}
	if (system(cable) != 0)
		return 77;
	if (lldp_begin(&l) < 0)
		return 2;
	lldp_take(&l, &m);
	if (m.nic[0].lldp_system[0])
		return 3;
	/* it is not known when the listener is ready: frames are sent until one is heard */
	for (int i = 0; i < 200 && !m.nic[0].lldp_system[0]; i++) {
		if (i % 10 == 0 && system(send) != 0)
			return 4;
		nanosleep(&step, NULL);
		lldp_take(&l, &m);
	}
	lldp_end(&l);
	if (strcmp(m.nic[0].lldp_system, "leaf-3") || strcmp(m.nic[0].lldp_port, "swp7"))
		return 5;
	return m.nic[1].lldp_system[0] ? 6 : 0;	/* what went out is not heard */
}

static void wire(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(unshare(CLONE_NEWNET) ? 77 : hear());
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		tap_bail("no process with a network of its own");
	if (WEXITSTATUS(status) == 77)
		tap_skip("a frame over a cable", "no network of its own: needs root and ip");
	else
		is_int(WEXITSTATUS(status), 0, "a frame over a cable is heard at its other end");
}

int main(void)
{
	parsing();
	hostile();
	wire();
	return tap_done();
}
