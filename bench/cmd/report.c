/* SPDX-License-Identifier: MIT */
/* bench report: shows a stored report. Nothing is measured or judged anew. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/cmd/cmd.h"
#include "bench/cmd/load.h"
#include "bench/model/report.h"
#include "bench/report/fio_json.h"
#include "bench/report/html.h"
#include "bench/report/rows.h"
#include "bench/report/text_fio.h"
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

/* The report in the form asked for, malloc'ed; NULL: no memory. */
static char *written(const struct report *r, const char *format, size_t *len)
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

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strcmp(format, forms[i].format))
			return forms[i].write(r, len);
	return NULL;
}

int cmd_report(int argc, char **argv)
{
	static struct options o;
	struct report r;
	size_t len = 0;
	bool is_shown;
	char *text;
	int first;

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
	if (options_number(&o, OPT_ID_REDACT) && report_redact(&r)) {
		fprintf(stderr, "bench report: %s\n", strerror(ENOMEM));
		report_free(&r);
		return CMD_FAILED;
	}
	text = written(&r, options_text(&o, OPT_ID_FORMAT), &len);
	is_shown = print_text("report", text, len);
	report_free(&r);
	return is_shown ? CMD_OK : CMD_FAILED;
}
