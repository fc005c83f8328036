/* SPDX-License-Identifier: MIT */
/* The mounts as rows of a table, and the few folders and links that live on them. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/log.h"
#include "init/work.h"

struct mount_row {
	const char *type;
	const char *target;
	unsigned long flags;
	const char *options;
	bool required;
};

#define QUIET (MS_NOSUID | MS_NOEXEC | MS_NODEV)

/* No file system of a disk is among them, and none is ever mounted here. */
static const struct mount_row mounts_table[] = {
	{ "devtmpfs", "/dev", MS_NOSUID | MS_NOEXEC, "mode=0755", true },
	{ "proc", "/proc", QUIET, "", true },
	{ "sysfs", "/sys", QUIET, "", true },
	/* A report has some hundred kB; a runaway log must not eat the machine's memory. */
	{ "tmpfs", "/run", MS_NOSUID | MS_NODEV, "mode=0755,size=32m", true },
	{ "tmpfs", "/tmp", MS_NOSUID | MS_NODEV, "mode=1777,size=32m", false },
	{ "devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, "mode=0620,ptmxmode=0666", false },
	/* Crash records of the machine's own system; nothing is deleted there. */
	{ "pstore", "/sys/fs/pstore", QUIET | MS_RDONLY, "", false },
	{ "efivarfs", "/sys/firmware/efi/efivars", QUIET | MS_RDONLY, "", false },
};

#define MOUNT_ROWS (sizeof(mounts_table) / sizeof(mounts_table[0]))

static void print_flags(FILE *out, const struct mount_row *m)
{
	static const struct {
		unsigned long flag;
		const char *word;
	} words[] = {
		{ MS_RDONLY, "ro" },
		{ MS_NOSUID, "nosuid" },
		{ MS_NODEV, "nodev" },
		{ MS_NOEXEC, "noexec" },
	};
	const char *separator = "";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(m->flags & words[i].flag))
			continue;
		fprintf(out, "%s%s", separator, words[i].word);
		separator = ",";
	}
	if (*m->options)
		fprintf(out, "%s%s", separator, m->options);
}

void mounts_print(FILE *out)
{
	for (size_t i = 0; i < MOUNT_ROWS; i++) {
		const struct mount_row *m = &mounts_table[i];

		fprintf(out, "mount -t %s -o ", m->type);
		print_flags(out, m);
		fprintf(out, " %s %s\t# %s\n", m->type, m->target,
			m->required ? "required" : "optional");
	}
}

/* True where something is mounted there already: it is kept, whoever did it had a reason. */
static bool is_mounted(const char *target)
{
	struct stat here, above;
	char parent[64];
	char *slash;

	snprintf(parent, sizeof(parent), "%s", target);
	slash = strrchr(parent, '/');
	slash[slash == parent] = '\0';
	return !stat(target, &here) && !stat(parent, &above) && here.st_dev != above.st_dev;
}

/* Returns 0, or -errno where the row is required. */
static int mount_row(const struct mount_row *m)
{
	int err;

	if (is_mounted(m->target))
		return 0;
	/* Fails where it exists, or where its parent does not, which mount will say. */
	mkdir(m->target, 0755);
	if (!mount(m->type, m->target, m->type, m->flags, m->options))
		return 0;
	err = errno;
	/* A kernel without the file system, or a machine without its firmware: nothing to tell. */
	if (!m->required && (err == ENODEV || err == ENOENT))
		return 0;
	log_say("mounts: %s on %s: %s%s", m->type, m->target, strerror(err),
		m->required ? "" : " (optional)");
	return m->required ? -err : 0;
}

/* /dev/fd and its relatives are links that devtmpfs does not bring. */
static void make_links(void)
{
	static const char *const links[][2] = {
		{ "/proc/self/fd", "/dev/fd" }, { "/proc/self/fd/0", "/dev/stdin" },
		{ "/proc/self/fd/1", "/dev/stdout" }, { "/proc/self/fd/2", "/dev/stderr" },
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (symlink(links[i][0], links[i][1]) && errno != EEXIST)
			log_say("mounts: %s: %s", links[i][1], strerror(errno));
}

int work_mounts(struct boot *b)
{
	int err = 0;

	(void)b;
	umask(022);
	for (size_t i = 0; i < MOUNT_ROWS; i++) {
		int row_err = mount_row(&mounts_table[i]);

		if (!err)
			err = row_err;
	}
	make_links();
	if ((mkdir(BOOT_DIR, 0755) && errno != EEXIST) ||
	    (mkdir(BOOT_NET_DIR, 0755) && errno != EEXIST)) {
		log_say("mounts: %s: %s", BOOT_NET_DIR, strerror(errno));
		if (!err)
			err = -EIO;
	}
	return err;
}
