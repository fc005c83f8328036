/* SPDX-License-Identifier: MIT */
/*
 * docs/findings.md and the table of rules say the same. With the argument --write, the page's last
 * part is written anew from the table.
 */
#include "bench/findings/findings.h"
#include "bench/report/text_findings.h"
#include "tests/unit/doc_page.h"

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
	char *table = doc_page(argc, argv, "docs/findings.md", put_table,
			       "out/x86_64/unit/test_findings_page --write");

	ok(!strchr(table, '\t') && !strstr(table, "||"), "its rows are whole");
	free(table);
	return tap_done();
}
