/* SPDX-License-Identifier: MIT */
/* Failed, short and zero-length transfers; see trouble.h. */
#include "bench/io/trouble.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>

/* 0 where there is nothing any more. */
static uint64_t size_of(int fd)
{
	uint64_t size_bytes = 0;
	struct stat st;

	if (fstat(fd, &st))
		return 0;
	if (S_ISBLK(st.st_mode))
		return ioctl(fd, BLKGETSIZE64, &size_bytes) ? 0 : size_bytes;
	return (uint64_t)st.st_size;
}

bool io_device_gone(int fd, uint64_t end_bytes)
{
	return size_of(fd) < end_bytes;
}

/* Whether the device lost what lies before `end_bytes`; *end then says in which way. */
static bool is_lost(int fd, uint64_t end_bytes, enum io_end *end)
{
	uint64_t size_bytes = size_of(fd);

	if (size_bytes >= end_bytes)
		return false;
	*end = size_bytes ? IO_END_SHRUNK : IO_END_VANISHED;
	return true;
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

/*
 * These say that there is no device any more, or less of it, not that it failed. The kernel answers
 * a write beyond the end with ENOSPC, and a read that crosses it with what lies before.
 */
static bool says_gone(int64_t result)
{
	return result >= 0 || result == -ENODEV || result == -ENXIO || result == -ENOMEDIUM ||
	       result == -ENOSPC;
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
	if (says_gone(result) && is_lost(job->fd, offset_bytes + job->block_bytes, end))
		return true;
	if (t->zero_row >= IO_ZERO_ROW) {
		*end = IO_END_VANISHED;
		return true;
	}
	if (t->bad_row < limit)
		return false;
	*end = IO_END_ERRORS;
	(void)is_lost(job->fd, offset_bytes + job->block_bytes, end);
	return true;
}
