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
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/run/frame.h"
#include "bench/run/hold.h"
#include "bench/sys/disk_stat.h"
#include "bench/tests/suspicion.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/text.h"

#define FIRST_OTHER_FD 3	/* behind standard input, output and error */

/* What one worker process has. */
struct work {
	const struct worker_order *order;
	struct worker_area area;
	int pipe_fd, gate_fd;
	uint32_t entry;		/* at hand */
	bool left_behind;	/* a call of an earlier test may still be under way */
	struct hold hold;
	struct result result;
};

static void send_progress(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	const struct work *w = context;
	const struct frame_progress payload = { .elapsed_ns = elapsed_ns, .bytes = bytes };

	/* a lost progress line is no reason to spoil a measurement */
	(void)frame_write(w->pipe_fd, FRAME_PROGRESS, w->entry, &payload, sizeof(payload));
}

/* Says that all is set up, and waits for the others. */
static bool wait_at_gate(void *context)
{
	const struct work *w = context;
	ssize_t n;
	char go;

	if (frame_write(w->pipe_fd, FRAME_READY, w->entry, NULL, 0))
		return false;
	do {
		n = read(w->gate_fd, &go, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

/* Names what a result is about. */
static void init_result(const struct work *w, const struct plan_entry *e, struct result *r)
{
	result_init(r, e->test->name, w->order->disk ? w->order->disk->name : e->target_name);
}

/*
 * Runs the test, keeps what the kernel counted on the disk meanwhile, and marks a number that may
 * not be what it seems.
 */
static void run_watched(const struct test_context *c, struct result *r)
{
	struct disk_stat_reading before, after;
	struct suspicion_start start;
	struct suspicion_facts facts;

	if (!c->disk) {		/* what may be wrong with its number, such a test says itself */
		c->test->run(c, r);
		return;
	}
	suspicion_before("", c->disk, &start);
	disk_stat_take("", c->disk, &before);
	c->test->run(c, r);
	disk_stat_take("", c->disk, &after);
	r->has_disk_stat = disk_stat_between(&before, &after, &r->disk_stat);
	suspicion_after("", c, r, &start, &facts);
	suspicion_judge(c->disk, &facts, r);
}

/* What a test read lies all in what this run wrote, whether the test looked at that or not. */
static bool is_within(const struct worker_area *a, const struct result *r)
{
	return a->written && r->area_bytes > 0 && r->area_bytes <= a->bytes &&
	       r->area_offset_bytes >= a->offset_bytes &&
	       r->area_offset_bytes - a->offset_bytes <= a->bytes - r->area_bytes;
}

/* Runs the entry at hand into w->result. */
static void run_entry(struct work *w)
{
	const struct plan_entry *e = &w->order->plan->entry[w->entry];
	struct test_context context = {
		.test = e->test, .disk = w->order->disk, .target = e->target,
		.options = w->order->plan->options, .budget_ns = e->budget_ns,
		.stall_ns = e->stall_ns,
		.memory_bytes = e->test->needs_others ? w->order->memory_shared_bytes
						      : w->order->memory_bytes,
		.area_offset_bytes = w->area.offset_bytes, .area_bytes = w->area.bytes,
		.area_written = w->area.written, .may_end_early = e->may_end_early,
		.progress = send_progress, .progress_context = w,
		.gate = w->order->gated ? wait_at_gate : NULL,
		.left_behind = &w->left_behind,
	};

	init_result(w, e, &w->result);
	if (w->left_behind) {
		result_end(&w->result, RESULT_SKIPPED, "a call of an earlier test may still be "
			   "under way on the disk: nothing can be measured beside it");
		return;
	}
	if (!hold_for(&w->hold, &context, &w->result))
		return;
	run_watched(&context, &w->result);
	if (is_within(&w->area, &w->result))
		w->result.area_written = true;
	worker_area_take(&w->area, &w->result);
}

/* A process that touches one disk must not reach the pipes of the others. */
static void close_others(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;

	if (low < FIRST_OTHER_FD)
		low = high;
	if (low > FIRST_OTHER_FD)
		syscall(SYS_close_range, FIRST_OTHER_FD, low - 1, 0);
	if (high > low + 1)
		syscall(SYS_close_range, low + 1, high - 1, 0);
	syscall(SYS_close_range, high + 1, ~0U, 0);
}

/*
 * These processes are the first the kernel may end when memory runs out, never the one that
 * reports; and they end with it.
 */
static void settle_in(pid_t parent, bool on_disk)
{
	static const char adjust[] = "500";
	sigset_t none;
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	prctl(PR_SET_NAME, on_disk ? "bench-disk" : "bench-machine");
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		(void)file_write_all(fd, adjust, sizeof(adjust) - 1);
		close(fd);
	}
}

static void work(struct work *w)
{
	const struct plan *p = w->order->plan;

	for (size_t i = w->order->first; i < w->order->end; i++) {
		if (p->entry[i].status != RESULT_PLANNED)
			continue;
		w->entry = (uint32_t)i;
		/* before the disk is opened: opening a sick one may never return */
		if (frame_write(w->pipe_fd, FRAME_STARTED, w->entry, NULL, 0))
			return;
		run_entry(w);
		if (frame_write(w->pipe_fd, FRAME_RESULT, w->entry, &w->result,
				sizeof(w->result)))
			return;
	}
}

struct worker_area worker_area_whole(const struct disk *d)
{
	return (struct worker_area){ .bytes = d->size_bytes };
}

void worker_area_take(struct worker_area *area, const struct result *r)
{
	if (r->status != RESULT_OK || strcmp(r->test, WORKER_FILL_TEST) || !r->area_bytes)
		return;
	area->offset_bytes = r->area_offset_bytes;
	area->bytes = r->area_bytes;
	area->written = true;
}

static void close_pipe(const int ends[2])
{
	if (ends[0] >= 0)
		close(ends[0]);
	if (ends[1] >= 0)
		close(ends[1]);
}

static _Noreturn void become_worker(const struct worker_order *order, pid_t parent, int pipe_fd,
				    int gate_fd)
{
	static struct work w;	/* of this process alone */

	settle_in(parent, order->disk != NULL);
	close_others(pipe_fd, gate_fd);
	w.order = order;
	w.area = order->area;
	w.pipe_fd = pipe_fd;
	w.gate_fd = gate_fd;
	hold_init(&w.hold, order->disk);
	work(&w);
	hold_end(&w.hold);
	_exit(0);
}

int worker_start(const struct worker_order *order, struct worker *w)
{
	int pipe_ends[2] = { -1, -1 }, gate_ends[2] = { -1, -1 }, err;
	pid_t parent = getpid();

	if (pipe2(pipe_ends, O_CLOEXEC) < 0 ||
	    (order->gated && pipe2(gate_ends, O_CLOEXEC) < 0))
		goto failed;
	/* a whole result, so that a worker need not wait for its supervisor */
	(void)fcntl(pipe_ends[0], F_SETPIPE_SZ, (int)sizeof(struct result) + 4096);
	fflush(NULL);	/* the child must not print what the parent has buffered */
	w->pid = fork();
	if (w->pid < 0)
		goto failed;
	if (w->pid == 0)
		become_worker(order, parent, pipe_ends[1], gate_ends[0]);
	close(pipe_ends[1]);
	if (gate_ends[0] >= 0)
		close(gate_ends[0]);
	fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
	w->fd = pipe_ends[0];
	w->gate_fd = gate_ends[1];
	return 0;
failed:
	err = errno;
	close_pipe(pipe_ends);
	close_pipe(gate_ends);
	return -err;
}
