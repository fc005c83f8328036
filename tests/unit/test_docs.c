/* SPDX-License-Identifier: MIT */
/*
 * docs/command-line.md and the option table say the same. With the argument --write, the page's
 * last part is written anew from the table (make docs).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/options.h"
#include "tests/unit/tap.h"

#define PAGE "docs/command-line.md"
#define MARK "a test keeps them equal.\n\n"

int main(int argc, char **argv)
{
	char *page, *table = NULL, *part;
	size_t page_len, table_len;
	FILE *f;

	if (file_load(PAGE, 1 << 20, &page, &page_len))
		tap_bail(PAGE " cannot be read: run from the project's root");
	part = strstr(page, MARK);
	if (!part)
		tap_bail(PAGE " has lost the sentence before its table");
	part += strlen(MARK);
	f = open_memstream(&table, &table_len);
	if (!f)
		tap_bail("no memory");
	options_markdown(f);
	fclose(f);
	if (argc > 1 && strcmp(argv[1], "--write") == 0) {
		f = fopen(PAGE, "w");
		if (!f || fprintf(f, "%.*s%s", (int)(part - page), page, table) < 0 || fclose(f))
			tap_bail(PAGE " cannot be written");
		free(page);
		free(table);
		return 0;
	}
	ok(strcmp(part, table) == 0, PAGE " holds the option table as it is (else: make docs)");
	for (int i = 0; i < OPT_COUNT; i++) {
		char line[80];

		snprintf(line, sizeof(line), "### %s\n", options_table[i].name);
		ok(strstr(part, line) != NULL, "option %s is documented", options_table[i].name);
	}
	free(page);
	free(table);
	return tap_done();
}
