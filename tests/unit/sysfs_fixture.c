/* SPDX-License-Identifier: MIT */
/* Makes small /sys, /proc and /dev trees from text; see sysfs_fixture.h. */
#include "tests/unit/sysfs_fixture.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"

#define FOLDER_BYTES (PATH_MAX / 2)	/* leaves room for names below it */

static void fail(const char *what, const char *where)
{
	printf("Bail out! sysfs fixture: %s: %s: %s\n", what, where, strerror(errno));
	exit(255);
}

/* Makes all folders of `path`; with `but_last` not the last component. */
static void make_folders(const char *path, bool but_last)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *s = part + 1; *s; s++) {
		if (*s != '/')
			continue;
		*s = '\0';
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			fail("mkdir", part);
		*s = '/';
	}
	if (!but_last && mkdir(part, 0755) < 0 && errno != EEXIST)
		fail("mkdir", part);
}

static void write_file(const char *path, const void *data, size_t len)
{
	FILE *out;

	make_folders(path, true);
	out = fopen(path, "w");
	if (!out || fwrite(data, 1, len, out) != len || fclose(out))
		fail("write", path);
}

static void make_link(const char *target, const char *path)
{
	make_folders(path, true);
	if (symlink(target, path) < 0 && errno != EEXIST)
		fail("symlink", path);
}

/* Turns \xHH, \n and \\ into bytes, in place. Returns their number. */
static size_t unescape(char *text)
{
	char *to = text;

	for (const char *s = text; *s; s++) {
		unsigned byte;

		if (s[0] == '\\' && s[1] == 'x' && sscanf(s + 2, "%2x", &byte) == 1) {
			*to++ = (char)byte;
			s += 3;
		} else if (s[0] == '\\' && (s[1] == 'n' || s[1] == '\\')) {
			*to++ = s[1] == 'n' ? '\n' : '\\';
			s++;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
	return (size_t)(to - text);
}

/* Kinds of device lines: how the name is written and where its link stands. */
static const struct kind {
	char open, close;
	const char *link, *target;
} kinds[] = {
	{ '[', ']', "sys/block", "../devices" },
	{ '{', '}', "sys/class/nvme", "../../devices" },
	{ '<', '>', "sys/bus/scsi/devices", "../../../devices" },
	{ '(', ')', "sys/class/net", "../../devices" },
	{ '|', '|', "sys/bus/pci/devices", "../../../devices" },
};

/* Where the kernel links a block device to what it hangs on. */
static void link_device(const char *folder, const char *path)
{
	char link[PATH_MAX], parent[PATH_MAX];

	if (!strncmp(path, "virtual/block/", 14))
		return;
	snprintf(link, sizeof(link), "%s/device", folder);
	snprintf(parent, sizeof(parent), "%s", path);
	*strrchr(parent, '/') = '\0';
	make_link(!strcmp(strrchr(parent, '/') ? strrchr(parent, '/') : parent, "/block") ?
		  "../.." : "..", link);
}

static bool add_device(struct sysfs_fixture *f, char *line, char folder[FOLDER_BYTES])
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		char *close = strchr(line + 1, kinds[i].close), *arrow = close ? strstr(close,
										    " -> ") : NULL;
		char link[PATH_MAX], target[PATH_MAX], *path;

		if (line[0] != kinds[i].open || !arrow)
			continue;
		*close = '\0';
		path = arrow + 4;
		snprintf(folder, FOLDER_BYTES, "%s/sys/devices/%s", f->root, path);
		make_folders(folder, false);
		snprintf(link, sizeof(link), "%s/%s/%s", f->root, kinds[i].link, line + 1);
		snprintf(target, sizeof(target), "%s/%s", kinds[i].target, path);
		make_link(target, link);
		if (i > 0)
			return true;
		snprintf(link, sizeof(link), "%s/sys/class/block/%s", f->root, line + 1);
		snprintf(target, sizeof(target), "../../devices/%s", path);
		make_link(target, link);
		link_device(folder, path);
		return true;
	}
	return false;
}

static void add_entry(char *line, const char *folder)
{
	char path[PATH_MAX], *arrow = strstr(line, " -> "), *equals = strchr(line, '=');
	size_t n = strlen(line);
	bool newline = true;

	if (arrow && (!equals || arrow < equals)) {
		*arrow = '\0';
		snprintf(path, sizeof(path), "%s/%s", folder, line);
		make_link(arrow + 4, path);
		return;
	}
	if (!equals) {
		snprintf(path, sizeof(path), "%s/%s", folder, line);
		make_folders(path, line[n - 1] == '/');
		return;
	}
	if (equals > line && equals[-1] == ':') {
		equals[-1] = '\0';
		newline = false;
	}
	*equals++ = '\0';
	n = strlen(equals);
	if (equals[0] == '[' && equals[n - 1] == ']') {
		equals[n - 1] = '\0';
		equals++;
	}
	n = unescape(equals);
	if (newline)
		equals[n++] = '\n';	/* takes the place of the terminator */
	snprintf(path, sizeof(path), "%s/%s", folder, line);
	write_file(path, equals, n);
}

void sysfs_fixture_add(struct sysfs_fixture *f, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line, folder[FOLDER_BYTES];

	if (!copy)
		fail("memory", f->root);
	snprintf(folder, sizeof(folder), "%s", f->root);
	while ((line = strsep(&rest, "\n"))) {
		line += strspn(line, " \t");
		if (!line[0] || line[0] == '#')
			continue;
		if (line[0] == '@') {
			snprintf(folder, sizeof(folder), "%s/%s", f->root, line + 1);
			make_folders(folder, false);
		} else if (!add_device(f, line, folder)) {
			add_entry(line, folder);
		}
	}
	free(copy);
}

void sysfs_fixture_write(struct sysfs_fixture *f, const char *path, const void *data, size_t len)
{
	char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "%s/%s", f->root, path);
	write_file(whole, data, len);
}

void sysfs_fixture_make(struct sysfs_fixture *f, const char *text)
{
	const char *tmp = getenv("TMPDIR");

	/* thousands of small files: in memory that takes a thirtieth of the time */
	if (!tmp || strlen(tmp) >= 32)
		tmp = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(f->root, sizeof(f->root), "%s/bootmark-sysfs.XXXXXX", tmp);
	if (!mkdtemp(f->root))
		fail("mkdtemp", f->root);
	sysfs_fixture_add(f, "@sys/devices\n@sys/block\n@proc\n@dev\n");
	sysfs_fixture_add(f, text);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

void sysfs_fixture_remove(struct sysfs_fixture *f)
{
	if (nftw(f->root, remove_entry, 32, FTW_DEPTH | FTW_PHYS) != 0)
		fail("remove", f->root);
}
