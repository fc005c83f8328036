/* SPDX-License-Identifier: MIT */
/*
 * The finding rules: what a person should know, each with its evidence and what to do about it.
 * One row, one rule; docs/findings.md is made from the rows.
 *
 * A rule looks at the report alone, adds none, one or more findings with its own name and a
 * severity within its row's, and changes nothing else. A value that is absent never fires a rule.
 * report_find (bench/model/report.h) runs them all.
 */
#ifndef BENCH_FINDINGS_FINDINGS_H
#define BENCH_FINDINGS_FINDINGS_H

#include "bench/model/report.h"

struct finding_rule {
	const char *name;	/* stable */
	/* equal where the rule knows but one; else each finding has one of those from .. to */
	enum finding_severity worst, mildest;
	/* Returns 0 or -ENOMEM. */
	int (*find)(struct report *r, const struct finding_rule *rule);
	const void *param;	/* tells members of a family apart; NULL where it needs none */
	const char *question;	/* that it answers, as a renter would ask it */
	const char *threshold;	/* when it speaks; made from the constants it compares with */
	const char *advice;	/* what to do, one sentence; "" where there is nothing to do */
};

/* By subject; findings of equal severity are shown in this order. */
extern const struct finding_rule finding_table[];
extern const size_t finding_table_n;

/* Finds a row by name or returns NULL. */
const struct finding_rule *finding_rule_named(const char *name);

/* More findings of one rule than this, of equal severity, are shown as one that names them all. */
#define FINDINGS_ALIKE_MAX 4
#define FINDING_SHOWN_BYTES (REPORT_TEXT_BYTES + 256)

/*
 * How finding `i` is shown to people: writes the sentence and returns the number of findings it
 * stands for; 0 where an earlier one has told of it (then `sentence` is not written). The report
 * keeps each of them: programs, and the state of a disk, need its own.
 */
size_t finding_shown(const struct report *r, size_t i, char sentence[FINDING_SHOWN_BYTES]);

#endif
