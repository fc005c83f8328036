/* SPDX-License-Identifier: MIT */
/*
 * Cases of the finding rules: what is changed in a sound machine's report, and what the rule must
 * then say, or that it must say nothing. test_findings.c runs them all.
 */
#ifndef TESTS_UNIT_FINDINGS_CASES_H
#define TESTS_UNIT_FINDINGS_CASES_H

#include "bench/model/report.h"

/* In a case's `severity`: the rule must be silent. */
#define SILENT FINDING_SEVERITY_COUNT

struct finding_case {
	const char *rule;
	void (*make)(struct report *r);
	enum finding_severity severity;
	const char *target, *sentence;	/* NULL where it must be silent */
	const char *beside;	/* another rule that the same change fires as well; NULL: none */
};

struct finding_cases {
	const struct finding_case *at;
	size_t n;
};

#define SPEAKS(rule, make, severity, target, sentence) \
	{ rule, make, FINDING_##severity, target, sentence, NULL }
#define SPEAKS_BESIDE(rule, make, severity, target, sentence, beside) \
	{ rule, make, FINDING_##severity, target, sentence, beside }
#define IS_SILENT(rule, make) { rule, make, SILENT, NULL, NULL, NULL }

#define CASES(name) \
	const struct finding_cases name = { \
		name##_rows, sizeof(name##_rows) / sizeof(*name##_rows) }

/*
 * The machine that the cases change: a sound server on metal with three equal disks sda, sdb, sdc
 * (results 0 to 11, four each; health 0 to 2 from the start and 3 to 5 from the end of the run).
 */
void findings_sound(struct report *r);
/* A result of a test that is not about a disk, ended well. */
struct result *findings_result(struct report *r, const char *test, const char *phase,
			       const char *target);

extern const struct finding_cases cases_results, cases_machine, cases_health, cases_disks,
	cases_cpu, cases_memory, cases_network, cases_kernel;

#endif
