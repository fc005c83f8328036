/* SPDX-License-Identifier: MIT */
/* The PCI devices of a machine: names, drivers, links, and values that are none. */
#include "bench/model/fields.h"
#include "bench/sys/machine_parts.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static const char tree[] =
	"|0000:00:01.1| -> pci0000:00/0000:00:01.1\n"
	"vendor=0x8086\ndevice=0x1901\nclass=0x060400\ncurrent_link_speed=[8.0 GT/s PCIe]\n"
	"max_link_speed=[16.0 GT/s PCIe]\ncurrent_link_width=4\nmax_link_width=8\nnuma_node=-1\n"
	"driver -> ../../../bus/pci/drivers/pcieport\n"
	"|0000:01:00.0| -> pci0000:00/0000:00:01.1/0000:01:00.0\n"
	"vendor=0x144d\ndevice=0xa808\nclass=0x010802\nsubsystem_vendor=0x144d\n"
	"subsystem_device=0xa801\ncurrent_link_speed=[8.0 GT/s PCIe]\n"
	"max_link_speed=[8.0 GT/s PCIe]\ncurrent_link_width=2\nmax_link_width=4\nnuma_node=1\n"
	"driver -> ../../../../bus/pci/drivers/nvme\n"
	"|0000:00:1f.2| -> pci0000:00/0000:00:1f.2\n"
	"vendor=0x8086\ndevice=0x1d02\nclass=0x010601\ncurrent_link_speed=[Unknown]\n"
	"max_link_speed=[Unknown]\ncurrent_link_width=0\nmax_link_width=255\n"
	"|0000:00:1f.3| -> pci0000:00/0000:00:1f.3\n"
	"vendor=0x8086\ndevice=0x1d22\nclass=0x0c0500\n"
	"|0000:02:00.0| -> pci0000:00/0000:00:1c.0/0000:02:00.0\n"
	"vendor=0x8086\ndevice=0x1533\nclass=0x020000\ncurrent_link_speed=[2.5 GT/s PCIe]\n"
	"max_link_speed=[2.5 GT/s PCIe]\ncurrent_link_width=1\nmax_link_width=1\n"
	"@sys/devices/pci0000:00/0000:00:1c.0\nclass=0x060400\nmax_link_speed=[garbage]\n"
	"max_link_width=-4\n"
	"|0000:02:10.0| -> pci0000:00/0000:00:1c.0/0000:02:10.0\n"
	"vendor=0x8086\ndevice=0x1520\nclass=0x020000\nphysfn -> ../0000:02:00.0\n"
	"|0000:03:00.0| -> pci0000:00/0000:03:00.0\n"
	"vendor=[\\xff]\ndevice/\nclass=0x123456789\nnuma_node=[no]\n";

static void devices(void)
{
	static struct machine_info m;
	const struct pci_device *p = m.pci;
	struct sysfs_fixture f;

	fields_init(&fields_machine, &m);
	sysfs_fixture_make(&f, tree);
	/* a disk in a domain of VMD, which has five digits */
	sysfs_fixture_add(&f, "|10000:01:00.0| -> pci0000:00/10000:01:00.0\nclass=0x010802\n"
			  "|f000:01:00.0| -> pci0000:00/f000:01:00.0\nclass=0x010802\n");
	sysfs_fixture_add(&f, "@sys/bus/pci/devices\n0000:99:00.0 -> ../../../devices/gone\n");
	pci_devices_read(f.root, &m);
	if (!is_uint(m.pci_n, 9, "all devices that are there"))
		return;
	is_str(p[0].address, "0000:00:01.1", "by address");
	is_str(p[0].driver, "pcieport", "driver of the port");
	ok(!p[0].wanted && !p[0].has_port_gt_per_s, "which needs none, and has no port above it");
	is_int(p[0].numa_node, -1, "no NUMA node");
	is_str(p[1].address, "0000:00:1f.2", "a SATA controller");
	ok(p[1].wanted && !p[1].driver[0], "is useless without a driver");
	ok(!p[1].has_gt_per_s && !p[1].has_max_gt_per_s && !p[1].width && !p[1].max_width,
	   "has no link");
	is_str(p[1].class_name, "SATA controller", "class");
	is_str(p[1].vendor, "Intel", "maker");
	ok(strstr(p[1].device, "SATA") != NULL, "name: %s", p[1].device);
	ok(!p[2].wanted && !p[2].driver[0], "an SMBus needs no driver");
	is_str(p[3].address, "0000:01:00.0", "a disk");
	is_uint(p[3].class, 0x010802, "class");
	is_uint(p[3].vendor_id, 0x144d, "vendor");
	is_uint(p[3].device_id, 0xa808, "device");
	is_uint(p[3].subsystem_vendor_id, 0x144d, "vendor of the card");
	is_uint(p[3].subsystem_id, 0xa801, "card");
	is_str(p[3].driver, "nvme", "driver");
	ok(p[3].has_gt_per_s && p[3].has_max_gt_per_s && p[3].has_port_gt_per_s, "has speeds");
	is_near(p[3].gt_per_s, 8, 0, "now");
	is_near(p[3].max_gt_per_s, 8, 0, "of the device");
	is_near(p[3].port_gt_per_s, 16, 0, "of the port");
	is_uint(p[3].width, 2, "lanes now");
	is_uint(p[3].max_width, 4, "of the device");
	is_uint(p[3].port_width, 8, "of the port");
	is_int(p[3].numa_node, 1, "NUMA node");
	is_near(p[4].gt_per_s, 2.5, 0, "2.5 GT/s");
	ok(p[4].wanted && !p[4].has_port_gt_per_s && !p[4].port_width,
	   "a port that answers garbage says nothing");
	ok(!p[5].wanted, "a virtual function nobody uses is as it should be");
	ok(!p[6].vendor_id && !p[6].class && !p[6].wanted && p[6].numa_node == -1,
	   "a device that answers garbage is listed with nothing known");
	is_str(p[8].address, "10000:01:00.0", "the longer domain comes last");
	sysfs_fixture_remove(&f);
}

/* 300 functions of processors before one disk. */
static void crowd(void)
{
	static struct machine_info m;
	const size_t max = sizeof(m.pci) / sizeof(*m.pci);
	struct sysfs_fixture f;
	char text[160];

	fields_init(&fields_machine, &m);
	sysfs_fixture_make(&f, "");
	for (unsigned i = 0; i < 300; i++) {
		snprintf(text, sizeof(text), "|0000:%02x:%02x.%u| -> pci0000:00/0000:%02x:%02x.%u\n"
			 "class=0x%s\n", i / 256, i / 8 % 32, i % 8, i / 256, i / 8 % 32, i % 8,
			 i % 3 ? "088000" : "060000");
		sysfs_fixture_add(&f, text);
	}
	sysfs_fixture_add(&f, "|0000:ff:00.0| -> pci0000:00/0000:ff:00.0\nclass=0x010802\n");
	pci_devices_read(f.root, &m);
	is_uint(m.pci_n, 301, "more devices than there is room for are counted");
	is_str(m.pci[max - 1].address, "0000:ff:00.0", "and those of use are kept");
	is_str(m.pci[0].address, "0000:00:00.0", "by address");
	sysfs_fixture_remove(&f);
}

/* A real disk given to a virtual machine, and a virtual one beside it. */
static void guest(void)
{
	static struct machine_info m;
	struct sysfs_fixture f;

	fields_init(&fields_machine, &m);
	sysfs_fixture_make(&f,
		"|0000:00:02.0| -> pci0000:00/0000:00:02.0\n"
		"vendor=0x1b36\ndevice=0x000c\nclass=0x060400\nmax_link_speed=[16.0 GT/s PCIe]\n"
		"max_link_width=32\n"
		"|0000:01:00.0| -> pci0000:00/0000:00:02.0/0000:01:00.0\n"
		"vendor=0x144d\ndevice=0xa808\nclass=0x010802\nmax_link_width=4\n"
		"max_link_speed=[8.0 GT/s PCIe]\n"
		"|0000:02:00.0| -> pci0000:00/0000:00:03.0/0000:02:00.0\n"
		"vendor=0x1af4\ndevice=0x1042\nclass=0x010000\nmax_link_width=32\n"
		"max_link_speed=[16.0 GT/s PCIe]\n");
	pci_devices_read(f.root, &m);
	is_uint(m.pci_n, 3, "a virtual machine's devices");
	ok(!m.pci[0].has_max_gt_per_s && !m.pci[0].max_width, "a virtual port has no link");
	ok(m.pci[1].has_max_gt_per_s && m.pci[1].max_width == 4, "a real disk has one");
	ok(!m.pci[1].has_port_gt_per_s && !m.pci[1].port_width, "but the port above it is virtual");
	ok(!m.pci[2].has_max_gt_per_s && !m.pci[2].max_width, "a virtual disk has none");
	is_str(m.pci[2].vendor, "Red Hat", "but a maker");
	sysfs_fixture_remove(&f);
}

static void nothing(void)
{
	static struct machine_info m;
	struct sysfs_fixture f;

	fields_init(&fields_machine, &m);
	sysfs_fixture_make(&f, "");
	pci_devices_read(f.root, &m);
	is_uint(m.pci_n, 0, "a machine without PCI has none");
	sysfs_fixture_remove(&f);
}

int main(void)
{
	devices();
	crowd();
	guest();
	nothing();
	return tap_done();
}
