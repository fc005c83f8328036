/* SPDX-License-Identifier: MIT */
/*
 * Every finding rule: a report that is sound in all respects must be silent, one change to it must
 * bring exactly the finding of the case, and what only looks like trouble must bring none.
 */
#include "bench/findings/findings.h"
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"
#include "tests/unit/tap.h"

static const struct finding_cases *const all_cases[] = {
	&cases_results, &cases_machine, &cases_health, &cases_disks, &cases_cpu, &cases_memory,
	&cases_network, &cases_kernel,
};
#define LISTS (sizeof(all_cases) / sizeof(all_cases[0]))

static void tell(const struct report *r)
{
	for (size_t i = 0; i < r->finding_n; i++)
		tap_diag("%s: %s: \"%s\": %s", finding_severity_words[r->finding[i].severity],
			 r->finding[i].rule, r->finding[i].target, r->finding[i].sentence);
}

static void test_speaks(const struct finding_case *c, const struct report *r)
{
	const struct finding_rule *rule = finding_rule_named(c->rule);
	const struct finding *f = NULL;
	size_t spoken = 0, others = 0;

	for (size_t i = 0; i < r->finding_n; i++) {
		bool is_its = !strcmp(r->finding[i].rule, c->rule);

		f = is_its ? &r->finding[i] : f;
		spoken += is_its;
		others += !is_its && !(c->beside && !strcmp(r->finding[i].rule, c->beside));
	}
	if (!ok(spoken == 1 && others == 0, "%s alone speaks, and once", c->rule))
		tell(r);
	if (!f)
		return;
	is_str(finding_severity_words[f->severity], finding_severity_words[c->severity],
	       "%s: its severity", c->rule);
	is_str(f->target, c->target, "%s: of the right target", c->rule);
	is_str(f->sentence, c->sentence, "%s: with its evidence", c->rule);
	ok(f->severity >= rule->worst && f->severity <= rule->mildest,
	   "%s: a severity of its row", c->rule);
	is_str(f->advice, rule->advice, "%s: with its advice, whole", c->rule);
}

static void test_case(const struct finding_case *c)
{
	struct report r;
	size_t spoken = 0;

	findings_sound(&r);
	c->make(&r);
	is_int(report_find(&r), 0, "%s: rules ran", c->rule);
	for (size_t i = 0; i < r.finding_n; i++)
		spoken += !strcmp(r.finding[i].rule, c->rule);
	if (c->severity != SILENT)
		test_speaks(c, &r);
	else if (!is_uint(spoken, 0, "%s: silent where nothing is wrong", c->rule))
		tell(&r);
	report_free(&r);
}

/* What a row says, and that it is tested from both sides. */
static void test_rule(const struct finding_rule *rule)
{
	size_t speaks = 0, silent = 0;

	for (size_t i = 0; i < LISTS; i++)
		for (size_t k = 0; k < all_cases[i]->n; k++) {
			const struct finding_case *c = &all_cases[i]->at[k];

			speaks += !strcmp(c->rule, rule->name) && c->severity != SILENT;
			silent += !strcmp(c->rule, rule->name) && c->severity == SILENT;
		}
	ok(speaks > 0, "%s: a case in which it speaks", rule->name);
	ok(silent > 0, "%s: a case in which it is silent", rule->name);
	ok(rule->worst <= rule->mildest, "%s: the worst is not the mildest", rule->name);
	ok(finding_rule_named(rule->name) == rule, "%s: its name is its own", rule->name);
	ok(strlen(rule->name) < sizeof(((struct finding *)0)->rule), "%s: short", rule->name);
	ok(*rule->question && rule->question[strlen(rule->question) - 1] == '?',
	   "%s: asks a question", rule->name);
	ok(*rule->threshold, "%s: says when it speaks", rule->name);
	ok(*rule->advice && rule->advice[strlen(rule->advice) - 1] == '.',
	   "%s: its advice is a sentence", rule->name);
}

static void test_sound(void)
{
	struct report r;

	findings_sound(&r);
	report_add_finding(&r, FINDING_CRITICAL, "old", "", "from an earlier look");
	report_find(&r);
	if (!is_uint(r.finding_n, 0, "a sound machine has no finding"))
		tell(&r);
	report_free(&r);
}

/* A report that knows nothing accuses nobody. */
static void test_nothing_known(void)
{
	struct report r;

	report_init(&r);
	SET(r.run.id, "00000000-0000-4000-8000-000000000001");
	report_find(&r);
	if (!is_uint(r.finding_n, 0, "absent values fire no rule"))
		tell(&r);
	report_free(&r);
}

static void test_summing_up(void)
{
	char sentence[FINDING_SHOWN_BYTES];
	struct report r;

	findings_sound(&r);
	for (int i = 0; i < 12; i++) {
		char name[16];

		SET(name, "nvme%d", i);
		fixture_skipped(&r, name, DISK_NO_NAMESPACE, "");
	}
	r.disks.disk[1].read_only = true;
	report_find(&r);
	is_uint(r.finding_n, 13, "each finding is kept");
	is_uint(finding_shown(&r, 1, sentence), 12, "but twelve equal ones are shown as one");
	is_str(sentence,
	       "12 disks (nvme0, nvme1, nvme2, nvme3, nvme4, nvme5, nvme6, nvme7, nvme8, nvme9, "
	       "nvme10, nvme11), the first: NVMe controller nvme0 has no attached namespace: there "
	       "is nothing to measure on it.", "it names them all");
	is_uint(finding_shown(&r, 2, sentence), 0, "the second is told by it");
	is_uint(finding_shown(&r, 0, sentence), 1, "other rules stand for themselves");
	is_str(sentence, r.finding[0].sentence, "in their own words");
	r.finding_n = 5;
	is_uint(finding_shown(&r, 2, sentence), 1, "four stay four");
	r.finding_n = 0;
	for (int i = 0; i < 6; i++)
		report_add_finding(&r, FINDING_WARNING, "odd", i < 4 ? "sda" : "sdb", "Odd %d.",
				   i);
	finding_shown(&r, 0, sentence);
	is_str(sentence, "6 alike (sda, sdb), the first: Odd 0.", "each disk is named once");
	r.finding_n = 0;
	for (int i = 0; i < 40; i++) {
		char name[32];

		SET(name, "node%d.example.net", i);
		report_add_finding(&r, FINDING_INFO, "far", name, "%s is far.", name);
	}
	finding_shown(&r, 0, sentence);
	is_str(sentence, "40 alike (node0.example.net, node1.example.net, node2.example.net, "
	       "node3.example.net and 36 more), the first: node0.example.net is far.",
	       "those without room are counted");
	report_free(&r);
}

static void test_order(void)
{
	struct report r;

	findings_sound(&r);
	SET(r.machine.virtualisation, "kvm");
	fixture_skipped(&r, "sdx", DISK_CANNOT_OPEN, "no");
	r.disks.disk[0].read_only = true;
	result_end(&r.result[0], RESULT_FAILED, "it crashed");
	report_find(&r);
	is_uint(r.finding_n, 4, "four findings");
	is_str(r.finding[0].rule, "test-failed", "the critical one is first");
	is_str(r.finding[1].rule, "cannot-open", "then the warning");
	is_str(r.finding[2].rule, "read-only", "then infos in the order of the table");
	is_str(r.finding[3].rule, "virtual-machine", "to the last");
	report_free(&r);
}

int main(void)
{
	for (size_t i = 0; i < finding_table_n; i++)
		test_rule(&finding_table[i]);
	test_sound();
	test_nothing_known();
	for (size_t i = 0; i < LISTS; i++)
		for (size_t k = 0; k < all_cases[i]->n; k++)
			test_case(&all_cases[i]->at[k]);
	test_summing_up();
	test_order();
	return tap_done();
}
