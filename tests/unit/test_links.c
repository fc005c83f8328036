/* SPDX-License-Identifier: MIT */
/* Network interfaces: where they hang, what they are called, how fast they could be. */
#include "bench/sys/ethtool.h"
#include "bench/sys/machine_parts.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static struct machine_info m;

static const char tree[] =
	"|0000:01:00.1| -> pci0000:00/0000:00:01.0/0000:01:00.1\nvendor=0x8086\ndevice=0x10fb\n"
	"class=0x020000\nsubsystem_vendor=0x8086\nsubsystem_device=0x000c\nnuma_node=1\n"
	"(eth0) -> pci0000:00/0000:00:01.0/0000:01:00.1/net/eth0\ntype=1\n"
	"address=02:00:00:00:00:01\ncarrier=1\nspeed=10000\nduplex=full\nmtu=9000\n"
	"device -> ../..\n"
	"|0000:00:03.0| -> pci0000:00/0000:00:03.0\nvendor=0x1af4\ndevice=0x1000\n"
	"class=0x020000\nnuma_node=-1\n"
	"(eth1) -> pci0000:00/0000:00:03.0/virtio0/net/eth1\ntype=1\nspeed=-1\nduplex=unknown\n"
	"mtu=99999999999\ndevice -> ../..\n"
	"@sys/devices/pci0000:00/0000:00:03.0/virtio0\nvendor=0x1af4\ndevice=0x0001\n"
	"driver -> ../../../../bus/virtio/drivers/virtio_net\n"
	"(eth2) -> pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/net/eth2\ntype=1\nspeed=100\n"
	"duplex=half\nmtu=1500\ndevice -> ../..\n"
	"@sys/devices/pci0000:00/0000:00:14.0/usb1/1-2\nproduct=[USB 10/100 LAN \\x01]\n"
	"(eth3) -> platform/fd580000.ethernet/net/eth3\ntype=1\nmtu=1500\ndevice -> ../..\n"
	"(eth4) -> pci0000:00/0000:00:05.0/net/eth4\ntype=1\ndevice -> ../..\n"
	"@sys/devices/pci0000:00/0000:00:05.0\nvendor=0x8086\ndevice=0xffff\nclass=0x020000\n";

static void places(void)
{
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, tree);
	links_read(f.root, &m);
	if (!is_uint(m.nic_n, 5, "interfaces"))
		return;
	is_str(m.nic[0].address, "0000:01:00.1", "a card's place");
	ok(strstr(m.nic[0].model, "Intel 82599ES") == m.nic[0].model, "and its name: %s",
	   m.nic[0].model);
	is_str(m.nic[0].duplex, "full", "duplex");
	is_uint(m.nic[0].mtu, 9000, "largest packet");
	is_int(m.nic[0].numa_node, 1, "NUMA node");
	is_int(m.nic[0].max_mbit_per_s, -1, "nobody asks a driver about another tree");
	is_str(m.nic[0].firmware, "", "...");
	is_str(m.nic[1].address, "0000:00:03.0", "a virtio device lies below a PCI function");
	ok(strstr(m.nic[1].model, "Red Hat") == m.nic[1].model, "which has the name: %s",
	   m.nic[1].model);
	is_str(m.nic[1].driver, "virtio_net", "but not the driver");
	is_str(m.nic[1].duplex, "", "unknown is absent");
	is_uint(m.nic[1].mtu, 0, "and so is a number past 32 bits");
	is_int(m.nic[1].numa_node, -1, "no NUMA node");
	is_str(m.nic[2].address, "1-2:1.0", "a USB device's place");
	is_str(m.nic[2].model, "USB 10/100 LAN \xEF\xBF\xBD", "and the name it gives itself");
	is_str(m.nic[2].duplex, "half", "half duplex");
	is_str(m.nic[3].address, "fd580000.ethernet", "a part of the chip itself");
	is_str(m.nic[3].model, "", "has no name");
	is_str(m.nic[4].model, "", "nor has a device that pci.ids does not list");
	sysfs_fixture_remove(&f);
}

static void modes(void)
{
	static const struct {
		uint32_t mode[4];
		size_t words;
		int32_t want;
	} rows[] = {
		{ { 0x2ef }, 4, 1000 },		/* 10/100/1000BASE-T, as e1000e says */
		{ { 0x2c0 }, 4, -1 },		/* autonegotiation and ports alone */
		{ { 0 }, 4, -1 },
		{ { 1u << 12 | 0x20 }, 4, 10000 },
		{ { 1u << 31 }, 4, 25000 },
		{ { 0x2f, 1u << (47 - 32) }, 4, 2500 },
		{ { 0x2f, 1u << (48 - 32) }, 4, 5000 },
		{ { 0, 1u << (36 - 32), 1u << (66 - 64) }, 4, 200000 },
		{ { 0, 0, 1u << (69 - 64) }, 4, 400000 },
		{ { 0x2f, 0, 1u << (69 - 64) }, 2, 1000 },	/* an older kernel's words */
		{ { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff }, 4, 800000 },
		{ { 0xffffffff }, 0, -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		is_int(ethtool_fastest(rows[i].mode, rows[i].words), rows[i].want, "modes, row %zu",
		       i);
}

static void this_machine(void)
{
	struct nic_info none = { .name = "no-such-nic", .max_mbit_per_s = -1 };

	ethtool_read(&none);
	ok(none.max_mbit_per_s == -1 && !none.firmware[0], "of a card that is not there nothing "
	   "is known");
	links_read("", &m);
	ok(true, "this machine has %u interfaces", m.nic_n);
	for (uint32_t i = 0; i < m.nic_n && i < 32; i++)
		tap_diag("%s %s: %s, firmware %s, at most %d Mb/s", m.nic[i].name, m.nic[i].address,
			 m.nic[i].model, m.nic[i].firmware, m.nic[i].max_mbit_per_s);
}

int main(void)
{
	places();
	modes();
	this_machine();
	return tap_done();
}
