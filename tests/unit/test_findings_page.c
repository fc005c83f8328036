/* SPDX-License-Identifier: MIT */
/*
 * docs/findings.md and the table of rules say the same. With the argument --write, the page's last
 * part is written anew from the table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/findings/findings.h"
#include "bench/report/text_findings.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

#define PAGE "docs/findings.md"
#define MARK "a test keeps them equal.\n\n"

static void put_table(FILE *f)
{
	char severity[40];

	fprintf(f, "| rule | severity | question | speaks where | what to do |\n"
		"|---|---|---|---|---|\n");
	for (size_t i = 0; i < finding_table_n; i++) {
		const struct finding_rule *rule = &finding_table[i];

		fprintf(f, "| `%s` | %s | %s | %s | %s |\n", rule->name,
			text_rule_severity(severity, sizeof(severity), rule), rule->question,
			rule->threshold, rule->advice);
	}
}

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
	put_table(f);
	fclose(f);
	if (argc > 1 && strcmp(argv[1], "--write") == 0) {
		f = fopen(PAGE, "w");
		if (!f || fprintf(f, "%.*s%s", (int)(part - page), page, table) < 0 || fclose(f))
			tap_bail(PAGE " cannot be written");
	} else {
		ok(strcmp(part, table) == 0,
		   PAGE " holds the rules as they are (else: out/x86_64/unit/test_findings_page "
		   "--write)");
		ok(!strchr(table, '\t') && !strstr(table, "||"), "its rows are whole");
	}
	free(page);
	free(table);
	return argc > 1 ? 0 : tap_done();
}
