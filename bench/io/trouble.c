/* SPDX-License-Identifier: MIT */
/* Failed, short and zero-length transfers; see trouble.h. */
#include "bench/io/trouble.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>

bool io_device_gone(int fd, uint64_t end_bytes)
{
	uint64_t size_bytes = 0;
	struct stat st;

	if (fstat(fd, &st))
		return true;
	if (S_ISBLK(st.st_mode))
		return ioctl(fd, BLKGETSIZE64, &size_bytes) || size_bytes < end_bytes;
	return (uint64_t)st.st_size < end_bytes;
}

/* Keeps the count and first place of each kind; kinds beyond the array are in error_ios alone. */
static void count_kind(struct io_outcome *out, int err, uint64_t offset_bytes)
{
	uint32_t i = 0;

	while (i < out->error_n && out->error[i].err != err)
		i++;
	if (i == IO_ERRORS_MAX)
		return;
	if (i == out->error_n) {
		out->error_n++;
		out->error[i].err = err;
		out->error[i].first_offset_bytes = offset_bytes;
	}
	out->error[i].count++;
}

/* These say that there is no device any more, not that it failed to read. */
static bool says_gone(int64_t result)
{
	return result == 0 || result == -ENODEV || result == -ENXIO || result == -ENOMEDIUM;
}

bool io_trouble_add(struct io_trouble *t, const struct io_job *job, struct io_outcome *out,
		    uint64_t offset_bytes, int64_t result, uint64_t now_ns, enum io_end *end)
{
	uint32_t limit = 4 * job->depth > IO_BAD_ROW_MIN ? 4 * job->depth : IO_BAD_ROW_MIN;

	if (result < 0)
		out->error_ios++;
	else if (result == 0)
		out->zero_ios++;
	else
		out->short_ios++;
	count_kind(out, result < 0 ? (int)-result : 0, offset_bytes);

	if (!t->bad_row++)
		t->row_ns = now_ns;
	t->zero_row = result == 0 ? t->zero_row + 1 : 0;
	if (says_gone(result) && io_device_gone(job->fd, offset_bytes + job->block_bytes)) {
		*end = IO_END_VANISHED;
		return true;
	}
	if (t->zero_row >= IO_ZERO_ROW) {
		*end = IO_END_VANISHED;
		return true;
	}
	if (t->bad_row < limit)
		return false;
	*end = IO_END_ERRORS;
	if (io_device_gone(job->fd, offset_bytes + job->block_bytes))
		*end = IO_END_VANISHED;
	return true;
}
