/* SPDX-License-Identifier: MIT */
/* Streams of plain reads and writes: what they count, where they end, what a sick disk costs. */
#include "bench/io/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define BLOCK (64 * KIB)

static struct io_outcome out;
static unsigned char block[BLOCK], other[BLOCK];

/* An unnamed file of `bytes` random bytes. */
static int file_of(uint64_t bytes)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	int from = open("/dev/urandom", O_RDONLY);

	if (fd < 0 || from < 0)
		tap_bail("no file in /tmp");
	while (bytes) {
		size_t n = bytes < BLOCK ? bytes : BLOCK;

		if (read(from, block, n) != (ssize_t)n || file_write_all(fd, block, n))
			tap_bail("/tmp cannot be written");
		bytes -= n;
	}
	close(from);
	return fd;
}

static struct stream stream_of(int fd, uint64_t bytes)
{
	return (struct stream) { .fd = fd, .block_bytes = BLOCK, .bytes = bytes, .seed = 7,
				 .stall_ns = 5 * NS_PER_S };
}

static void reads(void)
{
	int fd = file_of(4 * MIB);
	struct stream s = stream_of(fd, 3 * MIB + BLOCK);

	s.offset_bytes = BLOCK;
	is_int(stream_run(&s, &out), 0, "a file is read");
	is_int(out.end, IO_END_BYTES, "to the end of what was asked");
	is_uint(out.bytes, 3 * MIB + BLOCK, "all bytes count");
	is_uint(out.ios, 49, "in whole blocks");
	ok(out.measured_ns > 0, "and took time");
	is_uint(out.sampled_buffers, 1, "one block of 64 was looked at");
	is_uint(out.zero_buffers, 0, "and held data");

	s.touch = s.null_sink = true;
	is_int(stream_run(&s, &out), 0, "the same with each block touched and put aside");
	is_uint(out.sampled_buffers, 49, "each block was looked at");
	is_uint(out.zero_buffers, 0, "none is zero");

	s.offset_bytes = 2 * MIB;
	is_int(stream_run(&s, &out), 0, "a device that ends too soon is no error of ours");
	is_int(out.end, IO_END_SHRUNK, "but has lost its end");
	is_uint(out.bytes, 2 * MIB, "what was read before is kept");
	is_uint(out.zero_ios, 1, "the empty read is counted apart");

	if (ftruncate(fd, 0) || ftruncate(fd, (off_t)(4 * MIB)))
		tap_bail("a file cannot be emptied");
	s.offset_bytes = 0;
	(void)stream_run(&s, &out);
	is_uint(out.zero_buffers, 49, "blocks of zeros are seen");
	close(fd);
}

static void reads_by_time(void)
{
	int fd = file_of(MIB);
	struct stream s = stream_of(fd, 0);
	uint64_t start_ns = clock_ns(), wall_ns;

	s.again = s.touch = true;
	s.runtime_ns = 200 * NS_PER_MS;
	is_int(stream_run(&s, &out), 0, "the first block again and again");
	wall_ns = clock_ns() - start_ns;
	is_int(out.end, IO_END_TIME, "until its time is over");
	ok(out.bytes > MIB && out.bytes % BLOCK == 0, "more than the file holds");
	is_uint(out.sampled_buffers, 0, "one block, however often, says nothing of a disk");
	ok(wall_ns >= s.runtime_ns && out.measured_ns < s.runtime_ns,
	   "what the seeks cost is taken off");

	s.again = false;
	s.bytes = MIB;
	s.runtime_ns = 60 * NS_PER_S;
	is_int(stream_run(&s, &out), 0, "a device smaller than the time");
	is_int(out.end, IO_END_BYTES, "ends with the device");
	close(fd);
}

static void writes(void)
{
	int fd = file_of(2 * BLOCK);
	struct stream s = stream_of(fd, 32 * BLOCK);
	struct stat st;

	s.write = true;
	s.close = STREAM_FDATASYNC;
	s.budget_ns = 60 * NS_PER_S;
	s.own_file = true;
	is_int(stream_run(&s, &out), 0, "zeros are written");
	is_int(out.end, IO_END_BYTES, "all that was asked");
	ok(!fstat(fd, &st) && st.st_size == (off_t)(32 * BLOCK), "no byte more");
	memset(other, 0, sizeof(other));
	ok(pread(fd, block, BLOCK, 31 * BLOCK) == BLOCK && !memcmp(block, other, BLOCK),
	   "and they are zeros");

	s.data = STREAM_RANDOM;
	s.close = STREAM_SYNC;
	is_int(stream_run(&s, &out), 0, "random data is written");
	ok(pread(fd, block, BLOCK, 0) == BLOCK && pread(fd, other, BLOCK, BLOCK) == BLOCK &&
	   memcmp(block, other, BLOCK), "no block is like another");
	close(fd);

	fd = open("/dev/full", O_RDWR);
	s.fd = fd;
	s.budget_ns = 0;
	is_int(stream_run(&s, &out), 0, "a write that fails ends the stream");
	is_int(out.end, IO_END_ERRORS, "with an error");
	ok(out.error_n == 1 && out.error[0].err == ENOSPC && out.bytes == 0, "that is named");
	close(fd);
}

/* What can be flushed of /dev/null is nothing, so its flush fails. */
static void flush_fails(void)
{
	int fd = open("/dev/null", O_RDWR);
	struct stream s = stream_of(fd, 4 * BLOCK);

	s.write = true;
	s.close = STREAM_FDATASYNC;
	is_int(stream_run(&s, &out), 0, "a flush that fails ends the stream");
	is_int(out.end, IO_END_ERRORS, "with an error");
	ok(strstr(out.note, "flushing"), "that says it was the flush");

	s.close = STREAM_LEAVE;
	s.bytes = 1 << 30;
	s.bytes <<= 20;
	s.budget_ns = 200 * NS_PER_MS;
	is_int(stream_run(&s, &out), 0, "a write that cannot end in its time");
	is_int(out.end, IO_END_TIME, "is stopped");
	ok(out.bytes > 0 && out.bytes < s.bytes, "and tells how much was done");
	ok(out.measured_ns < NS_PER_S, "in its time");
	close(fd);
}

/* Reading an event counter that is 0 blocks for ever: a disk that does not answer. */
static void stalls(void)
{
	struct stream s = stream_of(eventfd(0, EFD_CLOEXEC), 4 * BLOCK);

	s.stall_ns = 300 * NS_PER_MS;
	is_int(stream_run(&s, &out), -EINPROGRESS, "a read that never returns is left behind");
	is_int(out.end, IO_END_STALLED, "the disk stopped answering");
	ok(out.silent_ns >= s.stall_ns && out.unanswered_ios == 1 && out.bytes == 0,
	   "how long and with how many calls");
}

static char stat_path[] = "/tmp/bootmark-stat.XXXXXX";
static unsigned looks;

static void set_stat(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	char text[80];

	(void)context;
	(void)elapsed_ns;
	(void)bytes;
	looks++;
	snprintf(text, sizeof(text), "1 0 %u 0 1 0 %u 0 0 0 0\n", 8 * looks, 100);
	(void)file_replace(stat_path, text, strlen(text));
}

/* The same, but the disk's counters move: it works, too slowly for us. */
static void too_slow(void)
{
	struct stream s = stream_of(eventfd(0, EFD_CLOEXEC), 4 * BLOCK);
	int fd = mkstemp(stat_path);

	if (fd < 0)
		tap_bail("no file in /tmp");
	close(fd);
	snprintf(s.disk_stat, sizeof(s.disk_stat), "%s", stat_path);
	s.progress = set_stat;
	s.stall_ns = 1500 * NS_PER_MS;
	s.budget_ns = 2 * NS_PER_S;
	is_int(stream_run(&s, &out), -EINPROGRESS, "a slow disk is left behind as well");
	is_int(out.end, IO_END_TIME, "when its time is over, and not as silent");
	ok(looks >= 3, "it was watched all the time");
	unlink(stat_path);
}

int main(void)
{
	reads();
	reads_by_time();
	writes();
	flush_fails();
	stalls();
	too_slow();
	return tap_done();
}
