/* SPDX-License-Identifier: MIT */
/* One block after the other, in a thread; see stream.h. stream_watch.c holds the other end. */
#include "bench/io/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/io/stream_thread.h"
#include "bench/io/trouble.h"
#include "lib/clock.h"

#define TOUCH_STEP 512		/* hdparm touches one byte of each */
#define ZERO_CHECKS 64		/* the first blocks that look like zeros are looked at whole */
#define LOOK_EVERY 64		/* of the blocks that are not touched, so many are passed over */

int stream_drop_cache(int fd)
{
	int err = fdatasync(fd) ? -errno : 0;

	/* a device: all of its pages; needs CAP_SYS_ADMIN, and is no error where it is not had */
	(void)ioctl(fd, BLKFLSBUF);
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return err;
}

/* Counts a call that moved no whole block; see struct io_outcome. */
static void add_trouble(struct stream_thread *t, uint64_t at, int64_t got)
{
	struct io_job job = { .fd = t->s.fd, .block_bytes = t->s.block_bytes, .depth = 1 };
	struct io_trouble trouble = { 0 };
	struct stat st;

	t->out.end = IO_END_ERRORS;
	t->out.trouble_ns = clock_ns() - t->start_ns;
	(void)io_trouble_add(&trouble, &job, &t->out, at, got, clock_ns(), &t->out.end);
	if (!t->s.write && io_device_gone(t->s.fd, at + t->s.block_bytes))
		t->out.end = io_device_gone(t->s.fd, 1) ? IO_END_VANISHED : IO_END_SHRUNK;
	/* a file is smaller than what is yet to be written to it: that is no sign of anything */
	if (t->s.write && (fstat(t->s.fd, &st) || !S_ISBLK(st.st_mode)))
		t->out.end = IO_END_ERRORS;
}

/* read() or write() of a whole block, over interrupts. Returns the bytes moved, or -errno. */
static int64_t whole(int fd, bool write_it, unsigned char *block, uint32_t bytes)
{
	uint32_t done = 0;

	while (done < bytes) {
		ssize_t got = write_it ? write(fd, block + done, bytes - done)
				       : read(fd, block + done, bytes - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (uint32_t)got;
	}
	return done;
}

/* As hdparm: touched so that all of it was truly there. Counts blocks that are all zeros. */
static void touch(struct stream_thread *t)
{
	volatile unsigned char *p = t->block.start;
	unsigned char any = 0;

	for (uint32_t i = 0; i < t->s.block_bytes; i += TOUCH_STEP) {
		unsigned char byte = p[i];

		any |= byte;
		p[i] = byte & 1;
	}
	if (t->s.again)		/* the same block ten thousand times says nothing of the disk */
		return;
	t->out.sampled_buffers++;
	if (any)
		return;
	if (t->zero_checks < ZERO_CHECKS) {
		t->zero_checks++;
		if (!io_buffer_is_zero(t->block.start, t->s.block_bytes))
			return;
	}
	t->out.zero_buffers++;
}

static void look(struct stream_thread *t)
{
	if (t->out.ios % LOOK_EVERY)
		return;
	t->out.sampled_buffers++;
	t->out.zero_buffers += io_buffer_is_zero(t->block.start, t->s.block_bytes);
}

static bool is_over(const struct stream_thread *t)
{
	return (t->s.bytes && t->out.bytes + t->s.block_bytes > t->s.bytes) ||
	       atomic_load_explicit(&t->stop, memory_order_relaxed);
}

/* The end of reads of `runtime_ns` is looked for after each block, as hdparm does. */
static void read_blocks(struct stream_thread *t)
{
	uint64_t began_ns = atomic_load(&t->began_ns);
	uint64_t until_ns = t->s.runtime_ns ? began_ns + t->s.runtime_ns : UINT64_MAX;
	uint32_t bytes = t->s.block_bytes;

	while (!is_over(t)) {
		int64_t got;

		if (t->s.again && lseek(t->s.fd, (off_t)t->s.offset_bytes, SEEK_SET) < 0)
			got = -errno;
		else
			got = whole(t->s.fd, false, t->block.start, bytes);
		t->out.issued_ios++;
		if (got != bytes) {
			add_trouble(t, t->s.offset_bytes + t->out.bytes, got);
			return;
		}
		if (t->s.touch)
			touch(t);
		else
			look(t);
		if (t->aside_fd >= 0)
			(void)whole(t->aside_fd, true, t->block.start, bytes);
		t->out.ios++;
		t->out.bytes += bytes;
		atomic_store_explicit(&t->bytes, t->out.bytes, memory_order_relaxed);
		if (until_ns != UINT64_MAX && clock_ns() >= until_ns) {
			t->out.end = IO_END_TIME;
			return;
		}
	}
}

static void flush_failed(struct stream_thread *t, int err)
{
	snprintf(t->out.note, sizeof(t->out.note), "flushing what was written failed");
	add_trouble(t, t->s.offset_bytes, err);
}

/*
 * So much more may become dirty that it is flushed in time. Flushes first, so that how fast the
 * disk is is known: that costs next to nothing beside the flush that all of it needs anyway.
 */
static bool may_go_on(struct stream_thread *t, uint64_t *limit)
{
	uint64_t now_ns, began_ns = atomic_load(&t->began_ns),
			 end_ns = t->start_ns + t->s.budget_ns;
	double more;

	if (fdatasync(t->s.fd)) {
		flush_failed(t, -errno);	/* it is told once: not again by the last one */
		return false;
	}
	now_ns = clock_ns();
	if (now_ns >= end_ns || now_ns == began_ns)
		return false;
	more = (double)t->out.bytes / (double)(now_ns - began_ns) * (double)(end_ns - now_ns);
	*limit = t->out.bytes + (uint64_t)(more * STREAM_FLUSH_SHARE);
	return t->out.bytes + t->s.block_bytes <= *limit;
}

static void write_blocks(struct stream_thread *t, uint64_t limit)
{
	uint32_t bytes = t->s.block_bytes;
	uint64_t random = t->s.seed;

	while (!is_over(t)) {
		int64_t got;

		if (t->out.bytes + bytes > limit && !may_go_on(t, &limit))
			return;
		if (t->aside_fd >= 0)
			(void)whole(t->aside_fd, false, t->block.start, bytes);
		else
			io_buffer_refresh(t->block.start, bytes, &random);
		got = whole(t->s.fd, true, t->block.start, bytes);
		t->out.issued_ios++;
		if (got != bytes) {
			add_trouble(t, t->s.offset_bytes + t->out.bytes, got);
			return;
		}
		t->out.ios++;
		t->out.bytes += bytes;
		atomic_store_explicit(&t->bytes, t->out.bytes, memory_order_relaxed);
	}
}

static int flush(int fd, enum stream_close how)
{
	const unsigned all = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
			     SYNC_FILE_RANGE_WAIT_AFTER;
	struct stat st;

	switch (how) {
	case STREAM_LEAVE:
		return 0;
	case STREAM_FDATASYNC:
		return fdatasync(fd) ? -errno : 0;
	case STREAM_SYNC:
		break;
	}
	/* a device's node lies on another file system than its pages: syncfs would sync that one */
	if (!fstat(fd, &st) && S_ISBLK(st.st_mode))
		return sync_file_range(fd, 0, 0, all) ? -errno : 0;
	return syncfs(fd) ? -errno : 0;
}

/* Ends a stream of writes; what cannot be flushed was not written. */
static void close_writes(struct stream_thread *t)
{
	int err;

	if (t->out.end == IO_END_ERRORS || t->out.end == IO_END_VANISHED ||
	    t->out.end == IO_END_SHRUNK)
		return;
	atomic_store(&t->closing, true);
	err = flush(t->s.fd, t->s.close);
	if (err)
		flush_failed(t, err);
}

/* What `n` seeks and looks at the clock cost: not part of reading from the cache. */
static uint64_t seeks_ns(const struct stream_thread *t, uint64_t n)
{
	uint64_t start_ns = clock_ns(), end_ns = start_ns;

	while (n--) {
		(void)lseek(t->s.fd, (off_t)t->s.offset_bytes, SEEK_SET);
		end_ns = clock_ns();
	}
	return end_ns - start_ns;
}

/* Writes and flushes some bytes from the stream's start. Returns bytes per second, 0 on failure. */
static double probe(struct stream_thread *t, uint64_t bytes)
{
	uint64_t start_ns = clock_ns(), ns;

	if (t->s.bytes && bytes > t->s.bytes)
		bytes = t->s.bytes;
	if (lseek(t->s.fd, (off_t)t->s.offset_bytes, SEEK_SET) < 0)
		return 0;
	for (uint64_t done = 0; done + t->s.block_bytes <= bytes; done += t->s.block_bytes)
		if (whole(t->s.fd, true, t->block.start, t->s.block_bytes) != t->s.block_bytes)
			return 0;
	if (fdatasync(t->s.fd))
		return 0;
	ns = clock_ns() - start_ns;
	return ns ? (double)bytes / (double)ns * 1e9 : 0;
}

/* See stream_run: how fast the disk is, before memory takes more than it can write in time. */
static void probe_rate(struct stream_thread *t)
{
	double rate;

	if (!t->s.budget_ns)
		return;
	rate = probe(t, STREAM_PROBE_SMALL);
	if (rate >= STREAM_PROBE_FAST)
		rate = probe(t, STREAM_PROBE_LARGE);
	/* what a short burst hides: where there is much to write, and time for it */
	if (t->s.bytes > 4 * STREAM_PROBE_LONG &&
	    rate * (double)t->s.budget_ns / 1e9 >= (double)(16 * STREAM_PROBE_LONG))
		rate = probe(t, STREAM_PROBE_LONG);
	/* the stream begins with new pages, as dd's does */
	if (t->s.own_file && ftruncate(t->s.fd, 0))
		rate = 0;
	(void)stream_drop_cache(t->s.fd);
	atomic_store(&t->probe_rate, rate);
}

/* The timed part, from the first block to the end of the flush. */
static void run_timed(struct stream_thread *t, uint64_t limit)
{
	uint64_t began_ns;

	if (lseek(t->s.fd, (off_t)t->s.offset_bytes, SEEK_SET) < 0) {
		add_trouble(t, t->s.offset_bytes, -errno);
		return;
	}
	t->out.end = t->s.bytes ? IO_END_BYTES : IO_END_TIME;
	began_ns = clock_ns();
	atomic_store(&t->began_ns, began_ns);
	if (t->s.write) {
		write_blocks(t, limit);
		close_writes(t);
	} else {
		read_blocks(t);
	}
	t->out.measured_ns = clock_ns() - began_ns;
	if (t->out.end == IO_END_BYTES && t->out.bytes + t->s.block_bytes <= t->s.bytes)
		t->out.end = IO_END_TIME;
}

void *stream_thread_main(void *argument)
{
	struct stream_thread *t = argument;
	uint64_t limit = UINT64_MAX, one = 1;

	if (t->s.write)
		probe_rate(t);
	if (t->probe_rate > 0 && t->s.budget_ns) {
		double most = STREAM_PROBE_SHARE * t->probe_rate * (double)t->s.budget_ns / 1e9;

		limit = (uint64_t)most > t->s.block_bytes ? (uint64_t)most : t->s.block_bytes;
	}
	run_timed(t, limit);
	if (t->s.again && t->out.measured_ns) {
		uint64_t seeks = seeks_ns(t, t->out.ios);

		t->out.measured_ns -= seeks < t->out.measured_ns ? seeks : 0;
	}
	(void)!write(t->done_fd, &one, sizeof(one));
	return NULL;
}
