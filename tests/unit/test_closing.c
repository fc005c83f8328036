/* SPDX-License-Identifier: MIT */
/* What a run remembers of its writing to a disk, to discard it in the end. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/consent/scratch.h"
#include "bench/run/closing.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)

static const struct test reads = { .name = "r", .access = TEST_READS };
static const struct test writes = { .name = "w", .access = TEST_WRITES };
static const struct test back = { .name = "b", .access = TEST_WRITES_BACK };
static const struct test files = { .name = "f", .access = TEST_FILES };
static struct closing c;

static void wrote(const struct test *t, const struct disk *d, uint64_t offset, uint64_t bytes)
{
	static struct result r;

	result_init(&r, t->name, "sda");
	r.area_offset_bytes = offset;
	r.area_bytes = bytes;
	closing_started(&c, t, d);
	closing_wrote(&c, t, d, &r);
}

static void is_area(size_t i, uint64_t offset, uint64_t bytes, const char *what)
{
	is_uint(c.area[i].offset_bytes, offset, "%s: where", what);
	is_uint(c.area[i].bytes, bytes, "%s: how much", what);
}

static void test_consents(void)
{
	struct disk d = { .size_bytes = 100 * MIB, .consent = CONSENT_NONE };

	memset(&c, 0, sizeof(c));
	wrote(&reads, &d, 0, MIB);
	wrote(&writes, &d, 0, MIB);
	d.consent = CONSENT_FILE;
	wrote(&files, &d, 0, MIB);
	ok(!c.opened && c.area_n == 0, "a disk that is not opened for writing is not closed");
	d.consent = CONSENT_WRITEBACK;
	wrote(&back, &d, 0, MIB);
	ok(c.opened && c.area_n == 0, "what was written back is closed, and not discarded");
	d.consent = CONSENT_DESTROY;
	wrote(&back, &d, 0, MIB);
	is_uint(c.area_n, 0, "with any consent");
	wrote(&files, &d, 0, 0);
	is_uint(c.area_n, 1, "a file system is");
	is_area(0, 0, 100 * MIB, "the disk is smaller than its limit");
	memset(&c, 0, sizeof(c));
	d.size_bytes = SCRATCH_FS_MAX_BYTES * 2;
	wrote(&files, &d, 0, 0);
	is_area(0, 0, SCRATCH_FS_MAX_BYTES, "only the start of a larger one");
}

static void test_areas(void)
{
	const struct disk d = { .size_bytes = 1000 * MIB, .consent = CONSENT_DESTROY };

	memset(&c, 0, sizeof(c));
	wrote(&writes, &d, 10 * MIB, 10 * MIB);
	wrote(&writes, &d, 15 * MIB, 10 * MIB);
	is_uint(c.area_n, 1, "areas that overlap are one");
	is_area(0, 10 * MIB, 15 * MIB, "both together");
	wrote(&writes, &d, 5 * MIB, 5 * MIB);
	is_area(0, 5 * MIB, 20 * MIB, "and what touches them");
	wrote(&writes, &d, 12 * MIB, MIB);
	is_area(0, 5 * MIB, 20 * MIB, "or lies within");
	wrote(&writes, &d, 990 * MIB, 100 * MIB);
	is_area(1, 990 * MIB, 10 * MIB, "nothing beyond the end");
	wrote(&writes, &d, 2000 * MIB, MIB);
	is_uint(c.area_n, 2, "nor behind it");
	for (uint64_t i = 0; i < 20; i++)
		wrote(&writes, &d, (100 + 20 * i) * MIB, MIB);
	is_uint(c.area_n, CLOSING_AREAS_MAX, "without end only so many are kept");
	is_uint(c.area[CLOSING_AREAS_MAX - 1].offset_bytes +
		c.area[CLOSING_AREAS_MAX - 1].bytes, 481 * MIB, "the last holds all the others");
}

static char told[256];

static void keep(void *context, const struct disk *d, const char *why)
{
	snprintf(context, sizeof(told), "%s: %s", d->name, why);
}

static void test_nothing(void)
{
	const struct disk d = { .size_bytes = MIB };
	uint64_t start_ns = clock_ns();

	memset(&c, 0, sizeof(c));
	closing_run(&d, &c, 1, 20 * NS_PER_S, keep, told);
	ok(clock_ns() - start_ns < 10 * NS_PER_S, "nothing to close takes no time");
	is_str(told, "", "and has nothing to tell");
}

/* Not taken, so consent_open refuses it: what was written stays, and is told. */
static void test_refused(void)
{
	const struct disk d = { .name = "gone", .size_bytes = MIB, .skip = DISK_NO_MEDIUM,
				.consent = CONSENT_DESTROY };

	memset(&c, 0, sizeof(c));
	c.opened = true;
	closing_run(&d, &c, 1, 20 * NS_PER_S, keep, told);
	ok(strstr(told, "gone: what this run wrote may be there still"), "a disk that cannot be "
	   "closed is told: %s", told);
}

/* Where no process can be had, the disk is told like one that could not be closed. */
static void test_no_process(void)
{
	const struct disk d = { .name = "sda", .size_bytes = MIB, .consent = CONSENT_DESTROY };
	struct rlimit files, none;

	getrlimit(RLIMIT_NOFILE, &files);
	none = files;
	none.rlim_cur = 3;
	memset(&c, 0, sizeof(c));
	c.opened = true;
	told[0] = '\0';
	setrlimit(RLIMIT_NOFILE, &none);
	closing_run(&d, &c, 1, 20 * NS_PER_S, keep, told);
	setrlimit(RLIMIT_NOFILE, &files);
	ok(strstr(told, strerror(EMFILE)), "no process to close it: %s", told);
}

int main(void)
{
	test_consents();
	test_areas();
	test_nothing();
	test_refused();
	test_no_process();
	return tap_done();
}
