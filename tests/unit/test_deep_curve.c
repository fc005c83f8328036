/* SPDX-License-Identifier: MIT */
/* The deeper curve: its places and what each reads, a file in place of the disk. */
#include "bench/tests/deep_curve.h"

#include <sys/mman.h>
#include <unistd.h>

#include "lib/clock.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)

static struct result r;

static void run_on(uint64_t file_bytes, uint64_t disk_bytes, uint64_t memory_bytes)
{
	struct disk d = { .name = "fake", .size_bytes = disk_bytes, .logical_block_bytes = 4096,
			  .numa_node = -1 };
	struct test_context c = { .test = &test_deep_curve, .disk = &d, .write_fd = -1,
				  .fd = memfd_create("disk", MFD_CLOEXEC),
				  .memory_bytes = memory_bytes,
				  .budget_ns = 20 * NS_PER_S, .stall_ns = 2 * NS_PER_S };

	if (c.fd < 0 || ftruncate(c.fd, (off_t)file_bytes))
		tap_bail("no memory file");
	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	close(c.fd);
}

static const struct series *curve(void)
{
	static const struct series none;
	const struct series *s = result_find_series(&r, "transfer");

	return s ? s : &none;
}

int main(void)
{
	double sum = 0;

	run_on(400 * MIB, 400 * MIB, 0);
	is_int(r.status, RESULT_OK, "a curve");
	is_str(r.reason, "", "with nothing to be said of it");
	is_uint(curve()->point_n, 100, "100 places");
	is_near(curve()->point[99].x, 396 * MIB, 0, "the last 4 MiB before the end");
	for (unsigned i = 0; i < curve()->point_n; i++)
		sum += curve()->point[i].y;
	ok(result_find(&r, "throughput"), "an average");
	is_near(result_find(&r, "throughput")->value, sum / 100, 1, "the mean of all rates");
	/* 4 MiB at each place: 16 blocks, half of them in flight, 8 counted at least */
	ok(r.io.issued_ios <= 1600, "no place is read twice: %llu reads",
	   (unsigned long long)r.io.issued_ios);
	ok(r.io.bytes >= 180 * MIB, "and half of it is measured");

	run_on(64 * MIB, 64 * MIB, 0);
	is_str(r.reason, "32 places instead of 100: the area is small", "a small disk");
	is_uint(curve()->point_n, 32, "fewer places");

	run_on(400 * MIB, 400 * MIB, MIB);
	is_str(r.reason, "4 in flight instead of 32", "little memory");
	is_uint(r.depth, 4, "lower depth");

	run_on(200 * MIB, 400 * MIB, 0);
	is_int(r.status, RESULT_FAILED, "a disk that goes away");
	is_int(r.io.end, IO_END_SHRUNK, "has become smaller");
	is_uint(curve()->point_n, 50, "the places before are kept");
	ok(strstr(r.reason, "smaller") && strstr(r.reason, "the 50 places before are kept"), "%s",
	   r.reason);
	is_uint(r.metric_n, 0, "without an average");

	run_on(MIB, MIB, 0);
	is_int(r.status, RESULT_UNSUPPORTED, "a tiny disk: %s", r.reason);
	return tap_done();
}
