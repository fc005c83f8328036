/* SPDX-License-Identifier: MIT */
/* The finding rules over how fast disks were, by themselves and beside each other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"
#include "bench/stats/summary.h"

#define DEPTH_REASON_MAX 120	/* longer ones would be cut */

/* Disks of the same model and size should do the same; of three or more the odd one shows. */
int find_odd_sibling(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];
		const struct metric *m = look_own_speed(t);
		double median;
		size_t n;

		if (!m)
			continue;
		median = look_siblings(r, t, &n);
		if (n >= SIBLINGS_MIN && m->value < SIBLING_PERCENT / 100.0 * median)
			err = ADD(t->target,
				  "%s is the odd one: %s in %s, while the median of %zu disks of "
				  "its model and size is %s.",
				  LABEL(t->target), look_speed_text(UNITS_BUF, m, m->value),
				  t->test, n,
				  look_speed_text(UNITS_BUF, m, median));
	}
	return err;
}

/* Intervals of one result below half of their median. */
struct slow {
	size_t n, slow;		/* whole intervals, and slow ones of them */
	double median, slowest;	/* bytes per interval */
};

static struct slow count_slow(const struct result *t)
{
	struct slow s = { .n = look_intervals(t), .slowest = INFINITY };
	double value[IO_SERIES_MAX];

	if (t->status != RESULT_OK)
		return s;
	for (size_t k = 0; k < s.n; k++)
		value[k] = (double)t->io.series_bytes[k];
	s.median = stats_median(value, s.n);
	if (s.n < SLOW_INTERVALS_MIN || s.median < (double)t->block_bytes * SLOW_BLOCKS_MIN)
		return s;
	for (size_t k = 0; k < s.n; k++) {
		s.slow += value[k] < SLOW_PERCENT / 100.0 * s.median;
		s.slowest = value[k] < s.slowest ? value[k] : s.slowest;
	}
	return s;
}

static bool has_slow(const struct result *t)
{
	return count_slow(t).slow > 0;
}

/* One sentence per disk, about the test with the largest share of slow intervals. */
int find_slow_samples(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *worst = &r->result[i];
		struct slow w = count_slow(worst);
		size_t tests = 0;
		double seconds;

		if (!look_first(r, i, has_slow))
			continue;
		for (size_t k = i; k < r->result_n; k++) {
			struct slow s = count_slow(&r->result[k]);

			if (strcmp(r->result[k].target, r->result[i].target) || !s.slow)
				continue;
			tests++;
			if ((double)s.slow / (double)s.n > (double)w.slow / (double)w.n) {
				worst = &r->result[k];
				w = s;
			}
		}
		seconds = (double)worst->series_ns / 1e9;
		err = ADD(worst->target,
			  "%s: in %s %zu of %zu intervals of %s ran below half the median of %s; "
			  "the slowest did %s%s.",
			  LABEL(worst->target), worst->test, w.slow, w.n,
			  units_time(UNITS_BUF, worst->series_ns),
			  units_rate(UNITS_BUF, w.median / seconds),
			  units_rate(UNITS_BUF, w.slowest / seconds),
			  tests > 1 ? ". Other tests of it had such too" : "");
	}
	return err;
}

static bool has_lower_depth(const struct result *t)
{
	return t->status == RESULT_OK && t->depth < t->depth_asked;
}

int find_depth_lowered(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];
		size_t tests = 0;

		if (!look_first(r, i, has_lower_depth))
			continue;
		for (size_t k = i; k < r->result_n; k++)
			tests += has_lower_depth(&r->result[k]) &&
				 !strcmp(r->result[k].target, t->target);
		err = ADD(t->target, "%s: %s ran with %u instead of %u I/Os in flight (%s)%s.",
			  LABEL(t->target), t->test, t->depth, t->depth_asked,
			  !*t->reason ? "the reason is not known" :
			  strlen(t->reason) > DEPTH_REASON_MAX ? "why stands with the result" :
			  t->reason,
			  tests > 1 ? ", and other tests of it with fewer too" : "");
	}
	return err;
}

int find_engine_bound(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	if (!r->tool.has_engine_iops || r->tool.engine_iops <= 0)
		return 0;
	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct metric *m = result_find(&r->result[i], "iops");

		if (m && r->result[i].status == RESULT_OK &&
		    m->value > ENGINE_PERCENT / 100.0 * r->tool.engine_iops)
			err = ADD(r->result[i].target,
				  "%s: %s in %s come near what one CPU does without any disk (%s): "
				  "the disk may be faster.",
				  LABEL(r->result[i].target), units_iops(UNITS_BUF, m->value),
				  r->result[i].test, units_iops(UNITS_BUF, r->tool.engine_iops));
	}
	return err;
}

static const char *rate_text(char *buf, size_t size, const struct shared_limit *l, double value)
{
	return l->unit == UNIT_IOPS ? units_iops(buf, size, value) : units_rate(buf, size, value);
}

int find_shared_limit(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->shared_limit_n && !err; i++) {
		const struct shared_limit *l = &r->shared_limit[i];

		if (l->limited)
			err = ADD("",
				"%u disks%s%s: %s each alone adds up to %s, together they deliver "
				"%s (%s): something they share carries no "
				"more, be it a controller, a link or the processors.", l->disk_n,
				l->controller[0] ? " at " : "", l->controller,
				rate_text(UNITS_BUF, l, l->alone / l->disk_n),
				rate_text(UNITS_BUF, l, l->alone),
				rate_text(UNITS_BUF, l, l->together), l->test);
	}
	return err;
}
