/* SPDX-License-Identifier: MIT */
/* What lies on a disk and its partitions is listed, by programs' own images. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/model/fields.h"
#include "bench/sys/signatures.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

#define IMAGE_BYTES (64LL << 20)

static char image[64];
static struct signature got[64];
static size_t got_n;

static bool shell(const char *command)
{
	char line[1024];
	int status;

	snprintf(line, sizeof(line), "PATH=$PATH:/usr/sbin:/sbin; I=%s; { %s; } </dev/null "
		 ">/dev/null 2>&1", image, command);
	status = system(line);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void take(void *context, const struct signature *s)
{
	*(int *)context += 1;
	if (got_n < 64)
		got[got_n++] = *s;
}

static void fresh(void)
{
	int fd = open(image, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, IMAGE_BYTES) < 0)
		tap_bail("no image can be made");
	close(fd);
}

static void find(const char *disk)
{
	int calls = 0, fd = open(image, O_RDONLY | O_CLOEXEC);
	struct signature_taker taker = { .take = take, .context = &calls };

	got_n = 0;
	signatures_find(fd, disk, &taker);
	close(fd);
}

static void check(size_t i, const char *device, const char *type, const char *usage,
		  const char *label, const char *uuid)
{
	is_str(got[i].device, device, "signature %zu: device", i);
	is_str(got[i].type, type, "... type");
	is_str(got[i].usage, usage, "... usage");
	is_str(got[i].label, label, "... label");
	if (uuid)
		is_str(got[i].uuid, uuid, "... UUID");
}

#define UUID_EXT4 "01234567-89ab-cdef-0123-456789abcdef"
#define UUID_SWAP "11111111-2222-3333-4444-555555555555"

static void partitions(void)
{
	fresh();
	if (!shell("printf 'label: gpt\\nlabel-id: " UUID_SWAP "\\n,16M\\n,16M\\n,4M\\n' | sfdisk "
		   "-q $I && mkfs.ext4 -q -F -L '<b>root' -U " UUID_EXT4 " -E offset=1048576 $I "
		   "16384k && mkswap -U " UUID_SWAP " $I.swap 2>/dev/null; truncate -s 16M $I.swap "
		   "&& mkswap -U " UUID_SWAP " -L sw $I.swap && dd if=$I.swap of=$I bs=1M seek=17 "
		   "conv=notrunc")) {
		tap_skip("partitions", "sfdisk, mkfs.ext4 or mkswap is not here");
		return;
	}
	find("nvme0n1");
	if (!is_uint(got_n, 3, "a table and what lies in its partitions"))
		for (size_t i = 0; i < got_n; i++)
			tap_diag("%s %s", got[i].device, got[i].type);
	check(0, "nvme0n1", "gpt", "partition-table", "", UUID_SWAP);
	check(1, "nvme0n1p1", "ext4", "filesystem", "<b>root", UUID_EXT4);
	check(2, "nvme0n1p2", "swap", "other", "sw", UUID_SWAP);
	find("sdz");
	is_str(got[1].device, "sdz1", "a name that ends in a letter has no p");
}

static void logical(void)
{
	fresh();
	if (!shell("printf 'label: dos\\n,16M\\n,,E\\n,8M\\n,8M\\n' | sfdisk -q $I && "
		   "mkfs.ext4 -q -F -E offset=1048576 $I 16384k")) {
		tap_skip("logical partitions", "sfdisk or mkfs.ext4 is not here");
		return;
	}
	find("sda");
	is_uint(got_n, 2, "an extended partition is no place for one");
	check(0, "sda", "dos", "partition-table", "", NULL);
	check(1, "sda1", "ext4", "filesystem", "", NULL);
}

/* md's superblock, format 1.2, with a member's name that wants to be more. */
static void member(void)
{
	struct {
		uint32_t magic, major, features, pad;
		uint8_t uuid[16];
		char name[32];
		uint64_t ctime;
		uint32_t level, layout;
		uint64_t size;
		uint32_t chunk, disks, bitmap_offset;
		uint8_t rest[24];
		uint64_t data_offset, data_size, super_offset;
		uint8_t tail[80];
	} md = { .magic = 0xa92b4efc, .major = 1, .uuid = { 1, 2 }, .level = 1, .disks = 2,
		 .name = "x\nEvents : 9\x1b[31m\xff", .super_offset = 8 };
	int fd;

	fresh();
	fd = open(image, O_RDWR | O_CLOEXEC);
	if (fd < 0 || pwrite(fd, &md, sizeof(md), 4096) != (ssize_t)sizeof(md))
		tap_bail("an image cannot be written");
	close(fd);
	find("sda");
	if (!is_uint(got_n, 1, "a member of an md array"))
		return;
	is_str(got[0].type, "linux_raid_member", "type");
	is_str(got[0].usage, "raid", "usage");
	is_str(got[0].uuid, "01020000-0000-0000-0000-000000000000", "UUID of the array");
	ok(text_is_utf8(got[0].label, strlen(got[0].label)) && !strpbrk(got[0].label, "\n\x1b"),
	   "its name is one clean line: %s", got[0].label);
}

static void blank(void)
{
	fresh();
	find("sda");
	is_uint(got_n, 0, "a blank disk has none");
	find("");
	is_uint(got_n, 0, "nor has one without a name");
	if (truncate(image, 100) < 0)
		tap_bail("an image cannot be cut");
	find("sda");
	is_uint(got_n, 0, "nor a disk of 100 bytes");
}

/* Disks that cannot be opened, and those that are left alone, cost nothing. */
static void unreadable(void)
{
	static struct machine_info m;
	struct disk_list l = { 0 };
	struct disk d = { .name = "no-such-disk", .major = 250, .minor = 250 };

	fields_init(&fields_machine, &m);
	for (int i = 0; i < 8; i++)
		if (disk_list_add(&l, &d))
			tap_bail("no memory");
	l.disk[3].skip = DISK_LOOP;
	signatures_read(&l, 0, &m);
	is_uint(m.signatures_n, 0, "disks that cannot be opened have none");
	signatures_read(&l, 8, &m);
	is_uint(m.signatures_n, 0, "no disk at all");
	disk_list_free(&l);
}

int main(void)
{
	char command[160];
	int fd;

	snprintf(image, sizeof(image), "/tmp/bootmark-signatures.XXXXXX");
	fd = mkstemp(image);
	if (fd < 0)
		tap_bail("no temporary file");
	close(fd);
	partitions();
	logical();
	member();
	blank();
	unreadable();
	snprintf(command, sizeof(command), "rm -f %s %s.swap", image, image);
	ok(system(command) == 0, "cleaned up");
	return tap_done();
}
