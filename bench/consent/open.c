/* SPDX-License-Identifier: MIT */
/*
 * Opens a disk for writing: the only place in bench/ that does. Between decision and opening
 * minutes may have passed, in which disks come, go and change names; so everything is asked again,
 * of the descriptor that will be written to.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bench/consent/checks.h"
#include "bench/consent/consent.h"
#include "bench/sys/discover.h"
#include "lib/clock.h"

/* Exclusively; waits a moment for a process of this run that is still ending. */
static int open_exclusive(const struct disk *d)
{
	uint64_t until_ns = clock_ns() + CHECK_OPEN_WAIT_MS * NS_PER_MS;
	int fd;

	for (;;) {
		fd = open(d->node, O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC);
		if (fd >= 0 || errno != EBUSY || clock_ns() >= until_ns)
			return fd < 0 ? -errno : fd;
		poll(NULL, 0, 50);
	}
}

static bool is_device(int fd, const struct disk *d)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && major(st.st_rdev) == d->major &&
	       minor(st.st_rdev) == d->minor;
}

/* Reads all of sysfs again: the number may belong to another disk now, or its name to two. */
static bool is_same(const struct disk *d, char why[CHECK_WHY_BYTES])
{
	struct disk_list now = { 0 };
	bool same = false;
	int err = disks_discover("", &now);

	if (err)
		snprintf(why, CHECK_WHY_BYTES, "disks cannot be looked for again: %s",
			 strerror(-err));
	for (size_t i = 0; i < now.n; i++) {
		snprintf(now.disk[i].write.serial, sizeof(now.disk[i].write.serial), "%s",
			 now.disk[i].serial);
		snprintf(now.disk[i].write.wwn, sizeof(now.disk[i].write.wwn), "%s",
			 now.disk[i].wwn);
	}
	for (size_t i = 0; i < now.n; i++) {
		const struct disk *n = &now.disk[i];

		if (strcmp(n->name, d->name) || n->major != d->major || n->minor != d->minor)
			continue;
		same = !strcmp(n->serial, d->write.serial) && !strcmp(n->wwn, d->write.wwn);
		if (!same)
			snprintf(why, CHECK_WHY_BYTES, "%s is another disk now: its serial number "
				 "or WWN has changed", d->name);
		else if (!d->identity_is_path)
			same = name_is_clear(&now, i, NAMING_WWN, why);
		break;
	}
	if (!same && !why[0])
		snprintf(why, CHECK_WHY_BYTES, "%s is not there any more", d->name);
	disk_list_free(&now);
	return same;
}

/* Through a descriptor of its own: signatures are no multiple of what O_DIRECT reads. */
static bool is_still_blank(const struct disk *d, char why[CHECK_WHY_BYTES])
{
	int fd = open(d->node, O_RDONLY | O_CLOEXEC);
	bool blank;

	if (fd < 0 || !is_device(fd, d)) {
		snprintf(why, CHECK_WHY_BYTES, "it cannot be opened a second time");
		blank = false;
	} else {
		blank = signature_is_blank(fd, d, false, why);
	}
	if (fd >= 0)
		close(fd);
	return blank;
}

static bool is_allowed(const struct disk *d, int fd, char why[CHECK_WHY_BYTES])
{
	uint64_t size = 0;
	int read_only = 1;

	why[0] = '\0';
	if (!is_device(fd, d))
		snprintf(why, CHECK_WHY_BYTES, "its device node leads to another device now");
	else if (ioctl(fd, BLKGETSIZE64, &size) < 0 || size != d->size_bytes)
		snprintf(why, CHECK_WHY_BYTES, "its size has changed");
	else if (ioctl(fd, BLKROGET, &read_only) < 0 || (read_only && !d->write.guarded))
		snprintf(why, CHECK_WHY_BYTES, "it is read-only");
	else
		return is_same(d, why) && use_is_unzoned("", d, why) && use_is_free("", d, why) &&
		       (!d->write.only_blank || is_still_blank(d, why));
	return false;
}

/* BLKROSET: a flag in the kernel's memory, set by init's guard for every disk. */
static int set_guard(int fd, int on)
{
	int now = !on;

	if (ioctl(fd, BLKROSET, &on) < 0 || ioctl(fd, BLKROGET, &now) < 0)
		return -errno;
	return !now == !on ? 0 : -EROFS;
}

int consent_open(const struct disk *d, char *why, size_t why_bytes)
{
	char text[CHECK_WHY_BYTES];
	int fd, err;

	if (d->skip != DISK_TAKEN ||
	    (d->consent != CONSENT_DESTROY && d->consent != CONSENT_WRITEBACK)) {
		snprintf(why, why_bytes, "there is no consent to write to it");
		return -EPERM;
	}
	fd = open_exclusive(d);
	if (fd < 0) {
		snprintf(why, why_bytes, fd == -EBUSY ? "something holds it for itself" :
			 "it cannot be opened for writing: %s", strerror(-fd));
		return fd;
	}
	if (!is_allowed(d, fd, text)) {
		snprintf(why, why_bytes, "not opened for writing after all: %s", text);
		close(fd);
		return -EPERM;
	}
	err = d->write.guarded ? set_guard(fd, 0) : 0;
	if (err) {
		snprintf(why, why_bytes, "the read-only guard cannot be lifted: %s",
			 strerror(-err));
		close(fd);
		return err;
	}
	return fd;
}

static int discard(const struct disk *d, int fd, const struct consent_area *area)
{
	uint64_t unit = d->logical_block_bytes > 512 ? d->logical_block_bytes : 512;
	uint64_t first = (area->offset_bytes + unit - 1) / unit * unit;
	uint64_t end = area->offset_bytes + area->bytes;
	uint64_t range[2];

	if (end < area->offset_bytes || end > d->size_bytes)
		end = d->size_bytes;
	end -= end % unit;
	if (first >= end)
		return 0;
	range[0] = first;
	range[1] = end - first;
	return ioctl(fd, BLKDISCARD, range) < 0 ? -errno : 0;
}

int consent_close(const struct disk *d, int fd, const struct consent_area *area, size_t area_n)
{
	int err = 0, got;

	/* a process that was killed may have left its file system behind */
	if (d->consent == CONSENT_DESTROY)
		err = scratch_wipe(d, fd);
	if (fsync(fd) < 0 && !err)
		err = -errno;
	for (size_t i = 0; i < area_n && d->consent == CONSENT_DESTROY; i++) {
		got = discard(d, fd, &area[i]);
		if (got && !err)
			err = got;
	}
	if (d->write.guarded) {
		got = set_guard(fd, 1);
		if (got && !err)
			err = got;
	}
	close(fd);
	return err;
}
