/* SPDX-License-Identifier: MIT */
/* Runs the rules: gives findings their advice, sums up equal ones, puts the worst first. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/findings/findings.h"
#include "lib/text.h"

#define NAMES_BYTES 90	/* of the targets that a summed-up finding names */

const struct finding_rule *finding_rule_named(const char *name)
{
	for (size_t i = 0; i < finding_table_n; i++)
		if (!strcmp(finding_table[i].name, name))
			return &finding_table[i];
	return NULL;
}

static bool is_alike(const struct finding *f, enum finding_severity severity)
{
	return f->severity == severity && *f->target;
}

/* "12 disks (sda, sdb, sdc and 9 more), the first: SENTENCE" in place of the first's. */
static void tell_all(struct report *r, size_t first, size_t alike)
{
	char names[NAMES_BYTES + DISK_NAME_BYTES] = "", sentence[REPORT_TEXT_BYTES * 2];
	struct finding *f = NULL;
	bool are_disks = true;
	size_t named = 0;

	for (size_t i = first; i < r->finding_n; i++) {
		const struct finding *other = &r->finding[i];
		size_t used = strlen(names);

		if (!is_alike(other, r->finding[first].severity))
			continue;
		f = f ? f : &r->finding[i];
		are_disks = are_disks && report_disk(r, other->target);
		if (used + strlen(other->target) + 2 > NAMES_BYTES)
			continue;
		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
			 other->target);
		named++;
	}
	if (!f)
		return;
	if (named < alike)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), " and %zu more",
			 alike - named);
	snprintf(sentence, sizeof(sentence), "%zu %s (%s), the first: %s", alike,
		 are_disks ? "disks" : "alike", names, f->sentence);
	text_clean_str(f->sentence, sizeof(f->sentence), sentence);
	f->target[0] = '\0';
}

/* Findings from `first` on are those of one rule. */
static void sum_up(struct report *r, size_t first, enum finding_severity severity)
{
	size_t alike = 0, start = r->finding_n, kept;

	for (size_t i = first; i < r->finding_n; i++)
		if (is_alike(&r->finding[i], severity)) {
			start = start < i ? start : i;
			alike++;
		}
	if (alike <= FINDINGS_ALIKE_MAX)
		return;
	tell_all(r, start, alike);
	kept = start + 1;
	for (size_t i = start + 1; i < r->finding_n; i++)
		if (!is_alike(&r->finding[i], severity))
			r->finding[kept++] = r->finding[i];
	r->finding_n = kept;
}

/* The worst first; those of equal severity stay in the table's order. */
static int put_in_order(struct report *r)
{
	struct finding *sorted;
	size_t n = 0;

	if (r->finding_n < 2)
		return 0;
	sorted = malloc(r->finding_n * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (int s = 0; s < FINDING_SEVERITY_COUNT; s++)
		for (size_t i = 0; i < r->finding_n; i++)
			if ((int)r->finding[i].severity == s)
				sorted[n++] = r->finding[i];
	memcpy(r->finding, sorted, n * sizeof(*sorted));
	free(sorted);
	return 0;
}

int report_find(struct report *r)
{
	int err = 0;

	r->finding_n = 0;
	for (size_t i = 0; i < finding_table_n && !err; i++) {
		const struct finding_rule *rule = &finding_table[i];
		size_t first = r->finding_n;

		err = rule->find(r, rule);
		for (size_t k = first; k < r->finding_n; k++)
			text_clean_str(r->finding[k].advice, sizeof(r->finding[k].advice),
				       rule->advice);
		for (int s = 0; s < FINDING_SEVERITY_COUNT; s++)
			sum_up(r, first, (enum finding_severity)s);
	}
	return err ? err : put_in_order(r);
}
