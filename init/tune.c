/* SPDX-License-Identifier: MIT */
/* Kernel parameters that are not the kernel's default, each with its reason. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/log.h"
#include "init/work.h"
#include "lib/file.h"

struct tune_row {
	const char *path;
	const char *value;	/* with its newline: printk_devkmsg takes nothing without */
};

static const struct tune_row tune_table[] = {
	/* 64 requests at each of hundreds of disks must not end in EAGAIN (the default is
	 * 65536). */
	{ "/proc/sys/fs/aio-max-nr", "1048576\n" },
	/* Consoles show the kernel's errors and our lines, not its chatter; the log keeps
	   everything. */
	{ "/proc/sys/kernel/printk", "4 4 1 7\n" },
	/* Our lines in the kernel's log are not dropped by its rate limit. */
	{ "/proc/sys/kernel/printk_devkmsg", "on\n" },
	/* A panicked server reboots, rather than waiting for a person. */
	{ "/proc/sys/kernel/panic", "30\n" },
	/* The kernel's out-of-memory killer takes a test, not init. */
	{ "/proc/1/oom_score_adj", "-1000\n" },
};

static int tune_row(const struct tune_row *row)
{
	int fd = open(row->path, O_WRONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : file_write_all(fd, row->value, strlen(row->value));

	if (fd >= 0)
		close(fd);
	if (err)
		log_say("tune: %s: %.*s: %s", row->path, (int)strcspn(row->value, "\n"), row->value,
			strerror(-err));
	return err;
}

int work_tune(struct boot *b)
{
	int err = 0;

	(void)b;
	for (size_t i = 0; i < sizeof(tune_table) / sizeof(tune_table[0]); i++) {
		int row_err = tune_row(&tune_table[i]);

		if (!err)
			err = row_err;
	}
	return err;
}
