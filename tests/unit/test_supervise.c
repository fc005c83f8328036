/* SPDX-License-Identifier: MIT */
/*
 * The supervisor: whatever a worker process does, every entry ends once, with a status and a
 * reason.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/run/supervise.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

static char file[] = "/tmp/test_supervise.XXXXXX";

static void run_ok(const struct test_context *c, struct result *r)
{
	c->progress(c->progress_context, 1, 2);
	result_metric(r, "throughput", UNIT_BYTES_PER_S, 5);
	result_end(r, RESULT_OK, "%s", "");
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

static const struct test tests[] = {
	{ .name = "ok", .run = run_ok }, { .name = "killed", .run = run_killed },
	{ .name = "exit", .run = run_exit }, { .name = "hang", .run = run_hang },
	{ .name = "stall", .run = run_stall }, { .name = "garble", .run = run_garble },
	{ .name = "slow", .run = run_slow }, { .name = "flood", .run = run_flood },
	{ .name = "unfinished", .run = run_unfinished },
};

enum { T_OK, T_KILLED, T_EXIT, T_HANG, T_STALL, T_GARBLE, T_SLOW, T_FLOOD, T_UNFINISHED, T_SKIP };

#define ENTRIES_MAX 8

struct seen {
	int started, progress, ended[ENTRIES_MAX];
	unsigned delay_ms;	/* the supervisor's owner takes so long over each result */
	struct result result[ENTRIES_MAX];
};

static void on_started(void *context, size_t entry)
{
	struct seen *s = context;

	(void)entry;
	s->started++;
}

static void on_progress(void *context, size_t entry, const struct frame_progress *p)
{
	struct seen *s = context;

	(void)entry;
	s->progress += p->elapsed_ns == 1 && p->bytes == 2;
}

static void on_ended(void *context, size_t entry, const struct result *r)
{
	struct seen *s = context;

	s->ended[entry]++;
	s->result[entry] = *r;
	usleep(s->delay_ms * 1000);
}

static struct seen seen;
static unsigned delay_ms;

/* Runs tests[kind[i]] on disk[i]; gives up an entry after 300 ms and the run after run_ms. */
static enum supervise_end run(size_t n, const int *kind, const int *disk, unsigned run_ms,
			      int stop_fd)
{
	static struct disk disks[2];
	struct disk_list list = { .disk = disks, .n = 2 };
	struct plan_entry entry[ENTRIES_MAX] = { 0 };
	struct plan plan = { .entry = entry, .n = n };
	struct supervise_limits limits = { .run_start_ns = clock_ns(), .stop_fd = stop_fd };
	struct supervise_events events = {
		.context = &seen, .started = on_started, .progress = on_progress, .ended = on_ended,
	};

	limits.deadline_ns = limits.run_start_ns + run_ms * NS_PER_MS;
	memset(&seen, 0, sizeof(seen));
	seen.delay_ms = delay_ms;
	for (int i = 0; i < 2; i++) {
		snprintf(disks[i].name, sizeof(disks[i].name), "disk%d", i);
		snprintf(disks[i].identity, sizeof(disks[i].identity), "serial:%d", i);
		snprintf(disks[i].node, sizeof(disks[i].node), "%s", file);
	}
	for (size_t i = 0; i < n; i++) {
		entry[i].disk = (size_t)disk[i];
		entry[i].test = &tests[kind[i] == T_SKIP ? T_OK : kind[i]];
		entry[i].status = kind[i] == T_SKIP ? RESULT_UNSUPPORTED : RESULT_PLANNED;
		snprintf(entry[i].why, sizeof(entry[i].why), "%s",
			 kind[i] == T_SKIP ? "too small" : "");
		entry[i].budget_ns = NS_PER_MS;
		entry[i].deadline_ns = kind[i] == T_SKIP ? 0 : 300 * NS_PER_MS;
	}
	return supervise_run(&plan, &list, &limits, &events);
}

static void is_result(size_t entry, enum result_status status, const char *reason)
{
	const struct result *r = &seen.result[entry];

	is_int(seen.ended[entry], 1, "entry %zu ends once", entry);
	is_str(result_status_words[r->status], result_status_words[status], "entry %zu status",
	       entry);
	ok(strstr(r->reason, reason), "entry %zu reason: %s", entry, r->reason);
}

static void test_good(void)
{
	static const int kind[] = { T_OK, T_SKIP, T_OK, T_OK, T_SKIP, T_SKIP };
	static const int disk[] = { 0, 0, 0, 1, 1, 1 };

	is_int(run(6, kind, disk, 20000, -1), SUPERVISE_DONE, "all had their turn");
	is_result(4, RESULT_UNSUPPORTED, "too small");
	is_result(5, RESULT_UNSUPPORTED, "too small");
	is_result(0, RESULT_OK, "");
	is_result(1, RESULT_UNSUPPORTED, "too small");
	is_result(2, RESULT_OK, "");
	is_result(3, RESULT_OK, "");
	is_int(seen.started, 3, "three began");
	is_int(seen.progress, 3, "and told their progress");
	is_str(seen.result[3].target, "disk1", "the disk's name");
	is_str(seen.result[3].target_identity, "serial:1", "and identity");
	is_uint(seen.result[0].metric_n, 1, "the metric arrived");
	ok(seen.result[0].elapsed_ns > 0, "with its time");
}

static void test_crashes(void)
{
	static const int kind[] = { T_KILLED, T_OK, T_EXIT, T_GARBLE, T_OK, T_EXIT };
	static const int disk[] = { 0, 0, 0, 0, 0, 1 };

	is_int(run(6, kind, disk, 20000, -1), SUPERVISE_DONE, "crashes do not end the run");
	is_result(0, RESULT_FAILED, "crashed with signal 9");
	is_result(1, RESULT_OK, "");
	is_result(2, RESULT_FAILED, "exit code 7");
	is_result(3, RESULT_FAILED, "damaged result");
	is_result(4, RESULT_OK, "");
	is_result(5, RESULT_FAILED, "exit code 7");
}

static void test_hang(void)
{
	static const int kind[] = { T_HANG, T_OK, T_SKIP, T_OK, T_STALL, T_OK };
	static const int disk[] = { 0, 0, 0, 1, 1, 1 };
	uint64_t start_ns = clock_ns();

	is_int(run(6, kind, disk, 20000, -1), SUPERVISE_DONE, "a hang does not end the run");
	is_result(0, RESULT_TIMEOUT, "the device does not answer");
	is_result(1, RESULT_SKIPPED, "did not answer in an earlier test");
	is_result(2, RESULT_UNSUPPORTED, "too small");
	is_result(3, RESULT_OK, "");
	is_result(4, RESULT_FAILED, "no reply");
	is_result(5, RESULT_SKIPPED, "stopped answering in stall");
	ok(clock_ns() - start_ns < 10 * NS_PER_S, "and costs its deadline, not more");
	ok(seen.result[0].elapsed_ns >= 300 * NS_PER_MS, "the time it took is kept");
}

static void test_busy_owner(void)
{
	static const int kind[] = { T_SLOW, T_SKIP, T_SLOW, T_SLOW, T_SKIP };
	static const int disk[] = { 0, 0, 0, 0, 0 };

	delay_ms = 400;		/* more than the 300 ms an entry may take */
	is_int(run(5, kind, disk, 20000, -1), SUPERVISE_DONE, "an owner that is slow itself");
	delay_ms = 0;
	is_result(0, RESULT_OK, "");
	is_result(2, RESULT_OK, "");
	is_result(3, RESULT_OK, "");
}

static void test_wild(void)
{
	static const int kind[] = { T_FLOOD, T_UNFINISHED, T_OK }, disk[] = { 0, 1, 1 };

	is_int(run(3, kind, disk, 20000, -1), SUPERVISE_DONE, "a flood of progress ends");
	is_result(0, RESULT_TIMEOUT, "does not answer");
	is_result(1, RESULT_FAILED, "damaged result");
	is_result(2, RESULT_OK, "");
}

static void test_deadline(void)
{
	static const int kind[] = { T_OK, T_HANG, T_OK, T_OK }, disk[] = { 0, 0, 0, 1 };

	is_int(run(4, kind, disk, 150, -1), SUPERVISE_DEADLINE, "the run's deadline comes first");
	is_result(0, RESULT_OK, "");
	is_result(1, RESULT_SKIPPED, "cut short: the run's deadline was reached");
	is_result(2, RESULT_SKIPPED, "the run's deadline was reached before");
	is_result(3, RESULT_SKIPPED, "the run's deadline was reached before");
}

static void test_stop(void)
{
	static const int kind[] = { T_HANG, T_OK, T_OK }, disk[] = { 0, 0, 1 };
	int fd = eventfd(1, EFD_CLOEXEC);

	is_int(run(3, kind, disk, 20000, fd), SUPERVISE_STOPPED, "a stop is obeyed");
	is_result(0, RESULT_SKIPPED, "stopped before");
	is_result(2, RESULT_SKIPPED, "stopped before");
	close(fd);
	is_int(run(0, kind, disk, 20000, -1), SUPERVISE_DONE, "an empty plan is done");
}

static void test_no_disk(void)
{
	static const int kind[] = { T_OK, T_OK }, disk[] = { 0, 0 };

	unlink(file);
	is_int(run(2, kind, disk, 20000, -1), SUPERVISE_DONE, "a disk that is gone");
	is_result(0, RESULT_FAILED, "cannot be opened");
	is_result(1, RESULT_FAILED, "cannot be opened");
}

static void test_frames(void)
{
	static struct frame_reader reader;
	static struct result r;
	int fd[2];

	is_int(pipe2(fd, O_NONBLOCK), 0, "a pipe");
	ok(fcntl(fd[1], F_SETPIPE_SZ, 1 << 20) >= (int)(2 * sizeof(r)), "with room for two results");
	frame_reader_init(&reader);
	is_int(frame_read(&reader, fd[0]), 0, "an empty pipe has no frame");
	frame_write(fd[1], FRAME_STARTED, 7, NULL, 0);
	result_init(&r, "t", "d");
	frame_write(fd[1], FRAME_RESULT, 8, &r, sizeof(r));
	is_int(frame_read(&reader, fd[0]), 1, "first frame");
	is_uint(reader.frame.entry, 7, "its entry");
	is_int(frame_read(&reader, fd[0]), 1, "second frame");
	is_uint(reader.frame.entry, 8, "its entry");
	is_int(frame_read(&reader, fd[0]), 0, "no third");
	r.metric_n = RESULT_METRICS_MAX + 1;
	frame_write(fd[1], FRAME_RESULT, 8, &r, sizeof(r));
	is_int(frame_read(&reader, fd[0]), -EBADMSG, "a count past its array is refused");
	frame_reader_init(&reader);
	result_init(&r, "t", "d");
	memset(r.reason, 'x', sizeof(r.reason));
	frame_write(fd[1], FRAME_RESULT, 8, &r, sizeof(r));
	is_int(frame_read(&reader, fd[0]), -EBADMSG, "so is a text without its end");
	frame_reader_init(&reader);
	frame_write(fd[1], FRAME_PROGRESS, 8, &r, 4);
	is_int(frame_read(&reader, fd[0]), -EBADMSG, "and a wrong length");
	close(fd[1]);
	close(fd[0]);
	pipe2(fd, O_NONBLOCK);
	frame_reader_init(&reader);
	close(fd[1]);
	is_int(frame_read(&reader, fd[0]), -EPIPE, "the end of the stream");
	close(fd[0]);
}

int main(void)
{
	int fd = mkstemp(file);

	if (fd < 0)
		tap_bail("no temporary file");
	close(fd);
	test_good();
	test_crashes();
	test_hang();
	test_busy_owner();
	test_wild();
	test_deadline();
	test_stop();
	test_frames();
	test_no_disk();
	return tap_done();
}
