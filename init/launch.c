/* SPDX-License-Identifier: MIT */
/* Becoming another program: see launch.h. */
#include "init/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "init/log.h"
#include "init/stages.h"
#include "lib/file.h"

void launch_oom_score(int score)
{
	char text[16];
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	snprintf(text, sizeof(text), "%d", score);
	/* Refused only in a container, where the host decides whom to kill. */
	(void)file_write_all(fd, text, strlen(text));
	close(fd);
}

_Noreturn void launch_exec_env(const char *path, char *const argv[], char *const extra[])
{
	char *env[LAUNCH_EXTRA_MAX + 4] = {
		(char *)LAUNCH_PATH, (char *)"HOME=/", (char *)"TERM=linux"
	};
	int n = 3;

	for (int i = 0; extra && extra[i] && i < LAUNCH_EXTRA_MAX; i++)
		env[n++] = extra[i];
	env[n] = NULL;
	execve(path, argv, env);
	log_say("%s cannot be started: %s", path, strerror(errno));
	_exit(STAGE_EXIT_NO_PROGRAM);
}

_Noreturn void launch_exec(const char *path, char *const argv[])
{
	launch_exec_env(path, argv, NULL);
}
