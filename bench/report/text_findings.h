/* SPDX-License-Identifier: MIT */
/*
 * Findings, and the rules they come from, as text of 80 columns or as JSON. Each function returns
 * malloc'ed text (caller frees) or NULL where memory ran out.
 */
#ifndef BENCH_REPORT_TEXT_FINDINGS_H
#define BENCH_REPORT_TEXT_FINDINGS_H

#include "bench/model/report.h"

/* The findings of a report, each with its advice. */
char *text_findings_write(const struct report *r, size_t *len_bytes);
/* The same as an array of the objects that stand in the report. */
char *text_findings_json(const struct report *r, size_t *len_bytes);
/* Every row of finding_table. */
char *text_rules_write(size_t *len_bytes);
char *text_rules_json(size_t *len_bytes);
/* "critical", or "critical to info" where the rule gives several. */
struct finding_rule;
const char *text_rule_severity(char *buf, size_t size, const struct finding_rule *rule);

#endif
