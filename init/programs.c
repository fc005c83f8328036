/* SPDX-License-Identifier: MIT */
/* The stages that become `bench`: run, close and upload. No word of theirs passes through a
 * shell. */
#include <dirent.h>
#include <errno.h>
#include <net/if_arp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/launch.h"
#include "init/lease.h"
#include "init/log.h"
#include "init/work.h"
#include "lib/clock.h"
#include "lib/file.h"

#define BENCH "/bin/bench"
#define RUN_MARGIN_S 5 /* bench's own deadline comes before ours, so that it can end well */
#define ADDRESS_WAIT_S 30	/* for a first lease, once the tests are over */
#define HOPELESS_RETRY_S 15	/* where there is no network card, or no network is wanted */
#define POLL_NS (100 * NS_PER_MS)

/* bench SUBCOMMAND with what all of them take and one flag more. Never returns. */
static _Noreturn void become_bench(const char *subcommand, const char *flag, const char *value)
{
	char *argv[] = {
		(char *)"bench", (char *)subcommand, (char *)"--cmdline", (char *)BOOT_CMDLINE,
		(char *)"--out", (char *)BOOT_DIR, (char *)flag, (char *)value,
		(char *)"--config", (char *)BOOT_CONFIG, NULL
	};
	struct stat st;

	/* Only a second cpio brings one; naming a file that cannot be read would be an error. */
	if (stat(BOOT_CONFIG, &st) || !S_ISREG(st.st_mode) || access(BOOT_CONFIG, R_OK))
		argv[8] = NULL;
	launch_exec(BENCH, argv);
}

int work_run(struct boot *b)
{
	uint64_t limit_s = stages_run_limit_ns(b, clock_ns()) / NS_PER_S;
	char seconds[24];

	snprintf(seconds, sizeof(seconds), "%llu",
		 (unsigned long long)(limit_s > 2 * RUN_MARGIN_S ? limit_s - RUN_MARGIN_S
								 : limit_s / 2 + 1));
	become_bench("run", "--deadline", seconds);
}

/* The session of process `pid`, from /proc/PID/stat (proc_pid_stat(5), field 6), or -1. */
static pid_t session_of(const char *pid)
{
	char path[300], text[512];
	const char *after;
	int session;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	if (file_read(path, text, sizeof(text)) < 0)
		return -1;
	after = strrchr(text, ')');	/* the name before it may hold anything */
	if (!after || sscanf(after + 1, " %*c %*d %*d %d", &session) != 1)
		return -1;
	return session;
}

/* Sessions that go on: init's own (the kernel gives PID 1 none), this stage's, the helpers'. */
static bool is_ours(const struct boot *b, pid_t session)
{
	if (session <= 0 || session == getsid(0))
		return true;
	for (int i = 0; i < STAGE_COUNT; i++)
		if (stages_table[i].kind == STAGE_HELPER && b->stage[i].pid == session)
			return true;
	return false;
}

/*
 * Ends what a run left behind, in whatever session or process group: one that still worked on the
 * report would disturb its closing. A process in D state stays.
 */
static void end_leftovers(const struct boot *b)
{
	unsigned int n = 0;
	struct dirent *e;
	DIR *dir = opendir("/proc");

	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] < '0' || e->d_name[0] > '9' || is_ours(b, session_of(e->d_name)))
			continue;
		if (!kill((pid_t)atol(e->d_name), SIGKILL))
			n++;
	}
	if (dir)
		closedir(dir);
	if (n)
		log_say("close: %u processes of the run were still there and were killed", n);
}

int work_close(struct boot *b)
{
	char reason[128];

	end_leftovers(b);
	if (!*stages_run_reason(b, reason, sizeof(reason)))
		return -ECANCELED;
	log_say("close: %s", reason);
	become_bench("close", "--reason", reason);
}

static bool has_card(void)
{
	char path[300], type[16];
	struct dirent *e;
	bool found = false;
	DIR *dir = opendir("/sys/class/net");

	while (dir && !found && (e = readdir(dir))) {
		snprintf(path, sizeof(path), "/sys/class/net/%s/type", e->d_name);
		found = e->d_name[0] != '.' && file_read(path, type, sizeof(type)) > 0 &&
			atoi(type) == ARPHRD_ETHER;
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Waits for the first address, but not for long: bench upload tries again by itself. */
static void wait_for_address(uint64_t limit_s)
{
	const struct timespec poll = { .tv_nsec = (long)POLL_NS };
	uint64_t start = clock_ns();

	while (!lease_count()) {
		if (clock_ns() - start >= limit_s * NS_PER_S) {
			log_say("upload: no address after %llu s of waiting; trying all the same",
				(unsigned long long)limit_s);
			return;
		}
		nanosleep(&poll, NULL);
	}
}

int work_upload(struct boot *b)
{
	uint64_t retry_s = options_number(&b->options, OPT_ID_RETRY);
	uint64_t limit_s = stages_upload_limit_ns(b, clock_ns()) / NS_PER_S;
	uint64_t start = clock_ns(), spent_s;
	char seconds[24];

	if (!*options_text(&b->options, OPT_ID_UPLOAD)) {
		log_say("upload: no address was given (bench.upload=URL); the report stays here");
		return -ECANCELED;
	}
	if (access(BOOT_DIR "/report.json", R_OK)) {
		log_say("upload: there is no report");
		return -ENOENT;
	}
	if (b->stage[STAGE_NETWORK].status == STAGE_RUNNING && has_card()) {
		wait_for_address(limit_s / 2 < ADDRESS_WAIT_S ? limit_s / 2 : ADDRESS_WAIT_S);
	} else {
		log_say("upload: %s",
			has_card() ? "the network is off" : "there is no network card");
		if (retry_s > HOPELESS_RETRY_S)
			retry_s = HOPELESS_RETRY_S;
	}
	/* What is left, with room for the last request's end, bounds the option. */
	spent_s = (clock_ns() - start) / NS_PER_S;
	limit_s = limit_s > spent_s + 5 ? limit_s - spent_s - 5 : 1;
	snprintf(seconds, sizeof(seconds), "%llu",
		 (unsigned long long)(retry_s < limit_s ? retry_s : limit_s));
	become_bench("upload", "--retry", seconds);
}
