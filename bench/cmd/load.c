/* SPDX-License-Identifier: MIT */
/* The files a subcommand is given, and the text it prints in the end. */
#include "bench/cmd/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/report/json.h"
#include "lib/file.h"

/* Standard input to its end. Returns as file_load does. */
static int load_stdin(size_t limit_bytes, char **text, size_t *len)
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
		if (n < 0 || (size_t)ftell(out) + (size_t)n > limit_bytes)
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

static const char *shown_name(const char *name)
{
	return strcmp(name, "-") ? name : "standard input";
}

bool load_file(const char *command, const char *name, size_t limit_bytes, const char *hint,
	       char **text, size_t *len)
{
	const char *shown = shown_name(name);
	int err = shown != name ? load_stdin(limit_bytes, text, len) :
		  file_load(name, limit_bytes, text, len);

	if (err == -EFBIG)
		fprintf(stderr, "bench %s: %s: more than %zu MiB: that is no such file\n", command,
			shown, limit_bytes >> 20);
	else if (err)
		fprintf(stderr, "bench %s: %s: %s; %s\n", command, shown, strerror(-err), hint);
	return !err;
}

bool load_report(struct report *r, const char *command, const char *name)
{
	const char *shown = shown_name(name);
	char why[400];
	char *text;
	size_t len;
	int err;

	if (!load_file(command, name, JSON_READ_LIMIT_BYTES,
		       "give the report.json that `bench run` wrote", &text, &len))
		return false;
	err = report_json_read(r, text, len, why, sizeof(why));
	if (err == -ENOMEM)
		fprintf(stderr, "bench %s: %s: out of memory\n", command, shown);
	else if (err)
		fprintf(stderr,
			"bench %s: %s: not a whole report: %s\n"
			"bench %s: take it again from where it was stored (an upload or copy "
			"may "
			"have been cut)\n",
			command, shown, why, command);
	free(text);
	return !err;
}

bool print_text(const char *command, char *text, size_t len)
{
	int err = text ? file_write_all(STDOUT_FILENO, text, len) : -ENOMEM;

	free(text);
	if (err)
		fprintf(stderr, "bench %s: cannot print: %s\n", command, strerror(-err));
	return !err;
}
