/* SPDX-License-Identifier: MIT */
/* bench findings: what a stored report finds wrong, and the list of all that is looked for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/cmd/cmd.h"
#include "bench/cmd/load.h"
#include "bench/report/text_findings.h"
#include "lib/options.h"

static void print_help(void)
{
	printf("usage: bench findings [--again] [--json] FILE\n"
	       "       bench findings --list [--json]\n\n"
	       "Prints the findings of the stored report FILE (report.json of a run, or - for\n"
	       "standard input), each with what to do about it, the worst first.\n\n");
	options_help(stdout, OPT_IN_FINDINGS);
	printf("\nexit codes: 0 no findings, or none above info; 4 warnings; 5 something\n"
	       "critical; 1 no such file, or not a report (the message says where); 2 wrong\n"
	       "flags\n");
}

/* What is wrong with the arguments; NULL: nothing. `first` is the first that is no flag. */
static const char *usage_error(const struct options *o, int first, int argc)
{
	bool list = options_number(o, OPT_ID_LIST) != 0;

	if (first < 0)
		return options_last_note(o);
	if (list)
		return first < argc || options_number(o, OPT_ID_AGAIN) ? "--list takes no report"
								       : NULL;
	return first == argc ? "name the report file, or - for standard input" :
	       first + 1 < argc ? "one file at a time, behind the flags" : NULL;
}

static enum cmd_exit worst_of(const struct report *r)
{
	enum cmd_exit found = CMD_OK;

	for (size_t i = 0; i < r->finding_n; i++)
		if (r->finding[i].severity == FINDING_CRITICAL)
			found = CMD_CRITICAL;
		else if (r->finding[i].severity == FINDING_WARNING && found == CMD_OK)
			found = CMD_WARNINGS;
	return found;
}

static int show_findings(const struct options *o, const char *file)
{
	bool json = options_number(o, OPT_ID_JSON) != 0, is_shown;
	enum cmd_exit found;
	struct report r;
	size_t len = 0;
	char *text;

	if (!load_report(&r, "findings", file))
		return CMD_FAILED;
	if (options_number(o, OPT_ID_AGAIN) && report_find(&r)) {
		fprintf(stderr, "bench findings: %s\n", strerror(ENOMEM));
		report_free(&r);
		return CMD_FAILED;
	}
	found = worst_of(&r);
	text = json ? text_findings_json(&r, &len) : text_findings_write(&r, &len);
	is_shown = print_text("findings", text, len);
	report_free(&r);
	return is_shown ? (int)found : CMD_FAILED;
}

int cmd_findings(int argc, char **argv)
{
	static struct options o;
	const char *wrong;
	size_t len = 0;
	char *text;
	int first;

	options_init(&o);
	first = options_load(&o, argc, argv, OPT_IN_FINDINGS);
	if (first == -ECANCELED) {
		print_help();
		return CMD_OK;
	}
	wrong = usage_error(&o, first, argc);
	if (wrong) {
		fprintf(stderr, "bench findings: %s (see bench findings --help)\n", wrong);
		return CMD_USAGE;
	}
	if (!options_number(&o, OPT_ID_LIST))
		return show_findings(&o, argv[first]);
	text = options_number(&o, OPT_ID_JSON) ? text_rules_json(&len) : text_rules_write(&len);
	return print_text("findings", text, len) ? CMD_OK : CMD_FAILED;
}
