/* SPDX-License-Identifier: MIT */
/* The subcommands of `bench`: one file each in bench/cmd/, one row each in main.c. */
#ifndef BENCH_CMD_CMD_H
#define BENCH_CMD_CMD_H

/* Exit codes of bench, the same for every subcommand. */
enum cmd_exit {
	CMD_OK = 0,
	CMD_FAILED = 1,		/* ran, but what was asked did not work out (reason on stderr) */
	CMD_USAGE = 2,		/* wrong flags or arguments; nothing was done */
	CMD_PARTIAL = 3,	/* run: a report was written, but something in it failed */
	CMD_WARNINGS = 4,	/* findings: there are warnings, nothing critical */
	CMD_CRITICAL = 5,	/* findings: something is critical */
};

/* Each gets argv with argv[0] = the subcommand's name and returns an enum cmd_exit value. */
int cmd_plan(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_findings(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_upload(int argc, char **argv);
int cmd_close(int argc, char **argv);

#endif
