/* SPDX-License-Identifier: MIT */
/* Partitions to read from; see partition.h. */
#include "bench/sys/partition.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/blkpg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/sys/node.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/text.h"

#define NUMBER 200		/* far beyond what partition tables have; the kernel takes 1..255 */
#define REMOVE_TRIES 50		/* udev and others may look at it for a moment */
#define REMOVE_WAIT_NS (100 * NS_PER_MS)
#define FOLDER_BYTES 128
#define PATH_BYTES 512
#define SECTOR_BYTES 512	/* unit of sysfs, whatever the disk's blocks are */

static void file_of(char path[PATH_BYTES], const char *folder, const char *name, const char *file)
{
	snprintf(path, PATH_BYTES, "%.127s/%.255s/%s", folder, name, file);
}

static uint64_t number_in(const char *folder, const char *name, const char *file)
{
	char path[PATH_BYTES], text[32];

	file_of(path, folder, name, file);
	return file_read(path, text, sizeof(text)) > 0 ? strtoull(text, NULL, 10) : 0;
}

static bool is_held(const char *folder, const char *name)
{
	char path[PATH_BYTES];
	struct dirent *e;
	bool held = false;
	DIR *dir;

	file_of(path, folder, name, "holders");
	dir = opendir(path);
	while (dir && (e = readdir(dir)))
		held |= e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return held;
}

/* O_EXCL on a block device: nobody has it mounted, or holds it otherwise. */
static int open_free(const struct partition *p)
{
	int fd = node_open(true, p->major, p->minor, p->name, O_DIRECT | O_EXCL), shared;

	if (fd < 0)
		return fd;
	shared = node_open(true, p->major, p->minor, p->name, O_DIRECT);
	close(fd);
	return shared;
}

/*
 * Nobody holds the disk itself: a file system, volume group or array on all of it would show
 * through a partition a second time, and udev could take the copy for the original.
 */
static bool is_free(const struct disk *d)
{
	int fd = node_open(true, d->major, d->minor, d->name, O_EXCL);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The partition `number` of the disk (0: the largest free one), into `p` with p->fd open. */
static int find(struct partition *p, const struct disk *d, int number, uint64_t least_bytes)
{
	char folder[FOLDER_BYTES];
	struct partition best = { .fd = -1, .bytes = 0 };
	struct dirent *e;
	DIR *dir;

	snprintf(folder, sizeof(folder), "/sys/block/%s", d->name);
	dir = opendir(folder);
	if (!dir)
		return -errno;
	while ((e = readdir(dir))) {
		struct partition one = { .fd = -1 };
		char path[PATH_BYTES];

		one.number = (int)number_in(folder, e->d_name, "partition");
		if (!one.number || (number && one.number != number) || is_held(folder, e->d_name) ||
		    strlen(e->d_name) >= sizeof(one.name))
			continue;
		text_copy(one.name, sizeof(one.name), e->d_name);
		one.bytes = number_in(folder, e->d_name, "size") * SECTOR_BYTES;
		file_of(path, folder, e->d_name, "dev");
		if (one.bytes < least_bytes || one.bytes <= best.bytes ||
		    node_number(path, &one.major, &one.minor))
			continue;
		one.fd = open_free(&one);
		if (one.fd < 0)
			continue;
		if (best.fd >= 0)
			close(best.fd);
		best = one;
	}
	closedir(dir);
	*p = best;
	return best.fd >= 0 ? 0 : -ENOENT;
}

static int blkpg(int disk_fd, int op, uint64_t offset_bytes, uint64_t bytes)
{
	struct blkpg_partition part = {
		.start = (long long)offset_bytes, .length = (long long)bytes, .pno = NUMBER,
	};
	struct blkpg_ioctl_arg arg = { .op = op, .datalen = sizeof(part), .data = &part };

	return ioctl(disk_fd, BLKPG, &arg) ? -errno : 0;
}

static int remove_added(int disk_fd)
{
	const struct timespec wait = { .tv_nsec = REMOVE_WAIT_NS };
	int err = -EBUSY;

	for (int i = 0; i < REMOVE_TRIES && err == -EBUSY; i++) {
		if (i)
			nanosleep(&wait, NULL);
		err = blkpg(disk_fd, BLKPG_DEL_PARTITION, 0, 0);
	}
	return err == -ENXIO || err == -ENODEV ? 0 : err;	/* gone already */
}

/* Waits for the end of the process that holds the other end of the pipe, however it ends. */
__attribute__((noreturn))
static void warden(int pipe_fd, int disk_fd)
{
	sigset_t all;
	char byte;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "bench-warden");
	/* it must hold nothing that others wait to see closed */
	dup2(pipe_fd, 0);
	dup2(disk_fd, 1);
	for (int fd = 2; fd < 1024; fd++)
		close(fd);
	while (read(0, &byte, 1) < 0 && errno == EINTR)
		;
	(void)remove_added(1);
	_exit(0);
}

static int warden_start(struct partition *p, int disk_fd)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		warden(ends[0], disk_fd);
	}
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return -EAGAIN;
	}
	p->warden_fd = ends[1];
	p->warden_pid = pid;
	return 0;
}

static void warden_end(struct partition *p)
{
	if (p->warden_fd < 0)
		return;
	close(p->warden_fd);
	waitpid(p->warden_pid, NULL, 0);
	p->warden_fd = -1;
}

static int add(struct partition *p, const struct disk *d, int disk_fd, uint64_t offset_bytes,
	       uint64_t bytes)
{
	struct partition waiting = { .fd = -1, .warden_fd = -1 };
	int err = is_free(d) ? warden_start(&waiting, disk_fd) : -EBUSY;

	if (err)
		return err;
	err = blkpg(disk_fd, BLKPG_ADD_PARTITION, offset_bytes, bytes);
	if (!err) {
		err = find(p, d, NUMBER, 0);
		if (err)
			(void)remove_added(disk_fd);
	}
	if (err) {
		warden_end(&waiting);
		return err;
	}
	p->added = true;
	p->warden_fd = waiting.warden_fd;
	p->warden_pid = waiting.warden_pid;
	return 0;
}

int partition_open(struct partition *p, const struct disk *d, int disk_fd, uint64_t offset_bytes,
		   uint64_t bytes, uint64_t least_bytes)
{
	int err = find(p, d, 0, least_bytes);

	p->warden_fd = -1;
	if (!err)
		return 0;
	err = add(p, d, disk_fd, offset_bytes, bytes);
	if (err)
		*p = (struct partition){ .fd = -1, .warden_fd = -1 };
	return err;
}

int partition_close(struct partition *p, int disk_fd)
{
	int err = 0;

	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	if (p->added)
		err = remove_added(disk_fd);
	p->added = false;
	warden_end(p);
	return err;
}
