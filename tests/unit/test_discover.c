/* SPDX-License-Identifier: MIT */
/*
 * Discovery on trees of the shapes that kernels show: each device once, with a reason where it is
 * left.
 */
#include <stdint.h>

#include "bench/sys/discover.h"
#include "tests/unit/disk_lines.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define PLAIN "size=131072\nro=0\nremovable=0\nhidden=0\nqueue/logical_block_size=512\n" \
	"queue/physical_block_size=512\nqueue/rotational=1\n"
#define EMPTY "size=0\nro=0\nremovable=0\nhidden=0\nqueue/logical_block_size=512\n" \
	"queue/physical_block_size=512\nqueue/rotational=1\n"
#define CARD_READER "size=0\nro=0\nremovable=1\nhidden=0\ndevice/type=0\n"

static const struct {
	const char *what, *tree, *want;
} cases[] = {
	{ "virtual devices", /* each left alone, each for its own reason */
		"[loop0] -> virtual/block/loop0\n" EMPTY "dev=7:0\n"
		"[loop1] -> virtual/block/loop1\n" PLAIN "dev=7:1\nloop/backing_file=[/srv/a "
		"b.img]\n"
		"[nbd0] -> virtual/block/nbd0\n" EMPTY "dev=43:0\n"
		"[ram0] -> virtual/block/ram0\nsize=32768\ndev=1:0\n"
		"[zram0] -> virtual/block/zram0\n" EMPTY "dev=252:0\ndisksize=0\n"
		"[dm-0] -> virtual/block/dm-0\n" PLAIN "dev=253:0\ndm/name=vg0-root\n"
		"[md127] -> virtual/block/md127\n" PLAIN "dev=9:127\nmd/level=raid1\nmd/"
		"array_state=clean\n"
		"[nullb0] -> virtual/block/nullb0\n" PLAIN "dev=251:0\n",
		"md127: array (raid1, clean) other path:md127\n"
		"dm-0: mapped (vg0-root) other path:dm-0\n"
		"nbd0: nbd other path:nbd0\n"
		"ram0: ram other path:ram0\n"
		"loop0: loop other path:loop0\n"
		"loop1: loop (/srv/a b.img) other path:loop1\n"
		"zram0: zram other path:zram0\n"
		"nullb0: no_device other path:nullb0\n" },
	{ "floppy and CD drive of a PC",
		"[fd0] -> platform/floppy.0/block/fd0\n" EMPTY "removable=1\ndev=2:0\n"
		"[sr0] -> pci0000:00/0000:00:01.1/ata2/host1/target1:0:0/1:0:0:0/block/sr0\n"
		"size=2097151\nro=1\nremovable=1\ndev=11:0\ndevice/type=5\ndevice/model=[QEMU "
		"DVD-ROM    ]\n"
		"@sys/devices/pci0000:00/0000:00:01.1\n"
		"driver -> ../../../bus/pci/drivers/ata_piix\nata2/ata_port/ata2/port_no=1\n"
		"[sr1] -> pci0000:00/0000:00:01.1/ata7/host2/target2:0:0/2:0:0:0/block/sr1\n"
		"size=2097151\ndevice/type=5\n"
		"[sr2] -> pci0000:00/0000:00:01.1/ata8/host3/target3:0:1/3:0:1:0/block/sr2\n"
		"size=2097151\ndev=11:2\n",
		"fd0: floppy other path:bus-floppy.0\n"
		"sr0: optical ata path:pci-0000:00:01.1-ata-1\n"
		"sr1: optical ata path:pci-0000:00:01.1-ata-7\n"
		"sr2: optical ata path:pci-0000:00:01.1-ata-8-scsi-0:1:0\n" },
	{ "card readers and a USB stick",
		"[sda] -> pci0000:00/0000:00:02.0/virtio0/host0/target0:0:0/0:0:0:0/block/sda\n"
		CARD_READER
		"[sdb] -> pci0000:00/0000:00:01.0/usb2/2-1/2-1:1.0/host7/target7:0:0/7:0:0:0/"
		"block/sdb\n"
		CARD_READER
		"[sdc] -> pci0000:00/0000:00:01.0/usb2/2-1/2-1:1.0/host7/target7:0:0/7:0:0:1/"
		"block/sdc\n"
		CARD_READER
		"[sdd] -> pci0000:00/0000:00:01.0/usb2/2-2.4/2-2.4:1.0/host8/target8:0:0/8:0:0:0/"
		"block/sdd\n"
		PLAIN "removable=1\ndevice/type=0\n",
		"sdb: no_medium usb path:pci-0000:00:01.0-usb-1\n"
		"sdc: no_medium usb path:pci-0000:00:01.0-usb-1-scsi-0:0:1\n"
		"sdd: taken usb path:pci-0000:00:01.0-usb-2.4\n"
		"sda: no_medium scsi path:pci-0000:00:02.0-scsi-0:0:0\n" },
	{ "eMMC with its areas, in both shapes, and an SD card",
		"[mmcblk0] -> pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001/block/mmcblk0\n" PLAIN
		"device/type=MMC\ndevice/name=DG4064\ndevice/serial=0x1a2b3c4d\n"
		"[mmcblk0boot0] -> "
		"pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001/block/mmcblk0/mmcblk0boot0\n"
		"size=8192\n"
		"[bootarea] -> "
		"pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001/block/mmcblk0/bootarea\n"
		"size=8192\n"
		"[mmcblk0boot1] -> pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001/block/"
		"mmcblk0boot1\n"
		"size=8192\n"
		"[mmcblk0rpmb] -> pci0000:00/0000:00:1c.0/mmc_host/mmc0/mmc0:0001/block/"
		"mmcblk0rpmb\n"
		"size=8192\n"
		"[mmcblk1] -> pci0000:00/0000:00:1d.0/mmc_host/mmc1/mmc1:4567/block/mmcblk1\n" PLAIN
		"device/type=SD\ndevice/name=[QEMU!]\ndevice/serial=0xdeadbeef\n",
		"mmcblk0: taken mmc serial:DG4064/0x1a2b3c4d\n"
		"mmcblk0boot0: emmc_area (area of mmcblk0) mmc path:mmcblk0boot0\n"
		"mmcblk0boot1: emmc_area (area of mmcblk0) mmc path:mmcblk0boot1\n"
		"mmcblk0rpmb: emmc_area (area of mmcblk0) mmc path:mmcblk0rpmb\n"
		"bootarea: emmc_area (area of mmcblk0) mmc path:bootarea\n"
		"mmcblk1: taken mmc serial:QEMU!/0xdeadbeef\n" },
	{ "NVMe: two namespaces, numbered as it pleases, one without a size",
		"{nvme0} -> pci0000:00/0000:00:01.0/nvme/nvme0\nmodel=[QEMU NVMe Ctrl        ]\n"
		"serial=[S1          ]\ncntlid=0\nstate=live\nfirmware_rev=[1.0     ]\n"
		"[nvme0n1] -> pci0000:00/0000:00:01.0/nvme/nvme0/nvme0n1\n" PLAIN "nsid=1\n"
		"wwid=nvme.1b36-5331-51454d55204e564d65204374726c-00000001\n"
		"[nvme0n2] -> pci0000:00/0000:00:01.0/nvme/nvme0/nvme0n2\n" PLAIN "nsid=17\n"
		"queue/logical_block_size=4096\n"
		"wwid=nvme.1b36-5331-51454d55204e564d65204374726c-00000011\n"
		"[nvme0n3] -> pci0000:00/0000:00:01.0/nvme/nvme0/nvme0n3\n" EMPTY "nsid=18\n"
		"[nvme0n4] -> pci0000:00/0000:00:01.0/nvme/nvme0/nvme0n4\n" EMPTY "nsid=19\n"
		"metadata_bytes=64\n",
		"nvme0n1: taken nvme serial:QEMU NVMe Ctrl/S1\n"
		"nvme0n2: taken nvme serial:QEMU NVMe Ctrl/S1/ns17\n"
		"nvme0n3: zero_size (the kernel does not serve its format (metadata in each "
		"block?)) nvme "
		"serial:QEMU NVMe Ctrl/S1/ns18\n"
		"nvme0n4: sector_size (64 bytes of metadata in each block) nvme "
		"serial:QEMU NVMe Ctrl/S1/ns19\n" },
	{ "NVMe controllers without a namespace",
		"{nvme0} -> pci0000:00/0000:00:01.0/nvme/nvme0\nmodel=M\nserial=S1\nstate=live\n"
		"{nvme1} -> pci0000:00/0000:00:02.0/nvme/nvme1\nmodel=M\nserial=S2\nstate=live\n"
		"ng1n1/\n"
		"{nvme2} -> pci0000:00/0000:00:03.0/nvme/nvme2\nmodel=M\nserial=S3\n"
		"state=resetting\n",
		"nvme0: no_namespace (none is attached to it) nvme serial:M/S1\n"
		"nvme1: no_namespace (its namespace has a command set or format the kernel does "
		"not serve) "
		"nvme serial:M/S2\n"
		"nvme2: no_namespace (its state is \"resetting\") nvme serial:M/S3\n" },
	{ "SCSI: a disk that is not ready, one without a block device, an enclosure",
		"<0:0:0:0> -> pci0000:00/0000:03:00.0/host0/port-0:0/end_device-0:0/target0:0:0/"
		"0:0:0:0\n"
		"type=0\nstate=running\n"
		"[sda] -> pci0000:00/0000:03:00.0/host0/port-0:0/end_device-0:0/target0:0:0/"
		"0:0:0:0/block/sda\n"
		EMPTY
		"<0:0:1:0> -> pci0000:00/0000:03:00.0/host0/port-0:1/end_device-0:1/target0:0:1/"
		"0:0:1:0\n"
		"type=0\nstate=running\nvendor=SEAGATE\nmodel=ST4000NM0023\n"
		"vpd_pg80:=[\\x00\\x80\\x00\\x08Z1Z0AAAA]\n"
		"<0:0:2:0> -> pci0000:00/0000:03:00.0/host0/port-0:2/end_device-0:2/target0:0:2/"
		"0:0:2:0\n"
		"type=13\nstate=running\n"
		"@sys/bus/scsi/devices\n"
		"host0 -> ../../../devices/pci0000:00/0000:03:00.0/host0\n"
		"gone -> ../../../devices/nowhere\n",
		"0:0:1:0: no_device (a SCSI disk (state running) without a block device: a RAID "
		"member, or "
		"refused by sd) sas serial:ST4000NM0023/Z1Z0AAAA\n"
		"sda: zero_size (not ready, or a sector size the kernel does not serve (520, 528 "
		"...)) sas "
		"path:pci-0000:03:00.0-scsi-0:0:0\n" },
	{ "paravirtual disks of other hypervisors, pmem, mtd",
		"[xvda] -> vbd-51712/block/xvda\n" PLAIN
		"[sda] -> LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/"
		"f8b3781a-1e82-4818-a1c3-63d806ec15bb/host0/target0:0:0/0:0:0:0/block/sda\n" PLAIN
		"device/type=0\n"
		"@sys/devices/LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/"
		"f8b3781a-1e82-4818-a1c3-63d806ec15bb\n"
		"driver -> ../../../../../../bus/vmbus/drivers/hv_storvsc\n"
		"[pmem0] -> LNXSYSTM:00/ACPI0012:00/ndbus0/region0/namespace0.0/block/pmem0\n" PLAIN
		"[mtdblock0] -> pci0000:00/0000:00:1f.5/mtd/mtd0/mtdblock0\n" PLAIN "dev=31:0\n",
		"xvda: taken xen path:bus-vbd-51712\n"
		"mtdblock0: no_device (a flash memory chip (mtd)) other "
		"path:pci-0000:00:1f.5-mtd0\n"
		"pmem0: taken other path:bus-namespace0.0\n"
		"sda: taken hyperv path:bus-f8b3781a-1e82-4818-a1c3-63d806ec15bb-scsi-0:0:0\n" },
	{ "virtual media of a remote console, as disk, as drive, by the USB device's name",
		"[sda] -> pci0000:00/0000:00:14.0/usb1/1-1/1-1:1.0/host4/target4:0:0/4:0:0:0/"
		"block/sda\n" PLAIN
		"removable=1\ndevice/type=0\ndevice/vendor=[AMI     ]\ndevice/model=[Virtual "
		"HDisk0  ]\n"
		"[sr0] -> pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/host5/target5:0:0/5:0:0:0/"
		"block/sr0\n"
		"size=0\nremovable=1\ndev=11:0\ndevice/type=5\ndevice/vendor=[AMI     ]\n"
		"device/model=[Virtual CDROM0  ]\n"
		"[sdb] -> pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/host6/target6:0:0/6:0:0:0/"
		"block/sdb\n"
		"size=0\nremovable=1\ndevice/type=0\ndevice/vendor=[iDRAC   ]\ndevice/"
		"model=[LCDRIVE         ]\n"
		"[sdc] -> pci0000:00/0000:00:14.0/usb1/1-4/1-4:1.0/host7/target7:0:0/7:0:0:0/"
		"block/sdc\n" PLAIN
		"device/type=0\ndevice/vendor=[Linux   ]\ndevice/model=[File-Stor Gadget]\n"
		"@sys/devices/pci0000:00/0000:00:14.0/usb1/1-4\nmanufacturer=OpenBMC\n"
		"product=Virtual Media\n"
		"[sdd] -> pci0000:00/0000:00:15.0/virtio0/host8/target8:0:0/8:0:0:0/block/sdd\n"
		PLAIN
		"device/type=0\ndevice/vendor=[Msft    ]\ndevice/model=[Virtual HDD     ]\n",
		"sr0: virtual_media usb path:pci-0000:00:14.0-usb-2\n"
		"sda: virtual_media usb path:pci-0000:00:14.0-usb-1\n"
		"sdb: virtual_media usb path:pci-0000:00:14.0-usb-3\n"
		"sdc: virtual_media usb path:pci-0000:00:14.0-usb-4\n"
		"sdd: taken scsi path:pci-0000:00:15.0-scsi-0:0:0\n" },
	{ "RAID volumes, and disks that the same controllers pass through",
		"@sys/devices/pci0000:00/0000:01:00.0\ndriver -> ../../../../bus/pci/drivers/"
		"megaraid_sas\n"
		"[sda] -> pci0000:00/0000:01:00.0/host0/target0:2:0/0:2:0:0/block/sda\n" PLAIN
		"device/type=0\ndevice/vendor=[DELL    ]\n"
		"[sdb] -> pci0000:00/0000:01:00.0/host0/target0:0:5/0:0:5:0/block/sdb\n" PLAIN
		"device/type=0\ndevice/vendor=[SEAGATE ]\n"
		"@sys/devices/pci0000:00/0000:02:00.0\ndriver -> ../../../../bus/pci/drivers/"
		"mpt3sas\n"
		"[sdc] -> pci0000:00/0000:02:00.0/host1/target1:1:0/1:1:0:0/block/sdc\n" PLAIN
		"device/type=0\n"
		"[sdd] -> pci0000:00/0000:02:00.0/host1/port-1:0/end_device-1:0/target1:0:0/"
		"1:0:0:0/block/sdd\n"
		PLAIN "device/type=0\ndevice/vendor=[ATA     ]\n"
		"[sde] -> pci0000:00/0000:02:00.0/host1/port-1:1/end_device-1:1/target1:0:1/"
		"1:0:1:0/block/sde\n"
		PLAIN "device/type=0\ndevice/vendor=[HGST    ]\n"
		"@sys/devices/pci0000:00/0000:03:00.0\ndriver -> ../../../../bus/pci/drivers/hpsa\n"
		"[cciss!c0d0] -> pci0000:00/0000:03:00.0/cciss0/c0d0/block/cciss!c0d0\n" PLAIN
		"[sdf] -> pci0000:00/0000:03:00.0/host2/target2:1:0/2:1:0:0/block/sdf\n" PLAIN
		"device/type=0\n",
		"sda: taken raid path:pci-0000:01:00.0-scsi-2:0:0\n"
		"sdb: taken sas path:pci-0000:01:00.0-scsi-0:5:0\n"
		"sdc: taken raid path:pci-0000:02:00.0-scsi-1:0:0\n"
		"sdd: taken sata path:pci-0000:02:00.0-scsi-0:0:0\n"
		"sde: taken sas path:pci-0000:02:00.0-scsi-0:1:0\n"
		"sdf: taken raid path:pci-0000:03:00.0-scsi-1:0:0\n"
		"cciss!c0d0: taken other path:pci-0000:03:00.0-c0d0\n" },
	{ "PCI functions: controllers without a driver, NVMe that the kernel gave up",
		"|0000:00:02.0| -> pci0000:00/0000:00:02.0\nclass=0x010000\nvendor=0x1000\n"
		"device=0x0012\n"
		"|0000:00:03.0| -> pci0000:00/0000:00:03.0\nclass=0x010802\nvendor=0x144d\n"
		"device=0xa808\n"
		"|0000:00:04.0| -> pci0000:00/0000:00:04.0\nclass=0x010802\nvendor=0x144d\n"
		"device=0xa808\ndriver -> ../../../bus/pci/drivers/nvme\n"
		"|0000:00:05.0| -> pci0000:00/0000:00:05.0\nclass=0x010601\n"
		"driver -> ../../../bus/pci/drivers/ahci\n"
		"|0000:00:06.0| -> pci0000:00/0000:00:06.0\nclass=0x020000\n"
		"|0000:00:07.0| -> pci0000:00/0000:00:07.0\nclass=0x010802\n"
		"driver -> ../../../bus/pci/drivers/nvme\n"
		"{nvme0} -> pci0000:00/0000:00:07.0/nvme/nvme0\nmodel=M\nserial=S1\nstate=live\n"
		"[nvme0n1] -> pci0000:00/0000:00:07.0/nvme/nvme0/nvme0n1\nsize=8\nnsid=1\n"
		"|0000:00:08.0| -> pci0000:00/0000:00:08.0\nclass=storage\n"
		"|0000:00:09.0| -> pci0000:00/0000:00:09.0\nclass=0x010802\nvendor=0x144d\n"
		"device=0xa808\ndriver -> ../../../bus/pci/drivers/vfio-pci\n",
		"0000:00:02.0: no_device (storage controller 1000:0012 without a driver: what is "
		"behind it cannot be seen) other path:pci-0000:00:02.0\n"
		"0000:00:03.0: no_namespace (NVMe disk 144d:a808 without a controller: the kernel "
		"may have given it up (see its log)) nvme path:pci-0000:00:03.0\n"
		"0000:00:04.0: no_namespace (NVMe disk 144d:a808 without a controller: the kernel "
		"may have given it up (see its log)) nvme path:pci-0000:00:04.0\n"
		"nvme0n1: taken nvme serial:M/S1\n"
		"0000:00:09.0: no_namespace (NVMe disk 144d:a808 held by driver vfio-pci) nvme "
		"path:pci-0000:00:09.0\n" },
	{ "no disk at all", "", "" },
};

static void lines_of_cases(void)
{
	static char text[8192];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sysfs_fixture f;
		struct disk_list l;

		sysfs_fixture_make(&f, cases[i].tree);
		is_int(disks_discover(f.root, &l), 0, "%s: discovery works", cases[i].what);
		is_str(disk_lines(&l, text, sizeof(text)), cases[i].want, "%s", cases[i].what);
		disk_list_free(&l);
		sysfs_fixture_remove(&f);
	}
}

/* IDENTIFY DEVICE data in page 89h: strings of swapped pairs, at their words. */
static void put_ata(unsigned char page[572], size_t word, const char *text, size_t words)
{
	for (size_t i = 0; i < 2 * words; i++)
		page[60 + 2 * word + (i ^ 1)] = (unsigned char)(i < strlen(text) ? text[i] : ' ');
}

static void sata_disk(void)
{
	static const char dir[] = "pci0000:00/0000:00:1f.2/ata3/host2/target2:0:0/2:0:0:0";
	unsigned char page[572] = { 0, 0x89, 0x02, 0x38 };
	struct sysfs_fixture f;
	struct disk_list l;
	const struct disk *d;
	char path[256];

	page[56] = 0xEC;
	put_ata(page, 10, "        WD-WMAM00001", 10);
	put_ata(page, 23, "01.01A01", 4);
	put_ata(page, 27, "WDC WD4003FZEX-00Z4SA0", 20);
	page[60 + 2 * 222 + 1] = 0x10;	/* serial transport */
	sysfs_fixture_make(&f,
		"[sdb] -> pci0000:00/0000:00:1f.2/ata3/host2/target2:0:0/2:0:0:0/block/sdb\n"
		"size=7814037168\nro=1\nremovable=0\ndev=8:16\nqueue/logical_block_size=512\n"
		"queue/physical_block_size=4096\nqueue/rotational=1\ndevice/type=0\n"
		"device/vendor=[ATA     ]\ndevice/model=[WDC WD4003FZEX-0]\ndevice/rev=[1A01]\n"
		"device/wwid=naa.50014ee2b1234567\n"
		"device/driver -> ../../../../../../../bus/scsi/drivers/sd\n"
		"device/vpd_pgb1:=[\\x00\\xb1\\x00\\x3c\\x1c\\x20]\n"
		"@sys/devices/pci0000:00/0000:00:1f.2\nnuma_node=1\n"
		"driver -> ../../../bus/pci/drivers/ahci\n"
		"@sys/devices/pci0000:00/0000:00:1f.2/ata3/ata_port/ata3\nport_no=2\n");
	snprintf(path, sizeof(path), "sys/devices/%s/vpd_pg89", dir);
	sysfs_fixture_write(&f, path, page, sizeof(page));
	disks_discover(f.root, &l);
	d = disk_lines_find(&l, "sdb");
	is_str(d->vendor, "", "SATA: \"ATA\" is no maker");
	is_str(d->model, "WDC WD4003FZEX-00Z4SA0", "SATA: the whole model, not INQUIRY's 16 "
	       "characters");
	is_str(d->serial, "WD-WMAM00001", "SATA: serial number");
	is_str(d->firmware, "01.01A01", "SATA: the whole firmware revision");
	is_str(d->wwn, "naa.50014ee2b1234567", "SATA: WWN as the kernel has it");
	is_str(d->identity, "wwn:50014ee2b1234567", "SATA: identity by WWN");
	ok(!d->identity_is_path, "SATA: which is no path");
	is_str(d->transport, "sata", "SATA: transport");
	is_str(d->driver, "ahci", "SATA: driver of the controller, not sd");
	is_str(d->controller, "0000:00:1f.2", "SATA: controller");
	is_uint(d->size_bytes, 4000787030016, "SATA: size in bytes");
	is_uint(d->logical_block_bytes, 512, "SATA: logical block");
	is_uint(d->physical_block_bytes, 4096, "SATA: physical block");
	is_int(d->rotational, DISK_ROTATING, "SATA: rotating, as it reports 7,200 per minute");
	ok(d->read_only && !d->removable, "SATA: read-only, not removable");
	is_int(d->numa_node, 1, "SATA: NUMA node of the controller");
	is_uint(d->major, 8, "SATA: major number");
	is_uint(d->minor, 16, "SATA: minor number");
	snprintf(path, sizeof(path), "%s/dev/sdb", f.root);
	is_str(d->node, path, "SATA: node below the root");
	snprintf(path, sizeof(path), "%s/block/sdb", dir);
	is_str(d->sysfs, path, "SATA: path below /sys/devices");
	is_uint(d->path_n, 1, "SATA: one path");
	is_str(d->path[0], "sdb", "SATA: which is its own name");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

static void huge_disks(void)
{
	struct sysfs_fixture f;
	struct disk_list l;

	sysfs_fixture_make(&f,
		"[vda] -> pci0000:00/0000:00:01.0/virtio0/block/vda\nsize=42949672960\nserial=\n"
		"[vdb] -> pci0000:00/0000:00:02.0/virtio1/block/vdb\nsize=137438953472\n"
		"serial:=[abc]\n"
		"device/vendor=0x1af4\n"
		"[vdc] -> pci0000:00/0000:00:03.0/virtio2/block/vdc\nsize=36028797018963967\n"
		"[vdd] -> pci0000:00/0000:00:04.0/virtio3/block/vdd\nsize=36028797018963969\n");
	disks_discover(f.root, &l);
	is_uint(disk_lines_find(&l, "vda")->size_bytes, 21990232555520, "20 TiB");
	is_uint(disk_lines_find(&l, "vdb")->size_bytes, 70368744177664, "64 TiB");
	is_uint(disk_lines_find(&l, "vdc")->size_bytes, UINT64_MAX - 511, "the largest size there "
		"is");
	is_uint(disk_lines_find(&l, "vdd")->size_bytes, 0, "more than 64 bits hold is no size");
	is_str(disk_lines_find(&l, "vda")->identity, "path:pci-0000:00:01.0",
	       "an empty serial number is no identity");
	ok(disk_lines_find(&l, "vda")->identity_is_path, "and this is said");
	is_str(disk_lines_find(&l, "vdb")->identity, "serial:abc", "virtio: serial without "
	       "newline");
	is_str(disk_lines_find(&l, "vdb")->vendor, "", "virtio: a PCI number is no vendor");
	is_int(disk_lines_find(&l, "vdb")->numa_node, -1, "no NUMA node is -1");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

static void rotational(void)
{
	static const struct {
		const char *what, *path, *tree;
		enum disk_rotational want;
	} rows[] = {
		{ "kernel says solid", "sata", "queue/rotational=0\n", DISK_SOLID },
		{ "SATA, no page, kernel says rotating", "sata", "queue/rotational=1\n",
			DISK_ROTATING },
		{ "device does not report", "sata",
			"queue/rotational=1\ndevice/vpd_pgb1:=[\\x00\\xb1\\x00\\x3c\\x00\\x00]\n",
			DISK_ROTATIONAL_UNKNOWN },
		{ "device reports solid", "sata",
			"queue/rotational=1\ndevice/vpd_pgb1:=[\\x00\\xb1\\x00\\x3c\\x00\\x01]\n",
			DISK_SOLID },
		{ "reserved rate", "sata",
			"queue/rotational=1\ndevice/vpd_pgb1:=[\\x00\\xb1\\x00\\x3c\\x00\\x05]\n",
			DISK_ROTATIONAL_UNKNOWN },
		{ "short page", "sata", "queue/rotational=1\ndevice/vpd_pgb1:=[\\x00\\xb1]\n",
			DISK_ROTATING },
		{ "virtio: the flag is only a default", "virtio", "queue/rotational=1\n",
			DISK_ROTATIONAL_UNKNOWN },
		{ "virtio that says solid", "virtio", "queue/rotational=0\n", DISK_SOLID },
		{ "no flag", "sata", "", DISK_ROTATIONAL_UNKNOWN },
		{ "strange flag", "sata", "queue/rotational=2\n", DISK_ROTATIONAL_UNKNOWN },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sysfs_fixture f;
		struct disk_list l;
		char tree[512];

		sysfs_fixture_make(&f, !strcmp(rows[i].path, "sata") ?
			"[x] -> pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/x\n"
			"size=8\n" :
			"[x] -> pci0000:00/0000:00:01.0/virtio0/block/x\nsize=8\n");
		snprintf(tree, sizeof(tree), "@sys/block/x\n%s", rows[i].tree);
		sysfs_fixture_add(&f, tree);
		disks_discover(f.root, &l);
		is_int(disk_lines_find(&l, "x")->rotational, rows[i].want, "%s", rows[i].what);
		disk_list_free(&l);
		sysfs_fixture_remove(&f);
	}
}

/* A bridge above the controller is not its driver. */
static void bridges(void)
{
	struct sysfs_fixture f;
	struct disk_list l;

	sysfs_fixture_make(&f,
		"[nvme0n1] -> pci0000:00/0000:00:1c.0/0000:03:00.0/nvme/nvme0/nvme0n1\n" PLAIN
		"@sys/devices/pci0000:00/0000:00:1c.0\ndriver -> ../../../bus/pci/drivers/"
		"pcieport\n");
	disks_discover(f.root, &l);
	is_str(l.disk[0].driver, "", "a PCI function without a driver has none");
	is_str(l.disk[0].controller, "0000:03:00.0", "the controller is the last function on the "
	       "way");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

static void odd_names(void)
{
	struct sysfs_fixture f;
	struct disk_list l;
	char path[128];

	sysfs_fixture_make(&f, "[cciss!c0d0] -> pci0000:00/0000:03:00.0/block/cciss!c0d0\n" PLAIN);
	disks_discover(f.root, &l);
	snprintf(path, sizeof(path), "%s/dev/cciss/c0d0", f.root);
	is_str(disk_lines_find(&l, "cciss!c0d0")->node, path, "'!' in a name is '/' in its node");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

static void only_class_block(void)
{
	struct sysfs_fixture f;
	struct disk_list l;
	char path[128], gone[128], text[256];

	sysfs_fixture_make(&f, "[vda] -> pci0000:00/0000:00:01.0/virtio0/block/vda\n" PLAIN
		"@sys/devices/pci0000:00/0000:00:01.0/virtio0/block/vda/vda1\npartition=1\n"
		"size=2048\n"
		"@sys/class/block\n"
		"vda1 -> ../../devices/pci0000:00/0000:00:01.0/virtio0/block/vda/vda1\n");
	snprintf(path, sizeof(path), "%s/sys/block", f.root);
	snprintf(gone, sizeof(gone), "%s/sys/gone", f.root);
	if (rename(path, gone) < 0)
		tap_bail("rename");
	is_int(disks_discover(f.root, &l), 0, "without /sys/block, /sys/class/block is walked");
	is_str(disk_lines(&l, text, sizeof(text)), "vda: taken virtio path:pci-0000:00:01.0\n",
	       "and its partitions are no disks");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

int main(void)
{
	lines_of_cases();
	sata_disk();
	huge_disks();
	rotational();
	bridges();
	odd_names();
	only_class_block();
	return tap_done();
}
