/* SPDX-License-Identifier: MIT */
/* The kernel's disk counters: read from either place, differences, and what is absent. */
#include "tests/unit/tap.h"

#include <string.h>

#include "bench/sys/disk_stat.h"
#include "tests/unit/sysfs_fixture.h"

/* "stat" as Linux 6 writes it, of 17 fields, and as 2.6 did, of 11. */
#define STAT_17 "     100        2     3000       40       50        6     7000       80        0" \
		"       90       99        1        2        3        4        5        6"
#define STAT_11 "   1 0 8 1 0 0 0 0 0 1 1"

static void check_places(void)
{
	struct disk_stat s = { .read_ios = 77 };
	struct sysfs_fixture f;

	sysfs_fixture_make(&f,
		"[sda] -> pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda\n"
		"stat=[" STAT_17 "]\n"
		"[sdb] -> pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0/block/sdb\n"
		"stat=[1 2 x]\n"
		"[sdc] -> pci0000:00/0000:00:1f.2/ata3/host2/target2:0:0/2:0:0:0/block/sdc\n"
		"stat=[" STAT_11 "]\n"
		"[sdd] -> pci0000:00/0000:00:1f.2/ata4/host3/target3:0:0/3:0:0:0/block/sdd\n"
		"@proc\n"
		"diskstats=[   8       0 sda 9 9 9 9 9 9 9 9 9 9 9\\n"
		"   8      17 sdb1 5 5 5 5 5 5 5 5 5 5 5\\n"
		"   8      16 sdb 4 0 16 3 0 0 0 0 0 2 1\\n"
		" 104       0 cciss/c0d0 6 0 16 3 0 0 0 0 0 2 1]\n");
	ok(disk_stat_read(f.root, "sda", &s), "sysfs is read");
	is_uint(s.read_ios, 100, "reads");
	is_uint(s.read_merges, 2, "merged reads");
	is_uint(s.read_bytes, 3000 * 512, "read sectors are of 512 bytes");
	is_uint(s.read_ticks_ms, 40, "time of reads");
	is_uint(s.write_ios, 50, "writes");
	is_uint(s.write_merges, 6, "merged writes");
	is_uint(s.write_bytes, 7000 * 512, "written bytes");
	is_uint(s.write_ticks_ms, 80, "time of writes");
	is_uint(s.io_ticks_ms, 90, "busy time");
	is_uint(s.queue_ticks_ms, 99, "time in queue");
	ok(disk_stat_read(f.root, "sdb", &s) && s.read_ios == 4,
	   "where sysfs makes no sense, /proc/diskstats counts, for the whole name");
	ok(disk_stat_read(f.root, "cciss!c0d0", &s) && s.read_ios == 6, "a name with a slash");
	ok(disk_stat_read(f.root, "sdc", &s) && s.read_ios == 1, "eleven fields are enough");
	s.read_ios = 77;
	ok(!disk_stat_read(f.root, "sdd", &s) && s.read_ios == 77, "absent is absent, not 0");
	ok(!disk_stat_read(f.root, "../../etc", &s), "a name is no path");
	sysfs_fixture_remove(&f);
}

static void check_difference(void)
{
	struct disk_stat before = { .read_ios = 10, .io_ticks_ms = UINT32_MAX - 4,
				    .write_ticks_ms = 5 };
	struct disk_stat after = { .read_ios = 14, .io_ticks_ms = 20, .write_ticks_ms = 9 }, d;

	ok(disk_stat_since(&before, &after, &d), "a later reading has a difference");
	is_uint(d.read_ios, 4, "of I/Os");
	is_uint(d.io_ticks_ms, 25, "of a time that wrapped at 32 bits");
	is_uint(d.write_ticks_ms, 4, "and of one that did not");
	after.read_ios = 9;
	ok(!disk_stat_since(&before, &after, &d), "a count that ran backwards is another device");
}

/* Multipath: the head's counters stand still in some kernels while the paths count. */
static void check_paths(void)
{
	struct disk head = { .name = "nvme0n1", .path_n = 3,
			     .path = { "nvme0n1", "nvme0c0n1", "nvme0c1n1" } };
	struct disk_stat_reading before, after, none = { .has_own = false };
	struct disk_stat d = { .read_ios = 77 };
	struct sysfs_fixture f;
	static const char tree[] =
		"[nvme0n1] -> virtual/nvme-subsystem/nvme-subsys0/nvme0n1\n"
		"stat=[0 0 0 0 0 0 0 0 0 0 0]\n"
		"[nvme0c0n1] -> pci0000:00/0000:00:04.0/nvme/nvme0/nvme0c0n1\n"
		"stat=[%d 0 80 0 0 0 0 0 0 0 0]\n"
		"[nvme0c1n1] -> pci0000:00/0000:00:05.0/nvme/nvme1/nvme0c1n1\n"
		"stat=[7 0 8 0 0 0 0 0 0 0 0]\n";
	char text[sizeof(tree) + 16];

	snprintf(text, sizeof(text), tree, 10);
	sysfs_fixture_make(&f, text);
	disk_stat_take(f.root, &head, &before);
	disk_stat_take(f.root, &head, &after);
	ok(!disk_stat_between(&before, &after, &d) && d.read_ios == 77,
	   "where nothing was counted nothing is said");
	snprintf(text, sizeof(text), tree, 25);
	sysfs_fixture_add(&f, text);
	disk_stat_take(f.root, &head, &after);
	ok(disk_stat_between(&before, &after, &d) && d.read_ios == 15, "the paths count instead");
	sysfs_fixture_add(&f, "@sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1\n"
			  "stat=[12 0 0 0 0 0 0 0 0 0 0]\n");
	disk_stat_take(f.root, &head, &after);
	ok(disk_stat_between(&before, &after, &d) && d.read_ios == 12,
	   "the disk's own counters are not added to those of its paths");
	ok(!disk_stat_between(&none, &after, &d), "one reading alone is no difference");
	sysfs_fixture_remove(&f);
}

int main(void)
{
	check_places();
	check_difference();
	check_paths();
	return tap_done();
}
