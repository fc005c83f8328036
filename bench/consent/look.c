/* SPDX-License-Identifier: MIT */
/*
 * The checks that need the device open, in a process of its own: a sick disk may never answer. It
 * is opened exclusively, for a moment: the kernel's own answer to the question whether anybody uses
 * it (it knows of mounts in other namespaces, and of all members of a btrfs or ZFS).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bench/consent/checks.h"
#include "bench/sys/child.h"
#include "lib/clock.h"
#include "lib/text.h"

#define LOOK_LIMIT_MS 20000

/* What the child sends; smaller than PIPE_BUF, so it arrives whole or not at all. */
struct answer {
	bool allows;
	char why[CHECK_WHY_BYTES];
};

static void look(const struct disk *d, bool must_be_blank, struct answer *a)
{
	int fd = open(d->node, O_RDONLY | O_EXCL | O_CLOEXEC), read_only = 1;
	struct stat st;

	a->allows = false;
	if (fd < 0 && errno == EBUSY)
		snprintf(a->why, sizeof(a->why), "something holds it for itself: mounted "
			 "elsewhere, a member of an array or volume group, or another program");
	else if (fd < 0)
		snprintf(a->why, sizeof(a->why), "it cannot be opened: %s", strerror(errno));
	else if (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode) || major(st.st_rdev) != d->major ||
		 minor(st.st_rdev) != d->minor)
		snprintf(a->why, sizeof(a->why), "its device node leads to another device");
	else if (ioctl(fd, BLKROGET, &read_only) < 0 || (read_only && !d->write.guarded))
		snprintf(a->why, sizeof(a->why), "it is read-only");
	else if (!signature_is_boot_medium("", fd, a->why))
		a->allows = !must_be_blank || signature_is_blank(fd, d, true, a->why);
	if (fd >= 0)
		close(fd);
}

struct question {
	const struct disk *d;
	bool must_be_blank;
};

/* In the child. */
static void answer(void *context)
{
	const struct question *q = context;
	struct answer a = { .allows = false };

	look(q->d, q->must_be_blank, &a);
	child_say(&a, sizeof(a));
}

bool look_allows(const struct disk *d, bool must_be_blank, char why[CHECK_WHY_BYTES])
{
	uint64_t until_ns = clock_ns() + LOOK_LIMIT_MS * NS_PER_MS;
	struct question q = { d, must_be_blank };
	struct answer a = { .allows = false };
	struct child c;
	int err = child_start(&c, answer, &q);
	size_t n;

	if (err) {
		snprintf(why, CHECK_WHY_BYTES, "no process to look at it: %s", strerror(-err));
		return false;
	}
	n = child_listen(&c, &a, sizeof(a), until_ns);
	/* it has answered and ends, or is stuck and stays behind as a zombie of this run */
	child_end(&c);
	if (n == sizeof(a)) {
		a.why[sizeof(a.why) - 1] = '\0';
		text_copy(why, CHECK_WHY_BYTES, a.why);
		return a.allows;
	}
	/* what does not come in time, or not whole, allows nothing */
	snprintf(why, CHECK_WHY_BYTES, clock_ns() >= until_ns ?
		 "it did not answer in time when it was looked at" :
		 "the process that looked at it crashed");
	return false;
}
