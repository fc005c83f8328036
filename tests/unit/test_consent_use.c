/* SPDX-License-Identifier: MIT */
/* A disk that is mounted, swapped to or built upon is in use, over whatever it is reached. */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "bench/consent/checks.h"
#include "lib/text.h"
#include "tests/unit/sysfs_fixture.h"

#define has(text, part, ...) ok(strstr(text, part) != NULL, __VA_ARGS__)

/* sda: plain; sdb: two partitions; sdc: under md0, under dm-0; sdd and sde: paths of one disk. */
static const char tree[] =
	"[sda] -> pci0000:00/ata1/host0/block/sda\ndev=8:0\nqueue/zoned=none\nholders/\n"
	"[sdb] -> pci0000:00/ata2/host1/block/sdb\ndev=8:16\nqueue/zoned=host-managed\nholders/\n"
	"sdb1/dev=8:17\nsdb1/partition=1\nsdb1/holders/\n"
	"sdb2/dev=8:18\nsdb2/partition=2\nsdb2/holders/\n"
	"[sdc] -> pci0000:00/ata3/host2/block/sdc\ndev=8:32\nholders/\n"
	"sdc1/dev=8:33\nsdc1/partition=1\n"
	"sdc1/holders/md0 -> ../../../../../../../virtual/block/md0\n"
	"[md0] -> virtual/block/md0\ndev=9:0\nholders/dm-0 -> ../../dm-0\n"
	"[dm-0] -> virtual/block/dm-0\ndev=253:0\nholders/\n"
	"[sdd] -> pci0000:00/ata4/host3/block/sdd\ndev=8:48\nholders/\n"
	"[sde] -> pci0000:00/ata5/host4/block/sde\ndev=8:64\nholders/\n"
	"sde1/dev=8:65\nsde1/partition=1\nsde1/holders/\n";

static struct sysfs_fixture f;
static char why[CHECK_WHY_BYTES];

static void put(const char *path, const char *text)
{
	sysfs_fixture_write(&f, path, text, strlen(text));
}

static struct disk disk(const char *name)
{
	struct disk d = { .path_n = 1 };

	text_copy(d.name, sizeof(d.name), name);
	text_copy(d.path[0], sizeof(d.path[0]), name);
	return d;
}

static bool is_free(const char *name)
{
	struct disk d = disk(name);

	why[0] = '\0';
	return use_is_free(f.root, &d, why);
}

#define ROOT_LINE "21 1 0:2 / / rw - rootfs rootfs rw\n"

static void mounted(const char *line)
{
	char text[1024];

	snprintf(text, sizeof(text), ROOT_LINE "%s", line);
	put("proc/self/mountinfo", text);
}

static void test_mounts(void)
{
	mounted("");
	ok(is_free("sda"), "a disk that nothing uses is free");
	ok(is_free("sdb"), "partitions alone are no use");
	mounted("30 21 8:0 / /srv rw,relatime shared:1 - ext4 /dev/sda rw\n");
	ok(!is_free("sda"), "a mounted disk is in use");
	is_str(why, "sda is mounted at /srv", "and the place is told");
	ok(is_free("sdb"), "another is not");
	mounted("30 21 8:18 /sub /a\\040b ro master:2 propagate_from:1 - xfs /dev/whatever ro\n");
	ok(!is_free("sdb"), "a mounted partition holds its disk");
	is_str(why, "sdb2 is mounted at /a b", "whatever its node is called, by its number");
	mounted("30 21 253:0 / /vg rw - ext4 /dev/mapper/vg-lv rw\n");
	ok(!is_free("sdc"), "so does a volume on an array on a partition");
	is_str(why, "dm-0 is mounted at /vg", "which is named");
	mounted("30 21 8:65 / /m rw - ext4 /dev/sde1 rw\n");
	ok(is_free("sdd"), "the other path alone does not know");
	mounted("garbage\n");
	ok(!is_free("sda"), "a list that cannot be understood means in use");
	put("proc/self/mountinfo", "");
}

static void test_paths(void)
{
	struct disk d = disk("sdd");

	mounted("30 21 8:65 / /m rw - ext4 /dev/sde1 rw\n");
	d.path_n = 2;
	text_copy(d.path[1], sizeof(d.path[1]), "sde");
	ok(!use_is_free(f.root, &d, why), "a mount over another path counts");
	is_str(why, "sde1 is mounted at /m", "and is told");
	mounted("");
	ok(use_is_free(f.root, &d, why), "without it the disk is free");
	d.path_n = DISK_PATHS_MAX + 1;
	ok(!use_is_free(f.root, &d, why), "more paths than are known: in use");
	d = disk("sdz");
	ok(!use_is_free(f.root, &d, why), "a disk that is not there: in use");
}

/* Swap and btrfs are known by their nodes: these are made where that is allowed. */
static void test_nodes(void)
{
	char node[128];

	mounted("");
	snprintf(node, sizeof(node), "%s/dev/sdb2", f.root);
	if (mknod(node, S_IFBLK | 0600, makedev(8, 18)) < 0) {
		tap_skip("swap and btrfs", "device nodes cannot be made here");
		return;
	}
	put("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n"
	    "/dev/sdb2                               partition\t1048572\t0\t-2\n");
	ok(!is_free("sdb"), "a swap partition holds its disk");
	is_str(why, "sdb2 is in use as swap", "and is named");
	ok(is_free("sda"), "but no other");
	put("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	ok(is_free("sdb"), "without swap it is free");
	mounted("30 21 0:44 /@ /b rw - btrfs /dev/sdb2 rw\n");
	ok(!is_free("sdb"), "a btrfs is found by its device");
	is_str(why, "sdb2 is mounted at /b", "and is named");
	mounted("");
}

static void test_holders(void)
{
	mounted("");
	ok(!is_free("sdc"), "a member of an array is held");
	is_str(why, "md0 is built on it", "and the holder is named");
}

static void test_zoned(void)
{
	struct disk a = disk("sda"), b = disk("sdb"), c = disk("sdc");

	ok(use_is_unzoned(f.root, &a, why), "an ordinary disk has no zones");
	ok(!use_is_unzoned(f.root, &b, why), "a zoned one is refused");
	has(why, "host-managed", "with its model");
	ok(use_is_unzoned(f.root, &c, why), "an old kernel does not say");
}

int main(void)
{
	struct disk d = disk("sda");

	sysfs_fixture_make(&f, tree);
	ok(!use_is_free(f.root, &d, why), "without a list of mounts a disk counts as in use");
	has(why, "cannot be read", "and that is told");
	test_mounts();
	test_paths();
	test_nodes();
	test_holders();
	test_zoned();
	sysfs_fixture_remove(&f);
	return tap_done();
}
