/* SPDX-License-Identifier: MIT */
/*
 * GNOME Disks' places and averages, and what is left of a curve when reads fail, hang or the disk
 * is small. pread and pwritev2 are this file's: they fail where a test says so.
 */
#include "bench/tests/gnome.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/tests/numbers.h"
#include "bench/tests/watched.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)
#define SIZE_BYTES (16 * MIB)
#define SAMPLE (SIZE_BYTES / 100 & ~UINT64_C(4095))

static struct fault {
	uint64_t from, to;	/* offsets of reads it applies to */
	uint64_t longer_than;	/* and only to reads of more bytes */
	int err;		/* errno; 0: `result` */
	ssize_t result;
	_Atomic bool hang;
	uint64_t delay_ns_per_mib;	/* of every read */
	_Atomic unsigned reads, writes;
	uint64_t offset[4096];		/* of reads, in order */
	size_t bytes[4096];
	int write_err;
	const void *written_from;
} fault;

static struct result r;

ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
	uint64_t at = (uint64_t)offset;
	struct timespec pause = { .tv_nsec = (long)(fault.delay_ns_per_mib * bytes / MIB) };
	unsigned n = fault.reads++;

	if (n < 4096) {
		fault.offset[n] = at;
		fault.bytes[n] = bytes;
	}
	if (pause.tv_nsec)
		nanosleep(&pause, NULL);
	if (at >= fault.from && at < fault.to && bytes > fault.longer_than) {
		bool hung = fault.hang;

		while (fault.hang)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		if (hung)	/* back after all */
			return syscall(SYS_pread64, fd, buffer, bytes, offset);
		errno = fault.err;
		return fault.err ? -1 : fault.result;
	}
	return syscall(SYS_pread64, fd, buffer, bytes, offset);
}

ssize_t pwritev2(int fd, const struct iovec *data, int n, off_t offset, int flags)
{
	fault.writes++;
	(void)flags;
	errno = fault.write_err;
	return fault.write_err ? -1 : pwritev(fd, data, n, offset);
}

static struct disk disk_of(uint64_t size, uint32_t logical)
{
	struct disk d = { .name = "fake", .size_bytes = size, .logical_block_bytes = logical,
			  .physical_block_bytes = logical };

	return d;
}

/* A file in place of a disk, filled with what is nowhere the same. */
static int file_of(uint64_t bytes)
{
	int fd = memfd_create("disk", MFD_CLOEXEC);
	uint64_t word[512];

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		tap_bail("no memory file");
	for (uint64_t at = 0; at < bytes; at += sizeof(word)) {
		for (unsigned i = 0; i < 512; i++)
			word[i] = (at + i) * UINT64_C(0x9e3779b97f4a7c15) + 1;
		if (pwrite(fd, word, sizeof(word), (off_t)at) != sizeof(word))
			tap_bail("no memory file");
	}
	return fd;
}

static void run_on(const struct test *t, const struct disk *d, int fd, uint64_t budget_ns)
{
	struct test_context c = { .test = t, .disk = d, .fd = fd, .write_fd = fd,
				  .budget_ns = budget_ns, .stall_ns = 400 * NS_PER_MS };

	result_init(&r, t->name, d->name);
	t->run(&c, &r);
}

/* With one fault on the standard disk. */
static void run_fault(const struct test *t, struct fault f)
{
	struct disk d = disk_of(SIZE_BYTES, 512);
	int fd = file_of(SIZE_BYTES);

	fault = f;
	run_on(t, &d, fd, 20 * NS_PER_S);
	if (!f.hang)	/* else the thread that was given up still has it */
		close(fd);
}

static const struct series *series(const char *name)
{
	static const struct series none;
	const struct series *s = result_find_series(&r, name);

	return s ? s : &none;
}

static double metric(const char *name)
{
	const struct metric *m = result_find(&r, name);

	return m ? m->value : -1;
}

static void random_numbers(void)
{
	static const uint32_t glib[] = {	/* the first of GLib's own test of GRand */
		0xfdcc2d54, 0x3a279ceb, 0xc4d39c33, 0xf31895cd, 0x46ca0afc, 0x3f5484ff,
	};
	struct gnome_rand g;
	uint32_t n = 0;

	gnome_rand_init(&g, 5489);
	is_uint(gnome_rand_next(&g), 3499211612, "MT19937: its first number");
	for (unsigned i = 1; i < 10000; i++)
		n = gnome_rand_next(&g);
	is_uint(n, 4123659995, "and the 10000th, as the C++ standard states it");
	gnome_rand_init(&g, 0x7a7a7a7a);
	for (unsigned i = 0; i < sizeof(glib) / sizeof(glib[0]); i++)
		is_uint(gnome_rand_next(&g), glib[i], "GLib's number %u", i);
	/* two draws make one: (a / 2^32 + b) / 2^32 */
	gnome_rand_init(&g, 0x7a7a7a7a);
	is_near(gnome_rand_double(&g), ((double)glib[0] / 4294967296.0 + glib[1]) / 4294967296.0,
		0, "a number below 1");
}

static void places(void)
{
	is_uint(gnome_sample_offset(0, 1000204886016, 4096), 0, "the first sample");
	is_uint(gnome_sample_offset(1, 1000204886016, 4096), UINT64_C(10002046976),
		"the second, rounded down to a page");
	is_uint(gnome_sample_offset(99, UINT64_C(64000000000000), 4096),
		UINT64_C(63359999999999) / 4096 * 4096 + 4096 * (63360000000000 % 4096 == 0),
		"the last of a large disk");
	is_near(numbers_next_place(0, 100, 99 * NS_PER_S, NS_PER_S), 1, 0,
		"time for all: the next");
	is_near(numbers_next_place(98, 100, 0, NS_PER_S), 100, 0, "no time: the end");
	is_near(numbers_next_place(0, 100, 49 * NS_PER_S, NS_PER_S), 1 + 50 / 49.0, 1e-9,
		"time for half: every other");
	is_near(numbers_next_place(0, 100, 0, 0), 1, 0, "no clock: the next");
}

static void fits_one(const struct test *t, struct disk d, enum result_status want, const char *text)
{
	char why[RESULT_REASON_BYTES];

	is_int(t->fits(t, &d, why, sizeof(why)), want, "%s on %llu bytes in %u", t->name,
	       (unsigned long long)d.size_bytes, d.logical_block_bytes);
	is_str(why, text, "why");
}

static void fits(void)
{
	struct disk guarded = disk_of(MIB << 20, 512);

	guarded.read_only = true;
	fits_one(&test_gnome_curve, disk_of(MIB << 20, 512), RESULT_OK, "");
	fits_one(&test_gnome_curve, disk_of(MIB << 20, 4096), RESULT_OK, "");
	fits_one(&test_gnome_curve, disk_of(MIB, 512), RESULT_UNSUPPORTED,
		 "a disk of 1048576 bytes is smaller than the 6553600 this test needs");
	fits_one(&test_gnome_access, disk_of(MIB, 512), RESULT_OK, "");
	fits_one(&test_gnome_access, disk_of(0, 512), RESULT_UNSUPPORTED,
		 "a disk of 0 bytes is smaller than the 65536 this test needs");
	fits_one(&test_gnome_curve, disk_of(MIB << 20, 8192), RESULT_UNSUPPORTED,
		 "pages of 4096 bytes do not fit its logical blocks of 8192 bytes");
	fits_one(&test_gnome_access, disk_of(MIB << 20, 0), RESULT_UNSUPPORTED,
		 "pages of 4096 bytes do not fit its logical blocks of 0 bytes");
	fits_one(&test_gnome_curve, guarded, RESULT_OK, "");
	fits_one(&test_gnome_write, guarded, RESULT_UNSUPPORTED, "the disk is read-only");
}

static void whole_curve(void)
{
	double sum = 0;

	run_fault(&test_gnome_curve, (struct fault){ 0 });
	is_int(r.status, RESULT_OK, "a curve");
	is_str(r.reason, "samples of 160 KiB instead of 10 MiB, as the area is small",
	       "small disk, small samples");
	is_uint(series("transfer")->point_n, 100, "100 samples");
	for (unsigned i = 0; i < series("transfer")->point_n; i++) {
		const struct point *p = &series("transfer")->point[i];

		sum += p->y;
		if ((uint64_t)p->x != (i * SIZE_BYTES / 100 & ~UINT64_C(4095)))
			ok(false, "sample %u lies at %.0f", i, p->x);
	}
	is_near(metric("throughput"), sum / 100, 1e-3, "the average is the mean of the rates");
	/* behind the probe: a page, then the sample, at the same place */
	is_uint(fault.bytes[2], 4096, "one page first");
	is_uint(fault.bytes[3], SAMPLE, "then the sample in one read");
	is_uint(fault.offset[4], fault.offset[5], "from the same place");
	is_uint(fault.reads, 202, "and nothing else");
	is_uint(fault.writes, 0, "nothing is written");
	is_uint(r.io.zero_buffers, 0, "data is seen");
}

static void bad_sample(void)
{
	uint64_t at = gnome_sample_offset(40, SIZE_BYTES, 4096);

	run_fault(&test_gnome_curve, (struct fault){ .from = at, .to = at + 1, .err = EIO });
	is_int(r.status, RESULT_OK, "a curve with a bad place");
	is_str(r.reason, "samples of 160 KiB instead of 10 MiB, as the area is small; 1 of 100 "
	       "reads failed: 1 with EIO (the device could not read there), first at byte 6709248",
	       "the bad place is named");
	is_uint(series("transfer")->point_n, 99, "99 samples are left");
	is_near(metric("errors"), 1, 0, "one error");
	at = gnome_sample_offset(50, SIZE_BYTES, 4096);
	run_fault(&test_gnome_curve, (struct fault){ .to = at, .err = EIO });
	is_int(r.status, RESULT_OK, "half of the disk is bad");
	is_uint(series("transfer")->point_n, 50, "the other half is a curve");
	run_fault(&test_gnome_curve, (struct fault){ .to = at + 1, .err = EIO });
	is_int(r.status, RESULT_FAILED, "more than half is bad");
	is_uint(series("transfer")->point_n, 49, "what was taken is kept");
	is_uint(r.metric_n, 0, "without an average");
	run_fault(&test_gnome_curve, (struct fault){ .to = SIZE_BYTES, .err = EIO });
	is_int(r.status, RESULT_FAILED, "all is bad");
	run_fault(&test_gnome_curve, (struct fault){ .from = 0, .to = 1, .longer_than = 4096,
						     .result = 16 });
	is_uint(r.io.short_ios, 1, "16 bytes are no sample");
	is_uint(series("transfer")->point_n, 99, "and no rate");
	run_fault(&test_gnome_access, (struct fault){ .to = SIZE_BYTES / 10, .err = EIO });
	is_int(r.status, RESULT_OK, "access times beside a bad area");
	ok(series("access")->point_n > 800 && series("access")->point_n < 1000,
	   "%u of them", series("access")->point_n);
}

static void gone(void)
{
	struct disk d = disk_of(SIZE_BYTES, 512);
	int fd = file_of(SIZE_BYTES / 2);

	fault = (struct fault){ 0 };
	run_on(&test_gnome_curve, &d, fd, 20 * NS_PER_S);
	is_int(r.status, RESULT_FAILED, "a device that lost its half");
	is_int(r.io.end, IO_END_SHRUNK, "has become smaller");
	ok(strstr(r.reason, "the device has become smaller") &&
		   strstr(r.reason, "the 50 samples taken before"),
	   "and the reason says so: %s", r.reason);
	is_uint(series("transfer")->point_n, 50, "samples before are kept");
	close(fd);
}

static void hangs(void)
{
	uint64_t at = gnome_sample_offset(30, SIZE_BYTES, 4096), start_ns = clock_ns();

	run_fault(&test_gnome_curve, (struct fault){ .from = at, .to = SIZE_BYTES / 2,
						     .hang = true });
	is_int(r.status, RESULT_FAILED, "a device that hangs");
	is_int(r.io.end, IO_END_STALLED, "is silent");
	ok(strstr(r.reason, "stopped answering") && strstr(r.reason, "the 30 samples taken before"),
	   "and the reason says so: %s", r.reason);
	is_uint(series("transfer")->point_n, 30, "samples before are kept");
	ok(clock_ns() - start_ns < 15 * NS_PER_S, "long before the end of the budget");
	fault.hang = false;
	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	run_fault(&test_gnome_write, (struct fault){ .from = at, .to = at + 1, .hang = true });
	is_uint(fault.writes, 30, "a hanging read of a write-back");
	fault.to = 0;
	fault.hang = false;
	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	is_uint(fault.writes, 30, "is not written when it comes back after all");
}

static void slow(void)
{
	struct disk d = disk_of(100 * MIB, 512);
	int fd = file_of(SIZE_BYTES);

	if (ftruncate(fd, (off_t)d.size_bytes))
		tap_bail("no memory file");
	fault = (struct fault){ .delay_ns_per_mib = 900 * NS_PER_MS };
	run_on(&test_gnome_curve, &d, fd, 2 * NS_PER_S);
	is_int(r.status, RESULT_OK, "a slow disk (%s)", r.reason);
	ok(strstr(r.reason, "as the disk is very slow") && r.block_bytes < MIB / 4,
	   "smaller samples, %u bytes", r.block_bytes);
	ok(strstr(r.reason, "instead of 100, spread evenly"), "and fewer");
	ok(series("transfer")->point_n >= 5 && series("transfer")->point_n < 100, "%u of them",
	   series("transfer")->point_n);
	for (unsigned i = 1, n = series("transfer")->point_n; i < n; i++) {
		double gap = series("transfer")->point[i].x - series("transfer")->point[i - 1].x;

		ok(gap > 0.4 * (double)d.size_bytes / n && gap < 2.5 * (double)d.size_bytes / n,
		   "gap %u is %.1f MiB", i, gap / (double)MIB);
	}
	run_on(&test_gnome_access, &d, fd, NS_PER_S / 2);
	is_int(r.status, RESULT_OK, "access times in half a second (%s)", r.reason);
	ok(strstr(r.reason, "reads instead of 1000: there was no time"), "are fewer");
	close(fd);
}

static void writes_back(void)
{
	struct disk d = disk_of(SIZE_BYTES, 4096);
	int fd = file_of(SIZE_BYTES), before = file_of(SIZE_BYTES);
	unsigned char *a = mmap(NULL, SIZE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	unsigned char *b = mmap(NULL, SIZE_BYTES, PROT_READ, MAP_SHARED, before, 0);
	uint64_t at = gnome_sample_offset(40, SIZE_BYTES, 4096);

	fault = (struct fault){ 0 };
	run_on(&test_gnome_write, &d, fd, 20 * NS_PER_S);
	is_int(r.status, RESULT_OK, "write-back (%s)", r.reason);
	is_uint(fault.writes, 100, "100 writes");
	is_uint(series("transfer")->point_n, 100, "100 samples");
	ok(!memcmp(a, b, SIZE_BYTES), "the data is what it was");
	fault = (struct fault){ .from = at, .to = at + 1, .longer_than = 4096, .err = EIO };
	run_on(&test_gnome_write, &d, fd, 20 * NS_PER_S);
	is_uint(fault.writes, 99, "what could not be read is not written");
	ok(!memcmp(a, b, SIZE_BYTES), "the data is what it was");
	fault = (struct fault){ .from = at, .to = at + 1, .longer_than = 4096, .result = 8192 };
	run_on(&test_gnome_write, &d, fd, 20 * NS_PER_S);
	is_uint(fault.writes, 99, "nor what was read in part");
	fault = (struct fault){ .write_err = ENOSPC };
	run_on(&test_gnome_write, &d, fd, 20 * NS_PER_S);
	is_int(r.status, RESULT_FAILED, "failing writes (%s)", r.reason);
	close(fd);
	fault = (struct fault){ 0 };
	run_on(&test_gnome_write, &d, -1, 20 * NS_PER_S);
	is_int(r.status, RESULT_SKIPPED, "no consent, no write");
	is_uint(fault.reads, 0, "and no read");
	munmap(a, SIZE_BYTES);
	munmap(b, SIZE_BYTES);
	close(before);
}

static void area(void)
{
	struct disk d = disk_of(2 * SIZE_BYTES, 512);
	int fd = file_of(2 * SIZE_BYTES);
	struct test_context c = { .test = &test_gnome_access, .disk = &d, .fd = fd,
				  .area_offset_bytes = 4 * MIB, .area_bytes = 8 * MIB,
				  .budget_ns = 20 * NS_PER_S, .stall_ns = NS_PER_S };

	fault = (struct fault){ 0 };
	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	is_uint(series("access")->point_n, 1000, "1000 accesses");
	for (unsigned i = 0; i < series("access")->point_n; i++)
		if (series("access")->point[i].x < 4 * MIB ||
		    series("access")->point[i].x >= 12 * MIB)
			ok(false, "access %u lies at %.0f", i, series("access")->point[i].x);
	is_near(metric("lat_mean"), hist_mean(&r.io.lat), 1e-6, "the mean of the times");
	close(fd);
}

int main(void)
{
	random_numbers();
	places();
	fits();
	whole_curve();
	bad_sample();
	gone();
	hangs();
	slow();
	writes_back();
	area();
	return tap_done();
}
