/* SPDX-License-Identifier: MIT */
/* bench import: what people pasted becomes a report. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cmd/cmd.h"
#include "bench/cmd/load.h"
#include "bench/import/import.h"
#include "bench/report/text_import.h"
#include "bench/run/run_id.h"
#include "gen/version.h"
#include "lib/options.h"
#include "lib/text.h"

static void print_help(void)
{
	printf("usage: bench import [--json] FILE\n\n"
	       "Reads pasted output of bench.sh, hdparm -t and -T, dd (in any language) and fio 2\n"
	       "and 3 from FILE, or from standard input for -, wherever it comes from: terminals,\n"
	       "forums, web pages that lost their line breaks. Prints each figure as it was read\n"
	       "and what it is in one unit, then the lines that look like a figure and could not\n"
	       "be read. With --json it prints a report that `bench report` and others take.\n\n");
	options_help(stdout, OPT_IN_IMPORT);
	printf("\nexit codes: 0 something was read; 1 nothing was, or there is no such file; 2\n"
	       "wrong flags\n");
}

static int import(const char *name, const char *text, size_t len, bool json)
{
	struct report r;
	size_t out_len = 0;
	bool shown = false;
	char *out;
	int n;

	report_init(&r);
	text_copy(r.tool.version, sizeof(r.tool.version), BOOTMARK_VERSION);
	r.run.state = RUN_IMPORTED;
	n = run_id_new(r.run.id);
	if (!n)
		n = import_text(&r, text, len, name);
	if (n < 0) {
		fprintf(stderr, "bench import: %s: %s\n", name, strerror(-n));
	} else {
		out = json ? report_json_write(&r, &out_len) : text_import_write(&r, &out_len);
		shown = print_text("import", out, out_len);
	}
	if (n == 0)
		fprintf(stderr, "bench import: %s: there is no output of bench.sh, hdparm, dd or "
			"fio in it\n", name);
	report_free(&r);
	return shown && n > 0 ? CMD_OK : CMD_FAILED;
}

int cmd_import(int argc, char **argv)
{
	static struct options o;
	char *text;
	size_t len;
	int first, code;

	options_init(&o);
	first = options_load(&o, argc, argv, OPT_IN_IMPORT);
	if (first == -ECANCELED) {
		print_help();
		return CMD_OK;
	}
	if (first < 0 || first + 1 != argc) {
		fprintf(stderr, "bench import: %s (see bench import --help)\n",
			first < 0 ? options_last_note(&o) :
			first == argc ? "name the file, or - for standard input" :
			"one file at a time, behind the flags");
		return CMD_USAGE;
	}
	if (!load_file("import", argv[first], IMPORT_LIMIT_BYTES, "give a text file", &text, &len))
		return CMD_FAILED;
	code = import(strcmp(argv[first], "-") ? argv[first] : "standard input", text, len,
		      options_number(&o, OPT_ID_JSON) != 0);
	free(text);
	return code;
}
