/* SPDX-License-Identifier: MIT */
/* The finding rule over marks: numbers that may not be what they seem. */
#include <stdio.h>
#include <string.h>

#include "bench/findings/findings.h"

/* Rule reads-zeros speaks of these, with counts over all tests. */
#define MARK_ZEROS "all-zero"

static const struct mark *find_mark(const struct result *t, const char *word)
{
	for (uint32_t i = 0; i < t->mark_n && i < RESULT_MARKS_MAX; i++)
		if (!strcmp(t->mark[i].word, word))
			return &t->mark[i];
	return NULL;
}

/* Results of one disk from index `first` on that have the mark. */
static size_t count_marked(const struct report *r, size_t first, const char *word)
{
	size_t n = 0;

	for (size_t i = first; i < r->result_n; i++)
		n += !strcmp(r->result[i].target, r->result[first].target) &&
		     find_mark(&r->result[i], word);
	return n;
}

static bool was_told(const struct report *r, size_t i, const char *word)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(r->result[k].target, r->result[i].target) &&
		    find_mark(&r->result[k], word))
			return true;
	return false;
}

static int add_mark(struct report *r, const struct finding_rule *rule, size_t i,
		    const struct mark *m)
{
	const struct result *t = &r->result[i];
	size_t more = count_marked(r, i, m->word) - 1;
	char others[48] = "";

	if (more > 0)
		snprintf(others, sizeof(others), " and %zu more test%s", more,
			 more == 1 ? "" : "s");
	return report_add_finding(r, rule->severity, rule->name, t->target, "%s: %s%s: %s: %s",
				  t->target, t->test, others, m->word, m->text);
}

int find_marks(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n; i++)
		for (uint32_t k = 0; k < r->result[i].mark_n && k < RESULT_MARKS_MAX && !err; k++) {
			const struct mark *m = &r->result[i].mark[k];

			if (strcmp(m->word, MARK_ZEROS) && !was_told(r, i, m->word))
				err = add_mark(r, rule, i, m);
		}
	return err;
}
