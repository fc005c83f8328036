/* SPDX-License-Identifier: MIT */
/* Finding rules over what slows processors: heat, power limits, other work, a core of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"
#include "bench/stats/summary.h"
#include "lib/cpu_list.h"

#define SLOW_MAX 64	/* slow CPUs kept; a machine with more has another trouble */

/* Tests with the mark, and the one of them where metric `by` is highest (the first without). */
static size_t find_marked(const struct report *r, const char *word, const char *by,
			  const struct result **worst)
{
	double most = -1;
	size_t n = 0;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];
		const struct metric *m = by ? result_find(t, by) : NULL;

		if (!result_is_of_machine(t) || t->status != RESULT_OK || !result_has_mark(t, word))
			continue;
		if (n++ == 0 || (m && m->value > most))
			*worst = t;
		most = m && m->value > most ? m->value : most;
	}
	return n;
}

/* " and 3 more tests" */
static const char *and_more(char buf[40], size_t n)
{
	buf[0] = '\0';
	if (n > 1)
		snprintf(buf, 40, " and %zu more test%s", n - 1, n > 2 ? "s" : "");
	return buf;
}

int find_cpu_throttled(struct report *r, const struct finding_rule *rule)
{
	int64_t cores = r->machine.cpu.core_throttles, packages = r->machine.cpu.package_throttles;
	const struct result *worst;
	char more[40], by_core[48] = "", by_package[56] = "";
	size_t n = find_marked(r, "throttled", "throttle_events", &worst);

	if (n)
		return ADD_AS(FINDING_WARNING, worst->target, "%s%s: %s.", worst->test,
			      and_more(more, n), result_find_mark(worst, "throttled")->text);
	if (cores <= 0 && packages <= 0)
		return 0;
	if (cores > 0)
		snprintf(by_core, sizeof(by_core), "%s times by a core",
			 units_count(UNITS_BUF, (uint64_t)cores));
	if (packages > 0)
		snprintf(by_package, sizeof(by_package), "%s%s times by a whole package",
			 cores > 0 ? ", " : "", units_count(UNITS_BUF, (uint64_t)packages));
	return ADD_AS(FINDING_INFO, "", "Before this run processors were slowed for heat: %s%s "
		      "since boot.", by_core, by_package);
}

/* Other work had a part of the processors: rule disturbed tells of it. */
static bool was_disturbed(const struct result *t)
{
	return result_has_mark(t, "disturbed") || result_has_mark(t, "steal");
}

int find_burst_drop(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];
		const struct metric *drop = result_find(t, "drop_percent");
		const struct metric *hertz = result_find(t, "frequency");
		const struct metric *celsius = result_find(t, "temperature");
		const struct metric *watts = result_find(t, "power");
		char at[48] = "", heat[48] = "", power[32] = "";

		if (!result_is_of_machine(t) || t->status != RESULT_OK || was_disturbed(t) ||
		    !drop || drop->value < BURST_DROP_PERCENT)
			continue;
		if (hertz)
			snprintf(at, sizeof(at), ", %.2f GHz on average", hertz->value / 1e9);
		if (celsius)
			snprintf(heat, sizeof(heat), ", up to %.0f degrees Celsius",
				 celsius->value);
		if (watts)
			snprintf(power, sizeof(power), ", %.0f W", watts->value);
		err = ADD(t->target, "%s: with all threads at work the processors lose %.0f %% of "
			  "their first seconds' speed%s%s%s.", t->test, drop->value, at, heat,
			  power);
	}
	return err;
}

/* Words of marks that tell of others' work on the processors, and the metric that measures it. */
static const struct {
	const char *word, *metric;
} others[] = {
	{ "steal", "steal_percent" },
	{ "disturbed", "taken_percent" },
};

int find_disturbed(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]) && !err; i++) {
		const struct result *worst;
		char more[40];
		size_t n = find_marked(r, others[i].word, others[i].metric, &worst);

		if (n)
			err = ADD(worst->target, "%s%s: %s.", worst->test, and_more(more, n),
				  result_find_mark(worst, others[i].word)->text);
	}
	return err;
}

int find_load(struct report *r, const struct finding_rule *rule)
{
	uint32_t threads = r->machine.cpu.threads;
	double load;

	if (!threads || sscanf(r->machine.load, "%lf", &load) != 1 ||
	    !(load > threads * LOAD_PERCENT / 100.0))
		return 0;
	return ADD("", "The machine was busy before the run: a load of %.2f on %u threads.", load,
		   threads);
}

struct slow_cpu {
	unsigned cpu, tests;	/* in so many tests */
	double share;		/* the smallest, of the median of its kind */
	const char *test;	/* in which it was that */
};

struct slow_cpus {
	struct slow_cpu at[SLOW_MAX];
	size_t n;
	unsigned tests;		/* that measured each CPU by itself, undisturbed */
};

static void add_slow(struct slow_cpus *s, unsigned cpu, double share, const char *test)
{
	struct slow_cpu *c = NULL;

	for (size_t i = 0; i < s->n; i++)
		if (s->at[i].cpu == cpu)
			c = &s->at[i];
	if (!c) {
		if (s->n == SLOW_MAX)
			return;
		c = &s->at[s->n++];
		*c = (struct slow_cpu){ .cpu = cpu, .share = 2 };
	}
	c->tests++;
	if (share < c->share) {
		c->share = share;
		c->test = test;
	}
}

static bool has_cpu(const unsigned *list, size_t n, double cpu)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == (unsigned)cpu)
			return true;
	return false;
}

/* Holds the CPUs of `list` (NULL: all) against their median. */
static void judge_kind(const struct series *s, const unsigned *list, size_t list_n,
		       const char *test, struct slow_cpus *slow)
{
	double value[SERIES_POINTS_MAX], median;
	size_t n = 0;

	for (uint32_t i = 0; i < s->point_n && i < SERIES_POINTS_MAX; i++)
		if (!list || has_cpu(list, list_n, s->point[i].x))
			value[n++] = s->point[i].y;
	if (n < SLOW_CORE_THREADS_MIN)
		return;
	median = stats_median(value, n);
	for (uint32_t i = 0; i < s->point_n && i < SERIES_POINTS_MAX; i++)
		if ((!list || has_cpu(list, list_n, s->point[i].x)) &&
		    s->point[i].y < median * SLOW_CORE_PERCENT / 100)
			add_slow(slow, (unsigned)s->point[i].x, s->point[i].y / median, test);
}

static void judge_test(const struct report *r, const struct result *t, struct slow_cpus *slow)
{
	const struct series *s = result_find_series(t, "per-cpu");
	const struct cpu_info *c = &r->machine.cpu;

	if (!result_is_of_machine(t) || t->status != RESULT_OK || !s ||
	    was_disturbed(t) || result_has_mark(t, "throttled"))
		return;
	slow->tests++;
	if (c->kinds_n < 2)
		judge_kind(s, NULL, 0, t->test, slow);
	for (uint32_t i = 0; i < REPORT_KEPT(c->kinds_n, c->kinds) && c->kinds_n > 1; i++) {
		size_t n;
		unsigned *list = cpu_list_parse(c->kinds[i].cpus, &n);

		/* a list that was cut names nobody: its kind is not judged */
		if (list)
			judge_kind(s, list, n, t->test, slow);
		free(list);
	}
}

int find_slow_core(struct report *r, const struct finding_rule *rule)
{
	struct slow_cpus slow = { .n = 0 };
	const struct slow_cpu *worst = NULL;
	char list[64] = "";
	size_t n = 0;

	for (size_t i = 0; i < r->result_n; i++)
		judge_test(r, &r->result[i], &slow);
	for (size_t i = 0; i < slow.n; i++) {
		const struct slow_cpu *c = &slow.at[i];
		size_t used = strlen(list);

		/* in one test of many something else may have run there */
		if (c->tests * 2 < slow.tests)
			continue;
		n++;
		worst = !worst || c->share < worst->share ? c : worst;
		if (used + 8 < sizeof(list))
			snprintf(list + used, sizeof(list) - used, "%s%u", used ? ", " : "",
				 c->cpu);
	}
	if (!n)
		return 0;
	return ADD("", "CPU%s %s %s slower than the others of %s kind, in %u of %u tests: in %s "
		   "CPU %u did %.0f %% of their median.", n > 1 ? "s" : "", list,
		   n > 1 ? "are" : "is", n > 1 ? "their" : "its", worst->tests, slow.tests,
		   worst->test, worst->cpu, worst->share * 100);
}
