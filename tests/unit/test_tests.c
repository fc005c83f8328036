/* SPDX-License-Identifier: MIT */
/* The test table, and the sentences for how a job ended. */
#include "bench/tests/test.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>

#include "bench/tests/block_read.h"
#include "bench/tests/io_verdict.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

static char text[65536];

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
	  "not one of the reads was answered within the 4.5 s it was measured" },
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
	  "256 of 256 reads failed: 256 with EINVAL (the device does not read in this size or "
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
	  "the device stopped answering in second 0.0: one of the reads took longer than 3.0 s" },
	{ { .end = IO_END_SETUP, .setup_errno = ENOSYS, .setup_what = "io_setup" },
	  RESULT_FAILED,
	  "the reads could not be started: io_setup: ENOSYS (this kernel was built without it)" },
	{ { .end = IO_END_COUNT }, RESULT_FAILED, NULL },
};

/* The same ends of a job that writes. */
static void write_verdicts(void)
{
	const struct io_job job = { .access = IO_WRITE }, mix = { .access = IO_MIX };
	struct io_outcome failed = {
		.end = IO_END_ERRORS, .error_ios = 256, .issued_ios = 256, .error_n = 1,
		.error = { { EIO, 256, 512 } },
	};
	const struct io_outcome silent = {
		.end = IO_END_STALLED, .unanswered_ios = 1, .silent_ns = 3000000000,
	};
	char why[RESULT_REASON_BYTES];

	io_verdict(&job, &failed, why, sizeof(why));
	is_str(why, "256 of 256 writes failed: 256 with EIO (the device could not write there), "
	       "first at byte 512", "writes are called writes");
	io_verdict(&mix, &failed, why, sizeof(why));
	is_str(why, "256 of 256 I/Os failed: 256 with EIO (the device could not read or write "
	       "there), first at byte 512", "and a mix a mix");
	io_verdict(&job, &silent, why, sizeof(why));
	is_str(why, "the device stopped answering in second 0.0: 1 write without a reply for 3.0 s",
	       "one write");
}

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
	verdicts();
	write_verdicts();
	return tap_done();
}
