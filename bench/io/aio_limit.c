/* SPDX-License-Identifier: MIT */
/* The kernel's limit on asynchronous I/O contexts; see aio_limit.h. */
#include "bench/io/aio_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"

static int read_number(const char *path, uint64_t *value)
{
	char text[32], *end;
	ssize_t len = file_read(path, text, sizeof(text));

	if (len < 0)
		return (int)len;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno || end == text ? -EINVAL : 0;
}

static int write_number(const char *path, uint64_t value)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%" PRIu64 "\n", value);
	int fd = open(path, O_WRONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = file_write_all(fd, text, (size_t)len);
	close(fd);
	return err;
}

int aio_limit_raise(const char *nr_path, const char *max_path, uint32_t need, char *note,
		    size_t note_bytes)
{
	uint64_t nr, max, wanted;
	int err = read_number(nr_path, &nr);

	if (!err)
		err = read_number(max_path, &max);
	if (err)
		return err;
	if (nr <= max && need <= max - nr)
		return 0;
	wanted = nr + need > AIO_LIMIT_WANTED ? nr + need : AIO_LIMIT_WANTED;
	err = write_number(max_path, wanted);
	if (err)
		snprintf(note, note_bytes, "fs.aio-max-nr is %" PRIu64 " with %" PRIu64
			 " in use, raising it: %s", max, nr, strerror(-err));
	else
		snprintf(note, note_bytes, "fs.aio-max-nr raised from %" PRIu64 " to %" PRIu64, max,
			 wanted);
	return err ? err : 1;
}
