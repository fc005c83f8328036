/* SPDX-License-Identifier: MIT */
/* The option table as a person reads it: --help and docs/command-line.md. */
#include <string.h>

#include "lib/options.h"

#define HELP_INDENT 8
#define HELP_COLUMNS 79

/* Prints `text` broken at blanks, every line indented. */
static void print_wrapped(FILE *out, const char *text)
{
	int column = 0;

	while (*text) {
		int n = (int)strcspn(text, " ");

		if (column > 0 && column + 1 + n > HELP_COLUMNS) {
			fputc('\n', out);
			column = 0;
		}
		if (column == 0)
			column = fprintf(out, "%*s%.*s", HELP_INDENT, "", n, text);
		else
			column += fprintf(out, " %.*s", n, text);
		text += n;
		while (*text == ' ')
			text++;
	}
	fputc('\n', out);
}

void options_help(FILE *out, unsigned scope)
{
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *row = &options_table[i];

		if (!(row->scope & scope))
			continue;
		fprintf(out, "  --%s%s%s%s%s\n", row->name, row->arg[0] ? " " : "", row->arg,
			row->choices[0] ? "   one of " : "", row->choices);
		print_wrapped(out, row->help);
		if (row->def[0])
			fprintf(out, "%*sDefault: %s\n", HELP_INDENT, "", row->def);
	}
}

/* Which subcommands take the row as a flag; nothing where only the appliance uses it. */
static void print_flag(FILE *out, const struct opt_row *row)
{
	static const struct {
		unsigned scope;
		const char *name;
	} commands[] = {
		{ OPT_IN_PLAN, "plan" }, { OPT_IN_RUN, "run" }, { OPT_IN_REPORT, "report" },
		{ OPT_IN_UPLOAD, "upload" }, { OPT_IN_CLOSE, "close" },
		{ OPT_IN_FINDINGS, "findings" }, { OPT_IN_IMPORT, "import" },
	};
	const char *before = ": ";

	if (!(row->scope & ~(OPT_IN_KERNEL | OPT_SECRET | OPT_GRANTS)))
		return;
	fprintf(out, "- Flag: `--%s%s%s`", row->name, row->arg[0] ? " " : "", row->arg);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!(row->scope & commands[i].scope))
			continue;
		fprintf(out, "%s`bench %s`", before, commands[i].name);
		before = ", ";
	}
	fputc('\n', out);
}

void options_markdown(FILE *out)
{
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *row = &options_table[i];
		const char *choice = row->choices;

		fprintf(out, "### %s\n\n%s\n\n", row->name, row->help);
		if (row->scope & OPT_IN_KERNEL)
			fprintf(out, "- Kernel parameter: `bench.%s=%s`\n", row->name,
				row->arg[0] ? row->arg : "yes|no");
		print_flag(out, row);
		if (*choice) {
			fputs("- Values: ", out);
			while (*choice) {
				int n = (int)strcspn(choice, "|");

				fprintf(out, "`%.*s`%s", n, choice, choice[n] ? ", " : "\n");
				choice += n + (choice[n] == '|');
			}
		}
		if (row->def[0])
			fprintf(out, "- Default: `%s`\n", row->def);
		if (row->scope & OPT_SECRET)
			fputs("- Secret: masked wherever options are shown.\n", out);
		if (row->scope & OPT_GRANTS)
			fputs("- On a kernel command line it counts only with `bench.eol` as the "
			      "last word.\n", out);
		fputc('\n', out);
	}
}
