/* SPDX-License-Identifier: MIT */
/* Runs a plan, one worker process per disk. */
#include "bench/run/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/run/worker.h"
#include "lib/clock.h"
#include "lib/text.h"

/* A killed worker is waited for this long; one stuck in the kernel is left behind. */
#define REAP_MS 1000
/* A worker has this long to begin an entry, or to end after its last. */
#define START_NS (10 * NS_PER_S)
/* Frames taken before the clock is looked at again. */
#define FRAMES_AT_ONCE 64

struct supervisor {
	const struct plan *plan;
	const struct disk_list *disks;
	const struct supervise_limits *limits;
	const struct supervise_events *events;
	enum supervise_end end;
};

/* The entries of one disk, and how far they are. */
struct turn {
	size_t next, end;	/* entries not ended yet */
	pid_t pid;
	int fd;
	bool running;		/* entry `next` was started and has not ended */
	uint64_t entry_start_ns;
	char lost[RESULT_REASON_BYTES];	/* why nothing more can run on this disk; "" while it can */
	struct frame_reader reader;
};

/* What ended the watch over a worker. */
enum watch {
	WATCH_ENDED,	/* the worker closed its pipe */
	WATCH_GARBLED,	/* it sent bytes that are no frames */
	WATCH_LATE,	/* an entry passed its deadline */
	WATCH_LOST,	/* a result says that the disk is gone or silent */
	WATCH_STOP,	/* the whole run ends: supervisor.end says why */
};

static void end_without_run(const struct supervisor *s, size_t entry, enum result_status status,
			    const char *why, uint64_t elapsed_ns)
{
	const struct plan_entry *e = &s->plan->entry[entry];
	const struct disk *d = &s->disks->disk[e->disk];
	struct result r;

	result_init(&r, e->test->name, d->name);
	text_copy(r.target_identity, sizeof(r.target_identity), d->identity);
	r.budget_ns = e->budget_ns;
	r.elapsed_ns = elapsed_ns;
	if (elapsed_ns > 0)
		r.start_ns = clock_ns() - elapsed_ns - s->limits->run_start_ns;
	result_end(&r, status, "%s", why);
	s->events->ended(s->events->context, entry, &r);
}

/* Ends the entry a worker was busy with, or was to begin. */
static void end_current(const struct supervisor *s, struct turn *t, enum result_status status,
			const char *why)
{
	uint64_t elapsed_ns = t->running ? clock_ns() - t->entry_start_ns : 0;

	end_without_run(s, t->next, status, why, elapsed_ns);
	t->next++;
	t->running = false;
}

/* Ends what the plan left out in front of the next entry that can run. */
static void pass_over(const struct supervisor *s, struct turn *t)
{
	const struct plan_entry *e = s->plan->entry;

	while (t->next < t->end && e[t->next].status != RESULT_PLANNED) {
		end_without_run(s, t->next, e[t->next].status, e[t->next].why, 0);
		t->next++;
	}
}

/* A result after which asking the same disk again would only cost time. */
static void judge_disk(struct turn *t, const struct result *r)
{
	if (!r->has_io)
		return;
	if (r->io.end == IO_END_STALLED)
		snprintf(t->lost, sizeof(t->lost), "the disk stopped answering in %s", r->test);
	else if (r->io.end == IO_END_VANISHED)
		snprintf(t->lost, sizeof(t->lost), "the disk vanished in %s", r->test);
}

/*
 * Hands a worker's result on. What the supervisor knows itself is not left to the worker. Returns
 * false for a status that is not final.
 */
static bool take_result(const struct supervisor *s, struct turn *t, const struct result *from)
{
	const struct plan_entry *e = &s->plan->entry[t->next];
	const struct disk *d = &s->disks->disk[e->disk];
	struct result r = *from;

	if (r.status == RESULT_PLANNED || r.status == RESULT_RUNNING)
		return false;
	text_copy(r.test, sizeof(r.test), e->test->name);
	text_copy(r.target, sizeof(r.target), d->name);
	text_copy(r.target_identity, sizeof(r.target_identity), d->identity);
	r.budget_ns = e->budget_ns;
	r.start_ns = t->entry_start_ns - s->limits->run_start_ns;
	r.elapsed_ns = clock_ns() - t->entry_start_ns;
	s->events->ended(s->events->context, t->next, &r);
	judge_disk(t, &r);
	return true;
}

/* Takes one frame. Returns false where a sane worker would not have sent it now. */
static bool take_frame(const struct supervisor *s, struct turn *t)
{
	const struct frame *f = &t->reader.frame;

	if (f->type == FRAME_STARTED) {
		if (t->running || f->entry < t->next || f->entry >= t->end)
			return false;
		pass_over(s, t);
		if (f->entry != t->next)
			return false;
		t->running = true;
		t->entry_start_ns = clock_ns();
		s->events->started(s->events->context, t->next);
		return true;
	}
	if (!t->running || f->entry != t->next)
		return false;
	if (f->type == FRAME_PROGRESS) {
		s->events->progress(s->events->context, t->next, &f->u.progress);
		return true;
	}
	if (!take_result(s, t, &f->u.result))
		return false;
	t->next++;
	t->running = false;
	t->entry_start_ns = clock_ns();
	pass_over(s, t);
	return true;
}

static int poll_timeout_ms(uint64_t until_ns)
{
	uint64_t now_ns = clock_ns();
	uint64_t left_ms = until_ns > now_ns ? (until_ns - now_ns) / NS_PER_MS + 1 : 0;

	return left_ms > 60000 ? 60000 : (int)left_ms;
}

/*
 * When the entry at hand is given up. Between two entries, and behind the last one, only the
 * worker's own time counts.
 */
static uint64_t late_ns(const struct supervisor *s, const struct turn *t)
{
	uint64_t limit_ns = t->next < t->end ? s->plan->entry[t->next].deadline_ns : 0;

	return t->entry_start_ns + (limit_ns > START_NS || t->running ? limit_ns : START_NS);
}

/*
 * Takes the frames that are there, but not without end: a worker gone wild may send for ever.
 * Returns what frame_read said last, or -EBADMSG for a frame a sane worker would not have sent.
 */
static int take_frames(const struct supervisor *s, struct turn *t)
{
	int got = 0;

	for (int i = 0; i < FRAMES_AT_ONCE && !t->lost[0]; i++) {
		got = frame_read(&t->reader, t->fd);
		if (got != 1)
			return got;
		if (!take_frame(s, t))
			return -EBADMSG;
	}
	return got;
}

/* Follows one worker until something ends the watch. */
static enum watch watch(struct supervisor *s, struct turn *t)
{
	for (;;) {
		struct pollfd p[2] = {
			{ .fd = t->fd, .events = POLLIN },
			{ .fd = s->limits->stop_fd, .events = POLLIN },
		};
		uint64_t until_ns = late_ns(s, t), now_ns;
		int got;

		poll(p, 2, poll_timeout_ms(until_ns < s->limits->deadline_ns ?
					   until_ns : s->limits->deadline_ns));
		got = take_frames(s, t);
		if (t->lost[0])
			return WATCH_LOST;
		if (got == -EPIPE)
			return WATCH_ENDED;
		if (got < 0)
			return WATCH_GARBLED;
		now_ns = clock_ns();
		if (p[1].revents) {
			s->end = SUPERVISE_STOPPED;
			return WATCH_STOP;
		}
		if (now_ns >= s->limits->deadline_ns) {
			s->end = SUPERVISE_DEADLINE;
			return WATCH_STOP;
		}
		/* of the entry now at hand: the one before may have ended while this slept */
		if (now_ns >= late_ns(s, t))
			return WATCH_LATE;
	}
}

/* Ends a worker and gives its wait status, or -1 where the kernel does not let it go. */
static int reap(pid_t pid, bool kill_it)
{
	uint64_t until_ns = clock_ns() + REAP_MS * NS_PER_MS;
	int status;

	if (kill_it)
		kill(pid, SIGKILL);
	for (;;) {
		pid_t got = waitpid(pid, &status, WNOHANG);

		if (got == pid)
			return status;
		if ((got < 0 && errno != EINTR) || clock_ns() >= until_ns)
			break;
		poll(NULL, 0, 5);
	}
	if (!kill_it)	/* its pipe is closed and yet it lives on: no worker does that */
		kill(pid, SIGKILL);
	return -1;
}

static void describe_death(int status, char *why, size_t size)
{
	if (status >= 0 && WIFSIGNALED(status))
		snprintf(why, size, "its process crashed with signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (status >= 0 && WIFEXITED(status))
		snprintf(why, size, "its process ended early with exit code %d",
			 WEXITSTATUS(status));
	else
		snprintf(why, size, "its process closed the pipe and is stuck in the kernel");
}

/* After the watch: what it means for the entry at hand and for the rest of the disk's entries. */
static void settle(struct supervisor *s, struct turn *t, enum watch why)
{
	double waited_s = (double)(clock_ns() - t->entry_start_ns) / 1e9;
	int status = reap(t->pid, why != WATCH_ENDED);
	char text[RESULT_REASON_BYTES];

	if (!t->running)
		pass_over(s, t);
	if (t->next == t->end)
		return;
	switch (why) {
	case WATCH_ENDED:
		describe_death(status, text, sizeof(text));
		end_current(s, t, RESULT_FAILED, text);
		return;
	case WATCH_GARBLED:
		end_current(s, t, RESULT_FAILED, "its process sent a damaged result and was ended");
		return;
	case WATCH_LATE:
		snprintf(text, sizeof(text), "no result after %.1f s: %s%s", waited_s,
			 t->running ? "the device does not answer"
				    : "the test's process did not start",
			 status < 0 ? ", and the kernel cannot end the process that waits for it"
				    : "");
		end_current(s, t, RESULT_TIMEOUT, text);
		snprintf(t->lost, sizeof(t->lost), "the disk did not answer in an earlier test");
		return;
	case WATCH_STOP:
		/* nobody knows whether it would have ended: no fault of the disk */
		end_current(s, t, RESULT_SKIPPED, s->end == SUPERVISE_DEADLINE ?
			    "cut short: the run's deadline was reached" :
			    "cut short: the run was stopped");
		return;
	case WATCH_LOST:
		return;
	}
}

/* Runs the entries of one disk, with as many workers as it takes. */
static void run_turn(struct supervisor *s, struct turn *t)
{
	const struct disk *d = &s->disks->disk[s->plan->entry[t->next].disk];

	for (;;) {
		pid_t pid;

		pass_over(s, t);
		if (t->next == t->end || t->lost[0] || s->end != SUPERVISE_DONE)
			return;
		frame_reader_init(&t->reader);
		t->entry_start_ns = clock_ns();
		pid = worker_start(s->plan, t->next, t->end, d, &t->fd);
		if (pid < 0) {
			snprintf(t->lost, sizeof(t->lost), "no process for the test: %s",
				 strerror(-pid));
			return;
		}
		t->pid = pid;
		settle(s, t, watch(s, t));
		close(t->fd);
	}
}

static bool is_stopped(const struct supervise_limits *limits)
{
	struct pollfd p = { .fd = limits->stop_fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

enum supervise_end supervise_run(const struct plan *p, const struct disk_list *disks,
				 const struct supervise_limits *limits,
				 const struct supervise_events *events)
{
	struct supervisor s = {
		.plan = p,
		.disks = disks,
		.limits = limits,
		.events = events,
		.end = SUPERVISE_DONE,
	};
	struct turn t;

	for (size_t first = 0; first < p->n; first = t.end) {
		memset(&t, 0, sizeof(t));
		t.next = first;
		t.end = first;
		while (t.end < p->n && p->entry[t.end].disk == p->entry[first].disk)
			t.end++;
		if (s.end == SUPERVISE_DONE && clock_ns() >= limits->deadline_ns)
			s.end = SUPERVISE_DEADLINE;
		if (s.end == SUPERVISE_DONE && is_stopped(limits))
			s.end = SUPERVISE_STOPPED;
		if (s.end == SUPERVISE_DONE)
			run_turn(&s, &t);
		while (t.next < t.end) {
			pass_over(&s, &t);
			if (t.next < t.end)
				end_current(&s, &t, RESULT_SKIPPED, t.lost[0] ? t.lost :
					    s.end == SUPERVISE_DEADLINE ?
					    "the run's deadline was reached before" :
					    "the run was stopped before");
		}
	}
	return s.end;
}
