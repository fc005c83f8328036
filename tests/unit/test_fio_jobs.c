/* SPDX-License-Identifier: MIT */
/* fio's and YABS's jobs: their parameters, what a small disk or little memory makes of them. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/tests/fio_jobs.h"
#include "bench/tests/fio_run.h"
#include "bench/tests/yabs.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static struct result r;

static struct io_job job_for(const struct test *t, uint64_t area_bytes, uint64_t memory_bytes,
			     uint64_t budget_ns, const char *want_note)
{
	const struct disk d = { .name = "fake", .size_bytes = area_bytes,
				.logical_block_bytes = 512, .numa_node = 1 };
	const struct test_context c = {
		.test = t, .disk = &d, .fd = 9, .write_fd = 11, .budget_ns = budget_ns,
		.area_offset_bytes = 3 * MIB, .area_bytes = area_bytes,
		.memory_bytes = memory_bytes, .stall_ns = NS_PER_S, .may_end_early = true,
	};
	char note[RESULT_REASON_BYTES];
	struct io_job job;

	fio_run_job(&c, &job, note, sizeof(note));
	is_str(note, want_note, "%s on %llu MiB with %llu MiB of memory: note", t->name,
	       (unsigned long long)(area_bytes / MIB), (unsigned long long)(memory_bytes / MIB));
	return job;
}

static void check_parameters(void)
{
	struct io_job job = job_for(&test_fio_read_throughput, 4096 * GIB, GIB, 62 * NS_PER_S,
				    "each of 8 jobs in a region of its own of 10240 MiB, one "
				    "behind the other");

	ok(job.access == IO_READ && job.order == IO_SEQUENTIAL && job.fd == 9, "it reads in order");
	ok(job.block_bytes == MIB && job.depth == 64 && job.jobs == 8, "8 x 64 x 1 MiB");
	ok(job.split_area && job.detail, "each job has its part; all of fio's statistics");
	is_uint(job.area_bytes, 80 * GIB, "eight files of 10 GiB");
	is_uint(job.area_offset_bytes, 3 * MIB, "from the start of what may be used");
	is_uint(job.ramp_ns, 2 * NS_PER_S, "fio's ramp");
	is_uint(job.runtime_ns, 60 * NS_PER_S - 47 * NS_PER_MS, "fio's minute, off the beat");
	is_uint(job.series_ns, 500 * NS_PER_MS, "fio's samples");
	ok(job.steady.share > 0 && job.steady.min_bytes > GIB, "a read may end early");

	job = job_for(&test_fio_read_iops, 4096 * GIB, GIB, 10 * NS_PER_S, "");
	ok(job.order == IO_RANDOM_ONCE && job.block_bytes == 4096 && job.jobs == 1,
	   "4 KiB, each block once: fio's random map");
	is_uint(job.area_bytes, 10 * GIB, "one file of 10 GiB");
	is_uint(job.ramp_ns, 2 * NS_PER_S, "fio's ramp");

	job = job_for(&test_fio_write_iops, 4096 * GIB, GIB, 2 * NS_PER_S, "");
	ok(job.access == IO_WRITE && job.fd == 11, "writes go to what may be written");
	is_uint(job.ramp_ns, 400 * NS_PER_MS, "a short budget is not all ramp");
	is_uint(job.series_ns, 100 * NS_PER_MS, "and has samples all the same");
	ok(job.steady.share == 0, "a write never ends early");

	job = job_for(&test_yabs_64k, 4096 * GIB, GIB, 30 * NS_PER_S,
		      "2 jobs in one region of 2048 MiB");
	ok(job.access == IO_MIX && job.read_percent == 50 && job.block_bytes == 65536 &&
	   job.jobs == 2 && job.depth == 64 && !job.split_area && !job.ramp_ns, "YABS's mix");
	is_uint(job.area_bytes, 2 * GIB, "over its one file");
}

static void check_limits(void)
{
	struct io_job job = job_for(&test_fio_read_throughput, 800 * MIB, GIB, 10 * NS_PER_S,
				    "each of 8 jobs in a region of its own of 100 MiB, one behind "
				    "the other");

	is_uint(job.area_bytes, 800 * MIB, "a small disk is shared out whole");
	job = job_for(&test_fio_read_throughput, 16 * MIB, GIB, 10 * NS_PER_S,
		      "each of 8 jobs in a region of its own of 2 MiB, one behind the other; "
		      "queue depth 2 instead of 64: a job's region holds no more blocks");
	is_uint(job.depth, 2, "no more in flight than there are blocks");
	job = job_for(&test_fio_read_throughput, 4096 * GIB, 100 * MIB, 10 * NS_PER_S,
		      "each of 8 jobs in a region of its own of 10240 MiB, one behind the other; "
		      "queue depth 12 instead of 64; more buffers would not fit into a quarter of "
		      "the free memory");
	ok(job.depth == 12 && job.jobs == 8, "little memory: less depth");
	job = job_for(&test_fio_read_throughput, 4096 * GIB, 3 * MIB, 10 * NS_PER_S,
		      "each of 8 jobs in a region of its own of 10240 MiB, one behind the other; "
		      "3 of 8 jobs, queue depth 1 instead of 64; more buffers would not fit into a "
		      "quarter of the free memory");
	ok(job.depth == 1 && job.jobs == 3, "very little memory: fewer jobs");
	ok(job.depth * job.jobs * job.block_bytes <= 3 * MIB, "and the buffers fit");
}

static void check_fits(void)
{
	struct disk d = { .size_bytes = 16 * MIB, .logical_block_bytes = 512 };
	char why[RESULT_REASON_BYTES];

	is_int(fio_run_fits(&test_fio_read_throughput, &d, why, sizeof(why)), RESULT_OK,
	       "16 MiB are enough");
	d.size_bytes--;
	is_int(fio_run_fits(&test_fio_read_throughput, &d, why, sizeof(why)), RESULT_UNSUPPORTED,
	       "less is not");
	d = (struct disk){ .size_bytes = GIB, .logical_block_bytes = 8192 };
	is_int(fio_run_fits(&test_fio_read_iops, &d, why, sizeof(why)), RESULT_UNSUPPORTED,
	       "nor are 4 KiB of a disk in blocks of 8 KiB");
	ok(strstr(why, "8192"), "and why says so: %s", why);
}

/* On a file in place of a disk. */
static void run(const struct test *t, bool may_write)
{
	const struct disk d = { .name = "fake", .size_bytes = 64 * MIB, .numa_node = -1,
				.logical_block_bytes = 512 };
	struct test_context c = {
		.test = t, .disk = &d, .write_fd = -1, .budget_ns = 700 * NS_PER_MS,
		.area_bytes = 64 * MIB, .memory_bytes = 256 * MIB, .stall_ns = NS_PER_S,
	};

	c.fd = memfd_create("disk", MFD_CLOEXEC);
	if (c.fd < 0 || ftruncate(c.fd, 64 * (off_t)MIB))
		tap_bail("no memory file");
	if (may_write)
		c.write_fd = c.fd;
	result_init(&r, t->name, d.name);
	t->run(&c, &r);
	close(c.fd);
}

static bool has(const char *name)
{
	return result_find(&r, name) != NULL;
}

static void check_runs(void)
{
	run(&test_fio_read_throughput, false);
	is_int(r.status, RESULT_OK, "read_throughput runs (%s)", r.reason);
	ok(r.jobs == 8 && r.depth == 8 && r.depth_asked == 64, "8 jobs, the depth that fits");
	ok(has("throughput") && has("iops") && has("lat_mean") && has("lat_p50") &&
	   has("slat_mean") && has("clat_mean") && has("clat_p50"), "its metrics are there");
	ok(!has("read_iops"), "what it did in one direction is not told twice");
	is_near(moments_mean(&r.io.side[IO_SIDE_READ].slat) +
		hist_mean(&r.io.side[IO_SIDE_READ].clat),
		moments_mean(&r.io.side[IO_SIDE_READ].lat), 1, "lat = slat + clat");
	is_str(r.data, "", "a read wrote nothing");

	run(&test_yabs_4k, true);
	is_int(r.status, RESULT_OK, "a mix runs (%s)", r.reason);
	is_str(r.access, "mixed", "its access");
	is_str(r.data, "random", "what it wrote");
	if (ok(has("read_throughput") && has("write_throughput") && has("read_iops") &&
	       has("write_iops"), "both directions are told apart")) {
		is_near(result_find(&r, "read_iops")->value + result_find(&r, "write_iops")->value,
			result_find(&r, "iops")->value, 1, "and make up the whole");
		is_near(result_find(&r, "read_iops")->value / result_find(&r, "iops")->value, 0.5,
			0.1, "half and half");
	}
	ok(r.metric_n < RESULT_METRICS_MAX, "there is room for all metrics");

	run(&test_fio_write_iops, false);
	is_int(r.status, RESULT_SKIPPED, "without consent nothing is written (%s)", r.reason);
	ok(!r.has_io && r.metric_n == 0, "and nothing measured");
}

int main(void)
{
	check_parameters();
	check_limits();
	check_fits();
	check_runs();
	return tap_done();
}
