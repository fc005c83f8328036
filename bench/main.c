/* SPDX-License-Identifier: MIT */
/* bench: the benchmark suite as one program. Here are its subcommands and nothing else. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/cmd/cmd.h"
#include "bench/tests/test.h"
#include "gen/version.h"
#include "lib/options.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "plan", cmd_plan, "which disks and tests, why others not, how long: measures nothing" },
	{ "run", cmd_run, "measure, and write report.json and report.txt" },
	{ "report", cmd_report, "show a stored report" },
	{ "findings", cmd_findings, "what a stored report finds wrong; the list of rules" },
	{ "import", cmd_import, "read pasted output of bench.sh, hdparm, dd and fio" },
	{ "upload", cmd_upload, "send a stored report to a collector or web server" },
	{ "close", cmd_close, "finish the report of a run that was interrupted" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *out)
{
	fprintf(out, "bench " BOOTMARK_VERSION ": are these disks healthy, fast, and as sold?\n\n"
		"usage: bench COMMAND [FLAG...]      bench COMMAND --help explains its flags\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s%s\n", commands[i].name, commands[i].help);
	fprintf(out,
		"\n"
		"Start with `bench plan`, as root: it names every disk and what would be\n"
		"measured. Disks are opened read-only; nothing is written without consent that\n"
		"names the disk.\n\n"
		"exit codes: 0 done; 1 failed; 2 wrong flags; 3 a report exists, with failures\n"
		"in it\n");
}

/*
 * Descriptors 0 to 2 must be taken, or the first disk that is opened becomes standard output and is
 * printed to.
 */
static void hold_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	hold_standard_streams();
	signal(SIGPIPE, SIG_IGN);
	if (options_selfcheck() || test_selfcheck()) {
		fprintf(stderr, "bench: its own tables are broken: this build cannot be trusted\n");
		return CMD_FAILED;
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(name, commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	if (strcmp(name, "--version") == 0) {
		printf("bench " BOOTMARK_VERSION "\n");
		return CMD_OK;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		print_help(stdout);
		return CMD_OK;
	}
	if (argc > 1)
		fprintf(stderr, "bench: there is no command %.40s\n", name);
	print_help(stderr);
	return CMD_USAGE;
}
