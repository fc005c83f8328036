/* SPDX-License-Identifier: MIT */
/*
 * Tests that go wrong in each way a test can, and some that go well. A
 * test file includes this once.
 */
#ifndef TESTS_UNIT_FAKE_TESTS_H
#define TESTS_UNIT_FAKE_TESTS_H

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/tests/test.h"

/* What the worker processes share. */
static struct shared {
	_Atomic int here, ready, most, met;
} *shared;

static void run_ok(const struct test_context *c, struct result *r)
{
	c->progress(c->progress_context, 1, 2);
	result_metric(r, "throughput", UNIT_BYTES_PER_S, 5);
	result_end(r, RESULT_OK, "%s", "");
}

static void run_leave(const struct test_context *c, struct result *r)
{
	*c->left_behind = true;
	result_end(r, RESULT_FAILED, "too slow");
}

static void run_killed(const struct test_context *c, struct result *r)
{
	(void)c, (void)r;
	kill(getpid(), SIGKILL);
}

static void run_exit(const struct test_context *c, struct result *r)
{
	(void)c, (void)r;
	_exit(7);
}

static void run_hang(const struct test_context *c, struct result *r)
{
	(void)c, (void)r;
	for (;;)
		pause();
}

static void run_stall(const struct test_context *c, struct result *r)
{
	(void)c;
	r->has_io = true;
	r->io.end = IO_END_STALLED;
	result_end(r, RESULT_FAILED, "no reply");
}

/* Writes bytes that are no frame into the worker's pipe, whatever its number is. */
static void run_garble(const struct test_context *c, struct result *r)
{
	struct stat st;

	(void)c, (void)r;
	for (int fd = 3; fd < 100; fd++)
		if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
			(void)!write(fd, "garbage that is no frame at all", 31);
	for (;;)
		pause();
}

static void run_slow(const struct test_context *c, struct result *r)
{
	(void)c;
	usleep(100 * 1000);
	result_end(r, RESULT_OK, "%s", "");
}

/* Never ends, and is never silent either. */
static void run_flood(const struct test_context *c, struct result *r)
{
	(void)r;
	for (;;)
		c->progress(c->progress_context, 1, 2);
}

static void run_unfinished(const struct test_context *c, struct result *r)
{
	(void)c;
	r->status = RESULT_RUNNING;
}

/* Waits until three workers are here at the same time. */
static void run_meet(const struct test_context *c, struct result *r)
{
	(void)c;
	shared->here++;
	while (shared->here < 3)
		usleep(1000);
	result_end(r, RESULT_OK, "%s", "");
}

/* Notes how many workers are here at once. */
static void run_count(const struct test_context *c, struct result *r)
{
	int here = ++shared->here;

	(void)c;
	if (here > shared->most)
		shared->most = here;
	usleep(30 * 1000);
	shared->here--;
	result_end(r, RESULT_OK, "%s", "");
}

static void run_gated(const struct test_context *c, struct result *r)
{
	int ready;

	shared->ready++;
	if (!c->gate || !c->gate(c->progress_context)) {
		result_end(r, RESULT_FAILED, "the gate stayed closed");
		return;
	}
	ready = shared->ready;
	result_metric(r, "ready", UNIT_COUNT, ready);
	result_end(r, RESULT_OK, "%s", "");
}

static void run_fill(const struct test_context *c, struct result *r)
{
	(void)c;
	r->area_offset_bytes = 4096;
	r->area_bytes = 8192;
	result_end(r, RESULT_OK, "%s", "");
}

/* Tells which area it was given, and how many pipes it can reach. */
static void run_look(const struct test_context *c, struct result *r)
{
	struct stat st;
	int pipes = 0;

	for (int fd = 0; fd < 200; fd++)
		pipes += fd > 2 && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
	result_metric(r, "offset", UNIT_BYTES, (double)c->area_offset_bytes);
	result_metric(r, "bytes", UNIT_BYTES, (double)c->area_bytes);
	result_metric(r, "written", UNIT_COUNT, c->area_written);
	result_metric(r, "pipes", UNIT_COUNT, pipes);
	result_metric(r, "memory", UNIT_BYTES, (double)c->memory_bytes);
	result_end(r, RESULT_OK, "%s", "");
}

/* What is not about disks finds none, but its target, the options and memory. */
static void run_around(const struct test_context *c, struct result *r)
{
	result_metric(r, "target", UNIT_COUNT, c->target);
	result_metric(r, "memory", UNIT_BYTES, (double)c->memory_bytes);
	r->area_bytes = 4096;
	if (c->disk || c->fd != -1 || c->write_fd != -1 || c->dir || c->area_bytes || c->gate ||
	    !c->options || options_number(c->options, OPT_ID_PROFILE) != PROFILE_FULL)
		result_end(r, RESULT_FAILED, "it was given what it must not have");
	else
		result_end(r, RESULT_OK, "%s", "");
}

#define TEST(name_, run_) { .name = name_, .family = "family", .run = run_ }
static const struct test tests[] = {
	TEST("ok", run_ok), TEST("killed", run_killed), TEST("exit", run_exit),
	TEST("hang", run_hang), TEST("stall", run_stall), TEST("garble", run_garble),
	TEST("slow", run_slow), TEST("flood", run_flood), TEST("unfinished", run_unfinished),
	TEST("meet", run_meet), TEST("count", run_count), TEST("gated", run_gated),
	TEST("fill-area", run_fill), TEST("look", run_look),
	TEST("leave", run_leave), TEST("around", run_around),
	{ .name = "write", .family = "", .run = run_ok, .access = TEST_WRITES },
};

enum {
	T_OK, T_KILLED, T_EXIT, T_HANG, T_STALL, T_GARBLE, T_SLOW, T_FLOOD, T_UNFINISHED, T_MEET,
	T_COUNT, T_GATED, T_FILL, T_LOOK, T_LEAVE, T_AROUND, T_WRITE, T_SKIP
};

#endif
