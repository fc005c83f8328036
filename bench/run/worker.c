/* SPDX-License-Identifier: MIT */
/* The process that touches a disk. */
#include "bench/run/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bench/run/frame.h"
#include "bench/sys/disk_stat.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/text.h"

struct progress_target {
	int fd;
	uint32_t entry;
};

static void send_progress(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	const struct progress_target *t = context;
	const struct frame_progress payload = { .elapsed_ns = elapsed_ns, .bytes = bytes };

	/* a lost progress line is no reason to spoil a measurement */
	(void)frame_write(t->fd, FRAME_PROGRESS, t->entry, &payload, sizeof(payload));
}

/* Runs the test, and keeps what the kernel counted on the disk meanwhile. */
static void run_watched(const struct test_context *c, struct result *r)
{
	struct disk_stat_reading before, after;

	disk_stat_take("", c->disk, &before);
	c->test->run(c, r);
	disk_stat_take("", c->disk, &after);
	r->has_disk_stat = disk_stat_between(&before, &after, &r->disk_stat);
}

/* Runs one entry into *r. `fd` is the open disk or -errno of opening it. */
static void run_entry(const struct plan_entry *e, const struct disk *disk, int fd, int pipe_fd,
		      uint32_t index, struct result *r)
{
	struct progress_target target = { .fd = pipe_fd, .entry = index };
	struct test_context context = {
		.test = e->test, .disk = disk, .fd = fd, .write_fd = -1,
		.budget_ns = e->budget_ns,
		.stall_ns = e->stall_ns,
		.progress = send_progress, .progress_context = &target,
	};

	result_init(r, e->test->name, disk->name);
	if (fd < 0) {
		result_end(r, RESULT_FAILED, "%s cannot be opened: %s", disk->node, strerror(-fd));
		return;
	}
	run_watched(&context, r);
}

/*
 * The disk's processes are the first the kernel may end when memory runs out, never the one that
 * reports; and they end with it.
 */
static void settle_in(pid_t parent)
{
	static const char adjust[] = "500";
	sigset_t none;
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	prctl(PR_SET_NAME, "bench-disk");
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		(void)file_write_all(fd, adjust, sizeof(adjust) - 1);
		close(fd);
	}
}

static void work(const struct plan *p, size_t first, size_t end, const struct disk *disk,
		 int pipe_fd)
{
	struct result r;
	bool opened = false;
	int fd = -ENODEV;

	for (size_t i = first; i < end; i++) {
		if (p->entry[i].status != RESULT_PLANNED)
			continue;
		if (frame_write(pipe_fd, FRAME_STARTED, (uint32_t)i, NULL, 0))
			return;
		if (!opened) {	/* after the first frame: opening a sick disk may never return */
			fd = open(disk->node, O_RDONLY | O_DIRECT | O_CLOEXEC);
			if (fd < 0)
				fd = -errno;
			opened = true;
		}
		run_entry(&p->entry[i], disk, fd, pipe_fd, (uint32_t)i, &r);
		if (frame_write(pipe_fd, FRAME_RESULT, (uint32_t)i, &r, sizeof(r)))
			return;
	}
}

pid_t worker_start(const struct plan *p, size_t first, size_t end, const struct disk *disk, int *fd)
{
	pid_t parent = getpid(), pid;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	fflush(NULL);	/* the child must not print what the parent has buffered */
	pid = fork();
	if (pid < 0) {
		int err = errno;

		close(ends[0]);
		close(ends[1]);
		return -err;
	}
	if (pid == 0) {
		settle_in(parent);
		close(ends[0]);
		work(p, first, end, disk, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*fd = ends[0];
	return pid;
}
