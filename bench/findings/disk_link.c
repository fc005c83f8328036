/* SPDX-License-Identifier: MIT */
/* Finding rules over the links of disks and other devices: SATA, SAS, PCIe. */
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"

#define SLACK 0.99	/* rates are rounded where they are read: 5.99 is 6 */

int find_disk_link(struct report *r, const struct finding_rule *rule)
{
	char label[LOOK_LABEL_BYTES];
	int err = 0;

	for (size_t i = 0; i < r->health_n && !err; i++) {
		const struct health *h = report_health_last(r, i);

		if (!h || !h->has_link_gbit_per_s || !h->has_link_max_gbit_per_s ||
		    h->link_gbit_per_s <= 0 ||
		    h->link_gbit_per_s >= h->link_max_gbit_per_s * SLACK ||
		    look_doubted(h, "link_gbit_per_s") || look_doubted(h, "link_max_gbit_per_s"))
			continue;
		err = ADD(h->target,
			  "%s: its %s link runs at %.1f Gb/s, the disk can do %.1f Gb/s.",
			  look_health_label(r, h, label),
			  !strcmp(h->protocol, "scsi") ? "SAS" : "SATA", h->link_gbit_per_s,
			  h->link_max_gbit_per_s);
	}
	return err;
}

/* Who suffers: the only disk or the interface at that PCI device, else the device itself. */
struct user {
	const char *target;
	char name[LOOK_LABEL_BYTES + 64];
};

static void find_user(const struct report *r, const struct pci_device *p, struct user *u)
{
	const struct disk *disk = NULL;
	size_t disks = 0;

	for (size_t i = 0; i < r->disks.n; i++)
		if (!strcmp(r->disks.disk[i].controller, p->address)) {
			disk = &r->disks.disk[i];
			disks++;
		}
	u->target = p->address;
	snprintf(u->name, sizeof(u->name), "%.60s %.40s", *p->device ? p->device : p->class_name,
		 p->address);
	if (disks == 1) {
		u->target = disk->name;
		look_label(r, disk->name, u->name);
	}
	for (uint32_t i = 0; i < REPORT_KEPT(r->machine.nic_n, r->machine.nic); i++) {
		const struct nic_info *nic = &r->machine.nic[i];

		if (*nic->address && !strcmp(nic->address, p->address)) {
			u->target = nic->name;
			snprintf(u->name, sizeof(u->name), "%s (%.60s)", nic->name,
				 *nic->model ? nic->model : nic->driver);
		}
	}
}

/* A link as one names it; either part may be unknown. */
static const char *link_text(char *buf, size_t size, bool has_speed, double gt_per_s,
			     uint32_t width)
{
	char lanes[24] = "";

	if (width)
		snprintf(lanes, sizeof(lanes), "%sx%u", has_speed ? " " : "", width);
	if (has_speed)
		snprintf(buf, size, "%.1f GT/s%s", gt_per_s, lanes);
	else
		snprintf(buf, size, "%s", lanes);
	return buf;
}
#define LINK_BUF (char[48]){ 0 }, 48

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Storage and network devices only: others, graphics above all, lower their link to save power. */
static bool is_looked_at(const struct report *r, const struct pci_device *p)
{
	uint32_t base = p->class >> 16;

	if (p->wanted || base == 0x01 || base == 0x02)
		return true;
	for (size_t i = 0; i < r->disks.n; i++)
		if (!strcmp(r->disks.disk[i].controller, p->address))
			return true;
	return false;
}

int find_pcie_link(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < REPORT_KEPT(r->machine.pci_n, r->machine.pci) && !err; i++) {
		const struct pci_device *p = &r->machine.pci[i];
		bool has_can = p->has_max_gt_per_s && p->has_port_gt_per_s;
		double can = p->max_gt_per_s < p->port_gt_per_s ? p->max_gt_per_s :
								  p->port_gt_per_s;
		uint32_t lanes = least(p->max_width, p->port_width);
		bool is_slow = has_can && p->has_gt_per_s && p->gt_per_s > 0 &&
			       p->gt_per_s < can * SLACK;
		bool is_narrow = p->width > 0 && p->width < lanes;
		struct user u;

		if (!is_looked_at(r, p) || (!is_slow && !is_narrow))
			continue;
		find_user(r, p, &u);
		err = ADD(u.target, "%s: its PCIe link runs at %s, both ends can do %s.", u.name,
			  link_text(LINK_BUF, p->has_gt_per_s, p->gt_per_s, p->width),
			  link_text(LINK_BUF, has_can, can, lanes));
	}
	return err;
}

int find_pcie_slot(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < REPORT_KEPT(r->machine.pci_n, r->machine.pci) && !err; i++) {
		const struct pci_device *p = &r->machine.pci[i];
		bool is_slow = p->has_max_gt_per_s && p->has_port_gt_per_s &&
			       p->port_gt_per_s > 0 &&
			       p->port_gt_per_s < p->max_gt_per_s * SLACK;
		bool is_narrow = p->port_width > 0 && p->port_width < p->max_width;
		struct user u;

		if (!is_looked_at(r, p) || (!is_slow && !is_narrow))
			continue;
		find_user(r, p, &u);
		err = ADD(u.target, "%s can do PCIe %s, the slot it is in only %s.", u.name,
			  link_text(LINK_BUF, p->has_max_gt_per_s, p->max_gt_per_s, p->max_width),
			  link_text(LINK_BUF, p->has_port_gt_per_s, p->port_gt_per_s,
				    p->port_width));
	}
	return err;
}
