/* SPDX-License-Identifier: MIT */
/* The tests of hdparm, dd and bench.sh, on a file in place of a disk: their form and their ends. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/tests/benchsh.h"
#include "bench/tests/dd.h"
#include "bench/tests/hdparm.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)

static struct result r;
static struct disk disk = { .name = "none", .logical_block_bytes = 512 };
static struct test_context c = { .disk = &disk, .fd = -1, .write_fd = -1 };

static void make_disk(uint64_t bytes)
{
	static unsigned char some[MIB];
	int fd;

	snprintf(disk.node, sizeof(disk.node), "/tmp/bootmark-tools.XXXXXX");
	fd = mkstemp(disk.node);
	if (fd < 0)
		tap_bail("no file in /tmp");
	memset(some, 0x5a, sizeof(some));
	for (uint64_t done = 0; done < bytes; done += sizeof(some))
		if (file_write_all(fd, some, sizeof(some)))
			tap_bail("/tmp cannot be written");
	disk.size_bytes = bytes;
	c.fd = fd;
}

static void run(const struct test *t, uint64_t budget_ns)
{
	c.test = t;
	c.budget_ns = budget_ns;
	c.stall_ns = 5 * NS_PER_S;
	result_init(&r, t->name, disk.name);
	t->run(&c, &r);
}

static void fits(void)
{
	struct disk small = { .name = "small", .size_bytes = MIB };
	char why[RESULT_REASON_BYTES];

	is_int(test_hdparm_buffered.fits(&test_hdparm_buffered, &small, why, sizeof(why)),
	       RESULT_UNSUPPORTED, "hdparm reads 2 MiB at once");
	ok(strstr(why, "1.05 MB"), "a smaller disk is told its size");
	is_int(test_dd_write_1g.fits(&test_dd_write_1g, &small, why, sizeof(why)), RESULT_OK,
	       "dd writes to what there is");
	small.size_bytes = 0;
	is_int(test_dd_read.fits(&test_dd_read, &small, why, sizeof(why)), RESULT_UNSUPPORTED,
	       "but not to nothing");
	is_int(test_benchsh_write.fits(&test_benchsh_write, &small, why, sizeof(why)),
	       RESULT_UNSUPPORTED, "nor does bench.sh");
}

static void hdparm(void)
{
	const struct series *runs;

	run(&test_hdparm_buffered, 6 * NS_PER_S);
	is_int(r.status, RESULT_SKIPPED, "less time than a whole sample takes: none is taken");
	ok(strstr(r.reason, "6.1 s"), "and the reason is its length");

	run(&test_hdparm_buffered, 7 * NS_PER_S);
	is_int(r.status, RESULT_OK, "hdparm -t of a small disk");
	runs = result_find_series(&r, "runs");
	ok(runs && runs->point_n == 1, "one sample for the time of one");
	if (runs && runs->point_n) {
		is_uint((uint64_t)runs->point[0].y, 8 * MIB, "ends with the disk");
		ok(result_find(&r, "throughput") &&
		   fabs(result_find(&r, "throughput")->value /
			(runs->point[0].y / runs->point[0].x * 1e9) - 1) < 1e-9,
		   "bytes per second of the sample");
	}
	is_str(r.via, "page-cache", "through the page cache");

	run(&test_hdparm_cached, 6200 * NS_PER_MS);
	is_int(r.status, RESULT_OK, "hdparm -T");
	ok(result_find(&r, "throughput_cached") && !result_find(&r, "throughput"),
	   "what comes from the cache is never called the disk's speed");

	disk.size_bytes *= 2;
	run(&test_hdparm_buffered, 20 * NS_PER_S);
	disk.size_bytes /= 2;
	is_int(r.status, RESULT_FAILED, "a disk that lost its end has failed");
	ok(!r.metric_n, "without a speed");
	is_int(r.io.end, IO_END_SHRUNK, "as one that became smaller");
}

static void dd(void)
{
	const struct series *runs;

	run(&test_dd_read, 5 * NS_PER_S);
	is_int(r.status, RESULT_OK, "dd reads");
	is_uint(r.io.bytes, 8 * MIB, "the whole of a small disk");
	is_str(r.reason, "8.39 MB of 2.15 GB: the disk has no more", "and says that it is small");
	ok(result_find(&r, "throughput") && result_find(&r, "throughput_cached"),
	   "cold and cached are two numbers");
	runs = result_find_series(&r, "runs-cached");
	ok(runs && runs->point_n == 1 && runs->point[0].y == 8.0 * MIB, "with a run each");

	c.memory_bytes = MIB;
	run(&test_dd_read, 5 * NS_PER_S);
	runs = result_find_series(&r, "runs-cached");
	ok(runs && runs->point_n == 1 && runs->point[0].y == 1.0 * MIB,
	   "no more from the cache than it may hold");
	c.memory_bytes = 0;

	run(&test_dd_write_1g, 5 * NS_PER_S);
	is_int(r.status, RESULT_SKIPPED, "without consent nothing is written");
	is_uint(r.metric_n, 0, "and there is no number");
}

static bool area_is(int fd, uint64_t offset, uint64_t bytes, unsigned char value)
{
	static unsigned char got[MIB];

	for (uint64_t at = offset; at < offset + bytes; at += MIB) {
		if (pread(fd, got, MIB, (off_t)at) != (ssize_t)MIB)
			return false;
		for (size_t i = 0; i < MIB; i++)
			if (got[i] != value)
				return false;
	}
	return true;
}

static void writes(void)
{
	const struct series *runs;
	double sum = 0;
	int flags;

	c.write_fd = open(disk.node, O_RDWR | O_DIRECT);
	if (c.write_fd < 0)	/* a file system without it */
		c.write_fd = open(disk.node, O_RDWR);
	flags = fcntl(c.write_fd, F_GETFL);
	c.area_offset_bytes = 2 * MIB;
	c.area_bytes = 4 * MIB;

	run(&test_dd_write_1g, 20 * NS_PER_S);
	is_int(r.status, RESULT_OK, "dd writes");
	is_str(r.reason, "6.29 MB of 1.07 GB: the disk has no more", "to the end of the disk");
	is_uint(r.io.bytes, 6 * MIB, "what it wrote");
	is_str(r.data, "zeros", "zeros");
	is_uint(r.area_offset_bytes, 2 * MIB, "from the start of the area");
	ok(area_is(c.fd, 2 * MIB, 6 * MIB, 0), "they are there");
	ok(area_is(c.fd, 0, 2 * MIB, 0x5a), "nothing before it was touched");
	is_int(fcntl(c.write_fd, F_GETFL), flags, "the descriptor is as it was");

	run(&test_dd_write_8k_sync, 20 * NS_PER_S);
	is_uint(r.io.ios, 768, "blocks of 8 KiB");
	run(&test_dd_write_1g_random, 20 * NS_PER_S);
	is_str(r.data, "random", "random data says so");
	ok(!area_is(c.fd, 2 * MIB, MIB, 0), "and is");

	run(&test_benchsh_write, 20 * NS_PER_S);
	is_int(r.status, RESULT_OK, "bench.sh writes");
	runs = result_find_series(&r, "runs");
	ok(runs && runs->point_n == 3, "three times");
	for (uint32_t i = 0; runs && i < runs->point_n; i++)
		sum += runs->point[i].y / runs->point[i].x * 1e9;
	ok(result_find(&r, "throughput") &&
	   fabs(result_find(&r, "throughput")->value / (sum / 3) - 1) < 1e-9,
	   "and the average is of bytes per second");
	is_str(r.reason, "run 1: 6.29 MB of 1.07 GB: the disk has no more", "what was less");
	close(c.write_fd);
	c.write_fd = -1;
	c.area_offset_bytes = c.area_bytes = 0;
}

int main(void)
{
	fits();
	make_disk(8 * MIB);
	hdparm();
	dd();
	writes();
	unlink(disk.node);
	return tap_done();
}
