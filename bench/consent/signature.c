/* SPDX-License-Identifier: MIT */
/*
 * What lies on a disk, by libblkid's whole list of signatures, asked so that it rather says yes:
 * bad checksums count, and a GPT counts without its protective MBR or with its backup alone. ZFS is
 * looked for once more here: libblkid wants four uberblocks where one is reason enough.
 */
#include <errno.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/consent/checks.h"
#include "bench/sys/superblock.h"
#include "lib/file.h"
#include "lib/text.h"

#define EDGE_BYTES (1U << 20)		/* read whole at both ends: it must be readable there */
#define DISK_MIN_BYTES (4U << 20)	/* libblkid leaves out RAID on the smallest devices */
#define CMDLINE_BYTES 16384
#define OUR_LABEL "BOOTMARK"

/* On-disk format of ZFS, section 1.2: four labels, each with a ring of uberblocks. */
#define ZFS_LABEL_BYTES (256U << 10)
#define ZFS_RING_OFFSET (128U << 10)
#define ZFS_SLOT_BYTES 1024
static const unsigned char zfs_little[8] = { 0x0c, 0xb1, 0xba };
static const unsigned char zfs_big[8] = { 0, 0, 0, 0, 0, 0xba, 0xb1, 0x0c };

static bool read_whole(int fd, void *to, size_t bytes, uint64_t at, char why[CHECK_WHY_BYTES])
{
	for (size_t done = 0; done < bytes;) {
		ssize_t n = pread(fd, (char *)to + done, bytes - done, (off_t)(at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			snprintf(why, CHECK_WHY_BYTES, "it cannot be read at byte %llu (%s), so "
				 "nobody can say that it is blank", (unsigned long long)(at + done),
				 n < 0 ? strerror(errno) : "nothing came");
			return false;
		}
		done += (size_t)n;
	}
	return true;
}

static bool size_of(int fd, uint64_t *bytes)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return false;
	if (S_ISREG(st.st_mode)) {	/* for tests, on images */
		*bytes = (uint64_t)st.st_size;
		return true;
	}
	return ioctl(fd, BLKGETSIZE64, bytes) == 0;
}

static bool has_uberblock(const unsigned char *edge, size_t label)
{
	const unsigned char *ring = edge + label * ZFS_LABEL_BYTES + ZFS_RING_OFFSET;

	for (size_t at = 0; at < ZFS_LABEL_BYTES - ZFS_RING_OFFSET; at += ZFS_SLOT_BYTES)
		if (!memcmp(ring + at, zfs_little, 8) || !memcmp(ring + at, zfs_big, 8))
			return true;
	return false;
}

/* Both ends can be read, and hold no ZFS label. */
static bool edges_are_blank(int fd, uint64_t size, char why[CHECK_WHY_BYTES])
{
	unsigned char *edge = malloc(EDGE_BYTES);
	uint64_t aligned = size / ZFS_LABEL_BYTES * ZFS_LABEL_BYTES;
	bool blank = false;

	if (!edge)
		snprintf(why, CHECK_WHY_BYTES, "out of memory");
	else if (!read_whole(fd, edge, EDGE_BYTES, 0, why))
		;
	else if (has_uberblock(edge, 0) || has_uberblock(edge, 1))
		snprintf(why, CHECK_WHY_BYTES, "it is not blank: zfs_member");
	/* labels 2 and 3 end at a multiple of their size */
	else if (!read_whole(fd, edge, EDGE_BYTES, aligned - EDGE_BYTES, why))
		;
	else if (has_uberblock(edge, 2) || has_uberblock(edge, 3))
		snprintf(why, CHECK_WHY_BYTES, "it is not blank: zfs_member");
	else if (read_whole(fd, edge, (size_t)(size - aligned) + 512, size - (size - aligned) - 512,
			    why))
		blank = true;
	free(edge);
	return blank;
}

static blkid_probe probe_new(int fd, uint64_t offset, uint64_t bytes)
{
	return superblock_search(fd, offset, bytes, SUPERBLOCK_ANY);
}

static bool is_own(blkid_probe pr, const struct disk *d)
{
	const uint8_t *u = d->write.scratch_uuid;
	char text[37];

	snprintf(text, sizeof(text), "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
		 "%02x%02x%02x%02x%02x%02x", u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8],
		 u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
	return !strcmp(superblock_value(pr, "TYPE"), "ext4") &&
	       !strcmp(superblock_value(pr, "UUID"), text) &&
	       strspn(text, "0-") < strlen(text);
}

bool signature_is_blank(int fd, const struct disk *d, bool own_counts, char why[CHECK_WHY_BYTES])
{
	blkid_probe pr;
	uint64_t size = 0;
	char shown[64];
	int found;

	if (!size_of(fd, &size) || size < DISK_MIN_BYTES) {
		snprintf(why, CHECK_WHY_BYTES, "it is too small to say that it is blank");
		return false;
	}
	if (!edges_are_blank(fd, size, why))
		return false;
	pr = probe_new(fd, 0, 0);
	if (!pr) {
		snprintf(why, CHECK_WHY_BYTES, "it cannot be searched for signatures");
		return false;
	}
	do
		found = blkid_do_probe(pr);
	while (found == 0 && !own_counts && is_own(pr, d));
	if (found == 0) {
		const char *type = superblock_value(pr, "TYPE");

		if (!type[0])
			type = superblock_value(pr, "PTTYPE");
		text_clean_str(shown, sizeof(shown), type[0] ? type : "a signature");
		snprintf(why, CHECK_WHY_BYTES, "it is not blank: %s%s", shown,
			 superblock_value(pr, "PTTYPE")[0] ? " partition table" : "");
	} else if (found != 1) {
		snprintf(why, CHECK_WHY_BYTES, "the search for signatures failed, so nobody can "
			 "say that it is blank");
	}
	blkid_free_probe(pr);
	return found == 1;
}

/* What names the place this machine started from. */
struct origin {
	char cmdline[CMDLINE_BYTES];
	char part_uuid[64];	/* as the boot loader says, "" where it does not */
};

/* Systemd's boot loader interface: a variable of four bytes of attributes and UTF-16 text. */
static void read_loader(const char *root, char *to, size_t size)
{
	char path[PATH_MAX], raw[256];
	ssize_t n;
	size_t len = 0;

	snprintf(path, sizeof(path), "%s/sys/firmware/efi/efivars/LoaderDevicePartUUID-"
		 "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f", root);
	n = file_read(path, raw, sizeof(raw));
	for (ssize_t i = 4; i + 1 < n && raw[i] && !raw[i + 1] && len + 1 < size; i += 2)
		to[len++] = raw[i];
	to[len] = '\0';
}

static void read_origin(const char *root, struct origin *o)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/cmdline", root);
	if (file_read(path, o->cmdline, sizeof(o->cmdline)) < 0)
		o->cmdline[0] = '\0';
	read_loader(root, o->part_uuid, sizeof(o->part_uuid));
}

/*
 * Some word of the command line has KEY=VALUE in it, e.g. root=UUID=... or inst.repo=hd:LABEL=...
 */
static bool is_on_line(const struct origin *o, const char *key, const char *value)
{
	size_t key_len = strlen(key), len = strlen(value);
	const char *at = o->cmdline;

	for (; len > 0 && (at = strstr(at, key)); at++) {
		char before = at > o->cmdline ? at[-1] : ' ', after;

		if ((before >= 'A' && before <= 'Z') || strncasecmp(at + key_len, value, len) != 0)
			continue;
		after = at[key_len + len];
		if (!after || strchr(" \t\n,:\"'", after))
			return true;
	}
	return false;
}

static bool is_origin(const struct origin *o, int fd, uint64_t offset, uint64_t bytes,
		      char why[CHECK_WHY_BYTES])
{
	blkid_probe pr = probe_new(fd, offset, bytes);
	const char *label, *reason = NULL;

	if (!pr)
		return false;
	while (!reason && blkid_do_probe(pr) == 0) {
		label = superblock_value(pr, "LABEL");
		if (text_same(label, OUR_LABEL))
			reason = "it is bootmark's boot medium, by its label";
		else if (is_on_line(o, "LABEL=", label) ||
			 is_on_line(o, "UUID=", superblock_value(pr, "UUID")))
			reason = "the kernel command line names a file system on it";
	}
	if (reason)
		snprintf(why, CHECK_WHY_BYTES, "%s", reason);
	blkid_free_probe(pr);
	return reason != NULL;
}

static bool part_is_origin(const struct origin *o, int fd, blkid_partition part,
			   char why[CHECK_WHY_BYTES])
{
	const char *uuid = blkid_partition_get_uuid(part), *name = blkid_partition_get_name(part);
	uint64_t start = (uint64_t)blkid_partition_get_start(part) * 512;
	uint64_t bytes = (uint64_t)blkid_partition_get_size(part) * 512;

	if (uuid && uuid[0] && text_same(uuid, o->part_uuid)) {
		snprintf(why, CHECK_WHY_BYTES, "the boot loader started from a partition of it");
		return true;
	}
	if ((uuid && is_on_line(o, "PARTUUID=", uuid)) ||
	    (name && is_on_line(o, "PARTLABEL=", name))) {
		snprintf(why, CHECK_WHY_BYTES, "the kernel command line names a partition of it");
		return true;
	}
	if (name && text_same(name, OUR_LABEL)) {
		snprintf(why, CHECK_WHY_BYTES, "it is bootmark's boot medium, by the name of a "
			 "partition");
		return true;
	}
	return start > 0 && bytes > 0 && is_origin(o, fd, start, bytes, why);
}

bool signature_is_boot_medium(const char *root, int fd, char why[CHECK_WHY_BYTES])
{
	struct origin *o = calloc(1, sizeof(*o));
	blkid_partlist list;
	bool found = false;
	blkid_probe pr;

	if (!o)
		return true;
	read_origin(root, o);
	found = is_origin(o, fd, 0, 0, why);
	pr = found ? NULL : probe_new(fd, 0, 0);
	list = pr ? blkid_probe_get_partitions(pr) : NULL;
	for (int i = 0; list && i < blkid_partlist_numof_partitions(list) && !found; i++)
		found = part_is_origin(o, fd, blkid_partlist_get_partition(list, i), why);
	if (pr)
		blkid_free_probe(pr);
	free(o);
	return found;
}
