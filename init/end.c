/* SPDX-License-Identifier: MIT */
/* The end action, always from a child of PID 1: see end.h. */
#include "init/end.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/log.h"
#include "init/shell.h"
#include "init/supervise.h"
#include "lib/clock.h"
#include "lib/file.h"

#define SYNC_LIMIT_S 5		/* flushing to a dead disk never ends */
#define ATTEMPT_LIMIT_S 10	/* a machine that is still there after this did not obey */
#define CONSOLE_LIMIT_S 10	/* for consoles to show their last lines: 9600 baud do 9 kB in it */
#define POLL_NS (20 * NS_PER_MS)

struct attempt {
	int how;	/* reboot(2)'s command; 0: by sysrq */
	char sysrq;
};

/* The ways to an action, tried in this order; a 0, 0 row ends a list. */
static const struct attempt attempts[END_COUNT][5] = {
	[END_REBOOT] = { { RB_AUTOBOOT, 0 }, { 0, 'b' } },
	/* A server that cannot switch itself off is better used than lost. */
	[END_POWEROFF] = { { RB_POWER_OFF, 0 }, { 0, 'o' }, { RB_AUTOBOOT, 0 }, { 0, 'b' } },
	[END_HALT] = { { RB_HALT_SYSTEM, 0 } },
	[END_SHELL] = { { RB_AUTOBOOT, 0 }, { 0, 'b' } },	/* after the shell */
};

const char *end_word(enum end_action action)
{
	static const char *const words[END_COUNT] = { "reboot", "poweroff", "halt", "shell" };

	return action < END_COUNT ? words[action] : "reboot";
}

enum end_action end_choose(const struct boot *b)
{
	uint64_t end = options_number(&b->options, OPT_ID_END);
	uint64_t onfail = options_number(&b->options, OPT_ID_ONFAIL);	/* 0: same */
	uint64_t action = !stages_delivered(b) && onfail ? onfail - 1 : end;

	return action < END_COUNT ? (enum end_action)action : END_REBOOT;
}

/* Waits, but not long, until the consoles have shown what was said. */
static void drain_console(struct boot *b)
{
	uint64_t until = clock_ns() + CONSOLE_LIMIT_S * NS_PER_S;
	int waiting = 0, status;

	/* First the pipe, then the flag: the console process raises its flag before it reads. */
	while (clock_ns() < until &&
	       ((!ioctl(b->pipe_read, FIONREAD, &waiting) && waiting) || b->console_pending))
		supervise_wait(b, -1, clock_ns() + POLL_NS, true, &status);
}

/* Flushes in a process of its own, and leaves it behind when it takes too long. */
static void sync_bounded(void)
{
	const struct timespec poll = { .tv_nsec = (long)POLL_NS };
	uint64_t until = clock_ns() + SYNC_LIMIT_S * NS_PER_S;
	pid_t pid = fork();

	if (pid == 0) {
		sync();
		_exit(EXIT_SUCCESS);
	}
	while (pid > 0 && waitpid(pid, NULL, WNOHANG) == 0) {
		if (clock_ns() >= until) {
			log_say("end: sync takes longer than %d s; going on without it",
				SYNC_LIMIT_S);
			return;
		}
		nanosleep(&poll, NULL);
	}
}

static int press_sysrq(char key)
{
	int fd = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC), err;

	err = fd < 0 ? -errno : file_write_all(fd, &key, 1);
	if (err)
		log_say("end: sysrq %c: %s", key, strerror(-err));
	if (fd >= 0)
		close(fd);
	return err;
}

/*
 * Not PID 1 itself: for halt and power-off the kernel ends the caller of reboot(2) when it comes
 * back (do_exit in kernel/reboot.c), and the end of PID 1 is a kernel panic. A child may also hang
 * in a driver's shutdown while PID 1 still counts the seconds.
 */
static _Noreturn void attempt_process(const struct attempt *a, bool first)
{
	if (first)
		sync_bounded();
	if (a->how) {
		reboot(a->how);
		log_say("end: reboot(2): %s", strerror(errno));
		_exit(EXIT_FAILURE);
	}
	_exit(press_sysrq(a->sysrq) ? EXIT_FAILURE : EXIT_SUCCESS);
}

static void attempt(struct boot *b, const struct attempt *a, bool first)
{
	uint64_t until = clock_ns() + (ATTEMPT_LIMIT_S + (first ? SYNC_LIMIT_S : 0)) * NS_PER_S;
	pid_t pid;
	int status;

	if (!first)
		log_say("end: the machine is still running; now by %s",
			a->how ? "reboot(2)" : "sysrq");
	pid = supervise_fork();
	if (pid == 0)
		attempt_process(a, first);
	if (pid < 0) {
		/* Without processes only PID 1 is left to do it; reboot(2) from it would panic. */
		log_say("end: no process can be started; restarting by sysrq");
		(void)press_sysrq('b');
	}
	/* The watchdog is not fed from here on: it is the last way out. */
	for (;;) {
		enum supervise_event event = supervise_wait(b, pid, until, false, &status);

		if (event == SUPERVISE_TIME_OVER)
			return;
		if (event == SUPERVISE_ENDED && (!WIFEXITED(status) || WEXITSTATUS(status)))
			return;
		/* No error, but sysrq only queues a power-off: give it the whole time. */
		if (event == SUPERVISE_ENDED)
			pid = -1;
	}
}

static void run_shells(struct boot *b)
{
	pid_t pid = supervise_fork();
	int status;

	if (pid == 0)
		_exit(shell_on_consoles() ? EXIT_FAILURE : EXIT_SUCCESS);
	if (pid > 0)
		supervise_wait(b, pid, UINT64_MAX, true, &status);
}

_Noreturn void end_machine(struct boot *b, enum end_action action)
{
	int status;

	log_say("end: %s", end_word(action));
	drain_console(b);
	if (action == END_SHELL) {
		run_shells(b);
		log_say("end: reboot");
		drain_console(b);
	}
	if (action == END_HALT)
		b->disarm_watchdog = true;
	for (int i = 0; attempts[action][i].how || attempts[action][i].sysrq; i++)
		attempt(b, &attempts[action][i], i == 0);
	log_say("end: the machine does not obey; the watchdog is no longer fed");
	for (;;)
		supervise_wait(b, -1, UINT64_MAX, false, &status);
}
