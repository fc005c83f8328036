/* SPDX-License-Identifier: MIT */
/*
 * Texts kept beside the tests: golden_is("tests/golden/x.txt", text, len) compares byte by byte.
 * With GOLDEN_UPDATE=1 in the environment it stores instead; then look at `git diff tests/golden`.
 */
#ifndef TESTS_UNIT_GOLDEN_H
#define TESTS_UNIT_GOLDEN_H

#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "tests/unit/tap.h"

#define GOLDEN_LIMIT_BYTES (4u << 20)

static inline void golden_is(const char *path, const char *text, size_t len)
{
	char *want = NULL;
	size_t want_len = 0, at = 0, line = 1;
	int err;

	if (getenv("GOLDEN_UPDATE")) {
		ok(file_replace(path, text, len) == 0, "%s is stored", path);
		return;
	}
	err = file_load(path, GOLDEN_LIMIT_BYTES, &want, &want_len);
	while (!err && at < len && at < want_len && text[at] == want[at])
		line += text[at++] == '\n';
	if (!ok(!err && at == len && len == want_len, "%s is as stored", path))
		tap_diag(err ? "it cannot be read from here: run from the project's folder (line "
			       "%zu)"
			     : "differs in line %zu; if that is right: GOLDEN_UPDATE=1 and look at "
			       "git diff",
			 line);
	free(want);
}

#endif
