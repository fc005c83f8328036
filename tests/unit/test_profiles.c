/* SPDX-License-Identifier: MIT */
/*
 * docs/profiles.md and the test table say the same. With the argument --write, the page's last
 * part is written anew from the table.
 */
#include "bench/tests/test.h"
#include "tests/unit/doc_page.h"

static const char *needs(const struct test *t)
{
	switch (t->access) {
	case TEST_READS:
		return t->needs_others ? "two disks" : "";
	case TEST_WRITES_BACK:
		return "writeback";
	case TEST_WRITES:
		return "destroy";
	case TEST_FILES:
	case TEST_WRITES_OR_FILE:
		return "destroy or file";
	}
	return "";
}

/* "1 to 5", "2", or "-" where the profile leaves the test out. */
static void put_time(FILE *f, struct test_time t)
{
	if (!t.min_ms && !t.max_ms)
		fprintf(f, " - |");
	else if (t.min_ms == t.max_ms)
		fprintf(f, " %g |", t.min_ms / 1000.0);
	else
		fprintf(f, " %g to %g |", t.min_ms / 1000.0, t.max_ms / 1000.0);
}

static void put_table(FILE *f)
{
	fprintf(f, "| test | family | needs | quick | standard | full | rank |\n"
		"|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < test_table_n; i++) {
		const struct test *t = test_table[i];

		fprintf(f, "| `%s` | %s | %s |", t->name, t->phase == PHASE_TOGETHER ?
			test_phase_words[t->phase] : t->family, needs(t));
		for (int p = 0; p < PROFILES; p++)
			put_time(f, t->time[p]);
		fprintf(f, " %u |\n", t->rank);
	}
	fprintf(f, "\n## What each test does\n\n");
	for (size_t i = 0; i < test_table_n; i++)
		fprintf(f, "- `%s` (%s): %s\n", test_table[i]->name, test_table[i]->title,
			test_table[i]->help);
}

int main(int argc, char **argv)
{
	char *table = doc_page(argc, argv, "docs/profiles.md", put_table,
			       "out/x86_64/unit/test_profiles --write");

	for (size_t i = 0; i < test_table_n; i++)
		for (int p = 0; p < PROFILES; p++)
			ok(test_table[i]->time[p].min_ms <= test_table[i]->time[p].max_ms,
			   "%s: the least time is not above the most", test_table[i]->name);
	free(table);
	return tap_done();
}
