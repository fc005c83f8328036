/* SPDX-License-Identifier: MIT */
/*
 * Discovery on trees that no sane kernel shows: nothing is lost, nothing is believed, nothing
 * breaks.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/sys/discover.h"
#include "lib/text.h"
#include "tests/unit/disk_lines.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define VDA "[vda] -> pci0000:00/0000:00:01.0/virtio0/block/vda\n"
#define SDA "[sda] -> pci0000:00/0000:00:01.0/virtio0/host0/target0:0:0/0:0:0:0/block/sda\n" \
	"size=8\n" \
	"device/type=0\n"

static bool is_clean(const char *text)
{
	for (const char *s = text; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			return false;
	return text_is_utf8(text, strlen(text));
}

static void check_clean(const struct disk_list *l, const char *what)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct disk *d = &l->disk[i];

		ok(is_clean(d->name) && is_clean(d->node) && is_clean(d->vendor) &&
		   is_clean(d->model) &&
		   is_clean(d->serial) && is_clean(d->wwn) && is_clean(d->firmware) &&
		   is_clean(d->driver) && is_clean(d->controller) && is_clean(d->sysfs) &&
		   is_clean(d->identity) && is_clean(d->skip_detail) && d->identity[0],
		   "%s: all texts of disk %zu are clean, and it has an identity", what, i);
	}
}

static void no_tree(void)
{
	struct sysfs_fixture f;
	struct disk_list l = { .n = 7 };
	char path[128];

	is_int(disks_discover("/nonexistent", &l), -ENOENT, "no /sys is an error");
	ok(!l.disk && !l.n, "and an empty list");
	sysfs_fixture_make(&f, "");
	snprintf(path, sizeof(path), "%s/sys/block", f.root);
	rmdir(path);
	is_int(disks_discover(f.root, &l), -ENOENT, "neither is a /sys without block devices");
	ok(!l.disk && !l.n, "with an empty list as well");
	sysfs_fixture_remove(&f);
}

/* One sane disk beside each strange entry must come out whole. */
static const struct {
	const char *what, *tree, *want;
} cases[] = {
	{ "a folder that is empty", "[vdb] -> pci0000:00/0000:00:02.0/virtio1/block/vdb\n",
		"vdb: zero_size virtio path:pci-0000:00:02.0\n" },
	{ "a link that leads nowhere", "@sys/block\nsdx -> ../devices/gone\n",
		"sdx: cannot_open (its folder in /sys leads nowhere: it is gone)  path:sdx\n" },
	{ "a link that leads to itself", "@sys/block\nsdx -> sdx\n",
		"sdx: cannot_open (its folder in /sys leads nowhere: it is gone)  path:sdx\n" },
	{ "links in a circle", "@sys/block\nsdx -> sdy\nsdy -> sdx\n",
		"sdx: cannot_open (its folder in /sys leads nowhere: it is gone)  path:sdx\n"
		"sdy: cannot_open (its folder in /sys leads nowhere: it is gone)  path:sdy\n" },
	{ "a link out of the tree", "@srv/some/folder\nsize=8\n@sys/block\nsdx -> ../../srv/some/"
		"folder\n",
		"sdx: cannot_open (its folder in /sys leads out of /sys)  path:sdx\n" },
	{ "a file instead of a folder", "@sys/block\nsdx=hello\n",
		"sdx: no_device other path:sdx\n" },
	{ "folders where files are expected",
		"[vdb] -> pci0000:00/0000:00:02.0/virtio1/block/vdb\nsize/\nro/\nremovable/\n"
		"hidden/\n"
		"dev/\nserial/\nqueue/logical_block_size/\n",
		"vdb: zero_size virtio path:pci-0000:00:02.0\n" },
	{ "numbers that are none",
		"[vdb] -> pci0000:00/0000:00:02.0/virtio1/block/vdb\nsize=-1\nremovable=yes\n"
		"hidden=\n"
		"dev=eight:zero\n",
		"vdb: zero_size virtio path:pci-0000:00:02.0\n" },
	{ "a size with text behind it",
		"[vdb] -> pci0000:00/0000:00:02.0/virtio1/block/vdb\nsize=131072 sectors\n",
		"vdb: zero_size virtio path:pci-0000:00:02.0\n" },
	{ "a device link that leads nowhere",
		"[vdb] -> virtual/block/vdb\nsize=8\ndevice -> ../../gone\n",
		"vdb: no_device other path:vdb\n" },
	{ "a device link in a circle",
		"[vdb] -> virtual/block/vdb\nsize=8\ndevice -> device\n", "vdb: no_device other "
		"path:vdb\n" },
	{ "an NVMe class entry that leads nowhere",
		"@sys/class/nvme\nnvme7 -> ../../devices/gone\n", "" },
	{ "a name longer than any device's",
		"[vdbcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz] "
		"-> "
		"pci0000:00/0000:00:02.0/virtio1/block/x\nsize=8\n", NULL },
};

static void strange_entries(void)
{
	static char text[4096];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sysfs_fixture f;
		struct disk_list l;
		bool sane = false;

		sysfs_fixture_make(&f, cases[i].tree);
		if (cases[i].want) {
			disks_discover(f.root, &l);
			is_str(disk_lines(&l, text, sizeof(text)), cases[i].want, "%s",
			       cases[i].what);
			disk_list_free(&l);
		}
		sysfs_fixture_add(&f, VDA "size=8\n");
		is_int(disks_discover(f.root, &l), 0, "%s is no reason to fail", cases[i].what);
		for (size_t k = 0; k < l.n; k++)
			sane = sane || (!strcmp(l.disk[k].name, "vda") && l.disk[k].skip ==
					DISK_TAKEN);
		ok(sane, "%s does not disturb the disk beside it", cases[i].what);
		check_clean(&l, cases[i].what);
		disk_list_free(&l);
		sysfs_fixture_remove(&f);
	}
}

/* Names that a file system can hold and the kernel never makes. */
static void strange_names(void)
{
	static const char *const names[] = { "a\nb", "\xff\xfe", "sd\x7f", "sd  a", " sdb" };
	struct sysfs_fixture f;
	struct disk_list l;
	char path[256];

	sysfs_fixture_make(&f, VDA "size=8\n");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/sys/block/%s", f.root, names[i]);
		if (symlink("../devices/pci0000:00/0000:00:01.0/virtio0/block/vda", path) < 0)
			tap_bail("symlink");
	}
	disks_discover(f.root, &l);
	is_uint(l.n, 6, "five strange names and a disk are six entries");
	for (size_t i = 0; i < l.n; i++)
		if (strcmp(l.disk[i].name, "vda"))
			ok(l.disk[i].skip == DISK_CANNOT_OPEN && !l.disk[i].node[0],
			   "\"%s\" stands for no device node", l.disk[i].name);
	check_clean(&l, "strange names");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

/* Raw bytes as devices are known to send them. */
static void raw_bytes(void)
{
	struct sysfs_fixture f;
	struct disk_list l;
	const struct disk *d;

	sysfs_fixture_make(&f,
		"{nvme0} -> pci0000:00/0000:00:02.0/nvme/nvme0\n"
		"serial=[AB\\xff\\x01\"<b>            ]\n"
		"model:=[\\x00\\x00M 1\\x00\\x00\\x00]\n"
		"[nvme0n1] -> pci0000:00/0000:00:02.0/nvme/nvme0/nvme0n1\nsize=8\nnsid=1\n"
		SDA "device/model=[<script>a()     ]\ndevice/vendor=[<b>x    ]\n"
		"device/vpd_pg80:=[\\x00\\x80\\x00\\x10\"};alert(1)//\\x00\\x00\\x00]\n"
		"device/rev=[\\xe2\\x80\\xa8 \\xc3]\n");
	disks_discover(f.root, &l);
	check_clean(&l, "raw bytes");
	d = disk_lines_find(&l, "nvme0n1");
	is_str(d->serial, "AB\xEF\xBF\xBD\xEF\xBF\xBD\"<b>", "bytes that are no text are marked");
	is_str(d->model, "M 1", "NULs and blanks that pad a text are no part of it");
	d = disk_lines_find(&l, "sda");
	is_str(d->model, "<script>a()", "markup is text like any other");
	is_str(d->serial, "\"};alert(1)//", "and so is script");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

static void long_attributes(void)
{
	static char megabyte[1 << 20];
	static const char *const names[] = {
		"size", "ro", "dev", "hidden", "serial", "device/vendor", "device/model",
		"device/rev",
		"device/wwid", "device/vpd_pg80", "device/vpd_pg83", "device/vpd_pg89",
		"device/vpd_pgb1",
		"queue/logical_block_size", "queue/rotational",
	};
	struct sysfs_fixture f;
	struct disk_list l;
	char path[256];

	for (int digit = 0; digit < 2; digit++) {
		memset(megabyte, digit ? '1' : 0xC3, sizeof(megabyte));
		sysfs_fixture_make(&f, SDA);
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
			snprintf(path, sizeof(path), "sys/block/sda/%s", names[i]);
			sysfs_fixture_write(&f, path, megabyte, sizeof(megabyte));
		}
		is_int(disks_discover(f.root, &l), 0, "attributes of a megabyte each");
		is_uint(l.n, 1, "are one disk");
		check_clean(&l, "attributes of a megabyte");
		is_uint(l.disk[0].size_bytes, 0, "whose size cannot be believed");
		is_uint(l.disk[0].logical_block_bytes, 0, "nor its block size");
		disk_list_free(&l);
		sysfs_fixture_remove(&f);
	}
}

/* Attributes that cannot be read: /proc/self/mem answers EIO to a read at its beginning. */
static void unreadable_attributes(void)
{
	struct sysfs_fixture f;
	struct disk_list l;

	sysfs_fixture_make(&f, SDA "device/wwid -> /proc/self/mem\ndevice/vpd_pg80 -> /proc/self/"
			   "mem\n"
		"device/model -> /proc/self/mem\nqueue/rotational -> /proc/self/mem\n"
		"device/vpd_pg83:=[\\x00\\x83\\x00\\x0c\\x01\\x03\\x00\\x08\\x50\\x00"
		"\\xc5\\x00\\x00\\x00\\x00\\x07]\n");
	disks_discover(f.root, &l);
	is_str(l.disk[0].model, "", "an attribute that cannot be read is absent");
	is_int(l.disk[0].rotational, DISK_ROTATIONAL_UNKNOWN, "and not zero");
	is_str(l.disk[0].wwn, "naa.5000c50000000007", "page 83h stands in for a wwid that is not "
	       "there");
	is_str(l.disk[0].identity, "wwn:5000c50000000007", "and names the disk");
	disk_list_free(&l);
	sysfs_fixture_remove(&f);
}

static void strange_block_sizes(void)
{
	static const struct {
		const char *text;
		unsigned want;
	} rows[] = {
		{ "512", 512 }, { "4096", 4096 }, { "65536", 65536 }, { "520", 0 }, { "0", 0 },
		{ "256", 0 }, { "4294967808", 0 }, { "-512", 0 }, { "0x200", 512 }, { "", 0 },
		{ "2097152", 0 }, { "18446744073709551616", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sysfs_fixture f;
		struct disk_list l;
		char tree[256];

		snprintf(tree, sizeof(tree), VDA "size=8\nqueue/logical_block_size=[%s]\n"
			 "queue/physical_block_size=[%s]\n", rows[i].text, rows[i].text);
		sysfs_fixture_make(&f, tree);
		disks_discover(f.root, &l);
		is_uint(l.disk[0].logical_block_bytes, rows[i].want, "block size \"%s\"",
			rows[i].text);
		is_uint(l.disk[0].physical_block_bytes, rows[i].want, "the same, physical");
		disk_list_free(&l);
		sysfs_fixture_remove(&f);
	}
}

/* Everything of /sys/block may be random bytes. */
static void random_trees(void)
{
	static const char *const names[] = {
		"size", "ro", "removable", "hidden", "dev", "serial", "nsid", "wwid",
		"device/vendor",
		"device/model", "device/type", "device/wwid", "device/vpd_pg80", "device/vpd_pg83",
		"device/vpd_pg89", "device/vpd_pgb1", "device/state", "device/access_state",
		"queue/logical_block_size", "queue/rotational",
	};
	uint32_t seed = 12345;

	for (int round = 0; round < 40; round++) {
		struct sysfs_fixture f;
		struct disk_list l;
		char path[256], data[700];

		sysfs_fixture_make(&f, SDA
			"[sdb] -> pci0000:00/0000:00:01.0/virtio0/host0/target0:0:1/0:0:1:0/block/"
			"sdb\n");
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
			for (size_t k = 0; k < sizeof(data); k++) {
				seed = seed * 1664525u + 1013904223u;
				data[k] = (char)(seed >> 24);
			}
			/* a right page code lets the decoder go further */
			if (strstr(names[i], "vpd_pg"))
				data[1] = (char)strtol(strstr(names[i], "pg") + 2, NULL, 16);
			snprintf(path, sizeof(path), "sys/block/sda/%s", names[i]);
			sysfs_fixture_write(&f, path, data, seed % sizeof(data));
			snprintf(path, sizeof(path), "sys/block/sdb/%s", names[i]);
			sysfs_fixture_write(&f, path, data, seed % sizeof(data));
		}
		disks_discover(f.root, &l);
		if (l.n != 2)
			ok(false, "random bytes, round %d: both devices are listed", round);
		for (size_t k = 0; k < l.n; k++)
			if (!is_clean(l.disk[k].serial) || !is_clean(l.disk[k].wwn) ||
			    !is_clean(l.disk[k].model) || !is_clean(l.disk[k].identity))
				ok(false, "random bytes, round %d: all texts are clean", round);
		disk_list_free(&l);
		sysfs_fixture_remove(&f);
	}
	ok(true, "40 trees of random bytes were read");
}

int main(void)
{
	no_tree();
	strange_entries();
	strange_names();
	raw_bytes();
	long_attributes();
	unreadable_attributes();
	strange_block_sizes();
	random_trees();
	return tap_done();
}
