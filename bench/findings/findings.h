/* SPDX-License-Identifier: MIT */
/*
 * The finding rules: what a person should know, each with its evidence. One row, one rule.
 *
 * A rule looks at the report alone, adds none, one or more findings through report_add_finding with
 * its own name and severity, and changes nothing else. Returns 0 or -ENOMEM.
 */
#ifndef BENCH_FINDINGS_FINDINGS_H
#define BENCH_FINDINGS_FINDINGS_H

#include "bench/model/report.h"

struct finding_rule {
	const char *name;	/* stable */
	enum finding_severity severity;
	int (*find)(struct report *r, const struct finding_rule *rule);
};

/* In the order they are shown: by severity, then by what a person would want to know first. */
extern const struct finding_rule finding_table[];
extern const size_t finding_table_n;

/* results.c: what the tests met */
int find_no_answer(struct report *r, const struct finding_rule *rule);
int find_vanished(struct report *r, const struct finding_rule *rule);
int find_read_errors(struct report *r, const struct finding_rule *rule);
int find_write_errors(struct report *r, const struct finding_rule *rule);
int find_test_failed(struct report *r, const struct finding_rule *rule);
int find_no_time(struct report *r, const struct finding_rule *rule);
int find_short_reads(struct report *r, const struct finding_rule *rule);
int find_zeros(struct report *r, const struct finding_rule *rule);
int find_odd_sibling(struct report *r, const struct finding_rule *rule);
int find_slow_samples(struct report *r, const struct finding_rule *rule);
int find_depth_lowered(struct report *r, const struct finding_rule *rule);
int find_shared_limit(struct report *r, const struct finding_rule *rule);
int find_engine_bound(struct report *r, const struct finding_rule *rule);

/* marks.c: what makes a number suspicious */
int find_marks(struct report *r, const struct finding_rule *rule);

/* results_write.c: what long writes showed */
int find_write_drop(struct report *r, const struct finding_rule *rule);

#endif
