/* SPDX-License-Identifier: MIT */
/* SIOCETHTOOL: only questions, nothing is set; see ethtool.h. */
#include "bench/sys/ethtool.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/sys/placeholder.h"
#include "lib/text.h"

#define WORDS_MAX 16	/* 512 modes; Linux 6.12 has 103 */

/* Bits of the kernel's list of link modes, which only grows; ports, pause and FEC are between. */
static const struct {
	uint16_t first, last;
	int32_t mbit_per_s;
} speeds[] = {
	{ 0, 1, 10 }, { 2, 3, 100 }, { 4, 5, 1000 }, { 12, 12, 10000 }, { 15, 15, 2500 },
	{ 17, 17, 1000 }, { 18, 20, 10000 }, { 21, 22, 20000 }, { 23, 26, 40000 },
	{ 27, 30, 56000 }, { 31, 33, 25000 }, { 34, 35, 50000 }, { 36, 39, 100000 },
	{ 40, 40, 50000 }, { 41, 41, 1000 }, { 42, 46, 10000 }, { 47, 47, 2500 },
	{ 48, 48, 5000 }, { 52, 56, 50000 }, { 57, 61, 100000 }, { 62, 66, 200000 },
	{ 67, 67, 100 }, { 68, 68, 1000 }, { 69, 73, 400000 }, { 75, 79, 100000 },
	{ 80, 84, 200000 }, { 85, 89, 400000 }, { 90, 91, 100 }, { 92, 92, 10 },
	{ 93, 98, 800000 }, { 99, 102, 10 },
};

int32_t ethtool_fastest(const uint32_t *mode, size_t words)
{
	int32_t fastest = -1;

	for (size_t i = 0; i < sizeof(speeds) / sizeof(*speeds); i++)
		for (unsigned bit = speeds[i].first; bit <= speeds[i].last; bit++)
			if (bit / 32 < words && mode[bit / 32] >> bit % 32 & 1 &&
			    speeds[i].mbit_per_s > fastest)
				fastest = speeds[i].mbit_per_s;
	return fastest;
}

static bool ask(int fd, const char *name, void *question)
{
	struct ifreq request = { .ifr_data = question };

	text_copy(request.ifr_name, sizeof(request.ifr_name), name);
	return ioctl(fd, SIOCETHTOOL, &request) == 0;
}

/* The driver answers a question of no words with the number it wants, negated. */
static void read_modes(int fd, struct nic_info *nic)
{
	/* three lists of modes follow the head; the first has those that are supported */
	uint32_t room[sizeof(struct ethtool_link_settings) / 4 + 3 * WORDS_MAX] = { 0 };
	struct ethtool_link_settings *q = (struct ethtool_link_settings *)room;
	int words;

	q->cmd = ETHTOOL_GLINKSETTINGS;
	if (!ask(fd, nic->name, q) || q->link_mode_masks_nwords >= 0)
		return;
	words = -q->link_mode_masks_nwords;
	if (words > WORDS_MAX)
		return;
	memset(room, 0, sizeof(room));
	q->cmd = ETHTOOL_GLINKSETTINGS;
	q->link_mode_masks_nwords = (int8_t)words;
	if (ask(fd, nic->name, q) && q->link_mode_masks_nwords == words)
		nic->max_mbit_per_s = ethtool_fastest(q->link_mode_masks, (size_t)words);
}

void ethtool_read(struct nic_info *nic)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	if (ask(fd, nic->name, &info)) {
		text_clean(nic->firmware, sizeof(nic->firmware), info.fw_version,
			   strnlen(info.fw_version, sizeof(info.fw_version)));
		if (placeholder_text(nic->firmware))
			nic->firmware[0] = '\0';
	}
	read_modes(fd, nic);
	close(fd);
}
