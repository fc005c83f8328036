/* SPDX-License-Identifier: MIT */
/* Runs the rules: gives findings their advice, puts the worst first; and sums up equal ones. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/findings/findings.h"
#include "lib/text.h"

#define NAMES_BYTES 90	/* of the targets that are named where findings are summed up */

const struct finding_rule *finding_rule_named(const char *name)
{
	for (size_t i = 0; i < finding_table_n; i++)
		if (!strcmp(finding_table[i].name, name))
			return &finding_table[i];
	return NULL;
}

static bool are_alike(const struct finding *a, const struct finding *b)
{
	return a->severity == b->severity && *a->target && *b->target && !strcmp(a->rule, b->rule);
}

static bool is_first_of_target(const struct report *r, size_t i, const struct finding *f)
{
	for (size_t k = 0; k < i; k++)
		if (are_alike(&r->finding[k], f) &&
		    !strcmp(r->finding[k].target, r->finding[i].target))
			return false;
	return true;
}

/* "12 disks (sda, sdb, sdc and 9 more), the first: SENTENCE" */
static void tell_all(const struct report *r, const struct finding *f, size_t alike,
		     char sentence[FINDING_SHOWN_BYTES])
{
	char names[NAMES_BYTES + DISK_NAME_BYTES] = "";
	size_t targets = 0, named = 0;
	bool are_disks = true;

	for (size_t i = 0; i < r->finding_n; i++) {
		const char *target = r->finding[i].target;
		size_t used = strlen(names);

		if (!are_alike(&r->finding[i], f) || !is_first_of_target(r, i, f))
			continue;
		targets++;
		are_disks = are_disks && report_disk(r, target);
		if (used + strlen(target) + 2 > NAMES_BYTES)
			continue;
		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "", target);
		named++;
	}
	if (named < targets)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), " and %zu more",
			 targets - named);
	snprintf(sentence, FINDING_SHOWN_BYTES, "%zu %s (%s), the first: %s", alike,
		 are_disks && targets == alike ? "disks" : "alike", names, f->sentence);
}

size_t finding_shown(const struct report *r, size_t i, char sentence[FINDING_SHOWN_BYTES])
{
	const struct finding *f = &r->finding[i];
	bool is_first = true;
	size_t alike = 0;

	for (size_t k = 0; k < r->finding_n; k++)
		if (are_alike(f, &r->finding[k])) {
			is_first = is_first && k >= i;
			alike++;
		}
	if (alike <= FINDINGS_ALIKE_MAX) {
		text_copy(sentence, FINDING_SHOWN_BYTES, f->sentence);
		return 1;
	}
	if (!is_first)
		return 0;
	tell_all(r, f, alike, sentence);
	return alike;
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
	}
	return err ? err : put_in_order(r);
}
