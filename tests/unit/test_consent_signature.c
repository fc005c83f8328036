/* SPDX-License-Identifier: MIT */
/*
 * What real programs leave on a disk is never blank, wherever on it they write; zeros and noise
 * are. Each image is made fresh by the program itself; formats whose programs are not at hand are
 * laid out here, after their published structures.
 */
#include "tests/unit/tap.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/consent/checks.h"

#define has(text, part, ...) ok(strstr(text, part) != NULL, __VA_ARGS__)
#define IMAGE_BYTES (400LL << 20)	/* sparse; xfs and btrfs want that much */

static char folder[] = "/tmp/bootmark-signature.XXXXXX", image[64];
static char why[CHECK_WHY_BYTES];

static int shell(const char *command)
{
	char line[1024];
	int status;

	/* administrators' programs lie outside an ordinary user's path; nothing may ask anything */
	snprintf(line, sizeof(line), "PATH=$PATH:/usr/sbin:/sbin; export PATH; I=%s; { %s; } "
		 "</dev/null >%s/log 2>&1", image, command, folder);
	status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int fresh(void)
{
	int fd = open(image, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, IMAGE_BYTES) < 0)
		tap_bail("no image can be made");
	return fd;
}

static bool is_blank(void)
{
	static const struct disk d;
	int fd = open(image, O_RDONLY | O_CLOEXEC);
	bool blank = signature_is_blank(fd, &d, true, why);

	close(fd);
	return blank;
}

static const struct {
	const char *program, *command, *named;
} made[] = {
	{ "mkfs.ext4", "mkfs.ext4 -q -F $I", "ext4" },
	{ "mke2fs", "mke2fs -q -F -O journal_dev -b 4096 $I", "jbd" },
	{ "mkfs.xfs", "mkfs.xfs -q -f $I", "xfs" },
	{ "mkfs.vfat", "mkfs.vfat $I", "vfat" },
	{ "mkfs.ntfs", "mkfs.ntfs -q -F -f $I", "ntfs" },
	{ "mkfs.btrfs", "mkfs.btrfs -q -f $I", "btrfs" },
	{ "mkswap", "mkswap $I", "swap" },
	{ "cryptsetup", "cryptsetup -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 "
	  "luksFormat --type luks2 $I /etc/passwd", "crypto_LUKS" },
	{ "cryptsetup", "cryptsetup -q --pbkdf-force-iterations 1000 luksFormat --type luks1 $I "
	  "/etc/passwd", "crypto_LUKS" },
	{ "make-bcache", "make-bcache -B $I", "bcache" },
	{ "sfdisk", "echo , | sfdisk -q $I", "dos partition table" },
	{ "sfdisk", "echo , | sfdisk -q --label gpt $I", "gpt partition table" },
	/* the backup header at the end alone, as a disk wiped at its start has it */
	{ "sfdisk", "{ echo , | sfdisk -q --label gpt $I; dd if=/dev/zero of=$I bs=1M count=1 "
	  "conv=notrunc; }", "gpt partition table" },
	/* the protective MBR alone: both headers are gone */
	{ "sfdisk", "{ echo , | sfdisk -q --label gpt $I; dd if=/dev/zero of=$I bs=512 seek=1 "
	  "count=40 conv=notrunc; dd if=/dev/zero of=$I bs=512 seek=819150 count=50 "
	  "conv=notrunc; }",
	  "PMBR partition table" },
	{ "sfdisk", "{ echo , | sfdisk -q --label sun $I; }", "sun" },
};

static void test_made(void)
{
	char command[128];

	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		close(fresh());
		snprintf(command, sizeof(command), "command -v %s", made[i].program);
		if (shell(command)) {
			tap_skip(made[i].command, "its program is not here");
			continue;
		}
		if (!is_int(shell(made[i].command), 0, "%s", made[i].command))
			continue;
		ok(!is_blank(), "is not blank");
		has(why, made[i].named, "for %s: %s", made[i].named, why);
	}
}

static void test_laid_out(const char *name, const char *named, uint64_t at, const void *bytes,
			  size_t len)
{
	int fd = fresh();

	if (pwrite(fd, bytes, len, (off_t)at) != (ssize_t)len)
		tap_bail("an image cannot be written");
	close(fd);
	ok(!is_blank(), "%s is not blank", name);
	has(why, named, "for %s: %s", named, why);
}

/* md's superblock, format 1: magic, version; where it lies makes 1.0 (end), 1.1 (start), 1.2. */
static void test_md(void)
{
	uint32_t one[64] = { 0xa92b4efc, 1 }, old[1024] = { 0xa92b4efc, 0, 90 };
	const uint64_t sectors = IMAGE_BYTES / 512;
	uint64_t offset_sectors;

	for (int minor = 0; minor < 3; minor++) {
		offset_sectors = minor == 0 ? (sectors - 16) & ~7ULL : minor == 1 ? 0 : 8;
		memcpy(&one[36], &offset_sectors, 8);	/* super_offset, at byte 144 */
		test_laid_out(minor == 0 ? "an array of format 1.0" : minor == 1 ?
			      "an array of format 1.1" : "an array of format 1.2",
			      "linux_raid_member", offset_sectors * 512, one, sizeof(one));
	}
	test_laid_out("an array of format 0.90", "linux_raid_member",
		      (IMAGE_BYTES & ~0xFFFFULL) - 65536, old, sizeof(old));
}

static void test_others(void)
{
	static unsigned char lvm[1024], vmfs[4], ceph[64] = "bluestore block device\n";
	static const unsigned char zfs[8] = { 0x0c, 0xb1, 0xba };
	static const unsigned char vmfs_volume[4] = { 0x0d, 0xd0, 0x01, 0xc0 };

	memcpy(ceph + 23, "00000000-1111-2222-3333-444444444444\n", 37);
	test_laid_out("a Ceph OSD", "ceph_bluestore", 0, ceph, sizeof(ceph));
	test_laid_out("the first ZFS label, with one uberblock", "zfs_member", 128 << 10, zfs, 8);
	test_laid_out("the last one", "zfs_member",
		      IMAGE_BYTES / (256 << 10) * (256 << 10) - (128 << 10) + 5 * 1024, zfs, 8);
	test_laid_out("a VMFS volume", "VMFS_volume_member", 1 << 20, vmfs_volume, 4);
	memcpy(vmfs, (unsigned char[]){ 0x5e, 0xf1, 0xab, 0x2f }, 4);
	test_laid_out("a VMFS", "VMFS", 0x200000, vmfs, 4);
	memcpy(lvm, "LABELONE\1\0\0\0\0\0\0\0\0\0\0\0\40\0\0\0LVM2 001", 32);
	test_laid_out("an LVM2 label with a wrong checksum", "LVM2_member", 512, lvm, sizeof(lvm));
}

static void test_blank(void)
{
	close(fresh());
	ok(is_blank(), "zeros are blank");
	is_int(shell("head -c 67108864 /dev/urandom >$I"), 0, "noise");
	ok(is_blank(), "is blank");
	is_int(shell("head -c 67108963 /dev/zero >$I"), 0, "an odd size");
	ok(is_blank(), "is blank too");
	is_int(shell("head -c 1048576 /dev/zero >$I"), 0, "a disk of 1 MiB");
	ok(!is_blank(), "is too small to tell");
	has(why, "too small", "and that is told");
	ok(!signature_is_blank(-1, &(struct disk){ 0 }, true, why), "nor is what cannot be read");
	close(fresh());
	{
		int fd = open(image, O_WRONLY | O_CLOEXEC);

		ok(!signature_is_blank(fd, &(struct disk){ 0 }, true, why), "not even once");
		has(why, "cannot be read", "and that is told");
		close(fd);
	}
}

static void test_own(void)
{
	struct disk d = { 0 };
	int fd;

	memset(d.write.scratch_uuid, 0xAB, 16);
	close(fresh());
	if (shell("mke2fs -q -F -t ext4 -U abababab-abab-abab-abab-abababababab $I")) {
		tap_skip("an ext4 of this run", "mke2fs is not here");
		return;
	}
	fd = open(image, O_RDWR | O_CLOEXEC);
	ok(!signature_is_blank(fd, &d, true, why), "an ext4 of this run counts when asked so");
	ok(signature_is_blank(fd, &d, false, why), "and else does not");
	d.write.scratch_uuid[15]++;
	ok(!signature_is_blank(fd, &d, false, why), "another ext4 always does");
	is_int(scratch_wipe(&d, fd), 0, "its signature is not taken off");
	ok(!signature_is_blank(fd, &d, false, why), "it is still there");
	d.write.scratch_uuid[15]--;
	is_int(scratch_wipe(&d, fd), 0, "that of this run's is");
	ok(signature_is_blank(fd, &d, true, why), "nothing is left");
	close(fd);
}

static void test_origin(void)
{
	char path[128], root[80];
	int fd;

	snprintf(root, sizeof(root), "%s/root", folder);
	snprintf(path, sizeof(path), "mkdir -p %s/proc", root);
	is_int(shell(path), 0, "a tree of our own");
	close(fresh());
	if (shell("mke2fs -q -F -t ext4 -L rescue-01 -U 01234567-89ab-cdef-0123-456789abcdef $I")) {
		tap_skip("boot media", "mke2fs is not here");
		return;
	}
	fd = open(image, O_RDONLY | O_CLOEXEC);
	ok(!signature_is_boot_medium(root, fd, why), "a file system nobody booted from");
	static const struct {
		const char *line;
		bool boots;
	} lines[] = {
		{ "root=LABEL=rescue-01 quiet", true }, { "inst.repo=hd:LABEL=rescue-01:/x", true },
		{ "root=UUID=01234567-89AB-cdef-0123-456789abcdef", true },
		{ "root=PARTUUID=01234567-89ab-cdef-0123-456789abcdef", false },
		{ "root=LABEL=rescue-012", false }, { "root=LABEL=rescue-0", false },
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(path, sizeof(path), "echo '%s' >%s/proc/cmdline; : ", lines[i].line, root);
		shell(path);
		is_int(signature_is_boot_medium(root, fd, why), lines[i].boots, "%s",
		       lines[i].line);
	}
	close(fd);
	close(fresh());
	shell("mke2fs -q -F -L bootmark $I");
	fd = open(image, O_RDONLY | O_CLOEXEC);
	ok(signature_is_boot_medium(root, fd, why), "our own label is enough");
	close(fd);
}

int main(void)
{
	char command[64];

	if (!mkdtemp(folder))
		tap_bail("no folder");
	snprintf(image, sizeof(image), "%s/image", folder);
	test_blank();
	test_made();
	test_md();
	test_others();
	test_own();
	test_origin();
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command) ? 1 : tap_done();
}
