/* SPDX-License-Identifier: MIT */
/*
 * /init: PID 1 of the appliance, and, called dhcp-event, what udhcpc calls for each of its events.
 *
 * As PID 1 it takes no arguments: the kernel passes the words of its command line it does not know
 * itself, and those are nobody's instructions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen/version.h"
#include "init/boot.h"
#include "init/dhcp_event.h"
#include "init/log.h"
#include "init/supervise.h"
#include "init/work.h"
#include "lib/clock.h"

#define PIPE_BYTES (1024 * 1024) /* what may wait while the console process is started again */

/* Gives 0, 1 and 2 to the console pipe: nothing here or below ever writes to a terminal by
 * itself. */
static void open_pipe(struct boot *b)
{
	int fd[2], null;

	b->pipe_read = b->pipe_write = -1;
	/* Numbers 0 to 2 may be free (no /dev/console): the pipe must not get them. */
	while ((null = open("/", O_RDONLY | O_DIRECTORY)) >= 0 && null <= STDERR_FILENO)
		;
	if (null > STDERR_FILENO)
		close(null);
	if (pipe2(fd, O_CLOEXEC))
		return;
	(void)fcntl(fd[1], F_SETPIPE_SZ, PIPE_BYTES);
	b->pipe_read = fd[0];
	b->pipe_write = fd[1];
	dup2(fd[1], STDOUT_FILENO);
	dup2(fd[1], STDERR_FILENO);
	log_to(fd[1]);
	/* An input that is at its end: /dev/null is not mounted yet. */
	if (!pipe2(fd, O_CLOEXEC)) {
		close(fd[1]);
		dup2(fd[0], STDIN_FILENO);
		close(fd[0]);
	}
}

static _Noreturn void be_init(void)
{
	/* The fallback keeps a machine without memory for this going; stages then share nothing. */
	static struct boot alone;
	const int access = PROT_READ | PROT_WRITE, kind = MAP_SHARED | MAP_ANONYMOUS;
	struct boot *b = mmap(NULL, sizeof(*b), access, kind, -1, 0);

	if (b == MAP_FAILED)
		b = &alone;
	b->start_ns = clock_ns();
	options_init(&b->options);
	open_pipe(b);
	log_say("version %s, PID 1 since %.3f s of uptime", BOOTMARK_VERSION,
		(double)b->start_ns / (double)NS_PER_S);
	supervise_boot(b);
}

static int usage(FILE *out, int status)
{
	fputs("init is the first process of the bootmark appliance. Anywhere else it only prints:\n"
	      "  --print-mounts  the mounts, as the shell commands they equal\n"
	      "  --print-stages  the stages of the boot, in order\n"
	      "  --version       its version\n", out);
	return status;
}

int main(int argc, char **argv)
{
	const char *slash = argc ? strrchr(argv[0], '/') : NULL;
	const char *name = slash ? slash + 1 : argc ? argv[0] : "";

	if (getpid() == 1)
		be_init();
	if (!strcmp(name, DHCP_EVENT_NAME))
		return dhcp_event(argc, argv);
	if (argc != 2)
		return usage(stderr, EXIT_FAILURE);
	if (!strcmp(argv[1], "--print-mounts"))
		mounts_print(stdout);
	else if (!strcmp(argv[1], "--print-stages"))
		stages_print(stdout);
	else if (!strcmp(argv[1], "--version"))
		puts(BOOTMARK_VERSION);
	else
		return usage(stderr, EXIT_FAILURE);
	return ferror(stdout) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
