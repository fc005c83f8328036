/* SPDX-License-Identifier: MIT */
/*
 * An ext4 of our own on a disk with consent to destroy: made by mke2fs, mounted in a mount
 * namespace of this process, gone when the process is. Only the start of the disk is used, nothing
 * is discarded, and no initialisation goes on in the background of a measurement.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/consent/checks.h"
#include "bench/consent/consent.h"
#include "bench/consent/scratch.h"
#include "lib/text.h"

#define FS_BLOCK_BYTES 4096
#define WIPE_BYTES 65536U	/* holds the superblock and whatever else begins an ext4 */

/* A folder that is there on any system; the mount over it is seen by this process alone. */
static const char *mount_point(void)
{
	static const char *const folders[] = { "/mnt", "/media", "/tmp" };
	struct stat st;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (lstat(folders[i], &st) == 0 && S_ISDIR(st.st_mode))
			return folders[i];
	return NULL;
}

static void uuid_text(const struct disk *d, char text[37])
{
	const uint8_t *u = d->write.scratch_uuid;
	int n = 0;

	for (int i = 0; i < 16; i++)
		n += snprintf(text + n, 37 - (size_t)n, "%s%02x",
			      i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
}

/* The program's whole environment is this: nothing of ours steers it. */
static _Noreturn void become_mke2fs(const struct disk *d, uint64_t fs_bytes, int said, pid_t parent)
{
	static const char *const programs[] = {
		"/bin/mke2fs", "/sbin/mke2fs", "/usr/sbin/mke2fs"
	};
	char uuid[37], blocks[32], node[DISK_PATH_BYTES];
	char *const argv[] = {
		"mke2fs", "-q", "-F", "-t", "ext4", "-b", "4096", "-E",
		"nodiscard,lazy_itable_init=1,lazy_journal_init=1", "-U", uuid, node, blocks, NULL
	};
	char *const environment[] = { "PATH=/bin", "LC_ALL=C", NULL };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	uuid_text(d, uuid);
	text_copy(node, sizeof(node), d->node);
	snprintf(blocks, sizeof(blocks), "%llu", (unsigned long long)(fs_bytes / FS_BLOCK_BYTES));
	dup2(said, STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		execve(programs[i], argv, environment);
	dprintf(said, "there is no mke2fs here");
	_exit(127);
}

static int run_mke2fs(const struct disk *d, uint64_t fs_bytes, char *why, size_t why_bytes)
{
	char said[512], shown[160];
	pid_t parent = getpid(), pid;
	int ends[2], status = -1;
	size_t len = 0;
	ssize_t n;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		become_mke2fs(d, fs_bytes, ends[1], parent);
	close(ends[1]);
	while (pid > 0 && ((n = read(ends[0], said + len, sizeof(said) - len)) > 0 ||
			   (n < 0 && errno == EINTR))) {
		if (n > 0)
			len += (size_t)n;
		if (len == sizeof(said))
			len = 0;	/* the last words count */
	}
	close(ends[0]);
	if (pid < 0)
		return -EAGAIN;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	text_clean(shown, sizeof(shown), said, len);
	snprintf(why, why_bytes, "no file system can be made on it: %s",
		 shown[0] ? shown : "mke2fs failed");
	return -EIO;
}

/* Where nobody else sees it, and where it does not outlive this process. */
static int mount_alone(const struct disk *d, const char *at, char *why, size_t why_bytes)
{
	struct stat st;
	int err = 0;

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
		err = -errno;
		snprintf(why, why_bytes, "no mount namespace can be had: %s", strerror(-err));
		return err;
	}
	if (mount(d->node, at, "ext4", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME,
		  "noinit_itable") < 0) {
		err = -errno;
		snprintf(why, why_bytes, "its new file system cannot be mounted: %s",
			 strerror(-err));
		return err;
	}
	if (stat(at, &st) < 0 || st.st_dev != makedev(d->major, d->minor)) {
		umount2(at, MNT_DETACH);
		snprintf(why, why_bytes, "what was mounted is not its file system");
		return -ENODEV;
	}
	return 0;
}

int scratch_fs_make(struct scratch *s, const struct disk *d, char *why, size_t why_bytes)
{
	uint64_t bytes = d->size_bytes < SCRATCH_FS_MAX_BYTES ? d->size_bytes :
			 SCRATCH_FS_MAX_BYTES;
	const char *at = mount_point();
	int fd, err;

	if (!at || bytes < SCRATCH_FS_MIN_BYTES) {
		snprintf(why, why_bytes, at ? "it is too small for a file system" :
			 "there is no folder to mount its file system on");
		return -ENOSPC;
	}
	fd = consent_open(d, why, why_bytes);
	if (fd < 0)
		return fd;
	close(fd);	/* mke2fs and mount want it for themselves */
	err = run_mke2fs(d, bytes, why, why_bytes);
	if (!err)
		err = mount_alone(d, at, why, why_bytes);
	if (err)
		return err;
	s->mounted = true;
	s->fs_bytes = bytes;
	text_copy(s->type, sizeof(s->type), "ext4");
	snprintf(s->dir, sizeof(s->dir), "%s/files", at);
	if (mkdir(s->dir, 0700) < 0) {
		err = -errno;
		snprintf(why, why_bytes, "its new file system cannot be used: %s", strerror(-err));
		scratch_end(s, d);
	}
	return err;
}

int scratch_wipe(const struct disk *d, int fd)
{
	static const unsigned char magic[2] = { 0x53, 0xEF };
	unsigned char *head = aligned_alloc(FS_BLOCK_BYTES, WIPE_BYTES);
	int err = 0;

	if (!head)
		return -ENOMEM;
	/* ext4 on disk: superblock at 1024; magic at its byte 56, UUID at 104 */
	if (pread(fd, head, WIPE_BYTES, 0) != (ssize_t)WIPE_BYTES) {
		err = -EIO;
	} else if (!memcmp(head + 1024 + 56, magic, 2) &&
		   !memcmp(head + 1024 + 104, d->write.scratch_uuid, 16)) {
		memset(head, 0, WIPE_BYTES);
		if (pwrite(fd, head, WIPE_BYTES, 0) != (ssize_t)WIPE_BYTES)
			err = -EIO;
	}
	free(head);
	return err;
}

int scratch_fs_remove(struct scratch *s, const struct disk *d)
{
	char why[CHECK_WHY_BYTES], *slash = strrchr(s->dir, '/');
	int fd, err;

	if (slash)
		*slash = '\0';
	/* a file somebody forgot to close keeps it busy: then it goes with the process */
	if (umount2(s->dir, 0) < 0)
		return -errno;
	fd = consent_open(d, why, sizeof(why));
	if (fd < 0)
		return fd;
	err = scratch_wipe(d, fd);
	close(fd);
	return err;
}
