/* SPDX-License-Identifier: MIT */
/* Our own block tests: where they measure, with how much, and that they do it. */
#include "bench/tests/block.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/tests/block_read.h"
#include "bench/tests/block_write.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static struct result r;

static struct disk disk_of(uint64_t size, uint32_t logical)
{
	struct disk d = { .name = "fake", .size_bytes = size, .logical_block_bytes = logical,
			  .physical_block_bytes = logical };

	return d;
}

static void fits_one(const struct test *t, uint64_t size, uint32_t logical, enum result_status want,
		     const char *reason)
{
	struct disk d = disk_of(size, logical);
	char why[RESULT_REASON_BYTES];

	is_int(t->fits(t, &d, why, sizeof(why)), want, "%s on %llu bytes in %u", t->name,
	       (unsigned long long)size, logical);
	is_str(why, reason, "why");
}

static void fits(void)
{
	fits_one(&test_seq_read_qd1, UINT64_C(1) << 40, 512, RESULT_OK, "");
	fits_one(&test_rand_read_qd1, UINT64_C(1) << 46, 4096, RESULT_OK, "");
	fits_one(&test_seq_read_qd64, 16 << 20, 512, RESULT_OK, "");
	fits_one(&test_seq_read_qd64, (16 << 20) - 512, 512, RESULT_UNSUPPORTED,
		 "a disk of 16776704 bytes is smaller than the 16 MiB this test needs (16 reads of "
		 "1 MiB)");
	fits_one(&test_seq_read_qd1, 1 << 20, 512, RESULT_UNSUPPORTED,
		 "a disk of 1 MiB is smaller than the 16 MiB this test needs (16 reads of 1 MiB)");
	fits_one(
		&test_rand_read_qd1, 0, 512, RESULT_UNSUPPORTED,
		"a disk of 0 bytes is smaller than the 64 KiB this test needs (16 reads of 4 KiB)");
	fits_one(&test_rand_read_qd1, 1 << 30, 8192, RESULT_UNSUPPORTED,
		 "reads of 4 KiB do not fit its logical blocks of 8192 bytes");
	fits_one(&test_rand_read_qd1, 1 << 30, 0, RESULT_UNSUPPORTED,
		 "the kernel states a logical block of 0 bytes");
	fits_one(&test_rand_read_qd1, 1 << 30, 520, RESULT_UNSUPPORTED,
		 "the kernel states a logical block of 520 bytes");
}


static struct disk job_disk;
static struct test_context context;
static char note[IO_NOTE_BYTES];

static struct io_job job_of(const struct test *t, uint64_t size, uint64_t memory, uint32_t cpus)
{
	struct io_job job;

	job_disk = disk_of(size, 512);
	snprintf(job_disk.transport, sizeof(job_disk.transport), "nvme");
	job_disk.numa_node = 3;
	context = (struct test_context) {
		.test = t, .disk = &job_disk, .fd = 9, .write_fd = 11, .budget_ns = 5 * NS_PER_S,
		.stall_ns = 3 * NS_PER_S, .memory_bytes = memory,
	};
	block_job(&context, cpus, &job, note, sizeof(note));
	return job;
}

static void reading_jobs(void)
{
	struct io_job job = job_of(&test_rand_read_qd64, 1024 * GIB + 512, 0, 8);
	uint64_t seed = job.seed;

	is_uint(job.depth, 64, "the whole depth");
	is_str(note, "", "nothing to say");
	is_uint(job.align_bytes, 512, "the disk's own alignment");
	is_uint(job.area_bytes, 1024 * GIB, "all whole blocks of the disk");
	is_int(job.fd, 9, "through the descriptor that cannot write");
	is_int(job.numa_node, 3, "near the disk");
	is_uint(job.ramp_ns, 500 * NS_PER_MS, "a tenth of the budget is the ramp");
	is_uint(job.runtime_ns, 4453 * NS_PER_MS, "the rest is measured, off the beat of limiters");
	is_uint(job.series_ns, 100 * NS_PER_MS, "a point each tenth of a second");
	ok(job.steady.share == 0 && job.bytes_max == 0, "its whole time");
	job = job_of(&test_rand_read_qd1, GIB, 0, 8);
	ok(job.seed != seed, "each test draws its own blocks");
	is_str(job_of(&test_rand_read_qd64_uring, GIB, 0, 8).engine, "io_uring", "io_uring");
}

static void less_than_asked(void)
{
	struct io_job job = job_of(&test_seq_read_qd64, 1024 * GIB, 20 * MIB, 8);

	is_uint(job.depth, 20, "20 MiB of buffers");
	is_str(note, "queue depth 20 instead of 64: more buffers would not fit into a quarter of "
	       "the free memory", "and why");
	is_uint(job_of(&test_seq_read_qd64, 1024 * GIB, 1, 8).depth, 1, "at least one");
	job = job_of(&test_rand_read_qd64, 40 * 4096, 0, 8);
	is_uint(job.depth, 40, "no more than there are blocks");
	is_str(note, "queue depth 40 instead of 64: the area holds no more such blocks", "and why");
	job = job_of(&test_rand_read_qd64_4jobs, GIB, 0, 8);
	is_uint(job.jobs, 4, "four threads");
	is_str(note, "", "nothing to say");
	job = job_of(&test_rand_read_qd64_4jobs, GIB, 0, 3);
	is_uint(job.jobs, 3, "no more threads than CPUs");
	is_str(note, "threads: 3 instead of 4: there are no more CPUs", "and why");
	job = job_of(&test_rand_read_qd64_4jobs, GIB, 100 * 4096, 8);
	ok(job.jobs == 4 && job.depth == 25, "the threads share the memory");
	job = job_of(&test_rand_read_qd64_4jobs, GIB, 2 * 4096, 8);
	ok(job.jobs == 2 && job.depth == 1, "and become fewer where it is not enough for each");
}

/* The two sequential readers never read the same place. */
static void parts(void)
{
	static const uint64_t sizes[] = { 32 * MIB, 33 * MIB + 512, 64 * MIB, 5 * GIB,
					  127 * GIB, 128 * GIB, 18000 * GIB };
	struct io_job first, second;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		first = job_of(&test_seq_read_qd1, sizes[i], 0, 8);
		second = job_of(&test_seq_read_qd64, sizes[i], 0, 8);
		is_uint(first.area_offset_bytes, 0, "%llu bytes: one from the start",
			(unsigned long long)sizes[i]);
		is_uint(second.area_offset_bytes, first.area_bytes, "one right behind its part");
		is_uint(second.area_bytes, first.area_bytes, "as much");
		ok(first.area_bytes >= 16 * MIB && first.area_bytes <= 64 * GIB &&
		   second.area_offset_bytes + second.area_bytes <= sizes[i],
		   "enough, not too much, and within");
	}
	second = job_of(&test_seq_read_qd64, 16 * MIB, 0, 8);
	ok(second.area_offset_bytes == 0 && second.area_bytes == 16 * MIB,
	   "a disk too small to be halved is read whole");
	context.area_offset_bytes = 10 * MIB;
	context.area_bytes = 101 * MIB;
	context.test = &test_seq_read_qd64;
	block_job(&context, 8, &second, note, sizeof(note));
	ok(second.area_offset_bytes == 60 * MIB && second.area_bytes == 50 * MIB,
	   "within what was written before");
	context.test = &test_rand_read_qd1;
	block_job(&context, 8, &second, note, sizeof(note));
	ok(second.area_offset_bytes == 10 * MIB && second.area_bytes == 101 * MIB,
	   "so do random ones");
}

static struct io_job early(const struct test *t, uint64_t size, const char *transport)
{
	struct io_job job = job_of(t, size, 0, 8);

	snprintf(job_disk.transport, sizeof(job_disk.transport), "%s", transport);
	context.may_end_early = true;
	block_job(&context, 8, &job, note, sizeof(note));
	return job;
}

static void early_ends(void)
{
	struct io_job job = early(&test_seq_read_qd64, 100 * GIB, "sata");

	is_near(job.steady.share, 0.01, 1e-9, "within 1 %%");
	is_uint(job.steady.min_bytes, 512 * MIB, "not before a disk's cache has passed");
	is_uint(job.steady.min_ns, 3 * NS_PER_S, "nor before 3 s");
	job = early(&test_seq_read_qd64, 100 * GIB, "raid");
	is_uint(job.steady.min_bytes, 8 * GIB, "or that of a RAID controller");
	job = early(&test_seq_read_qd64, 100 * GIB, "virtio");
	is_uint(job.steady.min_bytes, 8 * GIB, "or of a host");
	job = early(&test_rand_read_qd1, 8 * GIB, "sata");
	ok(job.steady.share > 0 && job.steady.min_bytes == 0,
	   "random reads of an area far larger find nothing in it");
	job = early(&test_rand_read_qd1, 8 * GIB - 512 * 4096, "sata");
	is_uint(job.steady.min_bytes, 512 * MIB, "of another they may");
	job = early(&test_rand_write_qd64, 100 * GIB, "sata");
	is_uint(job.steady.min_bytes, 512 * MIB, "random writes fill it");
	job = early(&test_fill_area, 100 * GIB, "sata");
	ok(job.steady.share == 0, "filling ends when it is full or its time is over");
}

static void is_plain(const struct test *t, uint32_t block_bytes, uint32_t depth)
{
	is_str(r.access, t->access == TEST_READS ? "read" : "write", "access");
	is_str(r.data, t->access == TEST_READS ? "" : "random", "data");
	is_str(r.via, "device", "the device itself");
	is_uint(r.block_bytes, block_bytes, "block size");
	is_uint(r.depth_asked, depth, "depth asked for");
	is_uint(r.depth, r.io.depth_used, "depth used");
	is_uint(r.jobs, r.io.jobs_used, "threads");
}

static void has_metrics(uint32_t block_bytes)
{
	const struct metric *m = result_find(&r, "throughput"), *iops = result_find(&r, "iops");

	if (!ok(m && iops, "both rates are there"))
		return;
	is_near(m->value / (iops->value * block_bytes), 1, 1e-9, "and agree");
	is_near(iops->value * (double)r.io.measured_ns / 1e9, (double)r.io.ios, 1e-3,
		"with the counts");
	is_uint(m->sample_n, r.io.series_n, "samples over time");
	ok(result_find(&r, "lat_mean") && result_find(&r, "lat_p50") &&
		   result_find(&r, "lat_max") && result_find(&r, "cpu_percent"),
	   "the other metrics");
	m = result_find(&r, "errors");
	ok(m && m->value == 0, "no errors");
	ok(r.metric_n < RESULT_METRICS_MAX, "there is room for all metrics");
}

/* On a file of 64 MiB of zeros in place of the disk, which is open afterwards as `fd`. */
static int run_on_file(const struct test *t)
{
	struct disk d = disk_of(64 * MIB, 512);
	struct test_context c = { .test = t, .disk = &d, .budget_ns = 600 * NS_PER_MS,
				  .stall_ns = NS_PER_S, .memory_bytes = 64 * MIB };
	int fd = memfd_create("disk", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, 64 * MIB))
		tap_bail("no memory file");
	c.fd = t->access == TEST_READS ? fd : -1;
	c.write_fd = t->access == TEST_READS ? -1 : fd;
	d.numa_node = -1;
	result_init(&r, t->name, d.name);
	t->run(&c, &r);
	return fd;
}

/* With so many in flight where it asks for `depth`: half of the 64 MiB are 32 blocks of 1 MiB. */
static void reads(const struct test *t, uint32_t block_bytes, uint32_t depth, uint32_t used)
{
	close(run_on_file(t));
	if (r.status == RESULT_UNSUPPORTED && !strcmp(r.engine, "")) {
		tap_skip(t->name, r.reason);
		return;
	}
	is_int(r.status, RESULT_OK, "%s runs on a file (%s)", t->name, r.reason);
	is_plain(t, block_bytes, depth);
	is_uint(r.depth, used, "%u in flight", used);
	has_metrics(block_bytes);
	ok(r.io.series_n >= 4, "four intervals at least");
	is_uint(r.io.zero_buffers, r.io.sampled_buffers, "an unwritten file is seen as zeros");
}

/* How much of the file, in pieces of 4096 bytes, is not zero; *equal: pieces that occur twice. */
static uint64_t written_bytes(int fd, uint64_t offset, uint64_t bytes, unsigned *equal)
{
	static const unsigned char zeros[4096];
	static uint64_t first[16384];
	unsigned char *p = mmap(NULL, 64 * MIB, PROT_READ, MAP_SHARED, fd, 0);
	uint64_t n = 0;

	*equal = 0;
	if (p == MAP_FAILED)
		tap_bail("cannot look at the file");
	for (uint64_t at = offset; at < offset + bytes; at += 4096) {
		uint64_t word;

		if (memcmp(p + at, zeros, 4096) == 0)
			continue;
		memcpy(&word, p + at, sizeof(word));
		/* the first words are random: a few look-ups show what repeats often */
		for (uint64_t i = n > 64 ? n - 64 : 0; i < n; i++)
			*equal += first[i] == word;
		first[n++] = word;
	}
	munmap(p, 64 * MIB);
	return n * 4096;
}

static void writes(const struct test *t, uint32_t block_bytes, uint32_t depth)
{
	unsigned equal;
	int fd = run_on_file(t);
	uint64_t bytes = written_bytes(fd, 0, 64 * MIB, &equal);

	is_int(r.status, RESULT_OK, "%s runs on a file (%s)", t->name, r.reason);
	is_plain(t, block_bytes, depth);
	has_metrics(block_bytes);
	ok(bytes > 64 * 1024, "it has written to it (%llu bytes)", (unsigned long long)bytes);
	is_uint(equal, 0, "no two blocks are equal");
	close(fd);
}

static void fills(void)
{
	unsigned equal;
	int fd = run_on_file(&test_fill_area);

	is_int(r.status, RESULT_OK, "fill-area runs on a file (%s)", r.reason);
	is_int(r.io.end, IO_END_BYTES, "over all of it");
	is_uint(r.area_offset_bytes, 0, "from its start");
	is_uint(r.area_bytes, 64 * MIB, "to its end");
	is_uint(written_bytes(fd, 0, 64 * MIB, &equal), 64 * MIB, "which is so");
	is_uint(equal, 0, "no two blocks are equal");
	close(fd);
}

/* How far a job that filled its area got, whatever became of it. */
static void written(void)
{
	const struct io_job job = {
		.area_offset_bytes = 100 * MIB, .area_bytes = 1000 * MIB, .block_bytes = MIB,
		.depth = 32,
	};
	static const struct { struct io_outcome out; uint64_t mib; const char *what; } row[] = {
		{ { .issued_ios = 0 }, 0, "nothing" },
		{ { .issued_ios = 500 }, 500, "half of it" },
		{ { .issued_ios = 1032 }, 1000, "all of it, and some again" },
		{ { .issued_ios = 500, .unanswered_ios = 3 }, 468, "some never came back" },
		{ { .issued_ios = 20, .unanswered_ios = 20 }, 0, "none came back" },
		{ { .issued_ios = 500, .error_ios = 1, .error_n = 1,
		    .error = { { EIO, 1, 300 * MIB } } }, 168, "one failed" },
		{ { .issued_ios = 500, .error_ios = 1, .short_ios = 1, .error_n = 2,
		    .error = { { EIO, 1, 300 * MIB }, { 0, 1, 200 * MIB } } }, 68,
		  "two failed, the later nearer to the start" },
		{ { .issued_ios = 500, .error_ios = 1, .error_n = 1,
		    .error = { { EIO, 1, 110 * MIB } } }, 0, "one of the first failed" },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		is_uint(block_written_bytes(&job, &row[i].out) / MIB, row[i].mib, "%s",
			row[i].what);
}

static void without_consent(void)
{
	struct disk d = disk_of(64 * MIB, 512);
	struct test_context c = { .test = &test_seq_write_qd64, .disk = &d, .fd = -1,
				  .write_fd = -1, .budget_ns = NS_PER_S, .stall_ns = NS_PER_S };

	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	is_int(r.status, RESULT_SKIPPED, "nothing is written without consent");
	is_str(r.reason, "there is no consent to write to this disk", "and why");
	ok(!r.has_io, "no I/O");
	snprintf(d.consent_why, sizeof(d.consent_why), "it is mounted on /");
	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	is_str(r.reason, "it is mounted on /", "the reason for its refusal");
}

/* A short run: no percentile without a read beyond it. */
static void few_reads(void)
{
	static const struct { const char *name; uint64_t least; } row[] = {
		{ "lat_p50", 2 }, { "lat_p90", 10 }, { "lat_p99", 100 }, { "lat_p999", 1000 },
	};
	struct disk d = disk_of(32 << 20, 512);
	struct test_context c = { .test = &test_seq_read_qd1,
				  .disk = &d,
				  .budget_ns = 60 * NS_PER_MS,
				  .stall_ns = NS_PER_S,
				  .fd = memfd_create("disk", MFD_CLOEXEC) };

	if (c.fd < 0 || ftruncate(c.fd, 32 << 20))
		tap_bail("no memory file");
	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	close(c.fd);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		ok(!!result_find(&r, row[i].name) == (r.io.ios >= row[i].least),
		   "%s stands for %llu reads or more, there were %llu", row[i].name,
		   (unsigned long long)row[i].least, (unsigned long long)r.io.ios);
}

static void fails_well(void)
{
	struct disk d = disk_of(32 << 20, 512), tiny = disk_of(4096, 512);
	struct test_context c = { .test = &test_rand_read_qd64,
				  .disk = &d,
				  .fd = memfd_create("gone", MFD_CLOEXEC),
				  .budget_ns = 10 * NS_PER_S,
				  .stall_ns = NS_PER_S };

	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	is_int(r.status, RESULT_FAILED, "a device of size 0 fails");
	is_str(r.reason, "the device is gone since second 0.0: reads below its end return 0 bytes",
	       "why");
	is_uint(r.metric_n, 0, "without a number");
	c.disk = &tiny;
	result_init(&r, c.test->name, tiny.name);
	c.test->run(&c, &r);
	is_int(r.status, RESULT_UNSUPPORTED, "a tiny one is not supported");
	ok(!r.has_io, "and not read");
	close(c.fd);
	c.fd = -1;
	c.disk = &d;
	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	is_int(r.status, RESULT_FAILED, "a bad descriptor fails (%s)", r.reason);
}

int main(void)
{
	fits();
	reading_jobs();
	less_than_asked();
	parts();
	early_ends();
	written();
	reads(&test_seq_read_qd64, 1 << 20, 64, 32);
	reads(&test_rand_read_qd1, 4096, 1, 1);
	reads(&test_rand_read_qd64_4jobs, 4096, 64, 64);
	reads(&test_rand_read_qd64_uring, 4096, 64, 64);
	writes(&test_seq_write_qd64, 1 << 20, 64);
	writes(&test_rand_write_qd64, 4096, 64);
	writes(&test_rand_write_qd1, 4096, 1);
	fills();
	without_consent();
	few_reads();
	fails_well();
	return tap_done();
}
