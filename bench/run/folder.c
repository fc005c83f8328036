/* SPDX-License-Identifier: MIT */
/* The folder of a run. */
#include "bench/run/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/model/report.h"
#include "bench/report/save.h"
#include "bench/upload/record.h"
#include "lib/file.h"
#include "lib/text.h"

#define ID_SEARCH_BYTES 4096	/* the id stands near the head of a report */
#define KEPT_MAX 1000		/* reports of one id that are kept */

static int make_folders(const char *dir)
{
	char path[PATH_MAX];
	size_t len = strlen(dir);

	if (len == 0 || len >= sizeof(path))
		return len ? -ENAMETOOLONG : -ENOENT;
	memcpy(path, dir, len + 1);
	for (char *at = path + 1; *at; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return -errno;
		*at = '/';
	}
	return mkdir(path, 0755) < 0 && errno != EEXIST ? -errno : 0;
}

/* Who holds the lock: the process the kernel names, and the run that stands in the file. */
static void name_other(int fd, char *why, size_t why_bytes)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char id[64] = "";
	ssize_t n = pread(fd, id, sizeof(id) - 1, 0);

	id[n > 0 ? n : 0] = '\0';
	id[strcspn(id, "\n")] = '\0';
	if (fcntl(fd, F_GETLK, &lock) < 0)
		lock.l_pid = 0;
	snprintf(why, why_bytes, "another run works in this folder: process %d%s%s",
		 (int)lock.l_pid, report_id_valid(id) ? ", run " : "",
		 report_id_valid(id) ? id : "");
}

int folder_open(const char *dir, const char *id, char *why, size_t why_bytes)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[PATH_MAX];
	int fd = -1, err = make_folders(dir);

	if (!err && snprintf(path, sizeof(path), "%s/" FOLDER_LOCK, dir) >= (int)sizeof(path))
		err = -ENAMETOOLONG;
	if (!err) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		err = fd < 0 ? -errno : 0;
	}
	if (!err && fcntl(fd, F_SETLK, &lock) < 0) {
		err = errno == EACCES || errno == EAGAIN ? -EBUSY : -errno;
		if (err == -EBUSY)
			name_other(fd, why, why_bytes);
	}
	if (err) {
		if (err != -EBUSY)
			snprintf(why, why_bytes, "%s", strerror(-err));
		if (fd >= 0)
			close(fd);
		return err;
	}
	/* a lock that names nobody is still a lock */
	if (ftruncate(fd, 0) == 0)
		(void)file_write_all(fd, id, strlen(id));
	return fd;
}

/* The id of the report at `path`; else "earlier". */
static void read_id(const char *path, char id[37])
{
	static const char key[] = "\"id\": \"";
	char text[ID_SEARCH_BYTES], *at;

	text_copy(id, 37, "earlier");
	if (file_read(path, text, sizeof(text)) <= 0)
		return;
	at = strstr(text, key);
	if (!at || strlen(at + strlen(key)) < 36)
		return;
	at += strlen(key);
	at[36] = '\0';
	if (report_id_valid(at))
		memcpy(id, at, 37);
}

static int path_of(char path[PATH_MAX], const char *dir, const char *stem, const char *id,
		   unsigned n, const char *ext)
{
	char count[16] = "";

	if (n > 0)
		snprintf(count, sizeof(count), ".%u", n);
	return snprintf(path, PATH_MAX, "%s/%s%s%s%s%s", dir, stem, id[0] ? "." : "", id, count,
			ext) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int folder_keep_older(const char *dir, char *kept, size_t kept_bytes)
{
	static const char *const files[][2] = {
		{ "report", ".json" }, { "report", ".txt" }, { "upload", ".json" },
	};
	char from[PATH_MAX], to[PATH_MAX], id[37];
	unsigned n = 0;
	int err = path_of(from, dir, "report", "", 0, ".json");

	if (err || access(from, F_OK) < 0)
		return err;
	read_id(from, id);
	/* a name that none of the files has yet */
	do {
		err = path_of(to, dir, "report", id, n, ".json");
	} while (!err && access(to, F_OK) == 0 && ++n < KEPT_MAX);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !err; i++) {
		err = path_of(from, dir, files[i][0], "", 0, files[i][1]);
		if (!err)
			err = path_of(to, dir, files[i][0], id, n, files[i][1]);
		if (!err && i == 0)
			text_copy(kept, kept_bytes, to);
		if (!err && rename(from, to) < 0 && errno != ENOENT)
			err = -errno;
	}
	return err ? err : 1;
}
