/* SPDX-License-Identifier: MIT */
/*
 * Every PCI device: what it is, which driver serves it, and how fast its link is against what the
 * device and the port above it can.
 */
#include <stdlib.h>

#include "bench/model/fields.h"
#include "bench/sys/link.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/order.h"
#include "bench/sys/pci_names.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

/* Class codes: PCI Code and ID Assignment 1.11. */
enum {
	BASE_STORAGE = 0x01, BASE_NETWORK = 0x02, BASE_BRIDGE = 0x06, BASE_SYSTEM = 0x08,
	BASE_SIGNAL = 0x11, BASE_INSTRUMENTATION = 0x13,
};

/* The kernel gives "Unknown", 0 or 255 for a link that is down or that it does not know. */
#define WIDTH_MAX 32

static bool read_speed(const char *dir, const char *name, double *gt_per_s)
{
	char text[64];
	unsigned tenths;

	if (!sysfs_read_text(dir, name, text, sizeof(text)) || !link_parse_pcie(text, &tenths))
		return false;
	*gt_per_s = tenths / 10.0;
	return true;
}

static uint32_t read_width(const char *dir, const char *name)
{
	uint64_t width;

	return sysfs_read_u64(dir, name, &width) && width <= WIDTH_MAX ? (uint32_t)width : 0;
}

/*
 * A device whose link is down has neither speed nor width now; what a virtual machine makes up is
 * not known.
 */
static void read_link(const char *dir, struct pci_device *p)
{
	char port[SYSFS_PATH_BYTES];
	uint64_t class;

	if (link_is_virtual(dir))
		return;
	p->has_gt_per_s = read_speed(dir, "current_link_speed", &p->gt_per_s);
	p->has_max_gt_per_s = read_speed(dir, "max_link_speed", &p->max_gt_per_s);
	p->width = read_width(dir, "current_link_width");
	p->max_width = read_width(dir, "max_link_width");
	text_copy(port, sizeof(port), dir);
	if (!sysfs_parent(port) || !sysfs_read_u64(port, "class", &class) ||
	    class >> 16 != BASE_BRIDGE || link_is_virtual(port))
		return;
	p->has_port_gt_per_s = read_speed(port, "max_link_speed", &p->port_gt_per_s);
	p->port_width = read_width(port, "max_link_width");
}

static void identify(const char *dir, struct pci_device *p)
{
	const struct pci_id id = pci_names_id(dir);
	const char *table = pci_names_table();

	p->vendor_id = id.vendor;
	p->device_id = id.device;
	p->subsystem_vendor_id = id.subsystem_vendor;
	p->subsystem_id = id.subsystem;
	pci_names_vendor(table, id.vendor, p->vendor, sizeof(p->vendor));
	pci_names_device(table, &id, p->device, sizeof(p->device));
	if (p->class)
		pci_names_class(table, p->class, p->class_name, sizeof(p->class_name));
}

static void read_device(const char *dir, struct pci_device *p)
{
	uint64_t class = 0;
	int64_t node = -1;

	text_clean_str(p->address, sizeof(p->address), sysfs_base(dir));
	if (sysfs_read_u64(dir, "class", &class) && class <= 0xffffff)
		p->class = (uint32_t)class;
	sysfs_link_name(dir, "driver", p->driver, sizeof(p->driver));
	p->wanted = p->class >> 16 == BASE_STORAGE || p->class >> 16 == BASE_NETWORK;
	/* a virtual function that nobody uses is as it should be */
	if (sysfs_exists(dir, "physfn"))
		p->wanted = false;
	if (sysfs_read_i64(dir, "numa_node", &node) && node >= 0 && node < INT32_MAX)
		p->numa_node = (int32_t)node;
	read_link(dir, p);
	identify(dir, p);
}

/*
 * A large machine has more functions than fit, most of them its processors' own: those come last
 * into the array.
 */
static bool is_of_use(const char *dir)
{
	uint64_t class = 0;

	sysfs_read_u64(dir, "class", &class);
	switch (class >> 16) {
	case BASE_BRIDGE:
	case BASE_SYSTEM:
	case BASE_SIGNAL:
	case BASE_INSTRUMENTATION:
		return false;
	default:
		return true;
	}
}

static int by_address(const void *a, const void *b)
{
	return order_addresses(((const struct pci_device *)a)->address,
			       ((const struct pci_device *)b)->address);
}

void pci_devices_read(const char *root, struct machine_info *m)
{
	char bus[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct sysfs_names names;
	struct pci_device *p;

	if (!sysfs_join(bus, root, "sys/bus/pci/devices") || sysfs_list(bus, ".", &names) < 0)
		return;
	for (int of_use = 1; of_use >= 0; of_use--)
		for (size_t i = 0; i < names.n; i++)
			if (sysfs_resolve(bus, names.name[i], dir) && is_of_use(dir) == of_use &&
			    (p = fields_add(&fields_machine, m, "pci")))
				read_device(dir, p);
	qsort(m->pci, REPORT_KEPT(m->pci_n, m->pci), sizeof(m->pci[0]), by_address);
	sysfs_list_free(&names);
}
