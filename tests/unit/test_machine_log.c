/* SPDX-License-Identifier: MIT */
/*
 * The tail of the kernel log: which lines are kept, that secrets are not, and that it has a limit.
 */
#include <stdint.h>

#include "bench/sys/kmsg.h"
#include "bench/sys/machine.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

static const struct {
	const char *record;
	const char *want;	/* NULL: not kept */
} records[] = {
	{ "3,100,8510160,-;I/O error, dev fd0, sector 0 op 0x0:(READ)\n SUBSYSTEM=block\n "
		"DEVICE=b2:0\n",
		"[    8.510160] I/O error, dev fd0, sector 0 op 0x0:(READ)" },
	{ "4,1,0,-;a warning", "[    0.000000] a warning" },
	{ "6,1,1109228969,-;zram1: detected capacity change from 0 to 1048576",
		"[ 1109.228969] zram1: detected capacity change from 0 to 1048576" },
	{ "6,2,3000000,-,caller=T1;sd 0:0:0:0: [sda] Attached SCSI disk",
		"[    3.000000] sd 0:0:0:0: [sda] Attached SCSI disk" },
	{ "6,3,3000000,-;ata3.00: configured for UDMA/133", "[    3.000000] ata3.00: configured "
		"for UDMA/133" },
	{ "6,3,3000000,-;ata3: SATA link up 3.0 Gbps", "[    3.000000] ata3: SATA link up 3.0 Gbps"
		},
	{ "6,4,1,-;nvme nvme0: 2/0/0 default/read/poll queues",
		"[    0.000001] nvme nvme0: 2/0/0 default/read/poll queues" },
	{ "6,4,1,-;virtio_blk virtio1: [vda] 536870912 512-byte logical blocks",
		"[    0.000001] virtio_blk virtio1: [vda] 536870912 512-byte logical blocks" },
	{ "6,5,1,-;e1000e: eth0 NIC Link is Up", NULL },
	{ "6,5,1,-;random: crng init done", NULL },
	{ "7,5,1,-;a debugging line", NULL },
	{ "6,5,1,-;sdhci: Secure Digital Host Controller", NULL },
	{ "14,6,1,-;bootmark: stage network", NULL },		/* facility user, level 6 */
	{ "12,6,1,-;bootmark: no disk", "[    0.000001] bootmark: no disk" },	/* level 4 */
	{ "4,7,1,-;", NULL },
	{ "4,7,1,-", NULL }, { "", NULL }, { ";text", NULL }, { "x,y,z,-;text", NULL },
	{ "4,7;text", NULL },
	{ "4,8,1,-;raw \xff and \x1b[31m", "[    0.000001] raw \xEF\xBF\xBD and \xEF\xBF\xBD[31m" },
	/* secrets */
	{ "4,9,1,-;Kernel command line: bench.token=s3cret bench.end=reboot",
		"[    0.000001] Kernel command line: bench.token=*** bench.end=reboot" },
	{ "4,9,1,-;x bench.token=\"a b c\" y", "[    0.000001] x bench.token=\"***\" y" },
	{ "4,9,1,-;x \"bench.token=a b c\" y", "[    0.000001] x \"bench.token=***\" y" },
	{ "4,9,1,-;x BENCH.TOKEN=abc bench.token=def", "[    0.000001] x BENCH.TOKEN=*** "
		"bench.token=***" },
	{ "4,9,1,-;nvme bench.upload=https://u:p@h/r?X-Signature=abc bench.eol",
		"[    0.000001] nvme bench.upload=https://***@h/r?*** bench.eol" },
	{ "4,9,1,-;nvme \"bench.upload=http://h/a?b=c,https://i/\" x",
		"[    0.000001] nvme \"bench.upload=http://h/a?***\" x" },
	{ "4,9,1,-;bench.token=", "[    0.000001] bench.token=***" },
	{ "4,9,1,-;bench.token=x", "[    0.000001] bench.token=***" },
	{ "4,9,1,-;bench.upload=https://user:pa@ss@host/v1/reports x",
		"[    0.000001] bench.upload=https://***@host/v1/reports x" },
	{ "4,9,1,-;see https://kernel.org/a@b", "[    0.000001] see https://kernel.org/a@b" },
};

static void lines(void)
{
	char line[KMSG_LINE_BYTES];

	for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++) {
		bool kept = kmsg_line(records[i].record, strlen(records[i].record), line);

		is_str(kept ? line : NULL, records[i].want, "record %zu", i);
	}
}

static void long_lines(void)
{
	static char record[9000];
	char line[KMSG_LINE_BYTES];

	memset(record, 'x', sizeof(record));
	memcpy(record, "4,1,1,-;", 8);
	ok(kmsg_line(record, sizeof(record), line), "a record of 9,000 bytes is kept");
	ok(strlen(line) < sizeof(line), "and cut");
	/* a token of one character where the line has no room left for its mask */
	for (size_t pad = 930; pad < 1000; pad++) {
		memset(record, 'y', sizeof(record));
		memcpy(record, "4,1,1,-;", 8);
		memcpy(record + 8 + pad, " bench.token=Q", 14);
		if (!kmsg_line(record, 8 + pad + 14, line) || strchr(line, 'Q') ||
		    strlen(line) >= sizeof(line))
			ok(false, "a token at byte %zu is masked", pad);
	}
	ok(true, "a token is masked wherever the line is cut");
	/* masks that are longer than what they hide, more of them than there is room for */
	memcpy(record, "4,1,1,-;", 8);
	for (size_t i = 8; i + 14 <= sizeof(record); i += 14)
		memcpy(record + i, "bench.token=Q ", 14);
	ok(kmsg_line(record, sizeof(record), line) && !strchr(line, 'Q') &&
	   strlen(line) < sizeof(line), "and however many there are");
}

static void tail(void)
{
	struct kmsg_tail t;
	char line[64], *text;
	size_t n;

	if (kmsg_tail_init(&t, 100) < 0)
		tap_bail("no memory");
	for (int i = 0; i < 1000; i++) {
		snprintf(line, sizeof(line), "line %d", i);
		kmsg_tail_add(&t, line);
	}
	text = kmsg_tail_take(&t);
	n = strlen(text);
	ok(n <= 100 && n > 80, "the tail keeps to its limit and uses it (%zu bytes)", n);
	ok(!strncmp(text, "line ", 5) && strstr(text, "line 999\n"), "whole lines, the newest "
	   "last");
	free(text);
	if (kmsg_tail_init(&t, 10) < 0)
		tap_bail("no memory");
	kmsg_tail_add(&t, "a line longer than the limit");
	kmsg_tail_add(&t, "123456789");
	text = kmsg_tail_take(&t);
	is_str(text, "123456789\n", "a line that does not fit is left out; one that just fits is "
	       "not");
	free(text);
	if (kmsg_tail_init(&t, 10) < 0)
		tap_bail("no memory");
	text = kmsg_tail_take(&t);
	is_str(text, "", "no line is an empty text");
	free(text);
}

static void random_records(void)
{
	uint32_t seed = 99;
	unsigned bad = 0;

	for (int round = 0; round < 20000; round++) {
		size_t len = (size_t)round % 1500;
		char *record = malloc(len + 1), line[KMSG_LINE_BYTES];

		if (!record)
			tap_bail("no memory");
		for (size_t i = 0; i < len; i++) {
			seed = seed * 1664525u + 1013904223u;
			record[i] = (char)(seed >> 24);
		}
		if (len > 8)
			memcpy(record, "4,1,1,-;", 8);
		kmsg_line(record, len, line);
		bad += !text_is_utf8(line, strlen(line)) || strchr(line, '\n');
		free(record);
	}
	is_uint(bad, 0, "20,000 random records give clean lines");
}

static void this_machine(void)
{
	char *text = machine_kernel_log(4096);

	if (!text) {
		tap_skip("this machine's log", "/dev/kmsg cannot be read");
		return;
	}
	ok(strlen(text) <= 4096 && text_is_utf8(text, strlen(text)), "this machine's log keeps to "
	   "the rules");
	free(text);
}

int main(void)
{
	lines();
	long_lines();
	tail();
	random_records();
	this_machine();
	return tap_done();
}
