/* SPDX-License-Identifier: MIT */
/* The test table, the reading tests on a file in place of a disk, and their sentences. */
#include "bench/tests/test.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/tests/block_read.h"
#include "bench/tests/io_verdict.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

static char text[65536];
static struct result r;

static unsigned times_in(const char *in, const char *what)
{
	unsigned n = 0;

	for (const char *at = in; (at = strstr(at, what)); at++)
		n += !isalnum((unsigned char)at[strlen(what)]) && at[strlen(what)] != '_';
	return n;
}

/* Each test defined in a file of bench/tests/ stands in the table once. */
static void files_stand_in_table(void)
{
	static const char key[] = "\nconst struct test test_";
	static char table[16384];
	DIR *dir = opendir("bench/tests");
	unsigned defined = 0;
	struct dirent *e;

	if (!dir) {
		tap_skip("every test file stands in the table",
			 "not run from the project's folder");
		return;
	}
	if (file_read("bench/tests/table.c", table, sizeof(table)) <= 0)
		tap_bail("no bench/tests/table.c");
	while ((e = readdir(dir))) {
		char path[300], row[80];
		size_t len = strlen(e->d_name);

		if (len < 3 || strcmp(e->d_name + len - 2, ".c"))
			continue;
		snprintf(path, sizeof(path), "bench/tests/%s", e->d_name);
		if (file_read(path, text, sizeof(text)) <= 0)
			continue;
		for (const char *at = text; (at = strstr(at, key)); ) {
			at += sizeof(key) - sizeof("test_");
			snprintf(row, sizeof(row), "&%.*s", (int)strcspn(at, " ["), at);
			is_uint(times_in(table, row), 1, "%s of %s stands in the table once",
				row + 1, e->d_name);
			defined++;
		}
	}
	closedir(dir);
	is_uint(defined, test_table_n, "and the table holds no more");
}

static void table(void)
{
	is_int(test_selfcheck(), 0, "the table is whole");
	ok(test_find("rand-read-qd64") == &test_rand_read_qd64, "a test is found by name");
	ok(!test_find("rand-read") && !test_find(""), "no part of a name will do");
	for (size_t i = 0; i < test_table_n; i++)
		ok(strlen(test_table[i]->title) <= TEST_TITLE_MAX, "%s has a title that fits",
		   test_table[i]->name);
}

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

static struct io_job job_for(const struct test *t, uint64_t size, uint32_t logical, uint64_t memory,
			     const char *want_note)
{
	struct disk d = disk_of(size, logical);
	struct test_context c = { .test = t, .disk = &d, .fd = 9, .budget_ns = 5 * NS_PER_S,
				  .stall_ns = 3 * NS_PER_S };
	char note[IO_NOTE_BYTES];
	struct io_job job;

	block_read_job(&c, memory, &job, note, sizeof(note));
	is_str(note, want_note, "%s, %llu bytes, memory %llu: note", t->name,
	       (unsigned long long)size, (unsigned long long)memory);
	return job;
}

static void jobs(void)
{
	struct io_job job =
		job_for(&test_rand_read_qd64, (UINT64_C(1) << 40) + 512, 512, UINT64_MAX, "");
	uint32_t seed = (uint32_t)job.seed;

	is_uint(job.depth, 64, "the whole depth");
	is_uint(job.align_bytes, 512, "the disk's own alignment");
	is_uint(job.area_bytes, UINT64_C(1) << 40, "all whole blocks of the disk");
	is_uint(job.ramp_ns, 500 * NS_PER_MS, "a tenth of the budget is the ramp");
	is_uint(job.runtime_ns, 4453 * NS_PER_MS, "the rest is measured, off the beat of limiters");
	is_uint(job.series_ns, 100 * NS_PER_MS, "a point each tenth of a second");
	job = job_for(&test_rand_read_qd1, 1 << 30, 512, UINT64_MAX, "");
	ok(job.seed != seed, "each test draws its own blocks");
	job = job_for(&test_seq_read_qd64, UINT64_C(1) << 40, 4096, 80 << 20,
		      "queue depth 20 instead of 64: more buffers would not fit into a quarter of "
		      "the free "
		      "memory");
	is_uint(job.depth, 20, "a quarter of 80 MiB");
	is_uint(job.align_bytes, 4096, "4Kn");
	job = job_for(&test_seq_read_qd64, UINT64_C(1) << 40, 512, 1 << 20,
		      "queue depth 1 instead of 64: more buffers would not fit into a quarter of "
		      "the free "
		      "memory");
	is_uint(job.depth, 1, "at least one");
	job = job_for(&test_seq_read_qd64, 20 << 20, 512, UINT64_MAX,
		      "queue depth 20 instead of 64: the disk holds no more such blocks");
	is_uint(job.depth, 20, "no more than there are blocks");
}

static void measures(const struct test *t, uint32_t block_bytes, uint32_t depth)
{
	struct disk d = disk_of(32 << 20, 512);
	struct test_context c = { .test = t, .disk = &d, .budget_ns = 600 * NS_PER_MS,
				  .stall_ns = NS_PER_S };
	const struct metric *m, *iops;

	c.fd = memfd_create("disk", MFD_CLOEXEC);
	if (c.fd < 0 || ftruncate(c.fd, 32 << 20))
		tap_bail("no memory file");
	result_init(&r, t->name, d.name);
	t->run(&c, &r);
	close(c.fd);
	is_int(r.status, RESULT_OK, "%s runs on a file (%s)", t->name, r.reason);
	is_str(r.engine, "libaio", "engine");
	is_str(r.access, "read", "access");
	is_uint(r.block_bytes, block_bytes, "block size");
	is_uint(r.area_bytes, 32 << 20, "area");
	is_uint(r.depth_asked, depth, "depth asked for");
	is_uint(r.depth, r.io.depth_used, "depth used");
	m = result_find(&r, "throughput");
	iops = result_find(&r, "iops");
	if (!ok(m && iops, "both rates are there"))
		return;
	is_near(m->value / (iops->value * block_bytes), 1, 1e-9, "and agree");
	is_near(iops->value * (double)r.io.measured_ns / 1e9, (double)r.io.ios, 1e-3,
		"with the counts");
	ok(m->sample_n >= 4 && m->sample_n == r.io.series_n, "samples over time (%u)", m->sample_n);
	ok(result_find(&r, "lat_mean") && result_find(&r, "lat_p50") &&
		   result_find(&r, "lat_max") && result_find(&r, "cpu_percent"),
	   "the other metrics");
	m = result_find(&r, "errors");
	ok(m && m->value == 0, "no errors");
	is_uint(r.io.zero_buffers, r.io.sampled_buffers, "an unwritten file is seen as zeros");
	ok(r.metric_n < RESULT_METRICS_MAX, "there is room for all metrics");
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

struct verdict_row {
	struct io_outcome out;
	enum result_status status;
	const char *why;
};

static const struct verdict_row verdict_table[] = {
	{ { .end = IO_END_TIME, .issued_ios = 1000, .ios = 1000 }, RESULT_OK, "" },
	{ { .end = IO_END_TIME,
	    .issued_ios = 1000,
	    .ios = 1000,
	    .note = "queue depth 4 instead of 64" },
	  RESULT_OK,
	  "queue depth 4 instead of 64" },
	{ { .end = IO_END_TIME,
	    .issued_ios = 1000,
	    .ios = 990,
	    .error_ios = 9,
	    .short_ios = 1,
	    .error_n = 2,
	    .error = { { EIO, 9, 4096 }, { 0, 1, 8192 } } },
	  RESULT_OK,
	  "10 of 1000 reads failed: 9 with EIO (the device could not read there), first at byte "
	  "4096; "
	  "1 with too few bytes, first at byte 8192" },
	{ { .end = IO_END_TIME,
	    .issued_ios = 1000,
	    .ios = 989,
	    .error_ios = 11,
	    .error_n = 1,
	    .error = { { ENODATA, 11, 512 } } },
	  RESULT_FAILED,
	  "11 of 1000 reads failed: 11 with ENODATA (a medium error: the data there is lost), "
	  "first at byte "
	  "512" },
	{ { .end = IO_END_NO_IO },
	  RESULT_FAILED,
	  "not one read was answered within the 4.5 s it was measured" },
	{ { .end = IO_END_VANISHED, .zero_ios = 3, .trouble_ns = 3200000000 },
	  RESULT_FAILED,
	  "the device is gone since second 3.2: reads below its end return 0 bytes" },
	{ { .end = IO_END_VANISHED,
	    .error_ios = 1,
	    .issued_ios = 5,
	    .error_n = 1,
	    .error = { { ENODEV, 1, 0 } } },
	  RESULT_FAILED,
	  "the device is gone since second 0.0: 1 of 5 reads failed: 1 with ENODEV (no such device "
	  "any more)"
	  ", first at byte 0" },
	{ { .end = IO_END_ERRORS,
	    .error_ios = 256,
	    .issued_ios = 256,
	    .error_n = 1,
	    .error = { { EINVAL, 256, 512 } } },
	  RESULT_FAILED,
	  "256 of 256 reads failed: 256 with EINVAL (the device does not take reads of this size "
	  "or "
	  "alignment), first at byte 512" },
	{ { .end = IO_END_ERRORS,
	    .ios = 7,
	    .error_ios = 256,
	    .issued_ios = 263,
	    .trouble_ns = 1500000000,
	    .error_n = 1,
	    .error = { { 4242, 256, 512 } } },
	  RESULT_FAILED,
	  NULL },
	{ { .end = IO_END_STALLED,
	    .unanswered_ios = 64,
	    .silent_ns = 10000000000,
	    .trouble_ns = 2500000000 },
	  RESULT_FAILED,
	  "the device stopped answering in second 2.5: 64 reads without a reply for 10.0 s" },
	{ { .end = IO_END_STALLED, .unanswered_ios = 1, .silent_ns = 3000000000 },
	  RESULT_FAILED,
	  "the device stopped answering in second 0.0: 1 read without a reply for 3.0 s" },
	{ { .end = IO_END_STALLED, .silent_ns = 3000000000 },
	  RESULT_FAILED,
	  "the device stopped answering in second 0.0: a read took longer than 3.0 s" },
	{ { .end = IO_END_SETUP, .setup_errno = ENOSYS, .setup_what = "io_setup" },
	  RESULT_FAILED,
	  "the reads could not be started: io_setup: ENOSYS (this kernel was built without it)" },
	{ { .end = IO_END_COUNT }, RESULT_FAILED, NULL },
};

static void verdicts(void)
{
	const struct io_job job = { .runtime_ns = 4500000000 };
	char why[RESULT_REASON_BYTES], cut[20];

	for (size_t i = 0; i < sizeof(verdict_table) / sizeof(verdict_table[0]); i++) {
		const struct verdict_row *v = &verdict_table[i];

		is_int(io_verdict(&job, &v->out, why, sizeof(why)), v->status, "verdict %zu", i);
		if (v->why)
			is_str(why, v->why, "and its sentence");
		else
			ok(why[0], "and some sentence: %s", why);
		io_verdict(&job, &v->out, cut, sizeof(cut));
		ok(!strncmp(cut, why, sizeof(cut) - 1), "also where there is little room");
	}
	for (int end = 0; end < IO_END_COUNT; end++)
		ok(io_end_table[end].end == (enum io_end)end && io_end_table[end].word &&
		   io_end_table[end].sentence, "end %d has its row", end);
}

int main(void)
{
	table();
	files_stand_in_table();
	fits();
	jobs();
	measures(&test_seq_read_qd64, 1 << 20, 64);
	measures(&test_rand_read_qd1, 4096, 1);
	few_reads();
	fails_well();
	verdicts();
	return tap_done();
}
