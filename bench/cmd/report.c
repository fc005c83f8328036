/* SPDX-License-Identifier: MIT */
/* bench report: shows a stored report. Nothing is measured or judged anew. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cmd/cmd.h"
#include "bench/model/report.h"
#include "bench/report/json.h"
#include "bench/report/text_fio.h"
#include "lib/file.h"
#include "lib/options.h"

static void print_help(void)
{
	printf("usage: bench report [FLAG...] FILE\n\n"
	       "Shows the stored report FILE (report.json of a run, or - for standard input) as "
	       "text\n"
	       "of 80 columns to paste, as JSON, or in fio's form. Findings are those stored in\n"
	       "it.\n\n");
	options_help(stdout, OPT_IN_REPORT);
	printf("\n"
	       "examples:\n"
	       "  bench report report.json\n"
	       "  bench report --redact report.json           to paste in public\n"
	       "  bench report --redact --format json - <report.json >public.json\n\n"
	       "exit codes: 0 shown; 1 no such file, or not a report (the message says where);\n"
	       "2 wrong flags\n");
}

/* Standard input to its end. Returns as file_load does. */
static int load_stdin(char **text, size_t *len)
{
	FILE *out = open_memstream(text, len);
	char piece[65536];
	ssize_t n;
	int err;

	if (!out)
		return -errno;
	while ((n = read(STDIN_FILENO, piece, sizeof(piece))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (size_t)ftell(out) + (size_t)n > JSON_READ_LIMIT_BYTES)
			break;
		fwrite(piece, 1, (size_t)n, out);
	}
	err = n < 0 ? -errno : n > 0 ? -EFBIG : 0;
	if (fclose(out) && !err)
		err = -ENOMEM;
	if (err)
		free(*text);
	return err;
}

/* Reads the report or says why not. Returns false after a message. */
static bool load(struct report *r, const char *name)
{
	bool is_stdin = strcmp(name, "-") == 0;
	const char *shown = is_stdin ? "standard input" : name;
	char why[400];
	char *text;
	size_t len;
	int err = is_stdin ? load_stdin(&text, &len) :
		  file_load(name, JSON_READ_LIMIT_BYTES, &text, &len);

	if (err == -EFBIG) {
		fprintf(stderr, "bench report: %s: more than %u MiB: no report is that large\n",
			shown, JSON_READ_LIMIT_BYTES >> 20);
		return false;
	}
	if (err) {
		fprintf(stderr,
			"bench report: %s: %s; give the report.json that `bench run` wrote\n",
			shown, strerror(-err));
		return false;
	}
	err = report_json_read(r, text, len, why, sizeof(why));
	if (err == -ENOMEM)
		fprintf(stderr, "bench report: %s: out of memory\n", shown);
	else if (err)
		fprintf(stderr,
			"bench report: %s: not a whole report: %s\n"
			"bench report: take it again from where it was stored (an upload or copy "
			"may "
			"have been cut)\n",
			shown, why);
	free(text);
	return !err;
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
		{ "fio-text", fio_text_write },
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
	if (!load(&r, argv[first]))
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
