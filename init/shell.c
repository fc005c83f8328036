/* SPDX-License-Identifier: MIT */
/* A shell on the consoles: see shell.h. */
#include "init/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "init/console.h"
#include "init/launch.h"
#include "init/log.h"
#include "lib/clock.h"

#define SHELL_PATH "/bin/sh"
#define LEFT_AFTER_NS (2 * NS_PER_S)	/* a shell that ends sooner never had a person before it */

struct shell {
	pid_t pid;
	uint64_t start_ns;
};

static _Noreturn void shell_process(const char *device)
{
	char *const argv[] = { (char *)"-sh", NULL };
	int fd;

	setsid();
	/* Not O_NOCTTY: the first terminal a session opens becomes its own. */
	fd = open(device, O_RDWR);
	if (fd < 0 || !isatty(fd))
		_exit(EXIT_FAILURE);
	ioctl(fd, TIOCSCTTY, 1);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	launch_oom_score(0);
	launch_exec(SHELL_PATH, argv);
}

static void shell_start(struct shell *s, const char *device)
{
	s->start_ns = clock_ns();
	s->pid = fork();
	if (s->pid == 0)
		shell_process(device);
	if (s->pid < 0)
		log_say("shell: %s: %s", device, strerror(errno));
}

int shell_on_consoles(void)
{
	char names[CONSOLE_MAX][CONSOLE_NAME_BYTES];
	struct shell shell[CONSOLE_MAX] = { 0 };
	unsigned int n = console_names(names), running = 0;

	log_say("shell: a shell on every console; leave one with `exit` to reboot");
	for (unsigned int i = 0; i < n; i++) {
		char device[CONSOLE_PATH_BYTES];

		console_path(device, names[i]);
		shell_start(&shell[i], device);
		running += shell[i].pid > 0;
	}
	if (!running)
		return -ENODEV;
	while (running) {
		pid_t pid = waitpid(-1, NULL, 0);

		if (pid < 0 && errno != EINTR)
			break;
		for (unsigned int i = 0; i < n; i++) {
			if (pid <= 0 || shell[i].pid != pid)
				continue;
			running--;
			if (clock_ns() - shell[i].start_ns > LEFT_AFTER_NS)
				return 0;
		}
	}
	return 0;
}
