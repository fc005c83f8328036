/* SPDX-License-Identifier: MIT */
/* The console process: copies the pipe to every console and to the log file. See console.h. */
#include "init/console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/launch.h"
#include "init/work.h"
#include "lib/clock.h"
#include "lib/file.h"

#define REOPEN_NS (5 * NS_PER_S)	/* a console that failed is tried again so often */
#define STUCK_NS (5 * NS_PER_S)		/* after so long it is not waited for at the end */
#define FLUSH_POLL_MS 50 /* how often the hardware's queue is looked at while it drains */
#define OPEN_FLAGS (O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

struct sink {
	char device[CONSOLE_PATH_BYTES];
	int fd;			/* -1: not open */
	uint64_t at;		/* its place in the stream */
	uint64_t lost;		/* bytes it missed, not yet told */
	uint64_t moved_ns;	/* when it last took something, or was last tried */
	char note[64];		/* being written: what it missed */
	size_t note_at;
};

struct pump {
	struct boot *boot;
	struct console_ring ring;
	struct sink sink[CONSOLE_MAX];
	unsigned int sink_n;
	int log;		/* console.log, or -1 */
	uint64_t logged;
};

unsigned int console_names(char names[CONSOLE_MAX][CONSOLE_NAME_BYTES])
{
	char active[256];
	unsigned int n, kept = 0;

	if (file_read("/sys/class/tty/console/active", active, sizeof(active)) < 0)
		active[0] = '\0';
	n = console_names_of(active, names);
	for (unsigned int i = 0; i < n; i++) {
		char device[CONSOLE_PATH_BYTES];
		int fd;

		console_path(device, names[i]);
		fd = open(device, OPEN_FLAGS);
		if (fd < 0)
			continue;
		close(fd);
		memmove(names[kept++], names[i], CONSOLE_NAME_BYTES);
	}
	if (!kept)
		snprintf(names[kept++], CONSOLE_NAME_BYTES, "console");
	return kept;
}

static void sink_open(struct sink *s, uint64_t now)
{
	s->fd = open(s->device, OPEN_FLAGS);
	s->moved_ns = now;
}

/* Writes what the console takes right now; closes one that fails. */
static void sink_write(struct sink *s, const struct console_ring *r, uint64_t now)
{
	const char *data;
	size_t len;

	for (;;) {
		bool noting = s->note[s->note_at];
		ssize_t n;

		len = noting ? 0 : console_ring_get(r, &s->at, &s->lost, &data);
		if (s->lost && !noting) {
			snprintf(s->note, sizeof(s->note),
				 "bootmark: [%llu bytes not shown here]\n",
				 (unsigned long long)s->lost);
			s->lost = 0;
			s->note_at = 0;
			noting = true;
		}
		if (noting) {
			data = s->note + s->note_at;
			len = strlen(data);
		}
		if (!len)
			return;
		n = write(s->fd, data, len);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		s->moved_ns = now;
		if (n <= 0) {
			close(s->fd);
			s->fd = -1;
			return;
		}
		if (noting)
			s->note_at += (size_t)n;
		else
			s->at += (uint64_t)n;
	}
}

static void log_write(struct pump *p, uint64_t from)
{
	static const char full[] = "\nbootmark: [the log ends here: its limit is reached]\n";
	const char *data;
	uint64_t lost = 0;
	size_t len;

	while (p->log >= 0 && (len = console_ring_get(&p->ring, &from, &lost, &data)) > 0) {
		bool over = p->logged + len > CONSOLE_LOG_BYTES;

		if (over)
			len = CONSOLE_LOG_BYTES - p->logged;
		if (file_write_all(p->log, data, len) || (over && file_write_all(p->log, full,
										 sizeof(full) - 1)))
			over = true;
		p->logged += len;
		from += len;
		if (over) {
			close(p->log);
			p->log = -1;
		}
	}
}

static bool sink_waiting(const struct sink *s, const struct console_ring *r)
{
	return s->fd >= 0 && (s->at < r->head || s->note[s->note_at] || s->lost);
}

/* Bytes that are still on their way to a screen; a stuck console does not count. */
static uint32_t pending(const struct pump *p, uint64_t now)
{
	uint32_t sum = 0;

	for (unsigned int i = 0; i < p->sink_n; i++) {
		const struct sink *s = &p->sink[i];
		int queued = 0;

		if (s->fd < 0 || now - s->moved_ns > STUCK_NS)
			continue;
		if (ioctl(s->fd, TIOCOUTQ, &queued))
			queued = 0;
		sum += (uint32_t)sink_waiting(s, &p->ring) + (uint32_t)queued;
	}
	return sum;
}

static bool pump_read(struct pump *p)
{
	char buf[16384];
	uint64_t before = p->ring.head;
	ssize_t n;

	/* Raised before the pipe is emptied: whoever sees an empty pipe then sees the flag. */
	p->boot->console_pending = 1;
	n = read(p->boot->pipe_read, buf, sizeof(buf));
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	console_ring_put(&p->ring, buf, (size_t)n);
	log_write(p, before);
	return n > 0;
}

static bool pump_once(struct pump *p)
{
	struct pollfd fds[CONSOLE_MAX + 1] = { { .fd = p->boot->pipe_read, .events = POLLIN } };
	uint64_t now;

	for (unsigned int i = 0; i < p->sink_n; i++) {
		struct sink *s = &p->sink[i];

		fds[i + 1].fd = sink_waiting(s, &p->ring) ? s->fd : -1;
		fds[i + 1].events = POLLOUT;
	}
	if (poll(fds, p->sink_n + 1, p->boot->console_pending ? FLUSH_POLL_MS : -1) < 0)
		return errno == EINTR;
	if (fds[0].revents && !pump_read(p))
		return false;
	now = clock_ns();
	for (unsigned int i = 0; i < p->sink_n; i++) {
		struct sink *s = &p->sink[i];

		if (s->fd < 0 && s->at < p->ring.head && now - s->moved_ns > REOPEN_NS)
			sink_open(s, now);
		if (s->fd >= 0)
			sink_write(s, &p->ring, now);
	}
	p->boot->console_pending = pending(p, now);
	return true;
}

int work_console(struct boot *b)
{
	static struct pump p;	/* the ring is too large for a stack */
	char names[CONSOLE_MAX][CONSOLE_NAME_BYTES];
	uint64_t now = clock_ns();

	launch_oom_score(-1000);
	signal(SIGPIPE, SIG_IGN);	/* a console that goes away is an error of write() */
	/* This process must not write into the pipe it empties, nor hold it open. */
	dup2(STDIN_FILENO, STDOUT_FILENO);
	dup2(STDIN_FILENO, STDERR_FILENO);
	close(b->pipe_write);
	p.boot = b;
	p.sink_n = console_names(names);
	for (unsigned int i = 0; i < p.sink_n; i++) {
		console_path(p.sink[i].device, names[i]);
		sink_open(&p.sink[i], now);
	}
	p.log = open(BOOT_CONSOLE_LOG, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	while (pump_once(&p))
		;
	return -EPIPE;
}
