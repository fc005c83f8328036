/* SPDX-License-Identifier: MIT */
/*
 * bench close: finishes the report of a run that did not end itself, so that a report always gets
 * out.
 *
 * Works with nothing but the folder: where the run left no readable report, a new one says so.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bench/cmd/cmd.h"
#include "bench/model/report.h"
#include "bench/report/json.h"
#include "bench/report/save.h"
#include "bench/run/run_id.h"
#include "gen/version.h"
#include "lib/file.h"
#include "lib/options.h"
#include "lib/text.h"

static void print_help(void)
{
	printf("usage: bench close [FLAG...]\n\n"
	       "Finishes the report in DIR of a run that was interrupted: tests that did not end "
	       "get\n"
	       "the reason, the report becomes partial. A complete report keeps its results. "
	       "Where\n"
	       "there is no readable report.json, a new one tells the reason; it has the id in\n"
	       "DIR/run-id if there is one, and the unreadable file is kept as "
	       "report.json.bad.\n\n");
	options_help(stdout, OPT_IN_CLOSE);
	printf("\n"
	       "exit codes: 0 DIR/report.json and DIR/report.txt are written; 1 they cannot be\n"
	       "(the message says why); 2 wrong flags\n");
}

/* The id the run left in its folder, or a new one. */
static int find_id(struct report *r, const char *dir)
{
	char path[PATH_MAX], id[64];

	snprintf(path, sizeof(path), "%s/run-id", dir);
	if (file_read(path, id, sizeof(id)) > 0) {
		id[strcspn(id, " \t\r\n")] = '\0';
		if (report_id_valid(id)) {
			text_copy(r->run.id, sizeof(r->run.id), id);
			return 0;
		}
	}
	return run_id_new(r->run.id);
}

/* What can be told without a report: the options of this call, the time, the reason. */
static int begin_new(struct report *r, const struct options *o, const char *dir, const char *why)
{
	int err;

	report_init(r);
	err = find_id(r, dir);
	if (err)
		return err;
	text_copy(r->tool.version, sizeof(r->tool.version), BOOTMARK_VERSION);
	text_copy(r->tool.compiler, sizeof(r->tool.compiler), BOOTMARK_COMPILER);
	text_clean_str(r->run.label, sizeof(r->run.label), options_text(o, OPT_ID_LABEL));
	text_copy(r->run.profile, sizeof(r->run.profile), options_text(o, OPT_ID_PROFILE));
	r->run.started_s = (int64_t)time(NULL);
	text_copy(r->run.clock_note, sizeof(r->run.clock_note),
		  "the time is that of closing the report; the run left none");
	return report_add_note(r, "report", "The run left no readable report: %s", why);
}

/* Keeps what cannot be read, for whoever wants to know why. */
static void keep_bad(const char *path)
{
	char kept[PATH_MAX + 8];

	snprintf(kept, sizeof(kept), "%s.bad", path);
	if (rename(path, kept) < 0)
		fprintf(stderr, "bench close: %s: cannot be kept: %s\n", path, strerror(errno));
}

/* The stored report, or a new one. Returns 0 or -errno. */
static int load(struct report *r, const struct options *o, const char *dir)
{
	char path[PATH_MAX], why[400];
	char *text = NULL;
	size_t len;
	int err;

	if (snprintf(path, sizeof(path), "%s/" SAVE_JSON, dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	err = file_load(path, JSON_READ_LIMIT_BYTES, &text, &len);
	if (err == -ENOENT)
		return begin_new(r, o, dir, "there is no " SAVE_JSON);
	if (err)
		snprintf(why, sizeof(why), "%s", strerror(-err));
	else
		err = report_json_read(r, text, len, why, sizeof(why));
	free(text);
	if (!err)
		return 0;
	fprintf(stderr, "bench close: %s: %s\n", path, why);
	keep_bad(path);
	return begin_new(r, o, dir, why);
}

/* Options that were wrong are told in the report, once. */
static int add_notes(struct report *r, const struct options *o)
{
	int err = 0;

	for (uint32_t i = 0; i < o->note_n && i < OPT_NOTES_MAX && !err; i++) {
		bool is_known = false;

		for (size_t k = 0; k < r->note_n; k++)
			is_known |= !strcmp(r->note[k].text, o->note[i]);
		if (!is_known)
			err = report_add_note(r, REPORT_NOTE_OPTION, "%s", o->note[i]);
	}
	return err;
}

/* Returns 0 or -errno. */
static int close_report(const struct options *o, const char *dir)
{
	struct report r;
	int err;

	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return -errno;
	err = load(&r, o, dir);
	if (err)
		return err;
	report_close(&r, options_text(o, OPT_ID_REASON));
	err = add_notes(&r, o);
	if (!err && options_number(o, OPT_ID_REDACT))
		err = report_redact(&r);
	if (!err)
		err = report_find(&r);
	if (!err)
		err = report_save(&r, dir);
	if (!err)
		printf("bench close: %s/" SAVE_JSON ": %s\n", dir, run_state_words[r.run.state]);
	report_free(&r);
	return err;
}

int cmd_close(int argc, char **argv)
{
	static struct options o;
	const char *dir;
	int first, err;

	options_init(&o);
	first = options_load(&o, argc, argv, OPT_IN_CLOSE);
	if (first == -ECANCELED) {
		print_help();
		return CMD_OK;
	}
	if (first < 0 || first < argc) {
		fprintf(stderr, "bench close: %s (see bench close --help)\n", first < 0 ?
			options_last_note(&o) : "the folder is named by --out");
		return CMD_USAGE;
	}
	dir = options_text(&o, OPT_ID_OUT);
	err = close_report(&o, dir);
	if (err)
		fprintf(stderr, "bench close: %s: the report cannot be written: %s\n", dir,
			strerror(-err));
	return err ? CMD_FAILED : CMD_OK;
}
