/* SPDX-License-Identifier: MIT */
/*
 * The checks that need the device open, in a process of its own: a sick disk may never answer. It
 * is opened exclusively, for a moment: the kernel's own answer to the question whether anybody uses
 * it (it knows of mounts in other namespaces, and of all members of a btrfs or ZFS).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
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

__attribute__((noreturn))
static void child(const struct disk *d, bool must_be_blank, int fd, pid_t parent)
{
	struct answer a = { .allows = false };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || !child_close_others(fd))
		_exit(1);
	look(d, must_be_blank, &a);
	_exit(write(3, &a, sizeof(a)) == (ssize_t)sizeof(a) ? 0 : 1);
}

/* Waits for the answer; what does not come in time allows nothing. */
static bool take_answer(int fd, char why[CHECK_WHY_BYTES])
{
	uint64_t until_ns = clock_ns() + LOOK_LIMIT_MS * NS_PER_MS, now_ns;
	struct answer a = { .allows = false };
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n = -1;

	while (n < 0 && (now_ns = clock_ns()) < until_ns)
		if (poll(&p, 1, (int)((until_ns - now_ns) / NS_PER_MS) + 1) > 0)
			n = read(fd, &a, sizeof(a));
	if (n == (ssize_t)sizeof(a)) {
		a.why[sizeof(a.why) - 1] = '\0';
		text_copy(why, CHECK_WHY_BYTES, a.why);
		return a.allows;
	}
	snprintf(why, CHECK_WHY_BYTES, n < 0 ? "it did not answer in time when it was looked at" :
		 "the process that looked at it crashed");
	return false;
}

bool look_allows(const struct disk *d, bool must_be_blank, char why[CHECK_WHY_BYTES])
{
	pid_t parent = getpid(), pid;
	bool allows;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0) {
		snprintf(why, CHECK_WHY_BYTES, "no process to look at it: %s", strerror(errno));
		return false;
	}
	pid = fork();
	if (pid == 0)
		child(d, must_be_blank, ends[1], parent);
	close(ends[1]);
	if (pid < 0) {
		snprintf(why, CHECK_WHY_BYTES, "no process to look at it: %s", strerror(errno));
		allows = false;
	} else {
		allows = take_answer(ends[0], why);
		/* it has answered and ends, or is stuck and stays behind as a zombie of this run */
		kill(pid, SIGKILL);
		waitpid(pid, NULL, allows ? 0 : WNOHANG);
	}
	close(ends[0]);
	return allows;
}
