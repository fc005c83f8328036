/* SPDX-License-Identifier: MIT */
/* The table of stages, and the decisions taken from it: pure functions, without any system call. */
#include "init/stages.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "init/boot.h"
#include "init/work.h"
#include "lib/clock.h"

/* Time kept back from the run for closing and uploading: a tenth, but not more than they can
 * use. */
#define RESERVE_SHARE 10
#define RESERVE_MIN_S 10
#define CLOSE_LIMIT_S 20
#define UPLOAD_SLACK_S 30	/* waiting for an address, and the last request's own time limits */
#define OPTION_MAX_S (UINT64_C(10) * 365 * 24 * 3600)
#define RESULT_SLACK_S 30	/* printing the report to slow consoles */

const struct stage stages_table[STAGE_COUNT] = {
	[STAGE_MOUNTS] = {
		.name = "mounts", .what = "mounts the kernel's file systems, makes " BOOT_DIR,
		.kind = STAGE_WAIT, .flags = STAGE_REQUIRED, .limit_s = 10,
		.ok_codes = STAGE_OK_CODE(0), .work = work_mounts,
	},
	[STAGE_CONSOLE] = {
		.name = "console", .what = "copies all output to every console and to console.log",
		.kind = STAGE_HELPER, .flags = STAGE_ALWAYS,
		.ok_codes = STAGE_OK_CODE(0), .work = work_console,
	},
	[STAGE_TUNE] = {
		.name = "tune", .what = "sets kernel parameters that measuring and reporting need",
		.kind = STAGE_WAIT, .limit_s = 5,
		.ok_codes = STAGE_OK_CODE(0), .work = work_tune,
	},
	[STAGE_OPTIONS] = {
		.name = "options", .what = "reads the kernel command line and the config file",
		.kind = STAGE_WAIT, .flags = STAGE_ALWAYS, .limit_s = 5,
		.ok_codes = STAGE_OK_CODE(0), .work = work_options,
	},
	[STAGE_WATCHDOG] = {
		.name = "watchdog", .what = "arms and feeds the hardware watchdog, if there is one",
		.kind = STAGE_HELPER, .flags = STAGE_ALWAYS,
		.ok_codes = STAGE_OK_CODE(0), .work = work_watchdog,
	},
	[STAGE_NETWORK] = {
		.name = "network", .what = "brings up every Ethernet link: DHCP or static",
		.kind = STAGE_HELPER, .flags = STAGE_ALWAYS,
		.ok_codes = STAGE_OK_CODE(0), .work = work_network,
	},
	[STAGE_GUARD_LATE] = {
		.name = "guard-late", .what = "sets disks that appear later read-only",
		.kind = STAGE_HELPER,
		.ok_codes = STAGE_OK_CODE(0), .work = work_guard_late,
	},
	[STAGE_SETTLE] = {
		.name = "settle", .what = "waits until no more disks appear",
		.kind = STAGE_WAIT, .limit = stages_settle_limit_ns,
		.ok_codes = STAGE_OK_CODE(0), .work = work_settle,
	},
	[STAGE_GUARD] = {
		.name = "guard", .what = "sets every disk and partition read-only in the kernel",
		.kind = STAGE_WAIT, .limit_s = 20,
		.ok_codes = STAGE_OK_CODE(0), .work = work_guard,
	},
	[STAGE_CLOCK] = {
		.name = "clock", .what = "corrects a wall clock that stands before the build date",
		.kind = STAGE_WAIT, .limit_s = 5,
		.ok_codes = STAGE_OK_CODE(0), .work = work_clock,
	},
	[STAGE_RUN] = {
		.name = "run", .what = "bench run: plan, inventory, tests, report",
		.kind = STAGE_WAIT, .limit = stages_run_limit_ns, .grace_s = 5,
		.ok_codes = STAGE_OK_CODE(0) | STAGE_OK_CODE(3),	/* 3: a partial report */
		.work = work_run,
	},
	[STAGE_CLOSE] = {
		.name = "close", .what = "bench close: completes the report of a broken run",
		.kind = STAGE_WAIT, .flags = STAGE_ALWAYS, .limit_s = CLOSE_LIMIT_S,
		.ok_codes = STAGE_OK_CODE(0), .work = work_close,
	},
	[STAGE_UPLOAD] = {
		.name = "upload", .what = "bench upload: sends the report",
		.kind = STAGE_WAIT, .flags = STAGE_ALWAYS,
		.limit = stages_upload_limit_ns, .grace_s = 2,
		.ok_codes = STAGE_OK_CODE(0), .work = work_upload,
	},
	[STAGE_RESULT] = {
		.name = "result", .what = "shows the report on every console and lingers",
		.kind = STAGE_WAIT, .flags = STAGE_ALWAYS, .limit = stages_result_limit_ns,
		.ok_codes = STAGE_OK_CODE(0), .work = work_result,
	},
};

const char *stages_word(enum stage_status status)
{
	switch (status) {
	case STAGE_NOT_STARTED: return "not started";
	case STAGE_RUNNING: return "running";
	case STAGE_OK: return "ok";
	case STAGE_FAILED: return "failed";
	case STAGE_CRASHED: return "crashed";
	case STAGE_TIMEOUT: return "timeout";
	case STAGE_SKIPPED: return "skipped";
	}
	return "unknown";
}

enum stage_status stages_judge(const struct stage *s, int wait_status, bool killed)
{
	int code;

	if (killed)
		return STAGE_TIMEOUT;
	if (!WIFEXITED(wait_status))
		return STAGE_CRASHED;
	code = WEXITSTATUS(wait_status);
	if (code == STAGE_EXIT_SKIPPED)
		return STAGE_SKIPPED;
	return code < 32 && (s->ok_codes & STAGE_OK_CODE(code)) ? STAGE_OK : STAGE_FAILED;
}

bool stages_pointless(const struct boot *b, enum stage_id id)
{
	if (stages_table[id].flags & STAGE_ALWAYS)
		return false;
	for (int i = 0; i < (int)id; i++) {
		enum stage_status st = b->stage[i].status;

		if ((stages_table[i].flags & STAGE_REQUIRED) &&
		    (st == STAGE_FAILED || st == STAGE_CRASHED || st == STAGE_TIMEOUT))
			return true;
	}
	return false;
}

bool stages_delivered(const struct boot *b)
{
	return b->stage[STAGE_UPLOAD].status == STAGE_OK;
}

const char *stages_run_reason(const struct boot *b, char *buf, size_t size)
{
	const struct stage_state *run = &b->stage[STAGE_RUN];

	switch (run->status) {
	case STAGE_OK:
		snprintf(buf, size, "%s", "");
		break;
	case STAGE_TIMEOUT:
		snprintf(buf, size, "bench was ended at the deadline");
		break;
	case STAGE_CRASHED:
		snprintf(buf, size, "bench was killed by signal %d", WTERMSIG(run->wait_status));
		break;
	case STAGE_FAILED:
		if (WEXITSTATUS(run->wait_status) == STAGE_EXIT_NO_PROGRAM)
			snprintf(buf, size, "bench could not be started");
		else
			snprintf(buf, size, "bench ended with status %d",
				 WEXITSTATUS(run->wait_status));
		break;
	case STAGE_SKIPPED:
		snprintf(buf, size, "the deadline had passed before bench was started");
		break;
	case STAGE_NOT_STARTED:
	case STAGE_RUNNING:
		snprintf(buf, size, "the boot failed before bench was started");
		break;
	}
	return buf;
}

static uint64_t left_ns(uint64_t until_ns, uint64_t now_ns)
{
	return until_ns > now_ns ? until_ns - now_ns : 0;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* An option in seconds; sums of a few of them still fit in 64 bits of nanoseconds. */
static uint64_t option_s(const struct boot *b, enum opt_id id)
{
	return min_u64(options_number(&b->options, id), OPTION_MAX_S);
}

static uint64_t deadline_ns(const struct boot *b)
{
	return b->start_ns + option_s(b, OPT_ID_DEADLINE) * NS_PER_S;
}

uint64_t stages_settle_limit_ns(const struct boot *b, uint64_t now_ns)
{
	uint64_t settle_s = option_s(b, OPT_ID_SETTLE);

	(void)now_ns;
	/* work_settle keeps to the option itself; this only ends one that does not. */
	return (settle_s + 5) * NS_PER_S;
}

uint64_t stages_run_limit_ns(const struct boot *b, uint64_t now_ns)
{
	uint64_t total_s = option_s(b, OPT_ID_DEADLINE);
	uint64_t useful_s = CLOSE_LIMIT_S + option_s(b, OPT_ID_RETRY) + UPLOAD_SLACK_S;
	uint64_t reserve_s = min_u64(total_s / RESERVE_SHARE, useful_s);

	if (reserve_s < RESERVE_MIN_S)
		reserve_s = min_u64(RESERVE_MIN_S, total_s / 2);
	return left_ns(deadline_ns(b) - reserve_s * NS_PER_S, now_ns);
}

uint64_t stages_upload_limit_ns(const struct boot *b, uint64_t now_ns)
{
	uint64_t wanted_ns = (option_s(b, OPT_ID_RETRY) + UPLOAD_SLACK_S) * NS_PER_S;

	/* The report's last chance: one attempt is made even where the time is over. */
	if (left_ns(deadline_ns(b), now_ns) < RESERVE_MIN_S * NS_PER_S)
		return RESERVE_MIN_S * NS_PER_S;
	return min_u64(wanted_ns, left_ns(deadline_ns(b), now_ns));
}

uint64_t stages_linger_s(const struct boot *b)
{
	return option_s(b, stages_delivered(b) ? OPT_ID_LINGER : OPT_ID_LINGER_FAIL);
}

uint64_t stages_result_limit_ns(const struct boot *b, uint64_t now_ns)
{
	(void)now_ns;
	return (stages_linger_s(b) + RESULT_SLACK_S) * NS_PER_S;
}

uint64_t stages_limit_ns(const struct boot *b, enum stage_id id, uint64_t now_ns)
{
	const struct stage *s = &stages_table[id];

	return s->limit ? s->limit(b, now_ns) : s->limit_s * NS_PER_S;
}

static void print_limit(FILE *out, const struct stage *s)
{
	if (s->kind == STAGE_HELPER)
		fprintf(out, " %6s", "-");
	else if (s->limit)
		fprintf(out, " %6s", "option");
	else
		fprintf(out, " %4u s", (unsigned int)s->limit_s);
}

void stages_print(FILE *out)
{
	for (int i = 0; i < STAGE_COUNT; i++) {
		const struct stage *s = &stages_table[i];

		const char *kind = s->kind == STAGE_HELPER ? "helper" : "wait", *need = "optional";

		if (s->flags & STAGE_REQUIRED)
			need = "required";
		else if (s->flags & STAGE_ALWAYS)
			need = "always";
		fprintf(out, "%-10s %-6s %-8s", s->name, kind, need);
		print_limit(out, s);
		fprintf(out, "  %s\n", s->what);
	}
}

int stages_selfcheck(void)
{
	for (int i = 0; i < STAGE_COUNT; i++) {
		const struct stage *s = &stages_table[i];

		if (!s->name || !s->what || !s->work || !s->ok_codes)
			return -EINVAL;
		/* A stage that is waited for needs an end; a helper has none. */
		if ((s->kind == STAGE_WAIT) != (s->limit || s->limit_s))
			return -EINVAL;
		for (int j = 0; j < i; j++)
			if (!strcmp(s->name, stages_table[j].name))
				return -EINVAL;
	}
	return 0;
}
