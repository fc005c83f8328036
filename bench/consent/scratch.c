/* SPDX-License-Identifier: MIT */
/* The scratch file: which folder, on which disk, how large, and never anybody else's file. */
#include "bench/consent/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bench/consent/checks.h"
#include "bench/sys/sysfs.h"
#include "lib/file.h"
#include "lib/text.h"

#define MIB (UINT64_C(1) << 20)
#define RESERVE_SHARE 20		/* of the file system */
#define RESERVE_MIN_BYTES (64 * MIB)
#define RESERVE_MAX_BYTES (4096 * MIB)
#define TABLE_MAX_BYTES (4U << 20)
#define DEPTH_MAX 16
#define NAMES_TRIED 16
#define EXISTS "it exists and is no folder: nothing that exists is written"

/* File systems that lie on one local block device each (statfs(2), linux/magic.h). */
static const struct {
	uint32_t magic;
	const char *name;
} local_types[] = {
	{ 0xEF53, "ext4" }, { 0x58465342, "xfs" }, { 0x9123683E, "btrfs" },
	{ 0xF2F52010, "f2fs" }, { 0x4d44, "vfat" }, { 0x2011BAB0, "exfat" },
	{ 0x7366746e, "ntfs3" }, { 0x3153464a, "jfs" }, { 0xCA451A4E, "bcachefs" },
};

static const char *type_of(const char *dir)
{
	struct statfs f;

	if (statfs(dir, &f) < 0)
		return NULL;
	for (size_t i = 0; i < sizeof(local_types) / sizeof(local_types[0]); i++)
		if (local_types[i].magic == (uint32_t)f.f_type)
			return local_types[i].name;
	return NULL;
}

uint64_t scratch_room_bytes(const char *dir)
{
	struct statvfs f;
	uint64_t reserve, free_bytes;

	if (statvfs(dir, &f) < 0 || f.f_flag & ST_RDONLY)
		return 0;
	free_bytes = (uint64_t)f.f_bavail * f.f_frsize;
	reserve = (uint64_t)f.f_blocks * f.f_frsize / RESERVE_SHARE;
	if (reserve < RESERVE_MIN_BYTES)
		reserve = RESERVE_MIN_BYTES;
	if (reserve > RESERVE_MAX_BYTES)
		reserve = RESERVE_MAX_BYTES;
	if (reserve > free_bytes / 4)
		reserve = free_bytes / 4;
	return free_bytes - reserve;
}

/* Where the file system has no unnamed files (vfat): a new name that lives for a moment. */
static int open_and_unlink(int dir_fd, int flags)
{
	unsigned char random[8];
	char name[64];
	int fd = -EEXIST;

	for (int i = 0; i < NAMES_TRIED && fd == -EEXIST; i++) {
		if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
			return -EIO;
		snprintf(name, sizeof(name), "bench-scratch-%02x%02x%02x%02x%02x%02x%02x%02x",
			 random[0], random[1], random[2], random[3], random[4], random[5],
			 random[6], random[7]);
		fd = openat(dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC |
			    flags, 0600);
		if (fd < 0)
			fd = -errno;
		else if (unlinkat(dir_fd, name, 0) < 0)
			return close(fd), -EIO;
	}
	return fd;
}

int scratch_open(const char *dir, uint64_t bytes, int flags, char *why, size_t why_bytes)
{
	uint64_t room = scratch_room_bytes(dir);
	int dir_fd, fd, allowed = O_DIRECT | O_SYNC | O_DSYNC;

	if (room < bytes) {
		snprintf(why, why_bytes, "a file of %llu MiB does not fit: %llu MiB of %s are free",
			 (unsigned long long)(bytes / MIB), (unsigned long long)(room / MIB), dir);
		return -ENOSPC;
	}
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0) {
		snprintf(why, why_bytes, "%s: %s", dir, strerror(errno));
		return -ENOTDIR;
	}
	fd = openat(dir_fd, ".", O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC | (flags & allowed), 0600);
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT))
		fd = open_and_unlink(dir_fd, flags & allowed);
	else if (fd < 0)
		fd = -errno;
	close(dir_fd);
	if (fd < 0)
		snprintf(why, why_bytes, "no file can be made in %s: %s", dir, strerror(-fd));
	return fd;
}

/*
 * The folder of file:PATH: PATH itself, or what holds it where nothing of that name is there yet.
 */
static int find_folder(const char *path, char dir[DISK_PATH_BYTES], char *why, size_t why_bytes)
{
	char real[PATH_MAX], copy[PATH_MAX], *slash;
	struct stat st;

	if (path[0] != '/' || text_copy(copy, sizeof(copy), path) >= sizeof(copy)) {
		snprintf(why, why_bytes, "it is no absolute path");
		return -EINVAL;
	}
	if (lstat(copy, &st) == 0 && !S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode)) {
		snprintf(why, why_bytes, EXISTS);
		return -EEXIST;
	}
	if (lstat(copy, &st) < 0) {
		slash = strrchr(copy, '/');
		slash[slash == copy] = '\0';
	}
	if (!realpath(copy, real) || stat(real, &st) < 0) {
		snprintf(why, why_bytes, "%s", strerror(errno));
		return -ENOENT;
	}
	if (!S_ISDIR(st.st_mode)) {
		snprintf(why, why_bytes, EXISTS);
		return -EEXIST;
	}
	if (strlen(real) >= DISK_PATH_BYTES) {
		snprintf(why, why_bytes, "its path is too long");
		return -ENAMETOOLONG;
	}
	text_copy(dir, DISK_PATH_BYTES, real);
	return 0;
}

/* btrfs has a device number of its own: the list of mounts knows the real one. */
static bool real_device(unsigned *maj, unsigned *min)
{
	char *text, *line, *save = NULL, source[PATH_MAX];
	bool found = false;
	unsigned a, b;
	struct stat st;
	size_t len;

	if (file_load("/proc/self/mountinfo", TABLE_MAX_BYTES, &text, &len))
		return false;
	for (line = strtok_r(text, "\n", &save); line && !found;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *dash = strstr(line, " - ");

		if (sscanf(line, "%*s %*s %u:%u", &a, &b) != 2 || a != *maj || b != *min || !dash ||
		    sscanf(dash, " - %*s %4095s", source) != 1)
			continue;
		if (stat(source, &st) < 0 || !S_ISBLK(st.st_mode))
			continue;
		*maj = major(st.st_rdev);
		*min = minor(st.st_rdev);
		found = true;
	}
	free(text);
	return found;
}

static ssize_t find_disk(const struct disk_list *l, size_t first, const char *name)
{
	for (size_t i = first; i < l->n; i++)
		for (uint32_t k = 0; k < l->disk[i].path_n + 1 && k <= DISK_PATHS_MAX; k++) {
			const char *path = k ? l->disk[i].path[k - 1] : l->disk[i].name;

			if (l->disk[i].skip == DISK_TAKEN && !strcmp(path, name))
				return (ssize_t)i;
		}
	return -1;
}

/*
 * The one taken disk below a block device: itself, the disk of a partition, or what all devices it
 * is built on lie on. -1: none; -2: several.
 */
static ssize_t disk_below(const struct disk_list *l, size_t first, const char *dir, int depth)
{
	char above[SYSFS_PATH_BYTES], slaves[SYSFS_PATH_BYTES], entry[SYSFS_PATH_BYTES];
	ssize_t at = find_disk(l, first, sysfs_base(dir)), one = -1;
	struct sysfs_names names;

	if (at >= 0 || depth > DEPTH_MAX)
		return at;
	if (sysfs_exists(dir, "partition")) {
		text_copy(above, sizeof(above), dir);
		return sysfs_parent(above) ? disk_below(l, first, above, depth + 1) : -1;
	}
	if (!sysfs_join(slaves, dir, "slaves") || sysfs_list(dir, "slaves", &names))
		return -1;
	for (size_t i = 0; i < names.n && one != -2; i++) {
		at = sysfs_resolve(slaves, names.name[i], entry) ?
		     disk_below(l, first, entry, depth + 1) : -1;
		one = i == 0 ? at : at == one ? one : -2;
		if (at < 0)
			one = at == -1 ? -1 : -2;
	}
	sysfs_list_free(&names);
	return one;
}

static ssize_t disk_of(const struct disk_list *l, size_t first, const char *dir,
		       char name[DISK_NAME_BYTES])
{
	char number[32], entry[SYSFS_PATH_BYTES];
	unsigned maj, min;
	struct stat st;

	if (stat(dir, &st) < 0)
		return -1;
	maj = major(st.st_dev);
	min = minor(st.st_dev);
	if (maj == 0 && !real_device(&maj, &min))
		return -1;
	snprintf(number, sizeof(number), "%u:%u", maj, min);
	if (!sysfs_resolve("/sys/dev/block", number, entry))
		return -1;
	text_clean_str(name, DISK_NAME_BYTES, sysfs_base(entry));
	return disk_below(l, first, entry, 0);
}

void scratch_decide(struct disk_list *disks, size_t first, struct options *o)
{
	const char *path = options_text(o, OPT_ID_WRITE) + strlen("file:");
	char dir[DISK_PATH_BYTES], why[128], shown[96], name[DISK_NAME_BYTES] = "no block device";
	const char *type;
	ssize_t at;

	text_clean_str(shown, sizeof(shown), path);
	if (find_folder(path, dir, why, sizeof(why))) {
		options_note(o, "write: file:%s: %s", shown, why);
		return;
	}
	type = type_of(dir);
	if (!type) {
		options_note(o, "write: file:%s: its file system is in memory, on a network, on "
			     "top of another one, or not known: nothing is written there", shown);
		return;
	}
	if (scratch_room_bytes(dir) == 0) {
		options_note(o, "write: file:%s: it is read-only or full", shown);
		return;
	}
	at = disk_of(disks, first, dir, name);
	if (at < 0 && first == 0) {
		options_note(o, "write: file:%s: it lies on %s, and %s", shown, name, at == -2 ?
			     "that on several disks: name it by option disks" :
			     "that is not among the disks that are measured");
		return;
	}
	if (at < 0)	/* late disks: the folder was found among the first ones, or told there */
		return;
	disks->disk[at].consent = CONSENT_FILE;
	text_copy(disks->disk[at].write.scratch_dir, DISK_PATH_BYTES, dir);
	snprintf(disks->disk[at].consent_why, sizeof(disks->disk[at].consent_why),
		 "option write names a folder on its %s file system (%s)", type, name);
}

/* CONSENT_FILE: the folder is still what was decided on. */
static int use_folder(struct scratch *s, const struct disk *d, char *why, size_t why_bytes)
{
	const char *type = type_of(d->write.scratch_dir);

	if (!type || scratch_room_bytes(d->write.scratch_dir) == 0) {
		snprintf(why, why_bytes, "%s cannot be used any more", d->write.scratch_dir);
		return -ENOENT;
	}
	text_copy(s->dir, sizeof(s->dir), d->write.scratch_dir);
	text_copy(s->type, sizeof(s->type), type);
	return 0;
}

int scratch_begin(struct scratch *s, const struct disk *d, char *why, size_t why_bytes)
{
	*s = (struct scratch){ .mounted = false };
	if (d->consent == CONSENT_FILE)
		return use_folder(s, d, why, why_bytes);
	if (d->consent == CONSENT_DESTROY)
		return scratch_fs_make(s, d, why, why_bytes);
	snprintf(why, why_bytes, "there is no consent to write files on it");
	return -EPERM;
}

int scratch_end(struct scratch *s, const struct disk *d)
{
	int err = s->mounted ? scratch_fs_remove(s, d) : 0;

	*s = (struct scratch){ .mounted = false };
	return err;
}
