/* SPDX-License-Identifier: MIT */
/* Change points by rank; the rules are explained in changepoint.h. */
#include "bench/stats/changepoint.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stats/summary.h"

#define DELTA_MIN 0.7
#define DEVIATIONS_MIN 3.5
#define SEGMENT_MIN 4		/* fewer values have no median worth the name */
#define LOCAL_SHARE 16		/* "next to it": this part of the stretch, segment_min at least */

struct ranked {
	double value;
	size_t at;
};

struct search {
	const double *v;
	size_t segment_min;
	double share_min;
	size_t split_n, split[CHANGEPOINT_SPLITS_MAX];
	/* scratch, here and not in the recursion */
	struct ranked ranked[CHANGEPOINT_VALUES_MAX];
	double rank[CHANGEPOINT_VALUES_MAX], copy[CHANGEPOINT_VALUES_MAX];
};

static int by_value(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* Ranks from 1; equal values share the mean of theirs. */
static void rank_values(struct search *s, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->ranked[i] = (struct ranked){ v[i], i };
	qsort(s->ranked, n, sizeof(s->ranked[0]), by_value);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && s->ranked[end].value <= s->ranked[i].value; end++)
			;
		for (size_t k = i; k < end; k++)
			s->rank[s->ranked[k].at] = (double)(i + 1 + end) / 2;
	}
}

static double median_of(struct search *s, const double *v, size_t n)
{
	memcpy(s->copy, v, n * sizeof(*v));
	return stats_median(s->copy, n);
}

static bool differ(double a, double b, double share)
{
	double high = a > b ? a : b;

	return high > 0 && fabs(a - b) >= share * high;
}

/* Sum of absolute distances from the line of least squares. */
static double off_line(const double *v, size_t n)
{
	double middle = (double)(n - 1) / 2, mean = stats_mean(v, n), xy = 0, xx = 0, off = 0;

	for (size_t i = 0; i < n; i++) {
		double x = (double)i - middle;

		xy += x * (v[i] - mean);
		xx += x * x;
	}
	for (size_t i = 0; i < n; i++)
		off += fabs(v[i] - mean - xy / xx * ((double)i - middle));
	return off;
}

static double off_level(const double *v, size_t n, double level)
{
	double off = 0;

	for (size_t i = 0; i < n; i++)
		off += fabs(v[i] - level);
	return off;
}

/* The place to split n values where the largest |U_k| is, which is left in *u. */
static size_t best_split(const struct search *s, size_t n, double *u)
{
	double ranks = 0;
	size_t best = 0;

	*u = -1;
	for (size_t k = 1; k < n; k++) {
		double now;

		ranks += s->rank[k - 1];
		now = fabs(2 * ranks - (double)k * (double)(n + 1));
		if (now > *u) {
			*u = now;
			best = k;
		}
	}
	return best;
}

/*
 * Ranks find a change; where exactly it is, noise moves by a few values. This is where two levels
 * fit best.
 */
static size_t best_fit(const double *v, size_t n, double before, double behind)
{
	double off = 0, least = 0;
	size_t best = 0;

	for (size_t i = 0; i < n; i++) {
		off += fabs(v[i] - before) - fabs(v[i] - behind);
		if (off < least) {
			least = off;
			best = i + 1;
		}
	}
	return best;
}

/* Looks for a change in v[from .. to - 1] and then on both sides of it. */
static void split(struct search *s, size_t from, size_t to)
{
	const double *v = s->v + from;
	size_t n = to - from, k, near;
	double u, pairs, before, behind;

	if (n < 2 * s->segment_min || s->split_n == CHANGEPOINT_SPLITS_MAX)
		return;
	rank_values(s, v, n);
	k = best_split(s, n, &u);
	pairs = (double)k * (double)(n - k);
	if (u < DELTA_MIN * pairs || u < DEVIATIONS_MIN * sqrt(pairs * (double)(n + 1) / 3))
		return;
	before = median_of(s, v, k);
	behind = median_of(s, v + k, n - k);
	k = best_fit(v, n, before, behind);
	if (k < s->segment_min || n - k < s->segment_min)
		return;
	if (!differ(before, behind, s->share_min))
		return;
	if (off_line(v, n) <= off_level(v, k, before) + off_level(v + k, n - k, behind))
		return;
	near = n / LOCAL_SHARE > s->segment_min ? n / LOCAL_SHARE : s->segment_min;
	near = near < k ? near : k;
	near = near < n - k ? near : n - k;
	if (!differ(median_of(s, v + k - near, near), median_of(s, v + k, near), s->share_min))
		return;
	s->split[s->split_n++] = from + k;
	split(s, from, from + k);
	split(s, from + k, to);
}

static int by_place(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How much of a value between two levels belongs to the one before: 0 .. 1. */
static double part_before(double value, const struct changepoint *c)
{
	double part = (value - c->after) / (c->before - c->after);

	return part < 0 ? 0 : part > 1 ? 1 : part;
}

size_t changepoint_drops(const double *v, size_t n, const struct changepoint_rule *rule,
			 struct changepoint *out, size_t room)
{
	struct search s;
	size_t found = 0, start = 0;

	s.v = v;
	s.segment_min = rule->segment_min > SEGMENT_MIN ? rule->segment_min : SEGMENT_MIN;
	s.share_min = rule->share_min;
	s.split_n = 0;
	if (n > CHANGEPOINT_VALUES_MAX)
		n = CHANGEPOINT_VALUES_MAX;
	split(&s, 0, n);
	qsort(s.split, s.split_n, sizeof(s.split[0]), by_place);
	for (size_t i = 0; i < s.split_n && found < room; i++) {
		size_t at = s.split[i], end = i + 1 < s.split_n ? s.split[i + 1] : n;
		struct changepoint c = { .index = at };

		c.before = median_of(&s, v + start, at - start);
		c.after = median_of(&s, v + at, end - at);
		start = at;
		if (c.before <= c.after)
			continue;
		c.position = (double)(at - 1) + part_before(v[at - 1], &c) + part_before(v[at], &c);
		out[found++] = c;
	}
	return found;
}
