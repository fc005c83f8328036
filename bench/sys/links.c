/* SPDX-License-Identifier: MIT */
/*
 * Network links: Ethernet with hardware behind it; no bridges, VLANs, tunnels, virtual functions.
 */
#include <linux/if_arp.h>
#include <string.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/order.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define NICS (sizeof(((struct machine_info *)0)->nic) / sizeof(struct nic_info))

static bool is_hardware(const char *dir)
{
	uint64_t type;

	if (!sysfs_read_u64(dir, "type", &type) || type != ARPHRD_ETHER)
		return false;
	/* `physfn` is a virtual function's link to the port it is part of */
	return sysfs_is_dir(dir, "device") && !sysfs_exists(dir, "device/physfn");
}

/* A link that is down answers EINVAL for carrier and speed; -1 and 2^32-1 stand for "not known". */
static void read_link(const char *dir, struct nic_info *nic)
{
	uint64_t carrier = 0;
	int64_t speed = -1;

	sysfs_read_text(dir, "address", nic->mac, sizeof(nic->mac));
	sysfs_link_name(dir, "device/driver", nic->driver, sizeof(nic->driver));
	nic->carrier = sysfs_read_u64(dir, "carrier", &carrier) && carrier == 1;
	sysfs_read_i64(dir, "speed", &speed);
	nic->speed_mbit_per_s = speed > 0 && speed < INT32_MAX ? (int32_t)speed : -1;
}

/* Kept in the order in which people count: eth2 before eth10. */
static void insert(struct machine_info *m, const struct nic_info *nic)
{
	size_t used = m->nic_n < NICS ? m->nic_n : NICS, at = used;

	while (at > 0 && order_names(nic->name, m->nic[at - 1].name) < 0)
		at--;
	m->nic_n++;
	if (at == NICS)
		return;
	if (used == NICS)
		used--;	/* the last one falls out */
	memmove(&m->nic[at + 1], &m->nic[at], (used - at) * sizeof(*nic));
	m->nic[at] = *nic;
}

void links_read(const char *root, struct machine_info *m)
{
	char net[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct sysfs_names names;

	m->nic_n = 0;
	if (!sysfs_join(net, root, "sys/class/net") || sysfs_list(net, ".", &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		struct nic_info nic = { .speed_mbit_per_s = -1 };

		if (!sysfs_join(dir, net, names.name[i]) || !is_hardware(dir))
			continue;
		text_clean_str(nic.name, sizeof(nic.name), names.name[i]);
		read_link(dir, &nic);
		insert(m, &nic);
	}
	sysfs_list_free(&names);
}
