/* SPDX-License-Identifier: MIT */
/* Reads the stored report that a subcommand was given. */
#include "bench/cmd/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/report/json.h"
#include "lib/file.h"

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

bool load_report(struct report *r, const char *command, const char *name)
{
	bool is_stdin = strcmp(name, "-") == 0;
	const char *shown = is_stdin ? "standard input" : name;
	char why[400];
	char *text;
	size_t len;
	int err = is_stdin ? load_stdin(&text, &len) :
		  file_load(name, JSON_READ_LIMIT_BYTES, &text, &len);

	if (err == -EFBIG) {
		fprintf(stderr, "bench %s: %s: more than %u MiB: no report is that large\n",
			command, shown, JSON_READ_LIMIT_BYTES >> 20);
		return false;
	}
	if (err) {
		fprintf(stderr,
			"bench %s: %s: %s; give the report.json that `bench run` wrote\n",
			command, shown, strerror(-err));
		return false;
	}
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
