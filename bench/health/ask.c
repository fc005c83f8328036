/* SPDX-License-Identifier: MIT */
/* Questions to devices, each in a process of its own; see ask.h. */
#include "bench/health/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/clock.h"

#define EXIT_POLL_MS 2		/* how often a process that has said all is looked after */

/* In the child. */
static void answer(void *context)
{
	static char *const environment[] = {
		(char *)(uintptr_t)"LC_ALL=C", (char *)(uintptr_t)"PATH=/usr/sbin:/usr/bin:/sbin:"
		"/bin", NULL,
	};
	const struct ask *a = context;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!a->argv[0]) {
		a->own(a->argument);
		return;
	}
	if (dup2(CHILD_ANSWER_FD, 1) != 1 || dup2(CHILD_ANSWER_FD, 2) != 2)
		return;
	close(CHILD_ANSWER_FD);
	execve(a->argv[0], (char *const *)(uintptr_t)a->argv, environment);
	dprintf(1, "it cannot be run: %s", strerror(errno));
}

/* Starts the process of a question; one that cannot be started has failed. */
static void begin(struct ask *a, const struct ask_limits *l)
{
	int err = child_start(&a->child, answer, a);

	a->deadline_ns = clock_ns() + l->timeout_ms * NS_PER_MS;
	if (err) {
		a->error = -err;
		a->end = ASK_FAILED;
	} else {
		fcntl(a->child.fd, F_SETFL, O_NONBLOCK);
	}
}

/* It has ended, or is given up: whatever holds it in the kernel holds nothing of ours. */
static void finish(struct ask *a, enum ask_end end)
{
	child_end(&a->child);
	a->end = end;
}

static bool make_room(struct ask *a)
{
	size_t room = a->room ? 2 * a->room : 4096;
	char *more;

	if (a->len + 1 < a->room)
		return true;
	more = realloc(a->text, room);
	if (!more)
		return false;
	a->text = more;
	a->text[a->len] = '\0';
	a->room = room;
	return true;
}

/* Takes what has arrived. */
static void take(struct ask *a)
{
	ssize_t n;

	for (;;) {
		if (a->len >= ASK_LIMIT_BYTES || !make_room(a)) {
			finish(a, ASK_TOO_LONG);
			return;
		}
		n = read(a->child.fd, a->text + a->len, a->room - a->len - 1);
		if (n > 0) {
			a->len += (size_t)n;
			a->text[a->len] = '\0';
		} else if (n == 0) {
			a->said_all = true;
			return;
		} else if (errno == EAGAIN) {
			return;
		} else if (errno != EINTR) {
			a->said_all = true;
			return;
		}
	}
}

/* One that has said all still has to end: closing the device may hang as well as reading it. */
static void look_after(struct ask *a, uint64_t now_ns)
{
	if (a->said_all && child_has_ended(&a->child))
		finish(a, ASK_ANSWERED);
	else if (now_ns >= a->deadline_ns)
		finish(a, ASK_TIMEOUT);
}

/* How long to wait for the next thing to happen. */
static int wait_ms(const struct ask *a, size_t n, uint64_t now_ns, uint64_t deadline_ns)
{
	for (size_t i = 0; i < n; i++) {
		if (!a[i].child.pid)
			continue;
		if (a[i].said_all)
			return EXIT_POLL_MS;
		if (a[i].deadline_ns < deadline_ns)
			deadline_ns = a[i].deadline_ns;
	}
	/* rounded up: a poll that wakes early would spin */
	return deadline_ns <= now_ns ? 0 : (int)((deadline_ns - now_ns) / NS_PER_MS) + 1;
}

/* Waits until something was said or is to be looked after. Returns false when all is to end. */
static bool wait_for_any(struct ask *a, size_t n, const struct ask_limits *l)
{
	struct pollfd fd[ASK_PARALLEL + 1] = { { .fd = l->stop_fd, .events = POLLIN } };
	size_t owner[ASK_PARALLEL + 1], used = 1;
	uint64_t now_ns = clock_ns();

	if (now_ns >= l->deadline_ns)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!a[i].child.pid || a[i].said_all)
			continue;
		owner[used] = i;
		fd[used++] = (struct pollfd){ .fd = a[i].child.fd, .events = POLLIN };
	}
	if (poll(fd, used, wait_ms(a, n, now_ns, l->deadline_ns)) < 0)
		return errno == EINTR;
	if (fd[0].revents)
		return false;
	for (size_t i = 1; i < used; i++)
		if (fd[i].revents)
			take(&a[owner[i]]);
	return true;
}

void ask_all(struct ask *a, size_t n, const struct ask_limits *l)
{
	size_t begun = 0, running = 0;

	for (;;) {
		while (begun < n && running < ASK_PARALLEL) {
			begin(&a[begun], l);
			running += a[begun++].child.pid != 0;
		}
		if (!running || !wait_for_any(a, begun, l))
			break;
		for (size_t i = 0; i < begun; i++) {
			if (a[i].child.pid)
				look_after(&a[i], clock_ns());
		}
		running = 0;
		for (size_t i = 0; i < begun; i++)
			running += a[i].child.pid != 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (a[i].child.pid)
			finish(&a[i], ASK_STOPPED);
		if (a[i].end == ASK_PENDING)
			a[i].end = ASK_STOPPED;
	}
}

void ask_free(struct ask *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(a[i].text);
}
