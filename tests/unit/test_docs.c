/* SPDX-License-Identifier: MIT */
/*
 * docs/command-line.md and the option table say the same. With the argument --write, the page's
 * last part is written anew from the table (make docs).
 */
#include "lib/options.h"
#include "tests/unit/doc_page.h"

int main(int argc, char **argv)
{
	char *table = doc_page(argc, argv, "docs/command-line.md", options_markdown,
			       "make docs");

	for (int i = 0; i < OPT_COUNT; i++) {
		char line[80];

		snprintf(line, sizeof(line), "### %s\n", options_table[i].name);
		ok(strstr(table, line) != NULL, "option %s is documented", options_table[i].name);
	}
	free(table);
	return tap_done();
}
