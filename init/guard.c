/* SPDX-License-Identifier: MIT */
/*
 * The read-only guard: every disk and partition is set read-only in the
 * kernel (BLKROSET), so that a write fails even on a descriptor opened for writing. It is a second
 * lock; the first is that the tests open disks read-only. Only a flag in the kernel's memory
 * changes, and no command goes to the disk. `bench` alone lifts it, for a disk with consent, right
 * before it writes (bench/consent/open.c).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/log.h"
#include "init/uevent.h"
#include "init/work.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/text.h"

#define OPEN_LIMIT_NS (5 * NS_PER_S)	/* a sick disk may never open */
#define POLL_NS (10 * NS_PER_MS)
#define BLOCK_MAX 512
#define NAME_BYTES UEVENT_NAME_BYTES

struct block {
	char name[NAME_BYTES];	/* as in /sys/class/block */
	pid_t pid;		/* the process that opens it; 0: none or ended */
	bool opened;		/* it was not read-only before */
	int err;		/* why it could not be set; 0: it is read-only */
};

struct blocks {
	unsigned int n;
	struct block row[BLOCK_MAX];
};

static bool is_read_only(const char *name)
{
	char path[NAME_BYTES + 32], text[8];

	snprintf(path, sizeof(path), "/sys/class/block/%s/ro", name);
	return file_read(path, text, sizeof(text)) > 0 && text[0] == '1';
}

/* Memory, not disks, is left as it is; so is a path of a multipath disk, which has no node. */
static bool is_guarded(const char *name)
{
	static const char *const memory[] = { "loop", "ram", "zram" };
	char path[NAME_BYTES + 32], text[8];

	for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++)
		if (!strncmp(name, memory[i], strlen(memory[i])))
			return false;
	snprintf(path, sizeof(path), "/sys/class/block/%s/hidden", name);
	return !(file_read(path, text, sizeof(text)) > 0 && text[0] == '1');
}

/* In a process of its own: returns 0 or the errno of what failed. */
static int set_read_only(const char *name)
{
	char path[NAME_BYTES + 8];
	int fd, on = 1, err = 0;

	snprintf(path, sizeof(path), "/dev/%s", name);
	for (char *c = path + 5; *c; c++)	/* sysfs writes '!' for the '/' of cciss/c0d0 */
		if (*c == '!')
			*c = '/';
	/* O_NONBLOCK: a drive without a medium opens too, and nobody waits for a floppy to turn. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (ioctl(fd, BLKROSET, &on))
		err = errno;
	close(fd);
	return err;
}

static void block_start(struct blocks *s, const char *name)
{
	struct block *k;

	if (s->n == BLOCK_MAX || strlen(name) >= NAME_BYTES) {
		log_say("guard: %s: one device too many, or too long a name; left as it is", name);
		return;
	}
	k = &s->row[s->n++];
	*k = (struct block){ .err = ETIMEDOUT };
	snprintf(k->name, sizeof(k->name), "%s", name);
	if (is_read_only(name)) {
		k->err = 0;
		return;
	}
	k->opened = true;
	k->pid = fork();
	if (k->pid == 0)
		_exit(set_read_only(k->name));
	if (k->pid < 0) {
		k->err = errno;
		k->pid = 0;
	}
}

static bool collect(struct blocks *s)
{
	bool waiting = false;

	for (unsigned int i = 0; i < s->n; i++) {
		struct block *k = &s->row[i];
		int status;

		if (k->pid > 0 && waitpid(k->pid, &status, WNOHANG) == k->pid) {
			k->pid = 0;
			k->err = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
		}
		waiting |= k->pid > 0;
	}
	return waiting;
}

/* Waits for all processes at once; those that hang are left behind. */
static void blocks_wait(struct blocks *s)
{
	const struct timespec poll = { .tv_nsec = (long)POLL_NS };
	uint64_t until = clock_ns() + OPEN_LIMIT_NS;

	while (collect(s) && clock_ns() < until)
		nanosleep(&poll, NULL);
	for (unsigned int i = 0; i < s->n; i++) {
		struct block *k = &s->row[i];

		if (k->pid > 0)
			kill(k->pid, SIGKILL);
		if (k->err == ETIMEDOUT)
			log_say("guard: %s: cannot be opened in %d s; left as it is", k->name,
				(int)(OPEN_LIMIT_NS / NS_PER_S));
		else if (k->err)
			log_say("guard: %s: cannot be set read-only: %s", k->name,
				strerror(k->err));
	}
}

/* Notes what was not read-only by itself. Two processes append: one short write each. */
static void note_guarded(const struct blocks *s)
{
	int fd = open(BOOT_GUARDED_FILE, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

	if (fd < 0)
		return;
	for (unsigned int i = 0; i < s->n; i++)
		if (s->row[i].opened && !s->row[i].err)
			dprintf(fd, "%s\n", s->row[i].name);
	close(fd);
}

static bool is_partition(const char *name)
{
	char path[NAME_BYTES + 40];

	snprintf(path, sizeof(path), "/sys/class/block/%s/partition", name);
	return access(path, F_OK) == 0;
}

/* One pass over all block devices. Returns 0, or -errno of the list. */
static int guard_all(struct blocks *s)
{
	struct dirent *e;
	DIR *dir = opendir("/sys/class/block");

	s->n = 0;
	if (!dir)
		return -errno;
	while ((e = readdir(dir)))
		if (e->d_name[0] != '.' && is_guarded(e->d_name))
			block_start(s, e->d_name);
	closedir(dir);
	blocks_wait(s);
	note_guarded(s);
	return 0;
}

int work_guard(struct boot *b)
{
	static struct blocks s;
	unsigned int disks = 0, parts = 0, failed = 0;
	int err;

	(void)b;
	err = guard_all(&s);
	if (err) {
		log_say("guard: /sys/class/block: %s", strerror(-err));
		return err;
	}
	for (unsigned int i = 0; i < s.n; i++) {
		if (s.row[i].err)
			failed++;
		else if (is_partition(s.row[i].name))
			parts++;
		else
			disks++;
	}
	log_say("guard: read-only: %u disks, %u partitions; could not be set: %u", disks,
		parts, failed);
	return failed ? -EIO : 0;
}

/* A disk, or a partition table that was read again, after the first pass. */
static void guard_one(struct blocks *s, const struct uevent *e)
{
	char name[NAME_BYTES];

	s->n = 0;
	text_copy(name, sizeof(name), e->name);
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '!';
	if (!is_guarded(name))
		return;
	block_start(s, name);
	blocks_wait(s);
	note_guarded(s);
	if (s->n && s->row[0].opened && !s->row[0].err)
		log_say("guard: %s appeared at uptime %.3f s and is read-only", name,
			(double)clock_ns() / (double)NS_PER_S);
}

int work_guard_late(struct boot *b)
{
	static struct blocks s;
	int fd = uevent_open();

	(void)b;
	if (fd < 0) {
		log_say("guard: no device events: %s; disks that come later are not set read-only",
			strerror(-fd));
		return fd;
	}
	for (;;) {
		struct uevent e;
		int got = uevent_next(fd, -1, &e);

		/* Late children of disks that hung are collected here. */
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (got == -ENOBUFS)
			got = guard_all(&s);
		else if (got == 1 && !strcmp(e.subsystem, "block") && !strcmp(e.action, "add") &&
			 e.name[0])
			guard_one(&s, &e);
		if (got < 0) {
			log_say("guard: device events: %s", strerror(-got));
			return got;
		}
	}
}
