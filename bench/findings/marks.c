/* SPDX-License-Identifier: MIT */
/*
 * The finding rule over marks: numbers that may not be what they seem. Equal marks on tests of one
 * target become one finding, with the evidence of the test where it is worst.
 */
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"

static double longest_pause(const struct result *t)
{
	uint32_t n = look_intervals(t), run = 0, longest = 0;

	for (uint32_t i = 0; i < n; i++) {
		run = t->io.series_bytes[i] ? 0 : run + 1;
		longest = run > longest ? run : longest;
	}
	return (double)longest * (double)t->series_ns;
}

/* Share of the first third's speed that the last third lacks. */
static double loss(const struct result *t)
{
	uint32_t third = look_intervals(t) / 3;
	double first = 0, last = 0;

	for (uint32_t i = 0; i < third; i++) {
		first += (double)t->io.series_bytes[i];
		last += (double)t->io.series_bytes[look_intervals(t) - 1 - i];
	}
	return first > 0 ? 1 - last / first : 0;
}

static double speed(const struct result *t)
{
	const struct metric *m = look_speed(t);

	return m ? m->value : 0;
}

static double latency(const struct result *t)
{
	const struct metric *m = result_find(t, "lat_p50");

	return m ? m->value : 0;
}

/* How bad a mark is, from the result it stands on. Others have no order: the first is shown. */
static const struct {
	const char *word;
	double (*badness)(const struct result *t);
} orders[] = {
	{ "paused", longest_pause },
	{ "throttled", loss },
	{ "above-link", speed },
	{ "cached", speed },
	{ "idle-latency", latency },
};

static double badness(const struct result *t, const char *word)
{
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (!strcmp(orders[i].word, word))
			return orders[i].badness(t);
	return 0;
}

/* Marks that explain a number rather than doubt it. */
static bool is_mild(const char *word)
{
	static const char *const words[] = {
		"unsteady", "small-pages", "small-arrays", "unknown-cache", "memory-short",
		"node-left-out", "no-ipv4", "no-ipv6", "no-parallel", "no-upload",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

/* Other rules tell of these: reads-zeros, cpu-throttled, disturbed, net-errors, half-duplex. */
static bool has_own_rule(const struct result *t, const char *word)
{
	if (result_is_of_network(t) &&
	    (!strcmp(word, "errors") || !strcmp(word, "half-duplex")))
		return true;
	if (result_is_of_machine(t) && !strcmp(word, "throttled"))
		return true;
	return !strcmp(word, "all-zero") || !strcmp(word, "disturbed") || !strcmp(word, "steal");
}

/* Tests over the same bytes are compared by the same measure. */
static bool are_comparable(const struct result *a, const struct result *b, const char *word)
{
	if (strcmp(word, "above-link") && strcmp(word, "cached"))
		return true;
	return !strcmp(a->order, "random") == !strcmp(b->order, "random");
}

static bool was_told(const struct report *r, size_t i, const char *word)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(r->result[k].target, r->result[i].target) &&
		    result_find_mark(&r->result[k], word) && !has_own_rule(&r->result[k], word))
			return true;
	return false;
}

/* Result `first` is the first of its target with that mark. */
static int add_mark(struct report *r, const struct finding_rule *rule, size_t first,
		    const char *word)
{
	const struct result *worst = &r->result[first];
	char others[48] = "";
	size_t more = 0;

	for (size_t i = first + 1; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (strcmp(t->target, worst->target) || !result_find_mark(t, word) ||
		    has_own_rule(t, word))
			continue;
		more++;
		if (are_comparable(t, worst, word) && badness(t, word) > badness(worst, word))
			worst = t;
	}
	if (more > 0)
		snprintf(others, sizeof(others), " and %zu more test%s", more,
			 more == 1 ? "" : "s");
	return ADD_AS(is_mild(word) ? FINDING_INFO : FINDING_WARNING, worst->target,
		      "%s%s%s%s: %s: %s", LABEL(worst->target), *worst->target ? ": " : "",
		      worst->test, others, word, result_find_mark(worst, word)->text);
}

int find_marks(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n; i++)
		for (uint32_t k = 0; k < r->result[i].mark_n && k < RESULT_MARKS_MAX && !err; k++) {
			const char *word = r->result[i].mark[k].word;

			if (!has_own_rule(&r->result[i], word) && !was_told(r, i, word))
				err = add_mark(r, rule, i, word);
		}
	return err;
}
