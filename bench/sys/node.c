/* SPDX-License-Identifier: MIT */
/* Devices by number; see node.h. */
#include "bench/sys/node.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/file.h"

#define NODE_PATH_BYTES 320

int node_number(const char *path, uint32_t *major, uint32_t *minor)
{
	char text[32];
	ssize_t got = file_read(path, text, sizeof(text));

	if (got < 0)
		return (int)got;
	return sscanf(text, "%" SCNu32 ":%" SCNu32, major, minor) == 2 ? 0 : -EINVAL;
}

static bool is_node(int fd, bool block, dev_t number)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_rdev == number &&
	       (block ? S_ISBLK(st.st_mode) : S_ISCHR(st.st_mode));
}

static int open_own(bool block, dev_t number, int flags)
{
	char path[NODE_PATH_BYTES];
	int fd, err;

	snprintf(path, sizeof(path), "/dev/.bootmark-%d", (int)getpid());
	if (mknod(path, (block ? S_IFBLK : S_IFCHR) | 0400, number))
		return -errno;
	fd = open(path, flags);
	err = errno;
	unlink(path);
	return fd < 0 ? -err : fd;
}

int node_open(bool block, uint32_t major, uint32_t minor, const char *name, int flags)
{
	dev_t number = makedev(major, minor);
	char path[NODE_PATH_BYTES];
	int fd;

	flags = (flags & ~O_ACCMODE) | O_RDONLY | O_CLOEXEC;
	snprintf(path, sizeof(path), "/dev/%s", name);
	fd = open(path, flags);
	if (fd >= 0 && is_node(fd, block, number))
		return fd;
	if (fd >= 0)
		close(fd);
	return open_own(block, number, flags);
}
