/* SPDX-License-Identifier: MIT */
/*
 * Network links: Ethernet with hardware behind it; no bridges, VLANs, tunnels, virtual functions.
 */
#include <linux/if_arp.h>
#include <stdio.h>
#include <string.h>

#include "bench/sys/ethtool.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/order.h"
#include "bench/sys/pci_names.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define NICS (sizeof(((struct machine_info *)0)->nic) / sizeof(struct nic_info))

#define LEVELS 3	/* from a device to the PCI function it belongs to */

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

static void name_pci(const char *dir, char model[128])
{
	const struct pci_id id = pci_names_id(dir);
	char vendor[48], device[79];

	pci_names_vendor(pci_names_table(), id.vendor, vendor, sizeof(vendor));
	pci_names_device(pci_names_table(), &id, device, sizeof(device));
	if (vendor[0] && device[0])
		snprintf(model, 128, "%s %s", vendor, device);
}

/* Whole or not at all: on VMBus it is a UUID, on Azure made of the MAC address, and no place. */
static void set_address(struct nic_info *nic, const char *name)
{
	if (strlen(name) < sizeof(nic->address))
		text_clean_str(nic->address, sizeof(nic->address), name);
}

/*
 * Where it hangs: the nearest PCI function (a virtio device lies below one), else the name of its
 * device, e.g. 1-2:1.0 on USB, whose folder above has the product's name.
 */
static void read_place(const char *dir, struct nic_info *nic)
{
	char at[SYSFS_PATH_BYTES];
	int64_t node;

	if (!sysfs_resolve(dir, "device", at))
		return;
	set_address(nic, sysfs_base(at));
	if (sysfs_read_i64(at, "numa_node", &node) && node >= 0 && node < INT32_MAX)
		nic->numa_node = (int32_t)node;
	for (int i = 0; i < LEVELS; i++) {
		/* a PCI function has these two; a virtio device has no class */
		if (sysfs_exists(at, "class") && sysfs_exists(at, "vendor")) {
			set_address(nic, sysfs_base(at));
			name_pci(at, nic->model);
			return;
		}
		if (sysfs_read_text(at, "product", nic->model, sizeof(nic->model)) ||
		    !sysfs_parent(at))
			return;
	}
}

static void read_more(const char *dir, struct nic_info *nic)
{
	uint64_t mtu;

	if (sysfs_read_u64(dir, "mtu", &mtu) && mtu <= UINT32_MAX)
		nic->mtu = (uint32_t)mtu;
	sysfs_read_text(dir, "duplex", nic->duplex, sizeof(nic->duplex));
	if (strcmp(nic->duplex, "full") && strcmp(nic->duplex, "half"))
		nic->duplex[0] = '\0';	/* "unknown" */
}

/* Kept in the order in which people count: eth2 before eth10. */
static void insert(struct machine_info *m, const struct nic_info *nic)
{
	size_t used = REPORT_KEPT(m->nic_n, m->nic), at = used;

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
		struct nic_info nic = {
			.speed_mbit_per_s = -1, .max_mbit_per_s = -1, .numa_node = -1,
		};

		if (!sysfs_join(dir, net, names.name[i]) || !is_hardware(dir))
			continue;
		text_clean_str(nic.name, sizeof(nic.name), names.name[i]);
		read_link(dir, &nic);
		read_more(dir, &nic);
		read_place(dir, &nic);
		if (!root[0])
			ethtool_read(&nic);
		insert(m, &nic);
	}
	sysfs_list_free(&names);
}
