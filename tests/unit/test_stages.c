/* SPDX-License-Identifier: MIT */
/* The boot's decisions: what an end means, who goes on after a failure, how the time is divided. */
#include "tests/unit/tap.h"

#include <errno.h>
#include <signal.h>

#include "init/boot.h"
#include "init/end.h"
#include "lib/clock.h"

static struct boot b;

static void fresh(void)
{
	memset(&b, 0, sizeof(b));
	options_init(&b.options);
	b.start_ns = 1000 * NS_PER_S;
}

static void set(const char *name, const char *value)
{
	if (options_set(&b.options, name, value, OPT_FROM_KERNEL))
		tap_bail("an option cannot be set");
}

/* Wait statuses, as the kernel makes them. */
static int exited(int code)
{
	return code << 8;
}

static void test_table(void)
{
	is_int(stages_selfcheck(), 0, "the table is whole");
	is_str(stages_table[STAGE_MOUNTS].name, "mounts", "the first stage");
	is_str(stages_table[STAGE_RESULT].name, "result", "the last");
	ok(STAGE_GUARD < STAGE_RUN && STAGE_CLOCK < STAGE_RUN,
	   "disks are locked before anything runs");
	ok(STAGE_RUN < STAGE_CLOSE && STAGE_CLOSE < STAGE_UPLOAD,
	   "a report is closed before it is sent");
}

static void test_judge(void)
{
	const struct stage *run = &stages_table[STAGE_RUN], *upload = &stages_table[STAGE_UPLOAD];

	is_int(stages_judge(run, exited(0), false), STAGE_OK, "0 is good");
	is_int(stages_judge(run, exited(3), false), STAGE_OK, "a partial report is one");
	is_int(stages_judge(upload, exited(3), false), STAGE_FAILED, "but only for run");
	is_int(stages_judge(run, exited(1), false), STAGE_FAILED, "1 is not");
	is_int(stages_judge(run, exited(35), false), STAGE_FAILED, "nor 35, which is 3 modulo 32");
	is_int(stages_judge(run, exited(127), false), STAGE_FAILED, "nor a missing program");
	is_int(stages_judge(run, exited(77), false), STAGE_SKIPPED, "77: nothing to do");
	is_int(stages_judge(run, SIGSEGV, false), STAGE_CRASHED, "a signal is a crash");
	is_int(stages_judge(run, SIGKILL, true), STAGE_TIMEOUT, "unless we sent it");
	is_int(stages_judge(run, exited(0), true), STAGE_TIMEOUT, "also where it then ended well");
}

static void test_after_failures(void)
{
	static const enum stage_status bad[] = { STAGE_FAILED, STAGE_CRASHED, STAGE_TIMEOUT };

	fresh();
	b.stage[STAGE_MOUNTS].status = STAGE_OK;
	b.stage[STAGE_SETTLE].status = STAGE_TIMEOUT;
	b.stage[STAGE_GUARD].status = STAGE_CRASHED;
	ok(!stages_pointless(&b, STAGE_RUN), "an optional stage that failed stops nothing");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		b.stage[STAGE_MOUNTS].status = bad[i];
		ok(stages_pointless(&b, STAGE_RUN), "a required one does: %s", stages_word(bad[i]));
		ok(!stages_pointless(&b, STAGE_CLOSE) && !stages_pointless(&b, STAGE_UPLOAD) &&
		   !stages_pointless(&b, STAGE_RESULT), "but the report still goes out");
	}
	ok(!stages_pointless(&b, STAGE_MOUNTS), "a stage does not stop itself");
}

static void test_reasons(void)
{
	char buf[128];

	fresh();
	is_str(stages_run_reason(&b, buf, sizeof(buf)), "the boot failed before bench was started",
	       "none");
	b.stage[STAGE_RUN].status = STAGE_OK;
	is_str(stages_run_reason(&b, buf, sizeof(buf)), "", "a good run needs no reason");
	b.stage[STAGE_RUN].status = STAGE_CRASHED;
	b.stage[STAGE_RUN].wait_status = 9;
	is_str(stages_run_reason(&b, buf, sizeof(buf)), "bench was killed by signal 9", "killed");
	b.stage[STAGE_RUN].wait_status = 0x80 | 11;
	is_str(stages_run_reason(&b, buf, sizeof(buf)), "bench was killed by signal 11",
	       "with a core");
	b.stage[STAGE_RUN].status = STAGE_FAILED;
	b.stage[STAGE_RUN].wait_status = exited(1);
	is_str(stages_run_reason(&b, buf, sizeof(buf)), "bench ended with status 1", "failed");
	b.stage[STAGE_RUN].wait_status = exited(STAGE_EXIT_NO_PROGRAM);
	is_str(stages_run_reason(&b, buf, sizeof(buf)), "bench could not be started", "missing");
	b.stage[STAGE_RUN].status = STAGE_TIMEOUT;
	is_str(stages_run_reason(&b, buf, sizeof(buf)), "bench was ended at the deadline",
	       "too long");
	b.stage[STAGE_RUN].status = STAGE_SKIPPED;
	is_str(stages_run_reason(&b, buf, sizeof(buf)),
	       "the deadline had passed before bench was started", "no time");
}

/* Seconds, `after_s` seconds into the boot. */
static unsigned long long run_s(unsigned int after_s)
{
	return stages_run_limit_ns(&b, b.start_ns + after_s * NS_PER_S) / NS_PER_S;
}

static unsigned long long upload_s(unsigned int after_s)
{
	return stages_upload_limit_ns(&b, b.start_ns + after_s * NS_PER_S) / NS_PER_S;
}

static void test_time(void)
{
	fresh();
	is_uint(run_s(0), 3600 - 350, "of an hour, closing and uploading keep what they can use");
	is_uint(run_s(100), 3500 - 350, "what the boot took is the run's");
	is_uint(run_s(3600 - 350), 0, "at the end nothing is left");
	is_uint(run_s(5000), 0, "nor later");
	is_uint(upload_s(100), 330, "an upload has its retries and some slack");
	is_uint(upload_s(3500), 100, "but not beyond the deadline");
	is_uint(upload_s(4000), 10, "one attempt is made in any case");
	set("deadline", "10m");
	is_uint(run_s(0), 540, "of ten minutes a tenth is kept");
	set("deadline", "60");
	is_uint(run_s(0), 50, "of a minute ten seconds");
	set("deadline", "8");
	is_uint(run_s(0), 4, "of eight seconds a half");
	set("deadline", "0");
	is_uint(run_s(0), 0, "of none nothing");
	set("deadline", "1099511627776");
	ok(run_s(0) > 300000000, "a deadline of millennia is a long time, not an overflow");
	set("retry", "1099511627776");
	ok(upload_s(0) > 300000000, "so is such a retry");
	set("settle", "5");
	is_uint(stages_limit_ns(&b, STAGE_SETTLE, b.start_ns) / NS_PER_S, 10, "settle has slack");
	is_uint(stages_limit_ns(&b, STAGE_GUARD, b.start_ns) / NS_PER_S, 20,
		"guard has its own limit");
}

static void test_end(void)
{
	fresh();
	set("linger", "3");
	set("linger-fail", "7");
	is_int(end_choose(&b), END_REBOOT, "reboot unless something else is asked for");
	is_uint(stages_linger_s(&b), 7, "what was not sent stays longer");
	set("onfail", "shell");
	is_int(end_choose(&b), END_SHELL, "onfail where the report was not delivered");
	b.stage[STAGE_UPLOAD].status = STAGE_OK;
	is_int(end_choose(&b), END_REBOOT, "end where it was");
	is_uint(stages_linger_s(&b), 3, "and linger");
	is_uint(stages_result_limit_ns(&b, b.start_ns) / NS_PER_S, 33, "with time to print");
	set("end", "poweroff");
	is_int(end_choose(&b), END_POWEROFF, "end=poweroff");
	set("end", "halt");
	is_int(end_choose(&b), END_HALT, "end=halt");
	b.stage[STAGE_UPLOAD].status = STAGE_SKIPPED;
	set("onfail", "reboot");
	is_int(end_choose(&b), END_REBOOT, "no upload is not delivered");
	set("onfail", "same");
	is_int(end_choose(&b), END_HALT, "onfail=same is end");
	is_str(end_word(END_POWEROFF), "poweroff", "the words are the options'");
}

int main(void)
{
	test_table();
	test_judge();
	test_after_failures();
	test_reasons();
	test_time();
	test_end();
	return tap_done();
}
