/* SPDX-License-Identifier: MIT */
/*
 * Findings, and the rules they come from, as text of 80 columns or as JSON. Functions that return
 * text give it malloc'ed (caller frees), or NULL where memory ran out.
 */
#ifndef BENCH_REPORT_TEXT_FINDINGS_H
#define BENCH_REPORT_TEXT_FINDINGS_H

#include "bench/model/report.h"
#include "bench/report/page.h"

#define FINDING_MARK_COLUMNS 10
/* What one finding of each severity is called at the start of its line. */
extern const char *const text_finding_marks[FINDING_SEVERITY_COUNT];
/*
 * All findings, equal ones as one; those behind each other that have one advice share it: it
 * follows the last of them.
 */
void text_put_findings(struct page *p, const struct report *r);
/* The findings of a report, each with its advice. */
char *text_findings_write(const struct report *r, size_t *len_bytes);
/* Each of them, as an array of the objects that stand in the report. */
char *text_findings_json(const struct report *r, size_t *len_bytes);
/* Every row of finding_table. */
char *text_rules_write(size_t *len_bytes);
char *text_rules_json(size_t *len_bytes);
/* "critical", or "critical to info" where the rule gives several. */
struct finding_rule;
const char *text_rule_severity(char *buf, size_t size, const struct finding_rule *rule);

#endif
