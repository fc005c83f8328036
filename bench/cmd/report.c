/* SPDX-License-Identifier: MIT */
/* bench report: shows a stored report. Nothing is measured or judged anew. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cmd/cmd.h"
#include "bench/cmd/load.h"
#include "bench/model/report.h"
#include "bench/report/fio_json.h"
#include "bench/report/html.h"
#include "bench/report/rows.h"
#include "bench/report/text_fio.h"
#include "lib/file.h"
#include "lib/options.h"

static void print_help(void)
{
	printf("usage: bench report [FLAG...] FILE\n\n"
	       "Shows the stored report FILE (report.json of a run, or - for standard input) as "
	       "text\n"
	       "of 80 columns to paste, or in a form for other programs. Findings are those\n"
	       "stored in it.\n\n");
	options_help(stdout, OPT_IN_REPORT);
	printf("\n"
	       "examples:\n"
	       "  bench report report.json\n"
	       "  bench report --redact report.json           to paste in public\n"
	       "  bench report --redact --format json - <report.json >public.json\n\n"
	       "exit codes: 0 shown; 1 no such file, or not a report (the message says where);\n"
	       "2 wrong flags\n");
}

typedef char *writer(const struct report *r, size_t *len_bytes);

/* Prints the report in the form asked for. Returns 0 or -errno. */
static int show(const struct report *r, const char *format)
{
	static const struct {
		const char *format;
		writer *write;
	} forms[] = {
		{ "text", report_text_write },
		{ "json", report_json_write },
		{ "html", html_write },
		{ "fio-text", fio_text_write },
		{ "fio-json", fio_json_write },
		{ "yabs", yabs_json_write },
		{ "ndjson", ndjson_write },
		{ "influx", influx_write },
	};
	char *text = NULL;
	size_t len;
	int err;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strcmp(format, forms[i].format))
			text = forms[i].write(r, &len);
	if (!text)
		return -ENOMEM;
	err = file_write_all(STDOUT_FILENO, text, len);
	free(text);
	return err;
}

int cmd_report(int argc, char **argv)
{
	static struct options o;
	struct report r;
	int first, err = 0;

	options_init(&o);
	first = options_load(&o, argc, argv, OPT_IN_REPORT);
	if (first == -ECANCELED) {
		print_help();
		return CMD_OK;
	}
	if (first < 0 || first + 1 != argc) {
		fprintf(stderr, "bench report: %s (see bench report --help)\n",
			first < 0 ? options_last_note(&o) :
			first == argc ? "name the report file, or - for standard input" :
			"one file at a time");
		return CMD_USAGE;
	}
	if (!load_report(&r, "report", argv[first]))
		return CMD_FAILED;
	if (options_number(&o, OPT_ID_REDACT))
		err = report_redact(&r);
	if (!err)
		err = show(&r, options_text(&o, OPT_ID_FORMAT));
	if (err)
		fprintf(stderr, "bench report: cannot show it: %s\n", strerror(-err));
	report_free(&r);
	return err ? CMD_FAILED : CMD_OK;
}
