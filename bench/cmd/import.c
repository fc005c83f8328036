/* SPDX-License-Identifier: MIT */
/* bench import: what people pasted becomes a report. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cmd/cmd.h"
#include "bench/cmd/load.h"
#include "bench/import/import.h"
#include "bench/report/text_import.h"
#include "bench/run/run_id.h"
#include "gen/version.h"
#include "lib/file.h"
#include "lib/text.h"

static void print_help(void)
{
	printf("usage: bench import [--json] FILE\n\n"
	       "Reads pasted output of bench.sh, hdparm -t and -T, dd (in any language) and fio 2\n"
	       "and 3 from FILE, or from standard input for -, wherever it comes from: terminals,\n"
	       "forums, web pages that lost their line breaks. Prints each figure as it was read\n"
	       "and what it is in one unit, then the lines that look like a figure and could not\n"
	       "be read.\n\n"
	       "  --json   print a report instead: `bench report` and others take it\n\n"
	       "exit codes: 0 something was read; 1 nothing was, or there is no such file; 2\n"
	       "wrong flags\n");
}

static int show(const struct report *r, bool json)
{
	size_t len = 0;
	char *text = json ? report_json_write(r, &len) : text_import_write(r, &len);
	int err = text ? file_write_all(STDOUT_FILENO, text, len) : -ENOMEM;

	free(text);
	return err;
}

static int import(const char *name, const char *text, size_t len, bool json)
{
	struct report r;
	int n, err;

	report_init(&r);
	text_copy(r.tool.version, sizeof(r.tool.version), BOOTMARK_VERSION);
	r.run.state = RUN_COMPLETE;
	err = run_id_new(r.run.id);
	n = err ? err : import_text(&r, text, len, name);
	err = n < 0 ? n : show(&r, json);
	report_free(&r);
	if (err)
		fprintf(stderr, "bench import: %s: %s\n", name, strerror(-err));
	else if (n == 0)
		fprintf(stderr, "bench import: %s: there is no output of bench.sh, hdparm, dd or "
			"fio in it\n", name);
	return err || n == 0 ? CMD_FAILED : CMD_OK;
}

int cmd_import(int argc, char **argv)
{
	const char *file = NULL;
	bool json = false;
	char *text;
	size_t len;
	int code;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return print_help(), CMD_OK;
		if (!strcmp(argv[i], "--json")) {
			json = true;
		} else if ((argv[i][0] == '-' && argv[i][1]) || file) {
			fprintf(stderr, "bench import: %s %.60s (see bench import --help)\n",
				file ? "one file at a time, not also" : "unknown flag", argv[i]);
			return CMD_USAGE;
		} else {
			file = argv[i];
		}
	}
	if (!file) {
		fprintf(stderr, "bench import: name the file, or - for standard input (see bench "
			"import --help)\n");
		return CMD_USAGE;
	}
	if (!load_file("import", file, IMPORT_LIMIT_BYTES, "give a text file", &text, &len))
		return CMD_FAILED;
	code = import(strcmp(file, "-") ? file : "standard input", text, len, json);
	free(text);
	return code;
}
