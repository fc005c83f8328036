/* SPDX-License-Identifier: MIT */
/*
 * Opens what is to be measured, once, read-only: does it open, and what does it say of its size?
 *
 * open(2) on a sick disk may sleep for ever, where not even SIGKILL ends it. So each disk is opened
 * in a child that sends its answer through a pipe; a child that does not answer in time is killed
 * and left alone. It holds nothing of ours (no standard streams, no pipes but its own). When it can
 * die, it stays as one zombie per disk until this program ends, and init collects it then.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/sys/capacity.h"
#include "bench/sys/child.h"
#include "bench/sys/discover.h"
#include "lib/clock.h"
#include "lib/text.h"

#define BATCH 128	/* children at a time: each costs this program a descriptor */

enum verdict { OPENED, OPEN_FAILED, NOT_BLOCK, OTHER_DEVICE, NO_DIRECT, ASKING_FAILED };

/* What a child sends; smaller than PIPE_BUF, so it arrives whole or not at all. */
struct answer {
	enum verdict verdict;
	int error;			/* errno of OPEN_FAILED, NO_DIRECT, ASKING_FAILED */
	uint32_t major, minor;		/* of OTHER_DEVICE */
	uint64_t size_bytes;
	uint32_t logical_block_bytes, physical_block_bytes;
	bool read_only;
	uint64_t sector_bytes;		/* what a SCSI disk of size zero says; 0: nothing */
};

struct probe {
	struct disk *disk;	/* NULL: free, or answered */
	struct child child;
};

static void ask(const struct disk *d, int fd, struct answer *a)
{
	int logical = 0, read_only = 0;
	unsigned physical = 0;
	uint64_t size = 0;

	if (ioctl(fd, BLKGETSIZE64, &size) < 0 || ioctl(fd, BLKSSZGET, &logical) < 0) {
		a->verdict = ASKING_FAILED;
		a->error = errno;
		return;
	}
	a->size_bytes = size;
	a->logical_block_bytes = logical > 0 ? (uint32_t)logical : 0;
	a->physical_block_bytes = ioctl(fd, BLKPBSZGET, &physical) == 0 ? physical : 0;
	a->read_only = ioctl(fd, BLKROGET, &read_only) == 0 ? read_only != 0 : d->read_only;
	if (size == 0 && !d->removable)
		a->sector_bytes = capacity_sector_bytes(fd);
}

static void open_and_ask(const struct disk *d, struct answer *a)
{
	int fd = open(d->node, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0) {
		a->error = errno;
		a->verdict = OPEN_FAILED;
		if (errno != EINVAL)
			return;
		fd = open(d->node, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (fd < 0)
			return;
		a->verdict = NO_DIRECT;
	} else if (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode)) {
		a->verdict = NOT_BLOCK;
	} else if (major(st.st_rdev) != d->major || minor(st.st_rdev) != d->minor) {
		a->verdict = OTHER_DEVICE;
		a->major = major(st.st_rdev);
		a->minor = minor(st.st_rdev);
	} else {
		ask(d, fd, a);
	}
	close(fd);
}

/* In the child. */
static void answer(void *context)
{
	struct answer a = { .verdict = OPENED };

	open_and_ask(context, &a);
	child_say(&a, sizeof(a));
}

static void cannot(struct disk *d, enum disk_skip skip, const char *detail)
{
	d->skip = skip;
	text_copy(d->skip_detail, sizeof(d->skip_detail), detail);
}

/* Starts a child. Returns false where that failed; the disk then says why. */
static bool begin(struct probe *p, struct disk *d)
{
	char detail[DISK_TEXT_BYTES];
	int err;

	*p = (struct probe){ .disk = NULL };
	if (!d->node[0]) {
		cannot(d, DISK_CANNOT_OPEN, "it has no device node");
		return false;
	}
	err = child_start(&p->child, answer, d);
	if (err) {
		snprintf(detail, sizeof(detail), "no process to open it with: %s", strerror(-err));
		cannot(d, DISK_CANNOT_OPEN, detail);
		return false;
	}
	p->disk = d;
	return true;
}

static void say_open_failed(struct disk *d, int error)
{
	char detail[DISK_TEXT_BYTES];
	bool root = geteuid() == 0;

	switch (error) {
	case ENOMEDIUM:
		cannot(d, DISK_NO_MEDIUM, "");
		return;
	case EACCES:
	case EPERM:
		snprintf(detail, sizeof(detail), "%s (%s)", root ?
			 "refused even to root: the kernel or a sandbox forbids it" :
			 "not permitted: run as root", strerror(error));
		break;
	case ENOENT:
		snprintf(detail, sizeof(detail), "there is no device node %.80s", d->node);
		break;
	case ENXIO:
	case ENODEV:
		snprintf(detail, sizeof(detail), "the device is gone or not ready (%s)",
			 strerror(error));
		break;
	case EBUSY:
		snprintf(detail, sizeof(detail), "something else holds it for itself (%s)",
			 strerror(error));
		break;
	default:
		snprintf(detail, sizeof(detail), "%s", strerror(error));
	}
	cannot(d, DISK_CANNOT_OPEN, detail);
}

static void say_zero_size(struct disk *d, const struct answer *a)
{
	char detail[DISK_TEXT_BYTES];
	bool served = a->sector_bytes >= 512 && a->sector_bytes <= 4096 &&
		!(a->sector_bytes & (a->sector_bytes - 1));

	if (a->sector_bytes && !served) {
		snprintf(detail, sizeof(detail), "sectors of %llu bytes",
			 (unsigned long long)a->sector_bytes);
		cannot(d, DISK_SECTOR_SIZE, detail);
	} else if (d->removable) {
		cannot(d, DISK_NO_MEDIUM, "");
	} else if (d->skip != DISK_ZERO_SIZE) {
		cannot(d, DISK_ZERO_SIZE, "");
	}
}

static void take_opened(struct disk *d, const struct answer *a)
{
	if (a->size_bytes == 0) {
		say_zero_size(d, a);
		return;
	}
	d->skip = DISK_TAKEN;	/* also where sysfs had no size yet */
	d->skip_detail[0] = '\0';
	d->size_bytes = a->size_bytes;
	d->logical_block_bytes = a->logical_block_bytes;
	if (a->physical_block_bytes)
		d->physical_block_bytes = a->physical_block_bytes;
	d->read_only = a->read_only;
}

static void take_answer(struct disk *d, const struct answer *a)
{
	char detail[DISK_TEXT_BYTES];

	switch (a->verdict) {
	case OPENED:
		take_opened(d, a);
		return;
	case OPEN_FAILED:
		say_open_failed(d, a->error);
		return;
	case NOT_BLOCK:
		cannot(d, DISK_CANNOT_OPEN, "its device node is no block device");
		return;
	case OTHER_DEVICE:
		snprintf(detail, sizeof(detail),
			 "its device node is another device: %u:%u, not %u:%u",
			 a->major, a->minor, d->major, d->minor);
		break;
	case NO_DIRECT:
		snprintf(detail, sizeof(detail), "it opens, but not with O_DIRECT (%s)",
			 strerror(a->error));
		break;
	case ASKING_FAILED:
		snprintf(detail, sizeof(detail), "it opens, but does not tell its size (%s)",
			 strerror(a->error));
		break;
	}
	cannot(d, DISK_CANNOT_OPEN, detail);
}

/* Takes the answer, which has arrived, or the lack of one. */
static void finish(struct probe *p)
{
	struct answer a;

	if (child_listen(&p->child, &a, sizeof(a), 0) == sizeof(a))
		take_answer(p->disk, &a);
	else
		cannot(p->disk, DISK_CANNOT_OPEN, "the process that opened it died");
	child_end(&p->child);
	p->disk = NULL;
}

/* Gives up the children that did not answer. */
static void abandon(struct probe *p, size_t n, unsigned timeout_ms)
{
	char detail[DISK_TEXT_BYTES];
	size_t left = n;

	snprintf(detail, sizeof(detail), "opening it did not return in %u.%u s", timeout_ms / 1000,
		 timeout_ms % 1000 / 100);
	for (size_t i = 0; i < n; i++) {
		if (!p[i].disk)
			continue;
		/* still our child: the number is still its own */
		kill(p[i].child.pid, SIGKILL);
		cannot(p[i].disk, DISK_NO_ANSWER, detail);
		close(p[i].child.fd);
	}
	/* one that only slept is gone in a moment; one in the kernel's D state is not waited for */
	for (int tries = 0; left && tries < 10; tries++) {
		left = 0;
		for (size_t i = 0; i < n; i++) {
			if (!p[i].disk)
				continue;
			if (waitpid(p[i].child.pid, NULL, WNOHANG) == 0)
				left++;
			else
				p[i].disk = NULL;
		}
		if (left)
			poll(NULL, 0, 5);
	}
}

/* Waits for all children of a batch until the deadline. */
static void collect(struct probe *p, size_t n, unsigned timeout_ms)
{
	uint64_t deadline_ns = clock_ns() + timeout_ms * NS_PER_MS, now_ns;
	struct pollfd poll_fd[BATCH];
	size_t owner[BATCH], open_n;

	for (;;) {
		open_n = 0;
		for (size_t i = 0; i < n; i++) {
			if (!p[i].disk)
				continue;
			owner[open_n] = i;
			poll_fd[open_n++] = (struct pollfd){ .fd = p[i].child.fd,
							     .events = POLLIN };
		}
		now_ns = clock_ns();
		if (!open_n || now_ns >= deadline_ns)
			break;
		/* rounded up: a poll that wakes early would spin */
		if (poll(poll_fd, open_n, (int)((deadline_ns - now_ns) / NS_PER_MS) + 1) <= 0)
			continue;
		for (size_t i = 0; i < open_n; i++)
			if (poll_fd[i].revents)
				finish(&p[owner[i]]);
	}
	if (open_n)
		abandon(p, n, timeout_ms);
}

/* A SCSI disk of size zero is asked too: it may say why (READ CAPACITY). */
static bool may_say_why(const struct disk *d)
{
	return d->skip == DISK_ZERO_SIZE && d->node[0] && !d->removable &&
		(!strcmp(d->transport, "sas") || !strcmp(d->transport, "scsi") ||
		 !strcmp(d->transport, "raid"));
}

static void probe_where(struct disk_list *l, const bool *wanted, unsigned timeout_ms)
{
	struct probe p[BATCH];

	for (size_t at = 0; at < l->n;) {
		size_t n = 0;

		for (; at < l->n && n < BATCH; at++)
			if (wanted[at] && begin(&p[n], &l->disk[at]))
				n++;
		collect(p, n, timeout_ms);
	}
}

/* The next path to a disk whose path failed. NULL: there is none. */
static struct disk *next_path(struct disk_list *l, const struct disk *failed)
{
	for (size_t i = 0; i < l->n; i++) {
		struct disk *d = &l->disk[i];

		if (d != failed && d->skip == DISK_SECOND_PATH && d->identity[0] &&
		    !strcmp(d->identity, failed->identity) && !strcmp(d->skip_detail, failed->name))
			return d;
	}
	return NULL;
}

/* After `from` failed, `to` stands for the disk: the remaining paths point at it. */
static void hand_over(struct disk_list *l, const struct disk *from, struct disk *to)
{
	for (size_t i = 0; i < l->n; i++) {
		struct disk *d = &l->disk[i];

		if (d->skip == DISK_SECOND_PATH && !strcmp(d->skip_detail, from->name))
			text_copy(d->skip_detail, sizeof(d->skip_detail), to->name);
	}
	to->skip = DISK_TAKEN;
	to->skip_detail[0] = '\0';
}

/*
 * Sets `next` to the other paths of disks that were probed and failed. Returns whether there are
 * any.
 */
static bool find_next(struct disk_list *l, const bool *probed, bool *next)
{
	bool any = false;

	memset(next, 0, l->n * sizeof(*next));
	for (size_t i = 0; i < l->n; i++) {
		struct disk *d = &l->disk[i], *other;

		if (!probed[i] || (d->skip != DISK_CANNOT_OPEN && d->skip != DISK_NO_ANSWER))
			continue;
		other = next_path(l, d);
		if (!other)
			continue;
		hand_over(l, d, other);
		next[other - l->disk] = any = true;
	}
	return any;
}

void disks_probe(struct disk_list *list, unsigned timeout_ms)
{
	bool *flags = calloc(list->n + 1, 2 * sizeof(*flags)), *now = flags, *next;

	if (!flags) {
		for (size_t i = 0; i < list->n; i++)
			if (list->disk[i].skip == DISK_TAKEN)
				cannot(&list->disk[i], DISK_CANNOT_OPEN, "out of memory");
		return;
	}
	next = flags + list->n;
	for (size_t i = 0; i < list->n; i++)
		now[i] = list->disk[i].skip == DISK_TAKEN || may_say_why(&list->disk[i]);
	for (;;) {
		bool *probed = now;

		probe_where(list, probed, timeout_ms);
		if (!find_next(list, probed, next))
			break;
		now = next;
		next = probed;
	}
	free(flags);
}
