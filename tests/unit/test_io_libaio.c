/* SPDX-License-Identifier: MIT */
/* The real engine on a file, the buffers, and the kernel's limit on contexts. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/io/aio_limit.h"
#include "bench/io/buffers.h"
#include "bench/io/engine.h"
#include "bench/io/trouble.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

#define BLOCK 4096
#define BLOCKS 64

static struct io_outcome out;
static unsigned char state[1 << 20] __attribute__((aligned(64)));

/* Block n of the file holds n + 1 in each byte. */
static int numbered_file(void)
{
	unsigned char block[BLOCK];
	int fd = memfd_create("numbered", MFD_CLOEXEC);

	for (int i = 0; fd >= 0 && i < BLOCKS; i++) {
		memset(block, i + 1, sizeof(block));
		if (file_write_all(fd, block, sizeof(block)))
			return -1;
	}
	return fd;
}

/* Through the engine's own interface: each slot's buffer holds the block asked for. */
static void reads_what_was_asked(int fd)
{
	const struct io_engine *e = &io_engine_libaio;
	char note[IO_NOTE_BYTES] = "";
	struct io_engine_setup s = { .fd = fd, .block_bytes = BLOCK, .depth = 16, .note = note };
	struct io_request request[16] = { 0 };
	struct io_done done[IO_BATCH];
	struct io_buffers b;
	unsigned bad = 0, came = 0;

	ok(e->state_bytes <= sizeof(state), "the state fits this test");
	if (io_buffers_map(&b, s.depth, BLOCK))
		tap_bail("no buffers");
	s.buffers = b.start;
	s.buffer_stride = b.stride;
	is_int(e->setup(state, &s), 0, "set up");
	is_uint(s.depth, 16, "at the depth asked for");
	is_int(e->reap(state, done, IO_BATCH, 0), IO_REAP_NONE, "nothing to reap yet");
	/* 100 rounds of 16: the ring is far smaller and wraps */
	for (unsigned round = 0; round < 100; round++) {
		unsigned sent = 0, left = 16;

		for (uint32_t i = 0; i < 16; i++) {
			request[i].slot = (i + round) % 16;
			request[i].offset_bytes = (i * 7 + round) % BLOCKS * BLOCK;
		}
		while (sent < 16) {
			int got = e->submit(state, request + sent, 16 - sent);

			if (got < 0)
				tap_bail("submit failed");
			sent += (unsigned)got;
		}
		while (left) {
			int got = e->reap(state, done, IO_BATCH, NS_PER_S);

			if (got <= 0)
				tap_bail("reap failed");
			for (int i = 0; i < got; i++)
				bad += done[i].result != BLOCK;
			left -= (unsigned)got;
			came += (unsigned)got;
		}
		for (uint32_t i = 0; i < 16; i++) {
			const unsigned char *p = b.start + request[i].slot * b.stride;
			unsigned want = (unsigned)(request[i].offset_bytes / BLOCK + 1);

			bad += p[0] != want || p[BLOCK - 1] != want;
		}
	}
	is_uint(came, 1600, "each request came back once");
	is_uint(bad, 0, "whole, and with the data of its block");
	request[0].offset_bytes = BLOCKS * BLOCK;
	e->submit(state, request, 1);
	e->reap(state, done, IO_BATCH, NS_PER_S);
	is_int(done[0].result, 0, "past the end: 0 bytes");
	e->teardown(state);
	memset(state, 0, sizeof(state));
	s.fd = -1;
	is_int(e->setup(state, &s), 0, "set up on a bad descriptor");
	is_int(e->submit(state, request, 1), -EBADF, "a refused request says why");
	e->teardown(state);
	io_buffers_unmap(&b);
}

static void job_on_file(int fd)
{
	struct io_job job = {
		.fd = fd, .engine = "libaio", .order = IO_RANDOM, .block_bytes = BLOCK,
		.align_bytes = 512, .depth = 64, .area_bytes = BLOCKS * BLOCK,
		.runtime_ns = 50 * NS_PER_MS, .stall_ns = NS_PER_S, .seed = 1,
	};

	is_int(io_job_run(&job, &out), 0, "a whole job");
	is_int(out.end, IO_END_TIME, "runs its time");
	is_uint(out.depth_used, 64, "at its depth");
	ok(out.ios > 100 && out.error_ios + out.short_ios + out.zero_ios == 0, "and reads");
	is_uint(out.zero_buffers, 0, "data");
	is_uint(out.unanswered_ios, 0, "all answered");
	job.area_bytes = 2 * BLOCKS * BLOCK;
	job.runtime_ns = 10 * NS_PER_S;
	io_job_run(&job, &out);
	is_int(out.end, IO_END_SHRUNK, "an area beyond the end is no device any more");
	job.engine = "null";
	job.fd = -1;
	job.runtime_ns = 20 * NS_PER_MS;
	is_int(io_job_run(&job, &out), 0, "the null engine needs no device");
	is_int(out.end, IO_END_TIME, "and runs");
	ok(out.ios > 10000, "fast");
}

static void buffers(void)
{
	static const struct { uint32_t n, bytes; size_t stride; } row[] = {
		{ 1, 512, 4096 }, { 64, 4096, 4096 }, { 3, 12288, 12288 }, { 64, 1 << 20, 1 << 20 },
		{ 1, 2 << 20, 2 << 20 },
	};
	struct io_buffers b;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		is_int(io_buffers_map(&b, row[i].n, row[i].bytes), 0, "%u buffers of %u", row[i].n,
		       row[i].bytes);
		is_uint(b.stride, row[i].stride, "whole pages apart");
		is_uint((uintptr_t)b.start % 4096, 0, "page-aligned");
		ok(b.mapped_bytes >= row[i].n * b.stride, "all mapped");
		ok(!io_buffer_is_zero(b.start + (row[i].n - 1) * b.stride, row[i].bytes),
		   "not zero before a read");
		b.start[b.mapped_bytes - 1] = 1;
		io_buffers_unmap(&b);
	}
}

static void zeros(void)
{
	static uint64_t p[512];
	unsigned missed = 0;

	ok(io_buffer_is_zero(p, sizeof(p)), "zeros are seen");
	for (size_t i = 0; i < 512; i++) {
		p[i] = UINT64_C(1) << (i % 64);
		missed += io_buffer_is_zero(p, sizeof(p));
		p[i] = 0;
	}
	is_uint(missed, 0, "one bit anywhere is data");
	p[8] = 1;
	ok(io_buffer_is_zero(p, 64), "what lies behind the buffer is not looked at");
}

static uint64_t number_in(const char *path)
{
	char text[64] = "";

	(void)file_read(path, text, sizeof(text));
	return strtoull(text, NULL, 10);
}

static int limit(const char *nr, const char *max, uint32_t need, char *note)
{
	static char nr_path[64], max_path[64], dir[] = "/tmp/test_io.XXXXXX";
	int got;

	if (!nr_path[0]) {
		if (!mkdtemp(dir))
			tap_bail("no temporary folder");
		snprintf(nr_path, sizeof(nr_path), "%s/nr", dir);
		snprintf(max_path, sizeof(max_path), "%s/max", dir);
	}
	note[0] = '\0';
	if (!nr) {
		unlink(nr_path);
		unlink(max_path);
		rmdir(dir);
		return 0;
	}
	if (file_replace(nr_path, nr, strlen(nr)) || file_replace(max_path, max, strlen(max)))
		tap_bail("cannot write the files");
	got = aio_limit_raise(nr_path, max_path, need, note, IO_NOTE_BYTES);
	if (got == 1)
		ok(number_in(max_path) >= strtoull(nr, NULL, 10) + need, "there is room now");
	else
		is_uint(number_in(max_path), strtoull(max, NULL, 10), "the limit is as it was");
	return got;
}

static void limits(void)
{
	char note[IO_NOTE_BYTES];

	is_int(limit("0\n", "65536\n", 64, note), 0, "room: nothing is raised");
	is_str(note, "", "nothing is said");
	is_int(limit("65472\n", "65536\n", 64, note), 0, "just room");
	is_int(limit("65473\n", "65536\n", 64, note), 1, "one too many: raised");
	is_str(note, "fs.aio-max-nr raised from 65536 to 1048576", "and said");
	is_int(limit("70000\n", "128\n", 64, note), 1, "a limit below what is in use");
	is_int(limit("1048570\n", "1048576\n", 64, note), 1, "the usual limit is full");
	is_int(limit("none\n", "128\n", 64, note), -EINVAL, "no number");
	limit(NULL, NULL, 0, note);
	is_int(aio_limit_raise("/nonexistent", "/nonexistent", 1, note, sizeof(note)), -ENOENT,
	       "no such files");
}

int main(void)
{
	int fd = numbered_file();

	if (fd < 0)
		tap_bail("no memory file");
	ok(io_engine_find("libaio") == &io_engine_libaio, "libaio is found");
	ok(!io_engine_find("") && !io_engine_find("libai"), "others are not");
	reads_what_was_asked(fd);
	job_on_file(fd);
	ok(!io_device_gone(fd, BLOCKS * BLOCK), "a device is there to its last byte");
	ok(io_device_gone(fd, BLOCKS * BLOCK + 1), "not beyond");
	ok(io_device_gone(-1, 1), "a bad descriptor is no device");
	buffers();
	zeros();
	limits();
	return tap_done();
}
