/* SPDX-License-Identifier: MIT */
/* One disk's turn: what its workers say, and what it means when they say nothing. */
#include "bench/run/turn.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/text.h"

/* A killed worker is waited for this long; one stuck in the kernel is left behind. */
#define REAP_NS NS_PER_S
/* A worker has this long to begin an entry, or to end after its last. */
#define START_NS (10 * NS_PER_S)
/* Frames taken before the clock is looked at again. */
#define FRAMES_AT_ONCE 64

/* NULL: the entry is about no disk. */
static const struct disk *disk_of(const struct supervisor *s, const struct plan_entry *e)
{
	return e->disk == PLAN_NO_DISK ? NULL : &s->disks->disk[e->disk];
}

/* What the supervisor knows itself is not left to the worker. */
static void set_known(const struct supervisor *s, const struct plan_entry *e, struct result *r)
{
	const struct disk *d = disk_of(s, e);

	text_copy(r->test, sizeof(r->test), e->test->name);
	text_copy(r->family, sizeof(r->family), e->test->family);
	text_copy(r->phase, sizeof(r->phase), test_phase_words[e->phase]);
	text_copy(r->target, sizeof(r->target), d ? d->name : e->target_name);
	text_copy(r->target_identity, sizeof(r->target_identity), d ? d->identity : "");
	r->budget_ns = e->budget_ns;
}

static void end_without_run(const struct supervisor *s, size_t entry, enum result_status status,
			    const char *why, uint64_t elapsed_ns)
{
	const struct plan_entry *e = &s->plan->entry[entry];
	struct result r;

	result_init(&r, e->test->name, "");
	set_known(s, e, &r);
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
static void judge_disk(struct turn_disk *d, const struct result *r)
{
	if (!r->has_io)
		return;
	if (r->io.end == IO_END_STALLED)
		snprintf(d->lost, sizeof(d->lost), "the disk stopped answering in %s", r->test);
	else if (r->io.end == IO_END_VANISHED)
		snprintf(d->lost, sizeof(d->lost), "the disk vanished in %s", r->test);
	else if (r->io.end == IO_END_SHRUNK)
		snprintf(d->lost, sizeof(d->lost), "the disk became smaller in %s", r->test);
}

/* Hands a worker's result on. Returns false for a status that is not final. */
static bool take_result(const struct supervisor *s, struct turn *t, const struct result *from)
{
	const struct plan_entry *e = &s->plan->entry[t->next];
	const struct disk *d = disk_of(s, e);
	struct result r = *from;

	if (r.status == RESULT_PLANNED || r.status == RESULT_RUNNING)
		return false;
	set_known(s, e, &r);
	r.start_ns = t->entry_start_ns - s->limits->run_start_ns;
	r.elapsed_ns = clock_ns() - t->entry_start_ns;
	s->events->ended(s->events->context, t->next, &r);
	if (!d)
		return true;
	judge_disk(t->disk, &r);
	worker_area_take(&t->disk->area, &r);
	closing_wrote(t->disk->closing, e->test, d, &r);
	return true;
}

static bool take_started(const struct supervisor *s, struct turn *t, uint32_t entry)
{
	const struct disk *d;

	if (t->running || entry < t->next || entry >= t->end)
		return false;
	pass_over(s, t);
	if (entry != t->next)
		return false;
	t->running = true;
	t->entry_start_ns = clock_ns();
	d = disk_of(s, &s->plan->entry[entry]);
	if (d)
		closing_started(t->disk->closing, s->plan->entry[entry].test, d);
	s->events->started(s->events->context, t->next);
	return true;
}

/* Takes one frame. Returns false where a sane worker would not have sent it now. */
static bool take_frame(const struct supervisor *s, struct turn *t)
{
	const struct frame *f = &t->reader.frame;

	if (f->type == FRAME_STARTED)
		return take_started(s, t, f->entry);
	if (!t->running || f->entry != t->next)
		return false;
	if (f->type == FRAME_READY) {
		if (!t->gated || t->ready)
			return false;
		t->ready = true;
		return true;
	}
	if (f->type == FRAME_PROGRESS) {
		s->events->progress(s->events->context, t->next, &f->u.progress);
		return true;
	}
	if (!take_result(s, t, &f->u.result))
		return false;
	t->next++;
	t->running = t->ready = false;
	t->entry_start_ns = clock_ns();
	pass_over(s, t);
	return true;
}

/*
 * When the entry at hand is given up. Between two entries, and behind the last one, only the
 * worker's own time counts. At its gate a worker waits as long as it is told to.
 */
static uint64_t late_ns(const struct supervisor *s, const struct turn *t)
{
	uint64_t limit_ns = t->next < t->end ? s->plan->entry[t->next].deadline_ns : 0;

	if (t->gated && !t->released && t->next < t->end)
		return UINT64_MAX;
	return t->entry_start_ns + (limit_ns > START_NS || t->running ? limit_ns : START_NS);
}

/*
 * Takes the frames that are there, but not without end: a worker gone wild may send for ever.
 * Returns what frame_read said last, or -EBADMSG for a frame a sane worker would not have sent.
 */
static int take_frames(const struct supervisor *s, struct turn *t)
{
	int got = 0;

	for (int i = 0; i < FRAMES_AT_ONCE && !t->disk->lost[0]; i++) {
		got = frame_read(&t->reader, t->worker.fd);
		if (got != 1)
			return got;
		if (!take_frame(s, t))
			return -EBADMSG;
	}
	return got;
}

void turn_init(const struct supervisor *s, struct turn *t, size_t first, size_t end, bool gated)
{
	memset(t, 0, offsetof(struct turn, reader));
	t->next = first;
	t->end = end;
	t->gated = gated;
	t->disk = disk_of(s, &s->plan->entry[first]) ? &s->disk[s->plan->entry[first].disk]
						     : &t->none;
}

void turn_skip(const struct supervisor *s, struct turn *t, const char *why)
{
	for (;;) {
		pass_over(s, t);
		if (t->next == t->end)
			return;
		end_current(s, t, RESULT_SKIPPED, why);
	}
}

bool turn_start(const struct supervisor *s, struct turn *t)
{
	struct worker_order order = {
		.plan = s->plan, .end = t->end, .area = t->disk->area,
		.memory_bytes = s->memory_bytes,
		.memory_shared_bytes = s->memory_shared_bytes, .gated = t->gated,
	};
	int err;

	pass_over(s, t);
	if (t->next == t->end)
		return false;
	if (!t->disk->lost[0] && s->end == SUPERVISE_DONE) {
		order.first = t->next;
		order.disk = disk_of(s, &s->plan->entry[t->next]);
		frame_reader_init(&t->reader);
		t->entry_start_ns = clock_ns();
		err = worker_start(&order, &t->worker);
		if (!err) {
			t->state = TURN_RUNNING;
			return true;
		}
		snprintf(t->disk->lost, sizeof(t->disk->lost), "no process for the test: %s",
			 strerror(-err));
	}
	turn_skip(s, t, t->disk->lost[0] ? t->disk->lost : s->end == SUPERVISE_DEADLINE ?
		  "the run's deadline was reached before" : "the run was stopped before");
	return false;
}

uint64_t turn_due_ns(const struct supervisor *s, const struct turn *t)
{
	return t->state == TURN_RUNNING ? late_ns(s, t) : UINT64_MAX;
}

void turn_give_up(struct turn *t, enum turn_watch why)
{
	uint64_t now_ns = clock_ns();

	t->why = why;
	t->waited_ns = now_ns - t->entry_start_ns;
	t->reap_until_ns = now_ns + REAP_NS;
	t->state = TURN_ENDING;
	if (why != WATCH_ENDED)
		kill(t->worker.pid, SIGKILL);
}

void turn_step(const struct supervisor *s, struct turn *t)
{
	int got = take_frames(s, t);

	if (t->disk->lost[0])
		turn_give_up(t, WATCH_LOST);
	else if (got == -EPIPE)
		turn_give_up(t, WATCH_ENDED);
	else if (got < 0)
		turn_give_up(t, WATCH_GARBLED);
	/* of the entry now at hand: the one before may have ended while this slept */
	else if (clock_ns() >= late_ns(s, t))
		turn_give_up(t, WATCH_LATE);
}

void turn_release(struct turn *t)
{
	t->entry_start_ns = clock_ns();
	t->released = true;
	/* a worker that is gone by now is seen by its other pipe; SIGPIPE must not end us */
	(void)!write(t->worker.gate_fd, "", 1);
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

static void settle_late(const struct supervisor *s, struct turn *t, int status)
{
	const char *what = disk_of(s, &s->plan->entry[t->next]) ? "the device does not answer"
								: "the test did not end";
	char text[RESULT_REASON_BYTES];

	snprintf(text, sizeof(text), "no result after %.1f s: %s%s", (double)t->waited_ns / 1e9,
		 t->running ? what : "the test's process did not start",
		 status < 0 ? ", and the kernel cannot end the process that waits for it" : "");
	end_current(s, t, RESULT_TIMEOUT, text);
	snprintf(t->disk->lost, sizeof(t->disk->lost),
		 "the disk did not answer in an earlier test");
}

static void settle_unready(const struct supervisor *s, struct turn *t, int status)
{
	char text[RESULT_REASON_BYTES];

	snprintf(text, sizeof(text), "it was not ready after %.1f s: the other disks were measured "
		 "without it", (double)t->waited_ns / 1e9);
	end_current(s, t, RESULT_TIMEOUT, text);
	if (status < 0)
		snprintf(t->disk->lost, sizeof(t->disk->lost),
			 "the disk did not get ready in an earlier test");
}

/* After the watch: what it means for the entry at hand and for the rest of the disk's entries. */
static void settle(const struct supervisor *s, struct turn *t, int status)
{
	char text[RESULT_REASON_BYTES];

	if (!t->running)
		pass_over(s, t);
	if (t->next == t->end)
		return;
	switch (t->why) {
	case WATCH_ENDED:
		describe_death(status, text, sizeof(text));
		end_current(s, t, RESULT_FAILED, text);
		return;
	case WATCH_GARBLED:
		end_current(s, t, RESULT_FAILED, "its process sent a damaged result and was ended");
		return;
	case WATCH_LATE:
		settle_late(s, t, status);
		return;
	case WATCH_STOP:
		/* nobody knows whether it would have ended: no fault of the disk */
		end_current(s, t, RESULT_SKIPPED, s->end == SUPERVISE_DEADLINE ?
			    "cut short: the run's deadline was reached" :
			    "cut short: the run was stopped");
		return;
	case WATCH_UNREADY:
		settle_unready(s, t, status);
		return;
	case WATCH_LOST:
		return;
	}
}

void turn_collect(const struct supervisor *s, struct turn *t)
{
	int status;
	pid_t got = waitpid(t->worker.pid, &status, WNOHANG);

	if (got != t->worker.pid) {
		bool is_gone = got < 0 && errno != EINTR;

		if (!is_gone && clock_ns() < t->reap_until_ns)
			return;
		if (!is_gone && t->why == WATCH_ENDED)
			kill(t->worker.pid, SIGKILL);	/* its pipe is closed and yet it lives on */
		status = -1;
	}
	settle(s, t, status);
	close(t->worker.fd);
	if (t->worker.gate_fd >= 0)
		close(t->worker.gate_fd);
	t->running = t->ready = t->released = false;
	t->state = TURN_IDLE;
}
