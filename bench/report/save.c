/* SPDX-License-Identifier: MIT */
/* The report on disk: the two files every run leaves. */
#include "bench/report/save.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/file.h"

typedef char *write_form(const struct report *r, size_t *len_bytes);

static int save(const struct report *r, const char *dir, const char *name, write_form *form)
{
	char path[PATH_MAX];
	size_t len;
	char *text;
	int err;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	text = form(r, &len);
	if (!text)
		return -ENOMEM;
	err = file_replace(path, text, len);
	free(text);
	return err;
}

int report_save(const struct report *r, const char *dir)
{
	int json_err = save(r, dir, SAVE_JSON, report_json_write);
	int text_err = save(r, dir, SAVE_TEXT, report_text_write);

	return json_err ? json_err : text_err;
}
