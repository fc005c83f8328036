/* SPDX-License-Identifier: MIT */
/* init's messages, to the console pipe and to /dev/kmsg, without ever waiting for a reader. */
#include "init/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/text.h"

/* Below PIPE_BUF, so that a line is never torn by another writer's, and below a kernel record's
 * limit. */
#define LOG_LINE_BYTES 900
#define LOG_KMSG_LEVEL "<6>"	/* informational: in the log, not a second time on consoles */

static struct {
	int out;
	int kmsg;
} log_state = { -1, -1 };

void log_to(int out)
{
	log_state.out = out;
}

/*
 * Writes without blocking although the descriptor is a blocking one: its O_NONBLOCK flag would also
 * be in force for the programs that share the pipe and do not expect it.
 */
static int write_nowait(int fd, const char *data, size_t len)
{
	struct iovec iov = { .iov_base = (char *)data, .iov_len = len };
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	ssize_t n = pwritev2(fd, &iov, 1, -1, RWF_NOWAIT);

	if (n < 0 && errno == EAGAIN && poll(&p, 1, LOG_PATIENCE_MS) == 1)
		n = pwritev2(fd, &iov, 1, -1, RWF_NOWAIT);
	/* Not every file knows RWF_NOWAIT; one that says it can take the line is then asked to. */
	if (n < 0 && errno == EOPNOTSUPP && poll(&p, 1, LOG_PATIENCE_MS) == 1)
		n = write(fd, data, len);
	return n < 0 ? -errno : 0;
}

/* One write per line: each makes a record of its own in the kernel's log. */
static void say_to_kernel(const char *line, size_t len)
{
	char record[LOG_LINE_BYTES + sizeof(LOG_KMSG_LEVEL)];
	const size_t level = sizeof(LOG_KMSG_LEVEL) - 1;

	if (log_state.kmsg < 0)
		log_state.kmsg = open("/dev/kmsg", O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (log_state.kmsg < 0)
		return;
	memcpy(record, LOG_KMSG_LEVEL, level);
	memcpy(record + level, line, len);
	/* A line the kernel refuses still stands on the consoles. */
	if (write(log_state.kmsg, record, level + len) < 0)
		return;
}

void log_say(const char *fmt, ...)
{
	char text[LOG_LINE_BYTES], line[LOG_LINE_BYTES];
	const size_t prefix = sizeof(LOG_PREFIX) - 1;
	int saved = errno;
	va_list args;
	size_t len;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	memcpy(line, LOG_PREFIX, prefix);
	len = prefix + text_clean(line + prefix, sizeof(line) - prefix - 1, text, strlen(text));
	line[len++] = '\n';
	line[len] = '\0';
	if (log_state.out >= 0)
		write_nowait(log_state.out, line, len);
	say_to_kernel(line, len);
	errno = saved;
}
