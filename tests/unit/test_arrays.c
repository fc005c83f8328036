/* SPDX-License-Identifier: MIT */
/* Volumes made of others: md, device-mapper, bcache, RAID controllers, pools by signatures. */
#include "bench/model/fields.h"
#include "bench/sys/arrays.h"
#include "bench/sys/machine_parts.h"
#include "lib/text.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static struct machine_info m;

static void begin(void)
{
	memset(&m, 0, sizeof(m));
	fields_init(&fields_machine, &m);
}

static void read_tree(const char *tree, const char *mdstat)
{
	struct sysfs_fixture f;

	begin();
	sysfs_fixture_make(&f, tree);
	if (mdstat)
		sysfs_fixture_write(&f, "proc/mdstat", mdstat, strlen(mdstat));
	arrays_read(f.root, &m);
	sysfs_fixture_remove(&f);
}

static void check(size_t i, const char *name, const char *kind, const char *level,
		  const char *state, const char *members)
{
	const struct storage_array *a = &m.arrays[i];

	is_str(a->name, name, "array %zu: name", i);
	is_str(a->kind, kind, "... kind");
	is_str(a->level, level, "... level");
	is_str(a->state, state, "... state");
	is_str(a->members, members, "... members");
}

static void kernel_volumes(void)
{
	read_tree("[md2] -> virtual/block/md2\nsize=1952000000\nslaves/sda2=x\nslaves/sdb2=x\n"
		"md/level=raid1\nmd/raid_disks=2\nmd/array_state=clean\nmd/degraded=0\n"
		"md/sync_action=idle\nmd/dev-sda2/state=in_sync\n"
		"[md10] -> virtual/block/md10\nsize=8\nslaves/sda3=x\nslaves/sdc3=x\n"
		"md/level=raid5\nmd/raid_disks=3\nmd/array_state=active\nmd/degraded=1\n"
		"md/sync_action=recover\nmd/dev-sda3/state=in_sync\n"
		"md/dev-sdc3/state=[faulty,blocked]\n"
		"[dm-0] -> virtual/block/dm-0\nsize=2097152\nslaves/md2=x\ndm/name=[vg0-root]\n"
		"dm/uuid=[LVM-8ZbG7Qs9hZ0kVw2t]\ndm/suspended=0\n"
		"[dm-1] -> virtual/block/dm-1\nslaves/dm-0=x\ndm/uuid=[CRYPT-LUKS2-0123-swap]\n"
		"dm/suspended=1\n"
		"[dm-2] -> virtual/block/dm-2\nslaves/sdd=x\nslaves/sde=x\n"
		"dm/uuid=[mpath-35000c500a0b1c2d3]\n"
		"[dm-3] -> virtual/block/dm-3\nslaves/dm-2=x\n"
		"dm/uuid=[part1-mpath-35000c500a0b1c2d3]\n"
		"[dm-10] -> virtual/block/dm-10\nsize=[x]\ndm/uuid=[]\n"
		"[bcache0] -> virtual/block/bcache0\nslaves/sdf=x\nbcache/state=[dirty]\n"
		"[sda] -> pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda\n",
		NULL);
	if (!is_uint(m.arrays_n, 7, "volumes, without the partition of one"))
		return;
	check(0, "md2", "md", "raid1", "clean", "sda2 sdb2");
	is_uint(m.arrays[0].size_bytes, 999424000000, "size");
	is_uint(m.arrays[0].members_wanted, 2, "members it should have");
	check(1, "md10", "md", "raid5", "active, degraded, recover, sdc3 faulty", "sda3 sdc3");
	check(2, "dm-0", "lvm", "", "", "md2");
	check(3, "dm-1", "crypt", "", "suspended", "dm-0");
	check(4, "dm-2", "multipath", "", "", "sdd sde");
	check(5, "dm-10", "device-mapper", "", "", "");
	is_uint(m.arrays[5].size_bytes, 0, "a size that is none");
	check(6, "bcache0", "bcache", "", "dirty", "sdf");
}

static void mdstat(void)
{
	read_tree("[md0] -> virtual/block/md0\nmd/level=raid1\nmd/array_state=clean\n",
		"Personalities : [raid1] [raid6] [raid5] [raid4]\n"
		"md0 : active raid1 sdb1[1] sda1[0]\n"
		"      1048512 blocks super 1.2 [2/2] [UU]\n"
		"      bitmap: 0/1 pages [0KB], 65536KB chunk\n\n"
		"md1 : active (auto-read-only) raid5 sdc2[3] sdb2[1](F) sda2[0](W)\n"
		"      7813772288 blocks super 1.2 level 5, 512k chunk, algorithm 2 [3/2] [U_U]\n"
		"      [=>................]  recovery = 12.6% (37043392/292945152) finish=9min\n"
		"md127 : inactive sdd[0](S)\n"
		"      1953382488 blocks super 1.2\n\n"
		"unused devices: <none>\n");
	if (!is_uint(m.arrays_n, 3, "arrays that sysfs does not show are taken from mdstat"))
		return;
	check(0, "md0", "md", "raid1", "clean", "");
	check(1, "md1", "md", "raid5", "active, sdb2 faulty, degraded, recovery", "sdc2 sdb2 sda2");
	is_uint(m.arrays[1].members_wanted, 3, "members it should have");
	is_uint(m.arrays[1].size_bytes, 8001302822912, "size");
	is_uint(m.arrays[0].size_bytes, 0, "what mdstat says of one that sysfs shows is left out");
	check(2, "md127", "md", "", "inactive", "sdd");
	read_tree("", "md9 : active raid1 sda[0]\n      99999999999999999999 blocks [5/\n"
		"      [9999999999/1] [4294967295/7]x checking = 1\n"
		"md8 : active raid1 sda[0]\n      resync=DELAYED\n");
	is_uint(m.arrays[0].size_bytes, 0, "a size that is none");
	check(1, "md8", "md", "raid1", "active, resync", "sda");
	read_tree("", "md3 :\nmd4\nmd5 : \nmd\nmdx : active\n : :\nEvents : 64 Array Size : 99\n"
		"md_ : active raid1 [0] sda\xff[1]\n");
	is_uint(m.arrays_n, 2, "broken lines make no array");
	check(0, "mdx", "md", "", "active", "");
	check(1, "md_", "md", "raid1", "active", "sda\xEF\xBF\xBD");
}

static void many(void)
{
	struct sysfs_fixture f;
	char text[128];

	begin();
	sysfs_fixture_make(&f, "");
	for (int i = 0; i < 70; i++) {
		snprintf(text, sizeof(text), "[dm-%d] -> virtual/block/dm-%d\ndm/uuid=LVM-x\n", i,
			 i);
		sysfs_fixture_add(&f, text);
	}
	for (int i = 0; i < 60; i++) {
		snprintf(text, sizeof(text), "[md0] -> virtual/block/md0\nslaves/member%02d=x\n"
			 "md/level=raid0\n", i);
		sysfs_fixture_add(&f, text);
	}
	arrays_read(f.root, &m);
	sysfs_fixture_remove(&f);
	is_uint(m.arrays_n, 71, "more than there is room for are counted");
	ok(strlen(m.arrays[63].name) > 0, "and the table is full");
}

static void volumes(void)
{
	struct disk_list l = { 0 };
	struct disk d[4] = {
		{ .name = "sda", .transport = "raid", .size_bytes = 1000 },
		{ .name = "sdb", .transport = "sata", .size_bytes = 1000 },
		{ .name = "sdc", .transport = "raid", .size_bytes = 2000 },
		{ .name = "0:0:9:0", .transport = "raid" },
	};
	struct sysfs_fixture f;

	for (size_t i = 0; i < 4; i++)
		if (disk_list_add(&l, &d[i]))
			tap_bail("no memory");
	begin();
	sysfs_fixture_make(&f, "@sys/block/sda/device\nraid_level=[RAID 1(1+0)]\n"
		"@sys/block/sdc/device/raid_devices/0:1:0:0\nlevel=raid0\nstate=[degraded]\n");
	arrays_of_controllers(f.root, &l, 0, &m);
	is_uint(m.arrays_n, 2, "volumes of RAID controllers");
	check(0, "sda", "raid-controller", "RAID 1(1+0)", "", "");
	check(1, "sdc", "raid-controller", "raid0", "degraded", "");
	is_uint(m.arrays[1].size_bytes, 2000, "size");
	begin();
	arrays_of_controllers(f.root, &l, 2, &m);
	is_uint(m.arrays_n, 1, "of the disks from the first asked for on");
	sysfs_fixture_remove(&f);
	disk_list_free(&l);
}

static void sign(const char *device, const char *type, const char *uuid)
{
	struct signature *s = fields_add(&fields_machine, &m, "signatures");

	text_copy(s->device, sizeof(s->device), device);
	text_copy(s->type, sizeof(s->type), type);
	text_copy(s->uuid, sizeof(s->uuid), uuid);
}

static void pools(void)
{
	struct storage_array *a;

	begin();
	a = fields_add(&fields_machine, &m, "arrays");
	text_copy(a->name, sizeof(a->name), "md0");
	text_copy(a->kind, sizeof(a->kind), "md");
	text_copy(a->members, sizeof(a->members), "sdc1 sdb1");
	sign("sda", "gpt", "");
	sign("sda1", "linux_raid_member", "aaaa");	/* thrown out of md0 */
	sign("sda2", "zfs_member", "1111");
	sign("sda2", "zfs_member", "1111");	/* a second label of the same member */
	sign("sda3", "btrfs", "2222");
	sign("sdb1", "linux_raid_member", "aaaa");
	sign("sdb2", "zfs_member", "1111");
	sign("sdb3", "btrfs", "3333");
	sign("sdb4", "linux_raid_member", "bbbb");
	sign("sdc2", "zfs_member", "4444");
	sign("sdc3", "btrfs", "2222");
	sign("sdc4", "linux_raid_member", "");
	sign("sdd1", "ext4", "5555");
	arrays_of_signatures(&m);
	if (!is_uint(m.arrays_n, 5, "pools and arrays that are not assembled"))
		return;
	check(1, "zfs-1", "zfs", "", "", "sda2 sdb2");
	check(2, "btrfs-1", "btrfs", "", "", "sda3 sdc3");
	check(3, "md-2", "md", "", "not assembled", "sdb4");
	check(4, "zfs-2", "zfs", "", "", "sdc2");
	begin();
	for (int i = 0; i < 40; i++) {
		char name[32];

		snprintf(name, sizeof(name), "nvme%dn1p1", i);
		sign(name, "zfs_member", "1111");
	}
	arrays_of_signatures(&m);
	is_uint(m.arrays_n, 1, "a pool of more members than have room is one");
	ok(strlen(m.arrays[0].members) > 240 && strstr(m.arrays[0].members, "nvme0n1p1 nvme1n1p1"),
	   "and has as many as fit");
}

/* No kernel has such a name; a tree that somebody made may. */
static void odd_member(void)
{
	read_tree("[md3] -> virtual/block/md3\nmd/level=raid1\nmd/array_state=clean\n"
		  "md/dev-s\xff" "d/state=faulty\n", NULL);
	check(0, "md3", "md", "raid1", "clean, s\xEF\xBF\xBD" "d faulty", "");
}

int main(void)
{
	odd_member();
	kernel_volumes();
	mdstat();
	many();
	volumes();
	pools();
	return tap_done();
}
