/* SPDX-License-Identifier: MIT */
/*
 * A test: one row of test_table (bench/tests/table.c), run on one target in a process of its own.
 *
 * A test measures and fills a struct result; it prints nothing and decides nothing about other
 * tests. Families of tests share a file; what tells their members apart is behind `param`.
 */
#ifndef BENCH_TESTS_TEST_H
#define BENCH_TESTS_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/io/job.h"
#include "bench/model/result.h"
#include "bench/sys/disk.h"
#include "lib/options.h"

#define TEST_TITLE_MAX 34	/* characters: the text report has no more room */

struct test;

/* The choices of option profile, in its order. */
enum test_profile { PROFILE_QUICK, PROFILE_STANDARD, PROFILE_FULL, PROFILES };

/* When a test runs. Each phase begins when the one before it has ended on all disks. */
enum test_phase {
	PHASE_ALONE,	/* the disk is measured while nothing else on its controller is */
	PHASE_TOGETHER,	/* all disks at once, started together */
	PHASE_MACHINE,	/* processors and memory, once no disk is busy */
	PHASE_NETWORK,	/* last: by then the network has come up, or does not come */
	PHASES
};
extern const char *const test_phase_words[PHASES];	/* "alone", "together" ... */
/* True where the tests of a phase are run on disks; else they are about the machine around them. */
bool test_phase_on_disks(enum test_phase phase);

/* What a test does to its target, and so which consent it needs. */
enum test_access {
	TEST_READS,		/* nothing is written */
	TEST_WRITES_BACK,	/* writes the same data it read: writeback or destroy */
	TEST_WRITES,		/* what was there is lost: destroy */
	TEST_FILES,		/* works on a scratch file, or a file system made on the disk */
	/*
	 * Writes to the disk itself, as TEST_WRITES, or with write=file to a scratch file on it:
	 * the test finds write_fd >= 0, else dir. What people run on both (dd, bench.sh).
	 */
	TEST_WRITES_OR_FILE,
};

/*
 * Time for one target in a profile, pauses and ramps included. The plan gives each test as much
 * between the two as the profile has room for; both 0: the test is not part of the profile.
 */
struct test_time {
	uint32_t min_ms, max_ms;
};

/* What a running test is given. */
struct test_context {
	const struct test *test;
	const struct disk *disk;	/* NULL in phases that are not about disks */
	unsigned target;	/* in these: which of the test's targets, see struct test */
	const struct options *options;	/* of the run, for tests that are not about disks */
	int fd;			/* the disk, O_RDONLY | O_DIRECT | O_CLOEXEC; -1: there is none */
	/*
	 * The disk, O_RDWR | O_DIRECT | O_CLOEXEC, held exclusively, its identity checked again
	 * after opening; -1 without consent to write, and for tests that only read.
	 */
	int write_fd;
	/*
	 * The part of the disk to measure on: all of it, or what this run wrote before with
	 * incompressible data (`area_written`). Multiples of 1 MiB, the end of a whole disk
	 * excepted.
	 */
	uint64_t area_offset_bytes, area_bytes;
	bool area_written;
	const char *dir;	/* an empty folder of the test's own on a file system; NULL: none */
	uint64_t budget_ns;	/* at most so long in all: pauses, ramp and measuring */
	uint64_t stall_ns;	/* longest wait for one I/O */
	uint64_t memory_bytes;	/* at most so much for buffers, all jobs together */
	/*
	 * Set where a system call on the disk had to be left to a thread of its own: nothing can be
	 * measured beside it, nor may its descriptor be used again. NULL: nobody asks.
	 */
	bool *left_behind;
	bool may_end_early;	/* with a narrow confidence interval, see struct io_steady */
	/*
	 * tell the person that waits: about once per second, never inside the timed path; may be
	 * NULL
	 */
	void (*progress)(void *context, uint64_t elapsed_ns, uint64_t bytes);
	/* see struct io_job; NULL outside PHASE_TOGETHER */
	bool (*gate)(void *context);
	void *progress_context;	/* of both */
};

struct test {
	const char *name;	/* stable, e.g. "seq-read-qd1" */
	/* the tool whose test this is, e.g. "hdparm", "dd", "fio"; "" for our own */
	const char *family;
	/* for people, at most TEST_TITLE_MAX, e.g. "sequential read 1 MiB, QD 1" */
	const char *title;
	const char *help;	/* what it measures and how, one or two sentences */
	enum test_phase phase;
	enum test_access access;
	/* says nothing of one disk alone: runs where two or more are measured */
	bool needs_others;
	/* tests of higher rank are the first to be left out where a profile has no time for all */
	unsigned rank;
	struct test_time time[PROFILES];
	const void *param;	/* of the family; NULL where it needs none */
	/*
	 * Of a test that is not about disks: puts the name of target `i` into `name`
	 * (DISK_NAME_BYTES) and returns how many there are. Each gets an entry of the plan and a
	 * result of its own. Where there are none because nobody asked for any, `name` may say so
	 * instead. NULL: there is one, the machine, and its name is "".
	 */
	unsigned (*targets)(const struct options *o, unsigned i, char *name);
	/*
	 * Can this test run on this disk? RESULT_OK, or RESULT_UNSUPPORTED / RESULT_SKIPPED with
	 * the reason in `why`. Looks at `disk` alone; opens nothing. Consent is the plan's matter.
	 * In phases that are not about disks `disk` is NULL, and a test that cannot run here says
	 * so.
	 */
	enum result_status (*fits)(const struct test *test, const struct disk *disk, char *why,
				   size_t why_bytes);
	/*
	 * Measures; always leaves a final status in `r` (never PLANNED or RUNNING). r->target is
	 * the name of what is to be measured.
	 */
	void (*run)(const struct test_context *c, struct result *r);
};

extern const struct test *const test_table[];
extern const size_t test_table_n;

/* `fits` of tests that run on any machine: what they lack shows when they run. */
enum result_status test_fits_anywhere(const struct test *test, const struct disk *disk, char *why,
				      size_t why_bytes);

/* Finds a row by name or returns NULL. */
const struct test *test_find(const char *name);
/*
 * Checks the table: unique names, no missing hook. Returns 0 or -EINVAL. Called at start: a missing
 * hook is loud.
 */
int test_selfcheck(void);

#endif
