/* SPDX-License-Identifier: MIT */
/* Small files: whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "tests/unit/tap.h"

static char dir[] = "/tmp/test_file.XXXXXX";
static char path[128];

static int count_entries(void)
{
	DIR *d = opendir(dir);
	int n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void test_replace(void)
{
	char buf[8], folder[64], *text;
	size_t len;

	is_int(file_replace(path, "one", 3), 0, "a new file");
	is_int(file_read(path, buf, sizeof(buf)), 3, "reads back");
	is_str(buf, "one", "the same");
	is_int(file_replace(path, "twotwotwo", 9), 0, "is replaced");
	is_int(file_read(path, buf, sizeof(buf)), 7, "a longer file is cut to the buffer");
	is_str(buf, "twotwot", "and terminated");
	is_int(count_entries(), 1, "no temporary file stays");
	is_int(file_load(path, 9, &text, &len), 0, "loads at its limit");
	is_uint(len, 9, "all bytes");
	free(text);
	is_int(file_load(path, 8, &text, &len), -EFBIG, "past the limit");
	ok(!text, "gives no memory");
	is_int(file_replace("/nonexistent/x", "", 0), -ENOENT, "no folder");
	snprintf(folder, sizeof(folder), "%s/folder", dir);
	mkdir(folder, 0700);
	is_int(file_replace(folder, "x", 1), -EISDIR, "a folder is not replaced");
	is_int(count_entries(), 2, "nor is a temporary file left");
	rmdir(folder);
}

static void test_read(void)
{
	char buf[8] = "old", *text;
	size_t len;

	is_int(file_read("/nonexistent", buf, sizeof(buf)), -ENOENT, "missing file");
	is_str(buf, "", "leaves an empty text");
	is_int(file_read(dir, buf, sizeof(buf)), -EISDIR, "a folder");
	is_int(file_read(path, buf, 0), -EINVAL, "no buffer");
	is_int(file_load("/nonexistent", 10, &text, &len), -ENOENT, "loading a missing file");
	is_int(file_load("/proc/self/status", 1 << 20, &text, &len), 0, "a file of unknown size");
	ok(len > 100, "is read to its end");
	free(text);
}

static void test_write_all(void)
{
	int fd[2];

	is_int(pipe(fd), 0, "a pipe");
	is_int(file_write_all(fd[1], "abc", 3), 0, "is written");
	close(fd[0]);
	close(fd[1]);
	is_int(file_write_all(fd[1], "abc", 3), -EBADF, "a closed descriptor is an error");
}

int main(void)
{
	if (!mkdtemp(dir))
		tap_bail("no temporary folder");
	snprintf(path, sizeof(path), "%s/file", dir);
	test_replace();
	test_read();
	test_write_all();
	unlink(path);
	rmdir(dir);
	return tap_done();
}
