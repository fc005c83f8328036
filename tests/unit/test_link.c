/* SPDX-License-Identifier: MIT */
/* Link speeds: what the kernel writes, what that carries, and where discovery finds it. */
#include "tests/unit/tap.h"

#include "bench/sys/discover.h"
#include "bench/sys/link.h"
#include "tests/unit/sysfs_fixture.h"

static void check_texts(void)
{
	static const char *const bad[] = {
		"", "<unknown>", "Unknown", "Phy disabled", "6.0", "6.0 GB/s", "-6.0 Gbps",
		"6.0 Gbps!", "0.0 Gbps", "99999999999999999999 Gbps", "1e3 Gbps", " 6.0 Gbps",
	};
	unsigned tenths = 77;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(!link_parse_gbit(bad[i], &tenths) && !link_parse_pcie(bad[i], &tenths) &&
		   tenths == 77, "\"%s\" is no speed", bad[i]);
	ok(link_parse_gbit("6.0 Gbps", &tenths) && tenths == 60, "as SATA writes it");
	ok(link_parse_gbit("22.5 Gbit", &tenths) && tenths == 225, "as SAS writes it");
	ok(link_parse_pcie("8.0 GT/s PCIe", &tenths) && tenths == 80, "as PCI writes it");
	ok(link_parse_pcie("2.5 GT/s", &tenths) && tenths == 25, "as older kernels do");
	ok(link_parse_pcie("16 GT/s", &tenths) && tenths == 160, "without a fraction");
}

static void check_rates(void)
{
	is_uint(link_sata_bytes_per_s(15), 150000000, "SATA 1.5 Gb/s");
	is_uint(link_sata_bytes_per_s(60), 600000000, "SATA 6 Gb/s");
	is_uint(link_sata_bytes_per_s(50), 0, "there is no SATA 5 Gb/s");
	is_uint(link_sas_bytes_per_s(120), 1200000000, "SAS 12 Gb/s");
	is_uint(link_sas_bytes_per_s(225), 2400000000, "SAS 22.5 Gb/s");
	is_near((double)link_pcie_bytes_per_s(25, 1), 250e6 * 512 / 536, 1, "PCIe 1.0 x1");
	is_near((double)link_pcie_bytes_per_s(80, 4), 4 * 8e9 * 128 / 130 / 8 * 512 / 536, 10,
		"PCIe 3.0 x4");
	is_near((double)link_pcie_bytes_per_s(320, 4), 15.05e9, 0.01e9, "PCIe 5.0 x4");
	is_uint(link_pcie_bytes_per_s(80, 0), 0, "no lanes, no speed");
	is_uint(link_pcie_bytes_per_s(80, 63), 0, "no link has 63 lanes");
	is_uint(link_pcie_bytes_per_s(100, 4), 0, "there is no 10 GT/s");
	is_uint(link_usb_bytes_per_s(480), 53248000, "USB 2.0");
	is_uint(link_usb_bytes_per_s(5000), 500000000, "USB 3.0");
	is_uint(link_usb_bytes_per_s(0), 0, "an unknown USB speed");
}

static const char tree[] =
	/* SATA below AHCI, then one whose link is down */
	"[sda] -> pci0000:00/0000:00:1f.2/ata3/host2/target2:0:0/2:0:0:0/block/sda\nsize=8\n"
	"@sys/devices/pci0000:00/0000:00:1f.2/ata3\n"
	"link3/ata_link/link3/sata_spd=6.0 Gbps\n"
	"@sys/devices/pci0000:00/0000:00:1f.2\n"
	"current_link_speed=8.0 GT/s PCIe\ncurrent_link_width=4\n"
	"[sdb] -> pci0000:00/0000:00:1f.2/ata4/host3/target3:0:0/3:0:0:0/block/sdb\nsize=8\n"
	"@sys/devices/pci0000:00/0000:00:1f.2/ata4\n"
	"link4/ata_link/link4/sata_spd=<unknown>\n"
	/* the same as virtual machines play it: QEMU and VirtualBox */
	"[sdf] -> pci0000:00/0000:00:1f.7/ata5/host7/target7:0:0/7:0:0:0/block/sdf\nsize=8\n"
	"@sys/devices/pci0000:00/0000:00:1f.7/ata5\n"
	"link5/ata_link/link5/sata_spd=1.5 Gbps\n"
	"@sys/devices/pci0000:00/0000:00:1f.7\nvendor=0x8086\nsubsystem_vendor=0x1af4\n"
	"[sdg] -> pci0000:00/0000:00:0d.0/ata6/host8/target8:0:0/8:0:0:0/block/sdg\nsize=8\n"
	"@sys/devices/pci0000:00/0000:00:0d.0/ata6\n"
	"link6/ata_link/link6/sata_spd=3.0 Gbps\n"
	"@sys/devices/pci0000:00/0000:00:0d.0\nvendor=0x8086\nsubsystem_vendor=0x0000\n"
	/* SAS: one phy, and a wide port behind an expander */
	"[sdc] -> pci0000:00/0000:03:00.0/host0/port-0:0/end_device-0:0/target0:0:0/0:0:0:0/block/"
	"sdc\nsize=8\n"
	"@sys/devices/pci0000:00/0000:03:00.0/host0/port-0:0\n"
	"phy-0:0 -> ../phy-0:0\n"
	"@sys/devices/pci0000:00/0000:03:00.0/host0/phy-0:0\n"
	"sas_phy/phy-0:0/negotiated_linkrate=12.0 Gbit\n"
	"[sdd] -> pci0000:00/0000:03:00.0/host0/port-0:1/expander-0:0/port-0:0:2/end_device-0:0:2/"
	"target0:0:1/0:0:1:0/block/sdd\nsize=8\n"
	"@sys/devices/pci0000:00/0000:03:00.0/host0/port-0:1/expander-0:0/port-0:0:2\n"
	"phy-0:0:4 -> ../phy-0:0:4\nphy-0:0:5 -> ../phy-0:0:5\nphy-0:0:6 -> ../phy-0:0:6\n"
	"@sys/devices/pci0000:00/0000:03:00.0/host0/port-0:1/expander-0:0\n"
	"phy-0:0:4/sas_phy/phy-0:0:4/negotiated_linkrate=6.0 Gbit\n"
	"phy-0:0:5/sas_phy/phy-0:0:5/negotiated_linkrate=6.0 Gbit\n"
	"phy-0:0:6/sas_phy/phy-0:0:6/negotiated_linkrate=Phy disabled\n"
	/* NVMe; the same as a virtual machine plays it; a speed nobody knows; virtio */
	"[nvme0n1] -> pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1\nsize=8\n"
	"@sys/devices/pci0000:00/0000:01:00.0\n"
	"vendor=0x144d\nsubsystem_vendor=0x144d\n"
	"current_link_speed=8.0 GT/s PCIe\ncurrent_link_width=4\n"
	"[nvme1n1] -> pci0000:00/0000:04:00.0/nvme/nvme1/nvme1n1\nsize=8\n"
	"@sys/devices/pci0000:00/0000:04:00.0\n"
	"vendor=0x8086\nsubsystem_vendor=0x1af4\n"
	"current_link_speed=2.5 GT/s PCIe\ncurrent_link_width=1\n"
	"[nvme2n1] -> pci0000:00/0000:05:00.0/nvme/nvme2/nvme2n1\nsize=8\n"
	"@sys/devices/pci0000:00/0000:05:00.0\n"
	"current_link_speed=Unknown\ncurrent_link_width=63\n"
	"[vda] -> pci0000:00/0000:06:00.0/virtio0/block/vda\nsize=8\n"
	"@sys/devices/pci0000:00/0000:06:00.0\n"
	"current_link_speed=8.0 GT/s PCIe\ncurrent_link_width=4\n"
	/* USB */
	"[sde] -> pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sde\n"
	"size=8\n"
	"@sys/devices/pci0000:00/0000:00:14.0/usb2/2-1\nspeed=5000\n";

static const struct {
	const char *name, *link;
	uint64_t bytes_per_s;
} want[] = {
	{ "sda", "SATA 6.0 Gb/s", 600000000 },
	{ "sdb", "", 0 },
	{ "sdf", "", 0 },
	{ "sdg", "", 0 },
	{ "sdc", "SAS 12.0 Gb/s", 1200000000 },
	{ "sdd", "SAS 6.0 Gb/s x2", 1200000000 },
	{ "nvme0n1", "PCIe 8.0 GT/s x4", 3762112512 },
	{ "nvme1n1", "", 0 },
	{ "nvme2n1", "", 0 },
	{ "vda", "", 0 },
	{ "sde", "USB 5 Gb/s", 500000000 },
};

static void check_discovery(void)
{
	struct sysfs_fixture f;
	struct disk_list list;

	sysfs_fixture_make(&f, tree);
	is_int(disks_discover(f.root, &list), 0, "the tree is read");
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		for (size_t k = 0; k < list.n; k++) {
			if (strcmp(list.disk[k].name, want[i].name))
				continue;
			is_str(list.disk[k].link, want[i].link, "%s: its link", want[i].name);
			is_near((double)list.disk[k].link_bytes_per_s, (double)want[i].bytes_per_s,
				10, "%s: what it carries", want[i].name);
		}
	ok(list.n >= sizeof(want) / sizeof(*want), "all of them are there");
	disk_list_free(&list);
	sysfs_fixture_remove(&f);
}

/* A multipath namespace: its head has no link of its own, but all of its paths' together. */
static void check_multipath(void)
{
	struct sysfs_fixture f;
	struct disk_list list;

	sysfs_fixture_make(&f,
		"[nvme0n1] -> virtual/nvme-subsystem/nvme-subsys0/nvme0n1\nsize=8\n"
		"wwid=eui.0025385781b04321\nnsid=1\n"
		"@sys/devices/virtual/nvme-subsystem/nvme-subsys0\nsubsysnqn=nqn.x\n"
		"[nvme0c0n1] -> pci0000:00/0000:01:00.0/nvme/nvme0/nvme0c0n1\nsize=8\nhidden=1\n"
		"wwid=eui.0025385781b04321\nnsid=1\n"
		"{nvme0} -> pci0000:00/0000:01:00.0/nvme/nvme0\nsubsysnqn=nqn.x\nstate=live\n"
		"[nvme0c1n1] -> pci0000:00/0000:02:00.0/nvme/nvme1/nvme0c1n1\nsize=8\nhidden=1\n"
		"wwid=eui.0025385781b04321\nnsid=1\n"
		"{nvme1} -> pci0000:00/0000:02:00.0/nvme/nvme1\nsubsysnqn=nqn.x\nstate=live\n"
		"@sys/devices/pci0000:00/0000:01:00.0\n"
		"vendor=0x144d\ncurrent_link_speed=8.0 GT/s PCIe\ncurrent_link_width=2\n"
		"@sys/devices/pci0000:00/0000:02:00.0\n"
		"vendor=0x144d\ncurrent_link_speed=8.0 GT/s PCIe\ncurrent_link_width=2\n");
	is_int(disks_discover(f.root, &list), 0, "the tree is read");
	for (size_t k = 0; k < list.n; k++) {
		if (strcmp(list.disk[k].name, "nvme0n1"))
			continue;
		is_str(list.disk[k].link, "PCIe 8.0 GT/s x2", "the head shows its path's link");
		is_near((double)list.disk[k].link_bytes_per_s, 3762112512, 10,
			"and may use both at once");
	}
	disk_list_free(&list);
	sysfs_fixture_remove(&f);
}

int main(void)
{
	check_texts();
	check_rates();
	check_discovery();
	check_multipath();
	return tap_done();
}
