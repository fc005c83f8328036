/* SPDX-License-Identifier: MIT */
/* PID 1's loop: see supervise.h. */
#include "init/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/end.h"
#include "init/log.h"
#include "lib/clock.h"

#define KILL_PATIENCE_S 2	/* a killed process that is not gone by then hangs in the kernel */
#define WAKE_S 5 /* how often the watchdog's time is moved on while nothing happens */
#define FORK_TRIES 10
#define FORK_PAUSE_NS (100 * (long)NS_PER_MS)

static double uptime_s(uint64_t ns)
{
	return (double)ns / (double)NS_PER_S;
}

pid_t supervise_fork(void)
{
	const struct timespec pause = { .tv_nsec = FORK_PAUSE_NS };
	sigset_t none;
	pid_t pid = -1;

	for (int i = 0; i < FORK_TRIES && pid < 0; i++) {
		if (i)
			nanosleep(&pause, NULL);
		pid = fork();
	}
	if (pid == 0) {
		setsid();
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	return pid;
}

static _Noreturn void stage_process(struct boot *b, const struct stage *s)
{
	int err = s->work(b);

	_exit(err == -ECANCELED ? STAGE_EXIT_SKIPPED : err ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* Starts the stage's process. Returns 0 or -errno. */
static int stage_start(struct boot *b, enum stage_id id)
{
	struct stage_state *st = &b->stage[id];
	pid_t pid;

	st->start_ns = clock_ns();
	st->status = STAGE_RUNNING;
	st->starts++;
	pid = supervise_fork();
	if (pid == 0)
		stage_process(b, &stages_table[id]);
	if (pid < 0) {
		st->status = STAGE_FAILED;
		st->end_ns = clock_ns();
		return -errno;
	}
	st->pid = pid;
	return 0;
}

static void stage_say_end(const struct boot *b, enum stage_id id)
{
	const struct stage *s = &stages_table[id];
	const struct stage_state *st = &b->stage[id];
	double took_s = uptime_s(st->end_ns - st->start_ns);

	if (st->status == STAGE_CRASHED)
		log_say("stage %s: crashed in %.3f s: signal %d", s->name, took_s,
			WTERMSIG(st->wait_status));
	else if (st->status == STAGE_FAILED)
		log_say("stage %s: failed in %.3f s: status %d", s->name, took_s,
			WEXITSTATUS(st->wait_status));
	else
		log_say("stage %s: %s in %.3f s", s->name, stages_word(st->status), took_s);
}

/* A helper's end: quiet where it had nothing to do, else it is started again a few times. */
static void helper_ended(struct boot *b, enum stage_id id, int wait_status)
{
	struct stage_state *st = &b->stage[id];

	kill(-st->pid,
	     SIGKILL); /* what it had started goes with it, or there would be two of each */
	st->end_ns = clock_ns();
	st->wait_status = wait_status;
	st->status = stages_judge(&stages_table[id], wait_status, false);
	st->pid = 0;
	if (st->status == STAGE_OK || st->status == STAGE_SKIPPED)
		return;
	stage_say_end(b, id);
	if (st->starts >= STAGE_HELPER_STARTS)
		log_say("stage %s: not started again", stages_table[id].name);
	else if (stage_start(b, id))
		log_say("stage %s: cannot be started again", stages_table[id].name);
}

/* Collects every process that has ended: ours and the orphans PID 1 inherits. */
static bool collect(struct boot *b, pid_t wanted, int *wait_status)
{
	bool found = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == wanted) {
			*wait_status = status;
			found = true;
			continue;
		}
		for (int i = 0; i < STAGE_COUNT; i++)
			if (stages_table[i].kind == STAGE_HELPER && b->stage[i].pid == pid)
				helper_ended(b, (enum stage_id)i, status);
	}
	return found;
}

enum supervise_event supervise_wait(struct boot *b, pid_t pid, uint64_t until_ns, bool pet,
				    int *wait_status)
{
	sigset_t all;

	sigfillset(&all);
	for (;;) {
		uint64_t now = clock_ns(), wait_ns;
		struct timespec t;

		if (pet)
			b->pet_until_ns = now + SUPERVISE_PET_S * NS_PER_S;
		if (collect(b, pid, wait_status))
			return SUPERVISE_ENDED;
		if (now >= until_ns)
			return SUPERVISE_TIME_OVER;
		wait_ns = until_ns - now < WAKE_S * NS_PER_S ? until_ns - now : WAKE_S * NS_PER_S;
		t.tv_sec = (time_t)(wait_ns / NS_PER_S);
		t.tv_nsec = (long)(wait_ns % NS_PER_S);
		/* SIGINT is the kernel's word for Ctrl-Alt-Del; the others mean nothing here. */
		if (sigtimedwait(&all, NULL, &t) == SIGINT)
			return SUPERVISE_INTERRUPTED;
	}
}

/* A group; or the process alone, where it has not come to making one of its own yet. */
static void kill_group(pid_t pid, int signal)
{
	if (kill(-pid, signal))
		kill(pid, signal);
}

/* Ends the stage and its process group; returns true where it is really gone. */
static bool stage_kill(struct boot *b, const struct stage *s, pid_t pid, int *wait_status)
{
	if (s->grace_s) {
		kill_group(pid, SIGTERM);
		if (supervise_wait(b, pid, clock_ns() + s->grace_s * NS_PER_S, true, wait_status) ==
		    SUPERVISE_ENDED) {
			kill(-pid, SIGKILL);
			return true;
		}
	}
	kill_group(pid, SIGKILL);
	return supervise_wait(b, pid, clock_ns() + KILL_PATIENCE_S * NS_PER_S, true, wait_status) ==
		SUPERVISE_ENDED;
}

/* Runs one stage that is waited for. Returns false when Ctrl-Alt-Del ended it. */
static bool stage_wait(struct boot *b, enum stage_id id, uint64_t limit_ns)
{
	const struct stage *s = &stages_table[id];
	struct stage_state *st = &b->stage[id];
	enum supervise_event event;
	int err = stage_start(b, id);
	bool gone = true;

	if (err) {
		log_say("stage %s: failed: cannot fork: %s", s->name, strerror(-err));
		return true;
	}
	event = supervise_wait(b, st->pid, st->start_ns + limit_ns, true, &st->wait_status);
	if (event != SUPERVISE_ENDED)
		gone = stage_kill(b, s, st->pid, &st->wait_status);
	st->end_ns = clock_ns();
	st->status = stages_judge(s, st->wait_status, event != SUPERVISE_ENDED);
	stage_say_end(b, id);
	if (!gone)
		log_say("stage %s: its process %d hangs in the kernel and was abandoned", s->name,
			(int)st->pid);
	return event != SUPERVISE_INTERRUPTED;
}

/* One row of the table. Returns false when the machine is to end at once. */
static bool stage_do(struct boot *b, enum stage_id id)
{
	const struct stage *s = &stages_table[id];
	uint64_t now = clock_ns(), limit_ns = stages_limit_ns(b, id, now);
	int err;

	if (stages_pointless(b, id)) {
		b->stage[id].status = STAGE_NOT_STARTED;
		log_say("stage %s: not started: a required stage failed", s->name);
		return true;
	}
	if (s->kind == STAGE_HELPER) {
		log_say("stage %s: helper (uptime %.3f s)", s->name, uptime_s(now));
		err = stage_start(b, id);
		if (err)
			log_say("stage %s: failed: cannot fork: %s", s->name, strerror(-err));
		return true;
	}
	if (!limit_ns) {
		b->stage[id].status = STAGE_SKIPPED;
		log_say("stage %s: skipped: no time is left before the deadline", s->name);
		return true;
	}
	log_say("stage %s: start (uptime %.3f s)", s->name, uptime_s(now));
	return stage_wait(b, id, limit_ns);
}

_Noreturn void supervise_boot(struct boot *b)
{
	sigset_t all;

	/* PID 1 takes signals only where it waits for them; nothing interrupts it in between. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	/* Ctrl-Alt-Del becomes a SIGINT for us instead of a reboot in the middle of a write. */
	reboot(RB_DISABLE_CAD);

	for (int i = 0; i < STAGE_COUNT; i++) {
		if (!stage_do(b, (enum stage_id)i)) {
			log_say("Ctrl-Alt-Del: the machine reboots now");
			end_machine(b, END_REBOOT);
		}
	}
	end_machine(b, end_choose(b));
}
