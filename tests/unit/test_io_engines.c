/* SPDX-License-Identifier: MIT */
/*
 * Every engine that moves data: what is written is what the buffer held, where it was asked for,
 * and read back the same; and what a buffer holds.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/io/buffers.h"
#include "bench/io/engine.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

#define BLOCK 4096
#define BLOCKS 48
#define DEPTH 16

static const struct io_engine *const engines[] = {
	&io_engine_libaio, &io_engine_uring, &io_engine_sync,
};

static unsigned char state[1 << 20] __attribute__((aligned(64)));
static unsigned char expected[BLOCKS * BLOCK], found[BLOCKS * BLOCK];
static char note[IO_NOTE_BYTES];
static struct io_buffers buffers;

/* Ends the test: nothing more can be learnt here. */
static void give_up(const struct io_engine *e, const char *what, int err)
{
	tap_diag("%s: %s: %s; %s", e->name, what, strerror(-err), note);
	tap_bail("an engine does not work at all");
}

static int set_up(const struct io_engine *e, struct io_engine_setup *s)
{
	memset(state, 0, sizeof(state));
	note[0] = '\0';
	if (e->state_bytes > sizeof(state))
		give_up(e, "its state does not fit this test", -ENOMEM);
	s->note = note;
	s->what = "";
	s->block_bytes = BLOCK;
	s->buffers = buffers.start;
	s->buffer_stride = buffers.stride;
	return e->setup(state, s);
}

/* Hands over n requests and waits for all of them. Returns how many did not come back whole. */
static unsigned run(const struct io_engine *e, const struct io_request *request, uint32_t n)
{
	uint32_t sent = 0, back = 0;
	unsigned bad = 0;

	while (back < n) {
		struct io_done done[IO_BATCH];
		int got = sent < n ? e->submit(state, request + sent, n - sent) : 0;

		if (got < 0)
			give_up(e, "submit", got);
		sent += (uint32_t)got;
		got = e->reap(state, done, IO_BATCH, NS_PER_S);
		if (got < 0)
			give_up(e, "reap", got);
		for (int i = 0; i < got; i++)
			bad += done[i].result != BLOCK;
		back += (uint32_t)got;
	}
	return bad;
}

/*
 * Two thirds of the requests write, the others read what a round before left there. `expected` is
 * kept beside the file.
 */
static void moves_data(const struct io_engine *e)
{
	int fd = memfd_create("disk", MFD_CLOEXEC);
	struct io_engine_setup s = { .fd = fd, .depth = DEPTH, .writes = true };
	uint64_t fresh = 1;
	unsigned bad = 0;

	memset(expected, 0, sizeof(expected));
	if (fd < 0 || ftruncate(fd, sizeof(expected)) || set_up(e, &s))
		give_up(e, "setup", -errno);
	for (uint32_t round = 0; round < 120; round++) {
		struct io_request request[DEPTH];
		uint32_t n = s.depth;

		for (uint32_t i = 0; i < n; i++) {
			/* 16 places without a collision in a round, all 48 over the rounds */
			uint32_t block = (i * 3 + round) % BLOCKS;
			unsigned char *buffer = buffers.start + i * buffers.stride;

			request[i].slot = i;
			request[i].write = (i + round + round / BLOCKS) % 3 != 0;
			request[i].offset_bytes = (uint64_t)block * BLOCK;
			if (!request[i].write)
				continue;
			io_buffer_refresh(buffer, BLOCK, &fresh);
			memcpy(expected + block * BLOCK, buffer, BLOCK);
		}
		bad += run(e, request, n);
		for (uint32_t i = 0; i < n; i++)
			bad += !request[i].write &&
			       memcmp(buffers.start + i * buffers.stride,
				      expected + request[i].offset_bytes, BLOCK) != 0;
	}
	is_uint(bad, 0, "%s: all came back whole, reads with what was written", e->name);
	if (pread(fd, found, sizeof(found), 0) != sizeof(found))
		tap_bail("cannot read the file");
	ok(memcmp(found, expected, sizeof(found)) == 0, "%s: the file holds what was written",
	   e->name);
	ok(s.depth == DEPTH ? !note[0] : !!note[0], "%s: a lower depth, and only that, is said: %s",
	   e->name, note);
	e->teardown(state);
	close(fd);
}

static int64_t one(const struct io_engine *e, bool write, uint64_t offset_bytes)
{
	struct io_request request = { .slot = 0, .write = write, .offset_bytes = offset_bytes };
	struct io_done done[IO_BATCH];
	int got = e->submit(state, &request, 1);

	if (got < 0)
		return got;
	do {
		got = e->reap(state, done, IO_BATCH, NS_PER_S);
	} while (got == IO_REAP_NONE);
	return got < 0 ? got : done[0].result;
}

static void says_what_failed(const struct io_engine *e)
{
	int fd = memfd_create("disk", MFD_CLOEXEC), read_only;
	struct io_engine_setup s = { .fd = fd, .depth = 1, .writes = true };
	struct io_done done[IO_BATCH];
	char path[64];
	uint64_t start_ns;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_only = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read_only < 0 || ftruncate(fd, BLOCK + 512) || set_up(e, &s))
		give_up(e, "setup", -errno);
	is_int(one(e, false, BLOCK), 512, "%s: a short read says how short", e->name);
	is_int(one(e, false, 2 * BLOCK), 0, "%s: nothing beyond the end", e->name);
	start_ns = clock_ns();
	is_int(e->reap(state, done, IO_BATCH, 20 * NS_PER_MS), IO_REAP_NONE,
	       "%s: nothing in flight, nothing comes", e->name);
	if (e != &io_engine_sync)
		ok(clock_ns() - start_ns >= 20 * NS_PER_MS, "%s: and it waited", e->name);
	e->teardown(state);
	s.fd = read_only;
	if (set_up(e, &s))
		give_up(e, "setup", -errno);
	is_int(one(e, true, 0), -EBADF, "%s: a write where only reads are allowed", e->name);
	e->teardown(state);
	s.fd = -1;
	if (set_up(e, &s))
		give_up(e, "setup", -errno);
	is_int(one(e, false, 0), -EBADF, "%s: no such descriptor", e->name);
	e->teardown(state);
	close(read_only);
	close(fd);
}

/* /dev/null takes every write and cannot flush. */
static void flushes(void)
{
	struct io_engine_setup s = { .depth = 1, .writes = true, .flush = true };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	s.fd = null;
	for (size_t i = 0; i < io_engine_table_n; i++) {
		const struct io_engine *e = io_engine_table[i];

		if (e == &io_engine_sync)
			continue;
		is_int(set_up(e, &s), -EOPNOTSUPP, "%s cannot flush", e->name);
		is_str(s.what, "flush", "and says so");
	}
	is_int(set_up(&io_engine_sync, &s), 0, "sync can");
	is_int(one(&io_engine_sync, true, 0), -EINVAL, "a flush that fails fails the write");
	s.flush = false;
	is_int(set_up(&io_engine_sync, &s), 0, "without");
	is_int(one(&io_engine_sync, true, 0), BLOCK, "there is none to fail");
	s.flush = true;
	s.fd = memfd_create("disk", MFD_CLOEXEC);
	is_int(set_up(&io_engine_sync, &s), 0, "on a file");
	is_int(one(&io_engine_sync, true, BLOCK), BLOCK, "a write with its flush");
	is_int(one(&io_engine_sync, false, BLOCK), BLOCK, "a read has none");
	is_int(lseek(s.fd, 0, SEEK_END), 2 * BLOCK, "and is in the file");
	s.depth = 8;
	is_int(set_up(&io_engine_sync, &s), 0, "sync at a depth");
	is_uint(s.depth, 1, "goes one at a time");
	is_str(note, "plain system calls go one at a time: queue depth 1 instead of 8", "it says");
	close(s.fd);
	close(null);
}

/* From here on io_uring_setup fails with `err` in this process. */
static void forbid_uring(unsigned err)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(9);
}

static void uring_absent(unsigned err, const char *reason)
{
	struct io_engine_setup s = { .fd = -1, .depth = 4 };
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		forbid_uring(err);
		_exit(set_up(&io_engine_uring, &s) != -(int)err ? 1 :
		      strcmp(s.what, "io_uring_setup") ? 2 :
		      strcmp(note, reason) ? 3 : 0);
	}
	ok(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	   WEXITSTATUS(status) == 0, "io_uring refused with %u: %s (%d)", err, reason,
	   WEXITSTATUS(status));
}

static void holds_random_bytes(void)
{
	static unsigned char before[BLOCK];
	struct io_buffers other;
	uint64_t fresh = 7, *word = (uint64_t *)(void *)buffers.start;
	size_t words = DEPTH * buffers.stride / 8, equal = 0, bits = 0;
	unsigned same = 0;

	for (size_t i = 0; i < words; i++)
		bits += (size_t)__builtin_popcountll(word[i]);
	for (size_t i = 1; i < words; i++)
		for (size_t k = 0; k < i; k++)
			equal += word[i] == word[k];
	is_uint(equal, 0, "no word stands twice in filled buffers");
	is_near((double)bits / (double)(words * 64), 0.5, 0.01, "half of the bits are set");
	if (io_buffers_map(&other, 1, BLOCK))
		tap_bail("no buffers");
	io_buffers_fill(&other, 5);
	ok(memcmp(other.start, buffers.start, BLOCK) == 0, "the same seed gives the same bytes");
	io_buffers_fill(&other, 6);
	ok(memcmp(other.start, buffers.start, BLOCK) != 0, "another others");
	io_buffers_unmap(&other);
	memcpy(before, buffers.start, BLOCK);
	for (int round = 0; round < 100; round++) {
		io_buffer_refresh(buffers.start, BLOCK, &fresh);
		for (size_t at = 0; at < BLOCK; at += 512)
			same += memcmp(buffers.start + at, before + at, 512) == 0;
		memcpy(before, buffers.start, BLOCK);
	}
	is_uint(same, 0, "no 512 bytes are as they were before a refresh");
	before[BLOCK - 1] = buffers.start[BLOCK];
	io_buffer_refresh(buffers.start, BLOCK, &fresh);
	is_uint(buffers.start[BLOCK], before[BLOCK - 1], "and nothing behind the buffer changes");
}

static uint64_t free_bytes(void)
{
	struct sysinfo info = { 0 };

	return sysinfo(&info) ? 0 : (uint64_t)info.freeram * info.mem_unit;
}

/* How often the kernel had no huge page where one was wished for. */
static uint64_t fallbacks(void)
{
	static const char key[] = "\nthp_fault_fallback ";
	static char text[65536];
	const char *at;

	if (file_read("/proc/vmstat", text, sizeof(text)) <= 0)
		return 0;
	at = strstr(text, key);
	return at ? strtoull(at + sizeof(key) - 1, NULL, 10) : 0;
}

static void huge_one(uint32_t n, uint32_t bytes, bool expected, const char *what)
{
	uint64_t before = fallbacks();
	struct io_buffers b;

	if (io_buffers_map(&b, n, bytes))
		tap_bail("no buffers");
	if (expected && !b.huge && fallbacks() != before)
		tap_skip(what, "memory is in pieces: the kernel has no huge page");
	else
		ok(b.huge == expected, "%s", what);
	is_uint((uintptr_t)b.start % (expected ? 2 << 20 : BLOCK), 0, "and begins where it should");
	io_buffers_fill(&b, 1);
	io_buffers_unmap(&b);
}

static void huge_pages(void)
{
	char mode[128] = "";
	bool some;

	(void)file_read("/sys/kernel/mm/transparent_hugepage/enabled", mode, sizeof(mode));
	some = strstr(mode, "[madvise]") || strstr(mode, "[always]");
	huge_one(16, BLOCK, false, "64 KiB take no huge page");
	huge_one(8, 1 << 20, some, "8 MiB lie on huge pages where there are any");
	huge_one(64, BLOCK, some && free_bytes() >= 1 << 30, "256 KiB where there is room as well");
}

int main(void)
{
	struct io_engine_setup s = { .fd = -1, .depth = 1 };
	bool has_uring;

	if (io_buffers_map(&buffers, DEPTH, BLOCK))
		tap_bail("no buffers");
	io_buffers_fill(&buffers, 5);
	holds_random_bytes();
	huge_pages();
	has_uring = set_up(&io_engine_uring, &s) == 0;
	if (has_uring)
		io_engine_uring.teardown(state);
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (engines[i] == &io_engine_uring && !has_uring) {
			tap_skip("io_uring moves data", note);
			continue;
		}
		moves_data(engines[i]);
		says_what_failed(engines[i]);
	}
	flushes();
	uring_absent(ENOSYS, "this kernel has no io_uring");
	if (has_uring)
		uring_absent(EPERM, "this process may not use io_uring");
	return tap_done();
}
