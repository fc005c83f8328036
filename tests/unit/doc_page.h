/* SPDX-License-Identifier: MIT */
/*
 * Pages of docs/ whose last part is made from a table of the program, below a sentence that says
 * so. With the argument --write a test writes that part anew instead of comparing it.
 */
#ifndef TESTS_UNIT_DOC_PAGE_H
#define TESTS_UNIT_DOC_PAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "tests/unit/tap.h"

#define DOC_PAGE_MARK "a test keeps them equal.\n\n"

static void doc_page_write(const char *path, const char *page, const char *part, const char *table)
{
	FILE *f = fopen(path, "w");

	if (!f || fprintf(f, "%.*s%s", (int)(part - page), page, table) < 0 || fclose(f))
		tap_bail("the page of the table cannot be written");
}

/*
 * Compares the page with what `put` prints, or writes it and ends the program. `command` is what
 * renews it. Returns what `put` printed (caller frees).
 */
static char *doc_page(int argc, char **argv, const char *path, void (*put)(FILE *f),
		      const char *command)
{
	char *page, *table = NULL, *part;
	size_t page_len, table_len;
	FILE *f;

	if (file_load(path, 1 << 20, &page, &page_len))
		tap_bail("the page cannot be read: run from the project's root");
	part = strstr(page, DOC_PAGE_MARK);
	if (!part)
		tap_bail("the page has lost the sentence before its table");
	part += strlen(DOC_PAGE_MARK);
	f = open_memstream(&table, &table_len);
	if (!f)
		tap_bail("no memory");
	put(f);
	if (fclose(f))
		tap_bail("no memory");
	if (argc > 1 && strcmp(argv[1], "--write") == 0) {
		doc_page_write(path, page, part, table);
		free(page);
		free(table);
		exit(0);
	}
	ok(strcmp(part, table) == 0, "%s holds the table as it is (else: %s)", path, command);
	free(page);
	return table;
}

#endif
