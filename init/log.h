/* SPDX-License-Identifier: MIT */
/*
 * init's messages: each goes to the console pipe and, with the same prefix, to /dev/kmsg, so that
 * the kernel's and our own lines share one clock in one log.
 */
#ifndef INIT_LOG_H
#define INIT_LOG_H

#define LOG_PREFIX "bootmark: "

/* Says where messages go: `out` is a pipe or file (-1: none). /dev/kmsg is opened by itself, once
 * it is there. */
void log_to(int out);

/*
 * Says one line. The text is cleaned (one line, valid UTF-8), so values of outside may stand in it.
 * Never blocks for longer than LOG_PATIENCE_MS: a line that nobody takes in that time goes to kmsg
 * only.
 */
void log_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define LOG_PATIENCE_MS 200

#endif
