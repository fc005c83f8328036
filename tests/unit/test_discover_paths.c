/* SPDX-License-Identifier: MIT */
/*
 * Several paths to one disk, and several disks that look like one: a disk is listed once, and none
 * is ever lost.
 */
#include "bench/sys/discover.h"
#include "tests/unit/disk_lines.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define SIZE "size=131072\nhidden=0\nqueue/logical_block_size=512\n"
#define HIDDEN "size=131072\nhidden=1\nqueue/logical_block_size=512\n"
#define VIRTIO_SCSI(name, target) "[" name "] -> pci0000:00/0000:00:01.0/virtio0/host0/target0:0:" \
	target "/0:0:" target ":0/block/" name "\n" SIZE "device/type=0\ndevice/model=HD\n"
#define SERIAL(text, len) "device/vpd_pg80:=[\\x00\\x80\\x00\\x" len text "]\n"
#define USB(name, port, lun) "[" name "] -> pci0000:00/0000:00:14.0/usb2/2-" port "/2-" port \
	":1.0/host7/target7:0:0/7:0:0:" lun "/block/" name "\n" SIZE \
	"device/type=0\ndevice/model=Dock\n"
#define CONTROLLER(name, pci, cntlid, state) "{" name "} -> pci0000:00/0000:00:" pci ".0/nvme/" \
	name "\nmodel=[QEMU NVMe Ctrl   ]\nserial=[S1        ]\nsubsysnqn=nqn.x\n" \
	"cntlid=" cntlid "\nstate=" state "\n"
#define NAMESPACE(name, pci, controller) "[" name "] -> pci0000:00/0000:00:" pci ".0/nvme/" \
	controller "/" name "\n"
#define WWID "nsid=1\nwwid=nvme.1b36-5331-51454d55204e564d65204374726c-00000001\n"

static const struct {
	const char *what, *tree, *want;
} cases[] = {
	{ "NVMe multipath: numbers in names mean nothing",
		CONTROLLER("nvme0", "01", "0", "live") CONTROLLER("nvme1", "02", "1", "live")
		NAMESPACE("nvme1c0n1", "01", "nvme0") HIDDEN WWID
		NAMESPACE("nvme1c1n1", "02", "nvme1") HIDDEN WWID
		"[nvme1n1] -> virtual/nvme-subsystem/nvme-subsys1/nvme1n1\n" SIZE WWID
		"@sys/devices/virtual/nvme-subsystem/nvme-subsys1\n"
		"model=[QEMU NVMe Ctrl   ]\nserial=[S1        ]\nsubsysnqn=nqn.x\n"
		"nvme0 -> ../../../pci0000:00/0000:00:01.0/nvme/nvme0\n"
		"nvme1 -> ../../../pci0000:00/0000:00:02.0/nvme/nvme1\n",
		"nvme1c0n1: hidden_path (nvme1n1) nvme serial:QEMU NVMe Ctrl/S1 [nvme1c0n1 nvme1n1 "
		"nvme1c1n1]\n"
		"nvme1n1: taken nvme serial:QEMU NVMe Ctrl/S1 [nvme1n1 nvme1c0n1 nvme1c1n1]\n"
		"nvme1c1n1: hidden_path (nvme1n1) nvme serial:QEMU NVMe Ctrl/S1 [nvme1c1n1 "
		"nvme1c0n1 nvme1n1]\n" },
	{ "NVMe multipath, the first controller resetting: the head's hardware is the live one's",
		CONTROLLER("nvme0", "01", "0", "resetting") CONTROLLER("nvme1", "02", "1", "live")
		NAMESPACE("nvme1c0n1", "01", "nvme0") HIDDEN WWID
		NAMESPACE("nvme1c1n1", "02", "nvme1") HIDDEN WWID
		"[nvme1n1] -> virtual/nvme-subsystem/nvme-subsys1/nvme1n1\n" SIZE WWID
		"@sys/devices/virtual/nvme-subsystem/nvme-subsys1\nsubsysnqn=nqn.x\n",
		"nvme1c0n1: hidden_path (nvme1n1) nvme serial:QEMU NVMe Ctrl/S1 [nvme1c0n1 "
		"nvme1c1n1 nvme1n1]\n"
		"nvme1c1n1: hidden_path (nvme1n1) nvme serial:QEMU NVMe Ctrl/S1 [nvme1c1n1 "
		"nvme1c0n1 nvme1n1]\n"
		"nvme1n1: taken nvme serial:QEMU NVMe Ctrl/S1 [nvme1n1 nvme1c0n1 nvme1c1n1]\n" },
	{ "two subsystems with equal serial numbers and wwids: links tell them apart",
		CONTROLLER("nvme0", "01", "0", "live") CONTROLLER("nvme1", "02", "0", "live")
		NAMESPACE("nvme0c0n1", "01", "nvme0") HIDDEN WWID
		NAMESPACE("nvme1c1n1", "02", "nvme1") HIDDEN WWID
		"[nvme0n1] -> virtual/nvme-subsystem/nvme-subsys0/nvme0n1\n" SIZE WWID
		"[nvme1n1] -> virtual/nvme-subsystem/nvme-subsys1/nvme1n1\n" SIZE WWID
		"@sys/devices/virtual/nvme-subsystem/nvme-subsys0\nmodel=M\nserial=S1\n"
		"subsysnqn=nqn.x\n"
		"nvme0 -> ../../../pci0000:00/0000:00:01.0/nvme/nvme0\n"
		"@sys/devices/virtual/nvme-subsystem/nvme-subsys1\nmodel=M\nserial=S1\n"
		"subsysnqn=nqn.x\n"
		"nvme1 -> ../../../pci0000:00/0000:00:02.0/nvme/nvme1\n",
		"nvme0c0n1: hidden_path (nvme0n1) nvme path:pci-0000:00:01.0-nvme-1 [nvme0c0n1 "
		"nvme0n1]\n"
		"nvme0n1: taken nvme path:pci-0000:00:01.0-nvme-1 [nvme0n1 nvme0c0n1]\n"
		"nvme1c1n1: hidden_path (nvme1n1) nvme path:pci-0000:00:02.0-nvme-1 [nvme1c1n1 "
		"nvme1n1]\n"
		"nvme1n1: taken nvme path:pci-0000:00:02.0-nvme-1 [nvme1n1 nvme1c1n1]\n" },
	{ "NVMe, multipath off: one disk as two block devices",
		CONTROLLER("nvme0", "01", "0", "live") CONTROLLER("nvme1", "02", "1", "live")
		NAMESPACE("nvme0n1", "01", "nvme0") SIZE WWID NAMESPACE("nvme1n1", "02", "nvme1")
		SIZE WWID,
		"nvme0n1: taken nvme serial:QEMU NVMe Ctrl/S1 [nvme0n1 nvme1n1]\n"
		"nvme1n1: second_path (nvme0n1) nvme serial:QEMU NVMe Ctrl/S1 [nvme1n1 nvme0n1]\n"
		},
	{ "NVMe, multipath off, first controller not live: the other path is taken",
		CONTROLLER("nvme0", "01", "0", "resetting") CONTROLLER("nvme1", "02", "1", "live")
		NAMESPACE("nvme0n1", "01", "nvme0") SIZE WWID NAMESPACE("nvme1n1", "02", "nvme1")
		SIZE WWID,
		"nvme0n1: second_path (nvme1n1) nvme serial:QEMU NVMe Ctrl/S1 [nvme0n1 nvme1n1]\n"
		"nvme1n1: taken nvme serial:QEMU NVMe Ctrl/S1 [nvme1n1 nvme0n1]\n" },
	{ "two NVMe disks that repeat everything: controllers of one number are of two disks",
		CONTROLLER("nvme0", "01", "0", "live") CONTROLLER("nvme1", "02", "0", "live")
		NAMESPACE("nvme0n1", "01", "nvme0") SIZE WWID NAMESPACE("nvme1n1", "02", "nvme1")
		SIZE WWID,
		"nvme0n1: taken nvme path:pci-0000:00:01.0-nvme-1\n"
		"nvme1n1: taken nvme path:pci-0000:00:02.0-nvme-1\n" },
	{ "two namespaces of one shared wwid are two disks",
		CONTROLLER("nvme0", "01", "0", "live") CONTROLLER("nvme1", "02", "1", "live")
		NAMESPACE("nvme0n1", "01", "nvme0") SIZE WWID
		NAMESPACE("nvme1n1", "02", "nvme1") SIZE WWID "nsid=2\n",
		"nvme0n1: taken nvme serial:QEMU NVMe Ctrl/S1\n"
		"nvme1n1: taken nvme serial:QEMU NVMe Ctrl/S1/ns2\n" },
	{ "SCSI: one WWN and serial number over two targets",
		VIRTIO_SCSI("sda", "0") "device/wwid=naa.5000c50000000001\n" SERIAL("X", "01")
		VIRTIO_SCSI("sdb", "1") "device/wwid=naa.5000c50000000001\n" SERIAL("X", "01"),
		"sda: taken scsi wwn:5000c50000000001 [sda sdb]\n"
		"sdb: second_path (sda) scsi wwn:5000c50000000001 [sdb sda]\n" },
	{ "SCSI: the first path is passive, the second works",
		VIRTIO_SCSI("sda", "0") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		"device/state=running\ndevice/access_state=standby\n"
		VIRTIO_SCSI("sdb", "1") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		"device/state=running\ndevice/access_state=active/optimized\n"
		VIRTIO_SCSI("sdc", "2") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		"device/state=offline\n",
		"sda: second_path (sdb) scsi wwn:5000c50000000001 [sda sdb sdc]\n"
		"sdb: taken scsi wwn:5000c50000000001 [sdb sda sdc]\n"
		"sdc: second_path (sdb) scsi wwn:5000c50000000001 [sdc sda sdb]\n" },
	{ "SCSI: the first path is offline",
		VIRTIO_SCSI("sda", "0") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		"device/state=offline\n"
		VIRTIO_SCSI("sdb", "1") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		"device/state=running\n",
		"sda: second_path (sdb) scsi wwn:5000c50000000001 [sda sdb]\n"
		"sdb: taken scsi wwn:5000c50000000001 [sdb sda]\n" },
	{ "one serial number (an array's), other WWN: two disks",
		VIRTIO_SCSI("sda", "0") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		VIRTIO_SCSI("sdb", "1") "device/wwid=naa.5000c50000000002\n" SERIAL("X1", "02"),
		"sda: taken scsi wwn:5000c50000000001\nsdb: taken scsi wwn:5000c50000000002\n" },
	{ "NVMe multipath: two namespaces that repeat one wwid",
		CONTROLLER("nvme0", "01", "0", "live")
		NAMESPACE("nvme0c0n1", "01", "nvme0") HIDDEN WWID
		NAMESPACE("nvme0c0n2", "01", "nvme0") HIDDEN WWID "nsid=2\n"
		"[nvme0n1] -> virtual/nvme-subsystem/nvme-subsys0/nvme0n1\n" SIZE WWID
		"[nvme0n2] -> virtual/nvme-subsystem/nvme-subsys0/nvme0n2\n" SIZE WWID "nsid=2\n"
		"@sys/devices/virtual/nvme-subsystem/nvme-subsys0\nsubsysnqn=nqn.x\n",
		"nvme0c0n1: hidden_path (nvme0n1) nvme serial:QEMU NVMe Ctrl/S1 "
		"[nvme0c0n1 nvme0n1]\n"
		"nvme0c0n2: hidden_path (nvme0n2) nvme serial:QEMU NVMe Ctrl/S1/ns2 "
		"[nvme0c0n2 nvme0n2]\n"
		"nvme0n1: taken nvme serial:QEMU NVMe Ctrl/S1 [nvme0n1 nvme0c0n1]\n"
		"nvme0n2: taken nvme serial:QEMU NVMe Ctrl/S1/ns2 [nvme0n2 nvme0c0n2]\n" },
	{ "one WWN, other serial number: two disks, named by serial number",
		VIRTIO_SCSI("sda", "0") "device/wwid=naa.5000c50000000001\n" SERIAL("A1", "02")
		VIRTIO_SCSI("sdb", "1") "device/wwid=naa.5000c50000000001\n" SERIAL("A2", "02"),
		"sda: taken scsi serial:HD/A1\nsdb: taken scsi serial:HD/A2\n" },
	{ "one WWN, no serial number: two disks, named by place",
		VIRTIO_SCSI("sda", "0") "device/wwid=naa.5000c50000000001\n"
		VIRTIO_SCSI("sdb", "1") "device/wwid=naa.5000c50000000001\n",
		"sda: taken scsi path:pci-0000:00:01.0-scsi-0:0:0\n"
		"sdb: taken scsi path:pci-0000:00:01.0-scsi-0:1:0\n" },
	{ "one WWN and serial number, other size or block size: two disks",
		VIRTIO_SCSI("sda", "0") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		VIRTIO_SCSI("sdb", "1") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		"size=131080\n"
		VIRTIO_SCSI("sdc", "2") "device/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		"queue/logical_block_size=4096\n",
		"sda: taken scsi path:pci-0000:00:01.0-scsi-0:0:0\n"
		"sdb: taken scsi path:pci-0000:00:01.0-scsi-0:1:0\n"
		"sdc: taken scsi path:pci-0000:00:01.0-scsi-0:2:0\n" },
	{ "WWN zero twice, and equal serial numbers of nothing but zeros",
		VIRTIO_SCSI("sda", "0") "device/wwid=naa.0000000000000000\n" SERIAL("0000", "04")
		VIRTIO_SCSI("sdb", "1") "device/wwid=naa.0000000000000000\n" SERIAL("0000", "04")
		VIRTIO_SCSI("sdc", "2") "device/wwid=0x0000000000000000\n" SERIAL("A", "01"),
		"sda: taken scsi path:pci-0000:00:01.0-scsi-0:0:0\n"
		"sdb: taken scsi path:pci-0000:00:01.0-scsi-0:1:0\n"
		"sdc: taken scsi serial:HD/A\n" },
	{ "a hypervisor's disks with empty serial numbers",
		VIRTIO_SCSI("sda", "0") SERIAL("", "00") VIRTIO_SCSI("sdb", "1")
		SERIAL("    ", "04"),
		"sda: taken scsi path:pci-0000:00:01.0-scsi-0:0:0\n"
		"sdb: taken scsi path:pci-0000:00:01.0-scsi-0:1:0\n" },
	{ "USB docks that show one number for all their slots",
		USB("sda", "1", "0") SERIAL("0000000000CA", "0c")
		"device/wwid=naa.5000000000000001\n"
		USB("sdb", "1", "1") SERIAL("0000000000CA", "0c")
		"device/wwid=naa.5000000000000001\n"
		USB("sdc", "2", "0") SERIAL("202006054D01", "0c")
		"device/wwid=naa.50014ee2b1234567\n"
		USB("sdd", "2", "1") SERIAL("202006054D01", "0c")
		"device/wwid=naa.50014ee2b1234567\n"
		USB("sde", "3", "0") "@sys/devices/pci0000:00/0000:00:14.0/usb2/2-3\n"
		"serial=000000000000\n"
		USB("sdf", "4", "0") "@sys/devices/pci0000:00/0000:00:14.0/usb2/2-4\n"
		"serial=152D00539000\n",
		"sda: taken usb path:pci-0000:00:14.0-usb-1\n"
		"sdb: taken usb path:pci-0000:00:14.0-usb-1-scsi-0:0:1\n"
		"sdc: taken usb path:pci-0000:00:14.0-usb-2\n"
		"sdd: taken usb path:pci-0000:00:14.0-usb-2-scsi-0:0:1\n"
		"sde: taken usb path:pci-0000:00:14.0-usb-3\n"
		"sdf: taken usb serial:Dock/152D00539000\n" },
	{ "SATA disks with one WWN and serial number are two disks: SATA has one path",
		"[sda] -> pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda\n" SIZE
		"device/type=0\ndevice/wwid=naa.5000c50000000001\n" SERIAL("X1", "02")
		"[sdb] -> pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0/block/sdb\n" SIZE
		"device/type=0\ndevice/wwid=naa.5000c50000000001\n" SERIAL("X1", "02"),
		"sda: taken sata path:pci-0000:00:1f.2-ata-1\n"
		"sdb: taken sata path:pci-0000:00:1f.2-ata-2\n" },
	{ "virtio disks with one serial number",
		"[vda] -> pci0000:00/0000:00:01.0/virtio0/block/vda\n" SIZE "serial=S\n"
		"[vdb] -> pci0000:00/0000:00:02.0/virtio1/block/vdb\n" SIZE "serial=S\n",
		"vda: taken virtio path:pci-0000:00:01.0\nvdb: taken virtio "
		"path:pci-0000:00:02.0\n" },
	{ "two functions with no place of their own fall back to kernel names",
		"[pmem0] -> LNXSYSTM:00/ndbus0/namespace0.0/block/pmem0\n" SIZE
		"[pmem1] -> LNXSYSTM:01/ndbus0/namespace0.0/block/pmem1\n" SIZE,
		"pmem0: taken other path:pmem0\npmem1: taken other path:pmem1\n" },
};

static void lines_of_cases(void)
{
	static char text[8192];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sysfs_fixture f;
		struct disk_list l;

		sysfs_fixture_make(&f, cases[i].tree);
		disks_discover(f.root, &l);
		is_str(disk_lines(&l, text, sizeof(text)), cases[i].want, "%s", cases[i].what);
		for (size_t a = 0; a < l.n; a++)
			for (size_t b = 0; b < a; b++)
				if (l.disk[a].skip == DISK_TAKEN && l.disk[b].skip == DISK_TAKEN)
					ok(strcmp(l.disk[a].identity, l.disk[b].identity) != 0,
					   "%s and %s have identities of their own", l.disk[b].name,
					   l.disk[a].name);
		disk_list_free(&l);
		sysfs_fixture_remove(&f);
	}
}

/* A head knows its hardware only through its paths. */
static void head_hardware(void)
{
	struct sysfs_fixture f;
	struct disk_list l;
	const struct disk *d;

	sysfs_fixture_make(&f, cases[1].tree);
	sysfs_fixture_add(&f, "@sys/devices/pci0000:00/0000:00:02.0\nnuma_node=3\n"
		"driver -> ../../../bus/pci/drivers/nvme\n"
		"@sys/devices/pci0000:00/0000:00:02.0/nvme/nvme1\nfirmware_rev=[1.0     ]\n");
	disks_discover(f.root, &l);
	d = disk_lines_find(&l, "nvme1n1");
	is_str(d->controller, "0000:00:02.0", "a head's controller is that of its best path");
	is_str(d->driver, "nvme", "and so is its driver");
	is_int(d->numa_node, 3, "and its NUMA node");
	is_str(d->model, "QEMU NVMe Ctrl", "its model comes from there where the subsystem has "
	       "none");
	is_str(d->firmware, "1.0", "and its firmware");
	is_str(d->transport, "nvme", "its transport is NVMe");
	ok(!disk_lines_find(&l, "nvme1c0n1")->node[0], "a hidden path has no node");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

/*
 * wwids of full-length serial and model numbers are longer than disk.wwn: nothing may be cut to
 * equal.
 */
static void long_wwids(void)
{
	struct sysfs_fixture f;
	struct disk_list l;
	char tree[4096], hex[160] = "";

	for (int i = 0; i < 60; i++)
		strcat(hex, "5a");
	snprintf(tree, sizeof(tree),
		 "{nvme0} -> pci0000:00/0000:00:01.0/nvme/nvme0\nmodel=M\nserial=S\ncntlid=1\n"
		 "[nvme0n1] -> pci0000:00/0000:00:01.0/nvme/nvme0/nvme0n1\n" SIZE "nsid=1\n"
		 "wwid=nvme.1b36-%s-00000001\n"
		 "[nvme0n2] -> pci0000:00/0000:00:01.0/nvme/nvme0/nvme0n2\n" SIZE "nsid=2\n"
		 "wwid=nvme.1b36-%s-00000002\n", hex, hex);
	sysfs_fixture_make(&f, tree);
	disks_discover(f.root, &l);
	is_uint(l.n, 2, "namespaces with long wwids are both there");
	ok(l.disk[0].skip == DISK_TAKEN && l.disk[1].skip == DISK_TAKEN, "and both taken");
	is_str(l.disk[0].wwn, "", "a wwid that does not fit is not cut");
	is_str(l.disk[1].identity, "serial:M/S/ns2", "the serial number and namespace name them");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

/* More paths than a disk keeps are counted. */
static void many_paths(void)
{
	static char tree[16384];
	struct sysfs_fixture f;
	struct disk_list l;
	unsigned second = 0;
	size_t n = 0;

	for (int i = 0; i < 12; i++)
		n += (size_t)snprintf(tree + n, sizeof(tree) - n,
			"[sd%c] -> pci0000:00/0000:00:01.0/host0/rport-0:0-%d/target0:0:%d/"
			"0:0:%d:0/block/sd%c\n"
			SIZE "device/type=0\ndevice/wwid=naa.600508b1001c0e2b3d7a9f8812345678\n"
			SERIAL("ARRAY1", "06"), 'a' + i, i, i, i, 'a' + i);
	sysfs_fixture_make(&f, tree);
	disks_discover(f.root, &l);
	for (size_t i = 0; i < l.n; i++)
		second += l.disk[i].skip == DISK_SECOND_PATH;
	is_uint(second, 11, "of 12 paths 11 are left alone");
	is_uint(disk_lines_find(&l, "sda")->path_n, 12, "all 12 are counted");
	is_str(disk_lines_find(&l, "sda")->path[DISK_PATHS_MAX - 1], "sdh", "the first ones are "
	       "named");
	is_str(disk_lines_find(&l, "sdl")->path[0], "sdl", "a path names itself first");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

int main(void)
{
	lines_of_cases();
	head_hardware();
	long_wwids();
	many_paths();
	return tap_done();
}
