/* SPDX-License-Identifier: MIT */
/* Commit latency: each write is flushed, round a ring, on a device and in a file; and its ends. */
#include "bench/tests/commit.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/clock.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)

static struct {
	_Atomic unsigned writes, flushes, unflushed, out_of_order;
	_Atomic bool dirty, hang;
	uint64_t last;
	unsigned hang_after;	/* flushes; 0: never */
	uint64_t flush_ns, lowest, highest;
	int err;
} seen;

static struct result r;

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
	uint64_t at = (uint64_t)offset;

	if (bytes == COMMIT_BLOCK_BYTES) {
		seen.writes++;
		seen.unflushed += seen.dirty;
		seen.dirty = true;
		seen.out_of_order += at != seen.last + COMMIT_BLOCK_BYTES && at > seen.lowest;
		seen.last = at;
		seen.highest = at > seen.highest ? at : seen.highest;
		seen.lowest = at < seen.lowest ? at : seen.lowest;
	}
	return syscall(SYS_pwrite64, fd, data, bytes, offset);
}

int fdatasync(int fd)
{
	struct timespec pause = { .tv_nsec = (long)seen.flush_ns };

	seen.flushes++;
	seen.dirty = false;
	if (seen.hang_after && seen.flushes > seen.hang_after)
		while (seen.hang)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	if (pause.tv_nsec)
		nanosleep(&pause, NULL);
	errno = seen.err;
	return seen.err ? -1 : (int)syscall(SYS_fdatasync, fd);
}

static void reset(void)
{
	memset(&seen, 0, sizeof(seen));
	seen.lowest = UINT64_MAX;
	seen.last = UINT64_MAX - COMMIT_BLOCK_BYTES + 1;
}

static void run_on(const struct test *t, uint64_t size, bool consent, const char *dir)
{
	struct disk d = { .name = "fake", .size_bytes = size, .logical_block_bytes = 4096,
			  .numa_node = -1 };
	struct test_context c = { .test = t, .disk = &d, .fd = -1, .write_fd = -1, .dir = dir,
				  .area_offset_bytes = size > 4 * MIB ? 2 * MIB : 0,
				  .area_bytes = size > 4 * MIB ? size - 4 * MIB : size,
				  .budget_ns = 600 * NS_PER_MS, .stall_ns = 500 * NS_PER_MS };

	if (consent) {
		c.write_fd = memfd_create("disk", MFD_CLOEXEC);
		if (c.write_fd < 0 || ftruncate(c.write_fd, (off_t)size))
			tap_bail("no memory file");
	}
	result_init(&r, t->name, d.name);
	t->run(&c, &r);
	if (consent && !seen.hang)
		close(c.write_fd);
}

static double metric(const char *name)
{
	const struct metric *m = result_find(&r, name);

	return m ? m->value : -1;
}

static void on_disk(void)
{
	reset();
	seen.flush_ns = 2000000;
	run_on(&test_commit_latency, 8 * MIB, true, NULL);
	is_int(r.status, RESULT_OK, "commits (%s)", r.reason);
	ok(seen.writes > 20, "%u writes", seen.writes);
	is_uint(seen.flushes, seen.writes, "each is flushed");
	is_uint(seen.unflushed, 0, "before the next one");
	is_uint(seen.out_of_order, 0, "in ascending order");
	is_uint(seen.lowest, 2 * MIB, "from the start of the area");
	ok(metric("lat_min") >= 2e6, "the flush is in the latency");
	is_near(metric("iops"), (double)r.io.ios * 1e9 / (double)r.io.measured_ns, 1e-6,
		"commits per second");
	ok(metric("iops") < 500, "no more than flushes allow");
	ok(metric("lat_mean") > 0 && metric("lat_p50") > 0 && metric("lat_max") > 0, "latencies");
	is_uint(r.depth, 1, "one at a time");
	reset();
	run_on(&test_commit_latency, MIB, true, NULL);
	is_uint(seen.highest, MIB - COMMIT_BLOCK_BYTES, "a small ring goes round");
	ok(seen.writes > 256 && !seen.out_of_order, "from its end to its start");
}

static void refused(void)
{
	struct disk guarded = { .size_bytes = MIB, .logical_block_bytes = 512, .read_only = true };
	char why[RESULT_REASON_BYTES];

	reset();
	run_on(&test_commit_latency, 8 * MIB, false, NULL);
	is_int(r.status, RESULT_SKIPPED, "no consent, no write");
	is_uint(seen.writes, 0, "not one");
	run_on(&test_commit_latency_file, 8 * MIB, false, NULL);
	is_int(r.status, RESULT_SKIPPED, "no folder, no file");
	run_on(&test_commit_latency, MIB / 2, true, NULL);
	is_int(r.status, RESULT_UNSUPPORTED, "too small: %s", r.reason);
	is_int(test_commit_latency.fits(&test_commit_latency, &guarded, why, sizeof(why)),
	       RESULT_UNSUPPORTED, "a read-only disk: %s", why);
}

static void bad(void)
{
	reset();
	seen.err = EIO;
	run_on(&test_commit_latency, 8 * MIB, true, NULL);
	is_int(r.status, RESULT_FAILED, "flushes that fail: %s", r.reason);
	is_uint(r.metric_n, 0, "are no commits");
	reset();
	seen.hang = true;
	seen.hang_after = 10;
	run_on(&test_commit_latency, 8 * MIB, true, NULL);
	is_int(r.status, RESULT_FAILED, "a flush that hangs: %s", r.reason);
	is_int(r.io.end, IO_END_STALLED, "is told");
	seen.hang = false;
	nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
}

static void in_file(void)
{
	char dir[] = "/var/tmp/bootmark-commit.XXXXXX";
	struct dirent *e;
	unsigned left = 0;
	DIR *d;

	if (!mkdtemp(dir))
		tap_bail("no folder");
	reset();
	run_on(&test_commit_latency_file, 8 * MIB, false, dir);
	is_int(r.status, RESULT_OK, "commits in a file (%s)", r.reason);
	is_uint(seen.flushes, seen.writes, "each is synced");
	is_str(r.via, "file", "in a file");
	ok(r.area_bytes >= 1 << 20, "round a log of %llu bytes", (unsigned long long)r.area_bytes);
	ok(metric("iops") > 0, "with a rate");
	d = opendir(dir);
	while (d && (e = readdir(d)))
		left += e->d_name[0] != '.';
	if (d)
		closedir(d);
	is_uint(left, 0, "nothing is left");
	rmdir(dir);
}

int main(void)
{
	on_disk();
	refused();
	bad();
	in_file();
	return tap_done();
}
