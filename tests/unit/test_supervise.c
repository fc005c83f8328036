/* SPDX-License-Identifier: MIT */
/*
 * The supervisor: whatever a worker process does, every entry ends once, with a status and a
 * reason.
 */
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/run/supervise.h"
#include "lib/clock.h"
#include "tests/unit/fake_tests.h"
#include "tests/unit/tap.h"

static char file[] = "/tmp/test_supervise.XXXXXX";

#define ENTRIES_MAX 12
#define DISKS 4

struct seen {
	int started, progress, ended[ENTRIES_MAX], phases;
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

static void on_phase_ended(void *context, enum test_phase phase)
{
	struct seen *s = context;

	(void)phase;
	s->phases++;
}

static struct seen seen;
static unsigned delay_ms;

static struct options options;

static void set_entry(struct plan_entry *e, int kind, int disk)
{
	e->disk = disk < 0 ? PLAN_NO_DISK : (size_t)disk;
	e->test = &tests[kind == T_SKIP ? T_OK : kind];
	e->status = kind == T_SKIP ? RESULT_UNSUPPORTED : RESULT_PLANNED;
	snprintf(e->why, sizeof(e->why), "%s", kind == T_SKIP ? "too small" : "");
	e->budget_ns = NS_PER_MS;
	e->deadline_ns = kind == T_SKIP ? 0 : 300 * NS_PER_MS;
}

/*
 * Runs tests[kind[i]] on disk[i]; gives up an entry after 300 ms and the run after run_ms. With
 * `lane` each entry is in that lane, else all are in one; entries from `together` on are of that
 * phase, with a lane for each disk. Those on disk -1 are about none: of the machine, on disk -2 of
 * the network.
 */
static enum supervise_end run_in(size_t n, const int *kind, const int *disk, const int *lane,
				 size_t together, unsigned run_ms, int stop_fd)
{
	static struct disk disks[DISKS];
	struct disk_list list = { .disk = disks, .n = DISKS };
	struct plan_entry entry[ENTRIES_MAX] = { 0 };
	struct plan plan = { .entry = entry, .n = n, .options = &options };
	struct supervise_limits limits = {
		.run_start_ns = clock_ns(), .stop_fd = stop_fd, .ready_ns = 300 * NS_PER_MS,
	};
	struct supervise_events events = {
		.context = &seen, .started = on_started, .progress = on_progress,
		.ended = on_ended, .phase_ended = on_phase_ended,
	};

	limits.deadline_ns = limits.run_start_ns + run_ms * NS_PER_MS;
	memset(&seen, 0, sizeof(seen));
	seen.delay_ms = delay_ms;
	memset(shared, 0, sizeof(*shared));
	for (int i = 0; i < DISKS; i++) {
		snprintf(disks[i].name, sizeof(disks[i].name), "disk%d", i);
		snprintf(disks[i].identity, sizeof(disks[i].identity), "serial:%d", i);
		snprintf(disks[i].node, sizeof(disks[i].node), "%s", file);
		disks[i].size_bytes = 1 << 20;
	}
	for (size_t i = 0; i < n; i++) {
		set_entry(&entry[i], kind[i], disk[i]);
		entry[i].phase = i < together ? PHASE_ALONE : PHASE_TOGETHER;
		entry[i].lane = (unsigned)(i >= together ? disk[i] : lane ? lane[i] : 0);
		if (disk[i] >= 0)
			continue;
		entry[i].phase = disk[i] == -1 ? PHASE_MACHINE : PHASE_NETWORK;
		entry[i].target = (unsigned)i;
		snprintf(entry[i].target_name, sizeof(entry[i].target_name), "%s",
			 disk[i] == -1 ? "" : "far away");
	}
	return supervise_run(&plan, &list, &limits, &events);
}

static enum supervise_end run(size_t n, const int *kind, const int *disk, unsigned run_ms,
			      int stop_fd)
{
	return run_in(n, kind, disk, NULL, n, run_ms, stop_fd);
}

static void is_result(size_t entry, enum result_status status, const char *reason)
{
	const struct result *r = &seen.result[entry];

	is_int(seen.ended[entry], 1, "entry %zu ends once", entry);
	is_str(result_status_words[r->status], result_status_words[status], "entry %zu status",
	       entry);
	ok(strstr(r->reason, reason), "entry %zu reason: %s", entry, r->reason);
}

static void all_ok(size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		is_result(i, RESULT_OK, "");
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
	all_ok(2, 4);
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

/* Nothing is measured beside a call that may still be under way. */
static void test_left_behind(void)
{
	static const int kind[] = { T_OK, T_LEAVE, T_OK, T_SKIP, T_OK };
	static const int disk[] = { 0, 0, 0, 0, 1 };

	is_int(run(5, kind, disk, 20000, -1), SUPERVISE_DONE, "a call that is left behind");
	is_result(0, RESULT_OK, "");
	is_result(1, RESULT_FAILED, "too slow");
	is_result(2, RESULT_SKIPPED, "may still be under way");
	is_result(3, RESULT_UNSUPPORTED, "too small");
	is_result(4, RESULT_OK, "");
}

static void test_busy_owner(void)
{
	static const int kind[] = { T_SLOW, T_SKIP, T_SLOW, T_SLOW, T_SKIP };
	static const int disk[] = { 0, 0, 0, 0, 0 };

	delay_ms = 400;		/* more than the 300 ms an entry may take */
	is_int(run(5, kind, disk, 20000, -1), SUPERVISE_DONE, "an owner that is slow itself");
	delay_ms = 0;
	is_result(0, RESULT_OK, "");
	all_ok(2, 4);
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

static double metric_of(size_t entry, const char *name)
{
	const struct metric *m = result_find(&seen.result[entry], name);

	return m ? m->value : -1;
}

static void test_lanes(void)
{
	static const int meet[] = { T_MEET, T_OK, T_MEET, T_OK, T_MEET, T_OK };
	static const int count[] = { T_COUNT, T_COUNT, T_COUNT, T_COUNT, T_COUNT, T_COUNT };
	static const int disk[] = { 0, 0, 1, 1, 2, 2 }, lane[] = { 0, 0, 1, 1, 2, 2 };

	is_int(run_in(6, meet, disk, lane, 6, 20000, -1), SUPERVISE_DONE, "three lanes");
	all_ok(0, 6);
	is_str(seen.result[0].phase, "alone", "the phase");
	is_str(seen.result[0].family, "family", "and the family are told");
	is_int(seen.phases, 1, "which ended once");
	is_int(run(6, meet, disk, 20000, -1), SUPERVISE_DONE, "the same in one lane");
	is_result(0, RESULT_TIMEOUT, "does not answer");
	run(6, count, disk, 20000, -1);
	is_int(shared->most, 1, "in one lane nothing runs beside another");
	run_in(6, count, disk, lane, 6, 20000, -1);
	ok(shared->most > 1, "in three lanes it does");
}

static void test_lanes_apart(void)
{
	static const int kind[] = { T_KILLED, T_OK, T_HANG, T_OK, T_OK, T_SLOW, T_OK, T_OK,
				    T_GARBLE, T_OK };
	static const int disk[] = { 0, 0, 1, 1, 2, 2, 2, 2, 3, 3 };

	is_int(run_in(10, kind, disk, disk, 10, 20000, -1), SUPERVISE_DONE,
	       "a crash, a hang and garbage, each in a lane");
	is_result(0, RESULT_FAILED, "crashed with signal 9");
	is_result(1, RESULT_OK, "");
	is_result(2, RESULT_TIMEOUT, "does not answer");
	is_result(3, RESULT_SKIPPED, "earlier test");
	all_ok(4, 8);
	is_result(8, RESULT_FAILED, "damaged result");
	is_result(9, RESULT_OK, "");
}

static void test_stop_lanes(void)
{
	static const int kind[] = { T_HANG, T_OK, T_HANG, T_OK, T_OK, T_OK };
	static const int disk[] = { 0, 0, 1, 1, 2, 2 };

	is_int(run_in(6, kind, disk, disk, 6, 150, -1), SUPERVISE_DEADLINE,
	       "a deadline with three lanes");
	is_result(0, RESULT_SKIPPED, "cut short: the run's deadline was reached");
	is_result(1, RESULT_SKIPPED, "deadline was reached before");
	is_result(2, RESULT_SKIPPED, "cut short: the run's deadline was reached");
	is_result(5, RESULT_OK, "");
}

static void test_together(void)
{
	static const int kind[] = { T_OK, T_OK, T_OK, T_GATED, T_GATED, T_GATED, T_GATED, T_GATED,
				    T_GATED };
	static const int disk[] = { 0, 1, 2, 0, 0, 1, 1, 2, 2 };

	is_int(run_in(9, kind, disk, NULL, 3, 20000, -1), SUPERVISE_DONE, "both phases");
	all_ok(0, 9);
	for (size_t i = 3; i < 9; i++)
		is_uint((uint64_t)metric_of(i, "ready"), i % 2 ? 3 : 6,
			"entry %zu began when all were ready, and no round before the other", i);
	is_str(seen.result[8].phase, "together", "the phase");
	is_int(seen.phases, 2, "both ended");
}

static void test_unready(void)
{
	static const int kind[] = { T_GATED, T_GATED, T_HANG, T_GATED, T_KILLED, T_GATED, T_SKIP,
				    T_GATED };
	static const int disk[] = { 0, 0, 1, 1, 2, 2, 3, 3 };

	is_int(run_in(8, kind, disk, NULL, 0, 20000, -1), SUPERVISE_DONE,
	       "a disk that does not get ready");
	is_result(0, RESULT_OK, "");
	is_result(2, RESULT_TIMEOUT, "was not ready");
	is_result(4, RESULT_FAILED, "crashed");
	is_result(6, RESULT_UNSUPPORTED, "too small");
	for (size_t i = 1; i < 8; i += 2) {
		is_result(i, RESULT_OK, "");
		is_uint((uint64_t)metric_of(i, "ready"), 5, "the next round has all four");
	}
}

static void test_lonely(void)
{
	static const int kind[] = { T_STALL, T_OK, T_GATED, T_GATED }, disk[] = { 0, 1, 0, 1 };

	run_in(4, kind, disk, NULL, 2, 20000, -1);
	is_result(2, RESULT_SKIPPED, "stopped answering");
	is_result(3, RESULT_SKIPPED, "no other disk is left");
}

static void test_handed_on(void)
{
	static const int kind[] = { T_LOOK, T_FILL, T_LOOK, T_KILLED, T_LOOK, T_LOOK, T_LOOK,
				    T_LOOK };
	static const int disk[] = { 0, 0, 0, 0, 0, 1, 0, 1 };

	run_in(8, kind, disk, disk, 6, 20000, -1);
	is_uint((uint64_t)metric_of(0, "bytes"), 1 << 20, "at first the area is the whole disk");
	is_uint((uint64_t)metric_of(0, "written"), 0, "which nobody wrote");
	for (size_t i = 2; i <= 6; i += 2) {
		is_uint((uint64_t)metric_of(i, "offset"), 4096, "entry %zu: the area written", i);
		is_uint((uint64_t)metric_of(i, "bytes"), 8192, "entry %zu: its size", i);
		is_uint((uint64_t)metric_of(i, "written"), 1, "entry %zu: by us", i);
	}
	is_uint((uint64_t)metric_of(5, "written"), 0, "the other disk was not written");
	is_uint((uint64_t)metric_of(7, "written"), 0, "in the next phase neither");
	is_uint((uint64_t)metric_of(5, "pipes"), 1, "a worker reaches its own pipe alone");
	is_uint((uint64_t)metric_of(7, "pipes"), 2, "and its gate");
	ok(metric_of(5, "memory") > 0, "it is told how much memory it may use");
}

/* Each of them is on its own: what goes wrong in one costs no other. */
static void test_around(void)
{
	static const int kind[] = { T_STALL, T_OK, T_AROUND, T_KILLED, T_HANG, T_STALL, T_WRITE,
				    T_LEAVE, T_GARBLE, T_SKIP, T_HANG, T_AROUND };
	static const int disk[] = { 0, 0, -1, -1, -1, -1, -1, -1, -1, -2, -2, -2 };

	is_int(run(12, kind, disk, 20000, -1), SUPERVISE_DONE, "what is not about disks");
	is_result(1, RESULT_SKIPPED, "stopped answering");
	is_result(2, RESULT_OK, "");
	is_str(seen.result[2].phase, "machine", "its phase");
	is_str(seen.result[2].target, "", "the machine has no name");
	is_uint((uint64_t)metric_of(2, "target"), 2, "it learns which target it has");
	ok(metric_of(2, "memory") > 0, "and how much memory it may use");
	is_result(3, RESULT_FAILED, "crashed with signal 9");
	is_result(4, RESULT_TIMEOUT, "the test did not end");
	is_result(5, RESULT_FAILED, "no reply");
	is_result(6, RESULT_SKIPPED, "there is no disk");
	is_result(7, RESULT_FAILED, "too slow");
	is_result(8, RESULT_FAILED, "damaged result");
	is_result(9, RESULT_UNSUPPORTED, "too small");
	is_result(10, RESULT_TIMEOUT, "the test did not end");
	is_result(11, RESULT_OK, "");
	is_str(seen.result[11].target, "far away", "a target of the network has a name");
	is_int(seen.phases, 3, "three phases ended");
	is_int(run(2, kind + 2, disk + 2, 20000, -1), SUPERVISE_DONE, "without any disk");
	is_result(0, RESULT_OK, "");
	is_int(run(3, kind + 9, disk + 9, 150, -1), SUPERVISE_DEADLINE, "the run's deadline");
	is_result(1, RESULT_SKIPPED, "cut short");
	is_result(2, RESULT_SKIPPED, "deadline was reached before");
}

static void test_no_disk(void)
{
	static const int kind[] = { T_OK, T_OK }, disk[] = { 0, 0 };

	unlink(file);
	is_int(run(2, kind, disk, 20000, -1), SUPERVISE_DONE, "a disk that is gone");
	is_result(0, RESULT_FAILED, "cannot be opened");
	is_result(1, RESULT_FAILED, "cannot be opened");
}

int main(void)
{
	int fd = mkstemp(file);

	if (fd < 0)
		tap_bail("no temporary file");
	close(fd);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		tap_bail("no shared memory");
	options_init(&options);
	options_set(&options, "profile", "full", OPT_FROM_FLAG);
	test_good();
	test_crashes();
	test_hang();
	test_left_behind();
	test_busy_owner();
	test_wild();
	test_deadline();
	test_stop();
	test_lanes();
	test_lanes_apart();
	test_stop_lanes();
	test_together();
	test_unready();
	test_lonely();
	test_handed_on();
	test_around();
	test_no_disk();
	return tap_done();
}
