/* SPDX-License-Identifier: MIT */
/* The options disks and exclude: every way to name a disk, and what no name may do. */
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bench/sys/discover.h"
#include "tests/unit/disk_lines.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static const char tree[] =
	"[vda] -> pci0000:00/0000:00:01.0/virtio0/block/vda\nsize=8\nserial=SER1\ndev=254:0\n"
	"@sys/devices/pci0000:00/0000:00:01.0/virtio0/block/vda/vda1\npartition=1\ndev=254:1\n"
	"@sys/class/block\nvda1 -> ../../devices/pci0000:00/0000:00:01.0/virtio0/block/vda/vda1\n"
	"@sys/dev/block\n254:1 -> ../../devices/pci0000:00/0000:00:01.0/virtio0/block/vda/vda1\n"
	"[sda] -> pci0000:00/0000:00:02.0/virtio1/host0/target0:0:0/0:0:0:0/block/sda\nsize=8\n"
	"device/type=0\ndevice/wwid=naa.5000c50000000001\ndevice/"
	"vpd_pg80:=[\\x00\\x80\\x00\\x04ABC1]\n"
	"queue/logical_block_size=512\n"
	"[sdb] -> pci0000:00/0000:00:02.0/virtio1/host0/target0:0:1/0:0:1:0/block/sdb\nsize=8\n"
	"device/type=0\ndevice/wwid=naa.5000c50000000001\ndevice/"
	"vpd_pg80:=[\\x00\\x80\\x00\\x04ABC1]\n"
	"queue/logical_block_size=512\n"
	"{nvme0} -> pci0000:00/0000:00:03.0/nvme/nvme0\nmodel=M\nserial=vda\nstate=live\n"
	"[nvme0n1] -> pci0000:00/0000:00:03.0/nvme/nvme0/nvme0n1\nsize=8\nnsid=1\n"
	"wwid=eui.36344730526001820025384300000001\n"
	"{nvme1} -> pci0000:00/0000:00:04.0/nvme/nvme1\nmodel=M\nserial=N1\nstate=live\n"
	"[loop0] -> virtual/block/loop0\nsize=8\ndev=7:0\n"
	"[zram0] -> virtual/block/zram0\nsize=8\ndev=252:0\ndisksize=4096\n"
	"[cciss!c0d0] -> pci0000:00/0000:00:05.0/block/cciss!c0d0\nsize=8\n"
	"@dev\nvda=\nvda1=\nsda=\nsdb=\nloop0=\nzram0=\nnvme0n1=\ncciss/c0d0=\ntty0=\n"
	"disk/by-id/virtio-SER1 -> ../../vda\ndisk/by-id/wwn-0x5000c50000000001 -> ../../sda\n"
	"disk/by-id/chain -> virtio-SER1\ndisk/by-id/broken -> ../../gone\n"
	"@srv\nimage=[not a device]\n";

#define ALL "vda sda nvme0n1 cciss!c0d0"

/* What is taken by these options, and a part of a note (NULL: no note at all). */
static const struct {
	const char *disks, *exclude, *want, *note;
} rows[] = {
	{ "", "", ALL, NULL },
	{ ",,", "", ALL, NULL },
	{ "vda", "", "vda", NULL },
	{ "/dev/vda", "", "vda", NULL },
	{ "vda,sda", "", "vda sda", NULL },
	{ "SER1", "", "vda", NULL },
	{ "ser1", "", "vda", NULL },
	{ "serial:SER1", "", "vda", NULL },
	{ "/dev/disk/by-id/virtio-SER1", "", "vda", NULL },
	{ "/dev/disk/by-id/chain", "", "vda", NULL },
	{ "/dev/disk/by-id/../../vda", "", "vda", NULL },
	{ "5000c50000000001", "", "sda", NULL },
	{ "0x5000C50000000001", "", "sda", NULL },
	{ "naa.5000c50000000001", "", "sda", NULL },
	{ "wwn-0x5000c50000000001", "", "sda", NULL },
	{ "wwn:5000c50000000001", "", "sda", NULL },
	{ "5000C500-00000001", "", "sda", NULL },
	{ "/dev/disk/by-id/wwn-0x5000c50000000001", "", "sda", NULL },
	{ "eui.36344730526001820025384300000001", "", "nvme0n1", NULL },
	{ "36344730526001820025384300000001", "", "nvme0n1", NULL },
	{ "sdb", "", "sdb", NULL },			/* the other path, as asked for */
	{ "sda,sdb", "", "sda", NULL },			/* one disk is measured once */
	{ "sdb,sda", "", "sda", NULL },
	{ "loop0", "", "loop0", NULL },
	{ "zram0,/dev/loop0", "", "loop0 zram0", NULL },
	{ "cciss!c0d0", "", "cciss!c0d0", NULL },
	{ "cciss/c0d0", "", "cciss!c0d0", NULL },
	{ "/dev/cciss/c0d0", "", "cciss!c0d0", NULL },
	{ "", "vda", "sda nvme0n1 cciss!c0d0", NULL },
	{ "", "sdb", "vda nvme0n1 cciss!c0d0",
		NULL },	/* a path that is named stands for its disk */
	{ "", "ABC1", "vda nvme0n1 cciss!c0d0", NULL },
	{ "vda", "vda", "", NULL },
	{ "vda,sda", "/dev/vda", "sda", NULL },
	{ "sdb", "sda", "", NULL },
	{ "loop0", "loop0", "", NULL },
	{ "nosuch", "", "", "disks: \"nosuch\" is no device" },
	{ "vda,nosuch", "", "vda", "\"nosuch\" is no device" },
	{ "", "nosuch", ALL, "exclude: \"nosuch\" is no device" },
	{ "vda1", "", "", "\"vda1\" is a partition of vda" },
	{ "/dev/vda1", "", "", "\"/dev/vda1\" is a partition of vda" },
	{ "/srv/image", "", "", "a file: attach it to a loop device" },
	{ "/dev", "", "", "\"/dev\" is not a block device" },
	{ "/dev/disk/by-id/broken", "", "", "is no device" },
	{ "nvme1", "", "", "nvme1 is left alone all the same: an NVMe controller" },
	{ "nvme0", "", "", "an NVMe controller: name one of its namespaces" },
	{ "vd", "", "", "is no device" },
	{ "vdaa", "", "", "is no device" },
	{ "VDA", "", "nvme0n1", NULL },			/* names have a case; its serial number is
		"vda" */
	{ "all", "", "", "is no device" },
	{ "*", "", "", "is no device" },
	{ "/", "", "", "not a block device" },
	{ "5000c5000000000", "", "", "is no device" },
	{ "wwn-", "", "", "is no device" },
	{ "0x", "", "", "is no device" },
};

static const char *taken(const struct disk_list *l, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < l->n; i++)
		if (l->disk[i].skip == DISK_TAKEN) {
			size_t used = strlen(text);

			snprintf(text + used, size - used, "%s%s", used ? " "
				 : "", l->disk[i].name);
		}
	return text;
}

static void names_of_disks(struct sysfs_fixture *f)
{
	static struct options o;
	char text[512];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct disk_list l;
		bool noted = false;

		options_init(&o);
		options_set(&o, "root", f->root, OPT_FROM_FLAG);
		options_set(&o, "disks", rows[i].disks, OPT_FROM_FLAG);
		options_set(&o, "exclude", rows[i].exclude, OPT_FROM_FLAG);
		disks_discover(f->root, &l);
		disks_select(&l, &o);
		is_str(taken(&l, text, sizeof(text)), rows[i].want, "disks \"%s\", exclude \"%s\"",
		       rows[i].disks, rows[i].exclude);
		for (uint32_t k = 0; k < o.note_n && k < OPT_NOTES_MAX && rows[i].note; k++)
			noted = noted || strstr(o.note[k], rows[i].note);
		if (!ok(noted == (rows[i].note != NULL) && o.note_n == (rows[i].note ? 1 : 0),
			"disks \"%s\", exclude \"%s\": %s", rows[i].disks, rows[i].exclude,
			rows[i].note ? rows[i].note : "nothing to note"))
			tap_diag("%u notes, the first: %s", o.note_n, o.note[0]);
		disk_list_free(&l);
	}
}

/* Why the others are left alone. */
static void reasons(struct sysfs_fixture *f)
{
	static struct options o;
	struct disk_list l;

	options_init(&o);
	options_set(&o, "root", f->root, OPT_FROM_FLAG);
	options_set(&o, "disks", "loop0,vda", OPT_FROM_FLAG);
	options_set(&o, "exclude", "vda", OPT_FROM_FLAG);
	disks_discover(f->root, &l);
	disks_select(&l, &o);
	is_int(disk_lines_find(&l, "vda")->skip, DISK_EXCLUDED, "exclude wins over disks");
	is_int(disk_lines_find(&l, "sda")->skip, DISK_NOT_ASKED, "what is not named is not asked "
	       "for");
	is_int(disk_lines_find(&l, "sdb")->skip, DISK_SECOND_PATH, "other reasons stay");
	is_int(disk_lines_find(&l, "zram0")->skip, DISK_ZRAM, "also where only naming could lift "
	       "them");
	is_str(disk_lines_find(&l, "loop0")->skip_detail, "", "what is taken has no detail of a "
	       "reason");
	disks_select(&l, &o);
	is_int(disk_lines_find(&l, "loop0")->skip, DISK_TAKEN, "selecting twice changes nothing");
	disk_list_free(&l);
	options_init(&o);
	options_set(&o, "root", f->root, OPT_FROM_FLAG);
	options_set(&o, "disks", "nosuch,nvme1", OPT_FROM_FLAG);
	disks_discover(f->root, &l);
	disks_select(&l, &o);
	disks_select(&l, &o);
	is_uint(o.note_n, 2, "and nothing is noted twice");
	disk_list_free(&l);
}

/* One serial number of several disks means them all, and says so. */
static void shared_serial(void)
{
	static struct options o;
	struct sysfs_fixture f;
	struct disk_list l;
	char text[64];

	sysfs_fixture_make(&f,
		"[vda] -> pci0000:00/0000:00:01.0/virtio0/block/vda\nsize=8\nserial=000000000000\n"
		"[vdb] -> pci0000:00/0000:00:02.0/virtio1/block/vdb\nsize=8\nserial=000000000000\n"
		"[vdc] -> pci0000:00/0000:00:03.0/virtio2/block/vdc\nsize=8\nserial=1\n");
	disks_discover(f.root, &l);
	options_init(&o);
	options_set(&o, "root", f.root, OPT_FROM_FLAG);
	options_set(&o, "exclude", "000000000000", OPT_FROM_FLAG);
	disks_select(&l, &o);
	is_str(taken(&l, text, sizeof(text)), "vdc", "a serial number of two disks excludes both");
	ok(strstr(o.note[0], "names 2 disks") != NULL, "and this is noted");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

/* A device that came after discovery is none of the list, and no partition either. */
static void late_device(struct sysfs_fixture *f)
{
	static struct options o;
	struct disk_list l;

	disks_discover(f->root, &l);
	sysfs_fixture_add(f, "[vdz] -> pci0000:00/0000:00:09.0/virtio9/block/vdz\nsize=8\n");
	options_init(&o);
	options_set(&o, "root", f->root, OPT_FROM_FLAG);
	options_set(&o, "disks", "vdz", OPT_FROM_FLAG);
	disks_select(&l, &o);
	ok(strstr(o.note[0], "\"vdz\" is no device") != NULL, "a late device is not known: %s",
	   o.note[0]);
	disk_list_free(&l);
}

/*
 * Hostile names: long, raw bytes, format characters; they match nothing and are noted in clean
 * text.
 */
static void hostile_names(struct sysfs_fixture *f)
{
	static char long_name[5000];
	const char *names[] = { "%s%n%s", "\xff\x01\x1b[31m", "../../etc/passwd", "$(reboot)",
		long_name };
	static struct options o;

	memset(long_name, '/', sizeof(long_name) - 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct disk_list l;
		char text[64];

		options_init(&o);
		options_set(&o, "root", f->root, OPT_FROM_FLAG);
		options_set(&o, "disks", names[i], OPT_FROM_FLAG);
		disks_discover(f->root, &l);
		disks_select(&l, &o);
		is_str(taken(&l, text, sizeof(text)), "", "hostile name %zu takes no disk", i);
		is_uint(o.note_n, 1, "and is noted once");
		ok(!strchr(o.note[0], '\x1b') && !strchr(o.note[0], '\n'), "in clean text");
		disk_list_free(&l);
	}
}

/* Device nodes are matched by number, whatever they are called. Needs the right to make them. */
static void nodes_by_number(struct sysfs_fixture *f)
{
	static struct options o;
	struct disk_list l;
	char path[128], text[64];

	snprintf(path, sizeof(path), "%s/dev/mine", f->root);
	if (mknod(path, S_IFBLK | 0600, makedev(254, 0)) < 0) {
		tap_skip("a node under another name", "needs root");
		return;
	}
	options_init(&o);
	options_set(&o, "root", f->root, OPT_FROM_FLAG);
	options_set(&o, "disks", "/dev/mine", OPT_FROM_FLAG);
	disks_discover(f->root, &l);
	disks_select(&l, &o);
	is_str(taken(&l, text, sizeof(text)), "vda", "a node under another name is matched by "
	       "number");
	disk_list_free(&l);
	snprintf(path, sizeof(path), "%s/dev/part", f->root);
	if (mknod(path, S_IFBLK | 0600, makedev(254, 1)) < 0)
		tap_bail("mknod");
	options_init(&o);
	options_set(&o, "root", f->root, OPT_FROM_FLAG);
	options_set(&o, "disks", "/dev/part", OPT_FROM_FLAG);
	disks_discover(f->root, &l);
	disks_select(&l, &o);
	ok(strstr(o.note[0], "a partition of vda") != NULL, "and so is a partition's");
	disk_list_free(&l);
}

int main(void)
{
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, tree);
	names_of_disks(&f);
	reasons(&f);
	shared_serial();
	hostile_names(&f);
	nodes_by_number(&f);
	late_device(&f);
	sysfs_fixture_remove(&f);
	return tap_done();
}
