/* SPDX-License-Identifier: MIT */
/* bench findings: what a stored report finds wrong, and the list of all that is looked for. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cmd/cmd.h"
#include "bench/cmd/load.h"
#include "bench/report/text_findings.h"
#include "lib/file.h"

struct wish {
	bool list, json, again;
	const char *file;	/* NULL: none was named */
};

static void print_help(void)
{
	printf("usage: bench findings [--again] [--json] FILE\n"
	       "       bench findings --list [--json]\n\n"
	       "Prints the findings of the stored report FILE (report.json of a run, or - for\n"
	       "standard input), each with what to do about it, the worst first.\n\n"
	       "  --again   judge the report anew, by the rules of this version\n"
	       "  --json    as a JSON array\n"
	       "  --list    list the rules instead: name, severity, the question it answers, when\n"
	       "            it speaks, what to do\n\n"
	       "exit codes: 0 no findings, or none above info; 4 warnings; 5 something critical;\n"
	       "1 no such file, or not a report (the message says where); 2 wrong flags\n");
}

/* Returns false after a message. */
static bool parse(int argc, char **argv, struct wish *w)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--list"))
			w->list = true;
		else if (!strcmp(argv[i], "--json"))
			w->json = true;
		else if (!strcmp(argv[i], "--again"))
			w->again = true;
		else if (argv[i][0] == '-' && argv[i][1])
			return fprintf(stderr, "bench findings: unknown flag %.60s (see bench "
				       "findings --help)\n", argv[i]), false;
		else if (w->file)
			return fprintf(stderr, "bench findings: one file at a time\n"), false;
		else
			w->file = argv[i];
	}
	if (w->list ? w->file || w->again : !w->file)
		return fprintf(stderr, "bench findings: %s (see bench findings --help)\n",
			       w->list ? "--list takes no report" :
			       "name the report file, or - for standard input"), false;
	return true;
}

/* Prints and frees `text`; NULL: there was no memory for it. */
static bool show(char *text, const size_t *len)
{
	int err = text ? file_write_all(STDOUT_FILENO, text, *len) : -ENOMEM;

	free(text);
	if (err)
		fprintf(stderr, "bench findings: cannot show them: %s\n", strerror(-err));
	return !err;
}

int cmd_findings(int argc, char **argv)
{
	enum cmd_exit found = CMD_OK;
	struct wish w = { 0 };
	struct report r;
	size_t len = 0;
	bool is_shown;

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			print_help();
			return CMD_OK;
		}
	if (!parse(argc, argv, &w))
		return CMD_USAGE;
	if (w.list)
		return show(w.json ? text_rules_json(&len) : text_rules_write(&len), &len) ?
		       CMD_OK : CMD_FAILED;
	if (!load_report(&r, "findings", w.file))
		return CMD_FAILED;
	if (w.again && report_find(&r)) {
		fprintf(stderr, "bench findings: out of memory\n");
		report_free(&r);
		return CMD_FAILED;
	}
	for (size_t i = 0; i < r.finding_n; i++)
		if (r.finding[i].severity == FINDING_CRITICAL)
			found = CMD_CRITICAL;
		else if (r.finding[i].severity == FINDING_WARNING && found == CMD_OK)
			found = CMD_WARNINGS;
	is_shown = show(w.json ? text_findings_json(&r, &len) : text_findings_write(&r, &len),
			&len);
	report_free(&r);
	return is_shown ? (int)found : CMD_FAILED;
}
