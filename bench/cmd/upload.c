/* SPDX-License-Identifier: MIT */
/* bench upload: sends a stored report, and says and records what came of it. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "bench/cmd/cmd.h"
#include "bench/upload/record.h"
#include "bench/upload/trust.h"
#include "bench/upload/upload.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/options.h"
#include "lib/text.h"

#define REPORT_NAME "report.json"
#define RECORD_NAME "upload.json"
#define REPORT_LIMIT_BYTES (64 << 20)

/* Everything one upload carries from step to step. */
struct work {
	struct options options;
	char run_id[40];
	char *report;
	size_t report_bytes;
	char record_path[PATH_MAX];
	int record_err;		/* last failure to write the record; 0: none */
	struct record record;
	struct upload upload;
};

static void print_help(void)
{
	printf("usage: bench upload --out DIR --upload URL,... [FLAG...]\n\n"
	       "Sends DIR/" REPORT_NAME " to the first address that takes it, tries again where\n"
	       "that may help, and records each try in DIR/" RECORD_NAME ". The report is only\n"
	       "read.\n\n");
	options_help(stdout, OPT_IN_UPLOAD);
	printf("\nexit codes: 0 delivered; 1 not delivered; 2 wrong flags\n");
}

__attribute__((format(printf, 1, 2)))
static int failed(const char *fmt, ...)
{
	va_list args;

	fputs("upload: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return CMD_FAILED;
}

static int make_path(char *path, size_t size, const char *folder, const char *name)
{
	return snprintf(path, size, "%s/%s", folder, name) < (int)size ? 0 : -ENAMETOOLONG;
}

/* Copies run.id of a report's text; false where there is none that can stand in a path. */
static bool find_run_id(const char *text, size_t len, char *id, size_t size)
{
	yyjson_doc *doc = yyjson_read(text, len, YYJSON_READ_NUMBER_AS_RAW);
	yyjson_val *value = yyjson_obj_get(yyjson_obj_get(yyjson_doc_get_root(doc), "run"), "id");
	const char *found = yyjson_get_str(value);
	size_t id_len = yyjson_get_len(value);
	bool fine = found && id_len == 36 && strspn(found, "0123456789abcdef-") == id_len;

	if (fine)
		text_copy(id, size, found);
	yyjson_doc_free(doc);
	return fine;
}

static int load_report(struct work *w)
{
	const char *out = options_text(&w->options, OPT_ID_OUT);
	char path[PATH_MAX];
	int err;

	err = make_path(path, sizeof(path), out, REPORT_NAME);
	if (!err)
		err = make_path(w->record_path, sizeof(w->record_path), out, RECORD_NAME);
	if (!err)
		err = file_load(path, REPORT_LIMIT_BYTES, &w->report, &w->report_bytes);
	if (err)
		return failed("%s/" REPORT_NAME ": %s: make a report with bench run, or name its "
			      "folder with --out", out, strerror(-err));
	if (!find_run_id(w->report, w->report_bytes, w->run_id, sizeof(w->run_id)))
		return failed("%s: it is no report: it has no run id; bench close may mend it",
			      path);
	return CMD_OK;
}

/* Adds every address of the list. A bad one is said and left out; none left is a failure. */
static int add_addresses(struct work *w)
{
	bool is_post = strcmp(options_text(&w->options, OPT_ID_METHOD), "post") == 0;
	char url[URL_BYTES], shown[URL_BYTES], why[120];

	for (unsigned int i = 0; options_item(&w->options, OPT_ID_UPLOAD, i, url, sizeof(url)); i++)
		if (upload_add(&w->upload, url, is_post, why, sizeof(why)))
			failed("%s: %s: this address is left out",
			       url_shown(url, shown, sizeof(shown)), why);
	if (w->upload.url_n)
		return CMD_OK;
	failed("no address %s: name one with --upload URL",
	       options_given(&w->options, OPT_ID_UPLOAD) ? "that can be used" : "given");
	return CMD_USAGE;
}

static bool any_https(const struct upload *upload)
{
	for (unsigned int i = 0; i < upload->url_n; i++)
		if (url_is_https(upload->url[i].target))
			return true;
	return false;
}

/* Whom to trust and what to show. Only what can never work ends the upload here. */
static int set_trust(struct work *w)
{
	const char *ca = options_text(&w->options, OPT_ID_CA);
	struct send_request *request = &w->upload.request;
	char places[400];

	request->token = options_text(&w->options, OPT_ID_TOKEN);
	request->pin = options_text(&w->options, OPT_ID_PIN);
	if (request->token[0] && !trust_check_token(request->token))
		return failed("the token holds blanks, control characters or letters beyond ASCII: "
			      "no header can hold it");
	if (request->pin[0] && !trust_check_pin(request->pin))
		return failed("--pin is not sha256// and the 44 characters of base64 of a SHA-256");
	if (ca[0] && access(ca, R_OK) < 0)
		return failed("--ca %s: %s", ca, strerror(errno));
	request->roots = ca[0] ? ca : trust_find_roots(places, sizeof(places));
	if (!request->roots && !request->pin[0] && any_https(&w->upload))
		fprintf(stderr,
			"upload: no certificate authorities are installed (%s): https works with "
			"--ca or --pin only\n", places);
	if ((ca[0] || request->pin[0]) && !any_https(&w->upload))
		fprintf(stderr, "upload: ca and pin have no effect: no address is https\n");
	return CMD_OK;
}

static void save_record(struct work *w)
{
	size_t len = 0;
	char *text = record_json(&w->record, &len);
	int err = text ? file_replace(w->record_path, text, len) : -ENOMEM;

	free(text);
	if (err && err != w->record_err)
		failed("%s: the record of this upload cannot be written: %s", w->record_path,
		       strerror(-err));
	w->record_err = err;
}

/* After each try: one line, and the record renewed, so that an end by force loses neither. */
static void tried(void *context, const struct upload_try *try)
{
	struct work *w = context;
	const struct send_outcome *outcome = &try->outcome;

	record_add(&w->record, try);
	w->record.is_delivered = try->next == UPLOAD_DONE;
	w->record.is_over = try->next != UPLOAD_NEXT_URL && try->next != UPLOAD_PAUSE;
	save_record(w);
	switch (try->next) {
	case UPLOAD_DONE:
		printf("upload: delivered to %s (HTTP %d) after %u %s\n", try->url,
		       outcome->http_status, try->number, try->number == 1 ? "try" : "tries");
		break;
	case UPLOAD_NEXT_URL:
		printf("upload: %s: %s, trying the next address\n", try->url, outcome->error);
		break;
	case UPLOAD_PAUSE:
		printf("upload: %s: %s, trying again in %.1f s\n", try->url, outcome->error,
		       (double)try->pause_ns / (double)NS_PER_S);
		break;
	case UPLOAD_GIVEN_UP:
	case UPLOAD_TIME_OVER:
		printf("upload: %s: %s\n", try->url, outcome->error);
		break;
	}
	fflush(stdout);
}

static int deliver(struct work *w)
{
	struct upload_world world;
	enum upload_next end;

	upload_real_world(&world);
	world.tried = tried;
	world.context = w;
	end = upload_deliver(&w->upload, &world);
	if (end == UPLOAD_DONE)
		return CMD_OK;
	return failed("not delivered after %u %s: %s; the report is in %s/" REPORT_NAME,
		      w->record.try_n, w->record.try_n == 1 ? "try" : "tries",
		      end == UPLOAD_GIVEN_UP ? "every address refused it" : "the time is over",
		      options_text(&w->options, OPT_ID_OUT));
}

static int work(struct work *w)
{
	struct send_request *request = &w->upload.request;
	int code;

	code = load_report(w);
	request->run_id = w->run_id;
	request->body = w->report;
	request->body_bytes = w->report_bytes;
	if (code == CMD_OK)
		code = add_addresses(w);
	if (code == CMD_OK)
		code = set_trust(w);
	if (code != CMD_OK)
		return code;
	w->upload.retry_ns = options_number(&w->options, OPT_ID_RETRY) * NS_PER_S;
	w->record.run_id = w->run_id;
	w->record.report_bytes = w->report_bytes;
	if (send_init())
		return failed("out of memory");
	code = deliver(w);
	send_end();
	return code;
}

int cmd_upload(int argc, char **argv)
{
	struct work *w = calloc(1, sizeof(*w));
	int first, code;

	if (!w)
		return failed("out of memory");
	options_init(&w->options);
	first = options_load(&w->options, argc, argv, OPT_IN_UPLOAD);
	if (first == -ECANCELED) {
		print_help();
		code = CMD_OK;
	} else if (first < 0 || first < argc) {
		failed("%s", first < 0 ? options_last_note(&w->options) :
		       "addresses are named by --upload; see bench upload --help");
		code = CMD_USAGE;
	} else {
		code = work(w);
	}
	free(w->report);
	free(w);
	return code;
}
