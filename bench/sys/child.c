/* SPDX-License-Identifier: MIT */
/* Processes forked for a call that may never return; see child.h. */
#include "bench/sys/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/file.h"

#define END_TRIES 50	/* a child that was killed is gone after a moment, or stuck */
#define END_STEP_NS (2 * NS_PER_MS)

bool child_close_others(int pipe_fd)
{
	int null = open("/dev/null", O_RDWR), high = fcntl(pipe_fd, F_DUPFD, 10);

	if (high < 0)
		return false;
	for (int fd = 0; fd <= 2; fd++)
		if (null < 0)
			close(fd);
		else if (null != fd)
			dup2(null, fd);
	if (dup2(high, CHILD_ANSWER_FD) != CHILD_ANSWER_FD)
		return false;
	if (syscall(SYS_close_range, 4u, ~0u, 0) == 0)
		return true;
	for (long fd = 4, end = sysconf(_SC_OPEN_MAX); fd < end; fd++)
		close((int)fd);
	return true;
}

int child_start(struct child *c, void (*work)(void *context), void *context)
{
	pid_t parent = getpid();
	int ends[2], err;

	*c = (struct child){ .fd = -1 };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	c->pid = fork();
	if (c->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent && child_close_others(ends[1]))
			work(context);
		_exit(0);
	}
	err = c->pid < 0 ? -errno : 0;
	close(ends[1]);
	if (err) {
		close(ends[0]);
		c->pid = 0;
		return err;
	}
	c->fd = ends[0];
	return 0;
}

bool child_say(const void *data, size_t len)
{
	return file_write_all(CHILD_ANSWER_FD, data, len) == 0;
}

size_t child_listen(struct child *c, void *to, size_t size, uint64_t until_ns)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN };
	size_t got = 0;
	uint64_t now_ns;

	while (c->pid && got < size) {
		ssize_t n;

		now_ns = clock_ns();
		if (poll(&p, 1, now_ns < until_ns ?
			 (int)((until_ns - now_ns) / NS_PER_MS) + 1 : 0) <= 0) {
			if (clock_ns() >= until_ns)
				break;
			continue;
		}
		n = read(c->fd, (char *)to + got, size - got);
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	return got;
}

bool child_has_ended(const struct child *c)
{
	siginfo_t info = { .si_pid = 0 };

	/* its number stays its own until child_end, which may signal it */
	return !c->pid || waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		info.si_pid;
}

void child_end(struct child *c)
{
	const struct timespec step = { .tv_nsec = END_STEP_NS };

	if (c->pid) {
		close(c->fd);
		kill(c->pid, SIGKILL);
		for (int i = 0; i < END_TRIES && waitpid(c->pid, NULL, WNOHANG) == 0; i++)
			nanosleep(&step, NULL);
	}
	*c = (struct child){ .fd = -1 };
}
