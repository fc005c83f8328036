/* SPDX-License-Identifier: MIT */
/* A pace over time, its drop and its return; see pace.h. */
#include "bench/stats/pace.h"

#include <math.h>

#define SEGMENT_MIN 10
#define SEGMENT_MIN_COARSE 6	/* of intervals added up */
#define FACTOR_MAX 16		/* most intervals added up */
#define SHARE_MIN 0.15
#define DROPS_MAX 8
#define AFTER_MIN 50		/* intervals */
#define AFTER_MAX 600
#define AFTER_SHARE 4		/* of the time before the drop */

void pace_init(struct pace *p, uint64_t interval_ns)
{
	p->interval_ns = interval_ns;
	p->n = p->part_n = 0;
	p->parts = 1;
	p->part_bytes = 0;
}

static void merge_pairs(struct pace *p)
{
	for (uint32_t i = 0; i < p->n / 2; i++)
		p->bytes[i] = p->bytes[2 * i] + p->bytes[2 * i + 1];
	p->n /= 2;
	p->interval_ns *= 2;
	p->parts *= 2;
}

void pace_add(struct pace *p, uint64_t bytes)
{
	p->part_bytes += (double)bytes;
	if (++p->part_n < p->parts)
		return;
	p->bytes[p->n++] = p->part_bytes;
	p->part_bytes = p->part_n = 0;
	if (p->n == PACE_VALUES_MAX)
		merge_pairs(p);
}

static double sum(const double *v, uint32_t from, uint32_t to)
{
	double all = 0;

	for (uint32_t i = from; i < to; i++)
		all += v[i];
	return all;
}

/* C(i), all that was moved in the first i intervals, for i = 0 .. n. */
static void add_up(const double *v, uint32_t n, double *c)
{
	c[0] = 0;
	for (uint32_t i = 0; i < n; i++)
		c[i + 1] = c[i] + v[i];
}

/* The line of least squares through c[from .. to]: its value at i = 0; *slope per interval. */
static double line(const double *c, uint32_t from, uint32_t to, double *slope)
{
	double n = to - from + 1, x = (double)from / 2 + (double)to / 2, y = 0, xy = 0, xx = 0;

	for (uint32_t i = from; i <= to; i++)
		y += c[i] / n;
	for (uint32_t i = from; i <= to; i++) {
		xy += (i - x) * (c[i] - y);
		xx += (i - x) * (i - x);
	}
	*slope = xx > 0 ? xy / xx : 0;
	return y - *slope * x;
}

/*
 * Drops in the series of `factor` intervals each, first values of the new levels in at[]. A median
 * of intervals that hold either nothing or all that was in flight says little: the mean must fall
 * as well.
 */
static size_t find_at(const double *v, uint32_t n, uint32_t factor, uint32_t *at)
{
	const struct changepoint_rule rule = {
		.segment_min = factor == 1 ? SEGMENT_MIN : SEGMENT_MIN_COARSE,
		.share_min = SHARE_MIN,
	};
	struct changepoint found[DROPS_MAX];
	double coarse[PACE_VALUES_MAX];
	size_t good = 0, all;
	uint32_t from = 0;

	n /= factor;
	for (uint32_t i = 0; i < n; i++)
		coarse[i] = sum(v, i * factor, (i + 1) * factor);
	all = changepoint_drops(coarse, n, &rule, found, DROPS_MAX);
	for (size_t i = 0; i < all; i++) {
		uint32_t k = (uint32_t)found[i].index;
		uint32_t end = i + 1 < all ? (uint32_t)found[i + 1].index : n;
		double before = sum(coarse, from, k) / (k - from);

		if (sum(coarse, k, end) / (end - k) > (1 - SHARE_MIN) * before)
			continue;
		at[good++] = k * factor;
		from = k;
	}
	return good;
}

/*
 * Where exactly: there the straight lines of what was moved before and behind meet. Sums do not
 * care whether bytes come one block at a time or in heaps.
 */
static void refine(const struct pace *p, const uint32_t *at, size_t drops, uint32_t factor,
		   struct pace_drop *drop)
{
	const double seconds = (double)p->interval_ns / 1e9;
	double c[PACE_VALUES_MAX + 1], before, after, behind, here = 0, where;
	uint32_t a = at[0] - factor, b = at[0] + factor, end = drops > 1 ? at[1] : p->n;
	uint32_t last = at[drops - 1] + factor, near = a < 2 * factor ? a : 2 * factor;

	add_up(p->bytes, p->n, c);
	before = c[a] / a;
	behind = line(c, b, end, &after);
	/* C(a), of several values */
	for (uint32_t i = a - near; i <= a; i++)
		here += (c[i] + before * (a - i)) / (near + 1);
	where = before > after ? (behind - here + before * a) / (before - after) : at[0];
	where = where < a ? a : where > b + factor ? b + factor : where;
	drop->drops = (uint32_t)drops;
	drop->at_ns = (uint64_t)(where * (double)p->interval_ns);
	drop->at_bytes = here + before * (where - a);
	drop->before = before / seconds;
	(void)line(c, last, p->n, &after);
	drop->after = after > 0 ? after / seconds : 0;
	drop->after_ns = (p->n - at[drops - 1]) * p->interval_ns;
}

bool pace_find_drop(const struct pace *p, struct pace_drop *drop)
{
	uint32_t at[DROPS_MAX];

	for (uint32_t f = 1; f <= FACTOR_MAX && p->n / f >= 2 * SEGMENT_MIN_COARSE; f *= 2) {
		size_t drops = find_at(p->bytes, p->n, f, at);

		if (!drops)
			continue;
		refine(p, at, drops, f, drop);
		return true;
	}
	return false;
}

bool pace_is_settled(const struct pace *p, const struct pace_drop *drop)
{
	const uint64_t interval_ns = p->interval_ns / p->parts;	/* as it began */
	uint64_t least_ns = drop->at_ns / AFTER_SHARE;

	least_ns = least_ns < AFTER_MIN * interval_ns ? AFTER_MIN * interval_ns : least_ns;
	least_ns = least_ns > AFTER_MAX * interval_ns ? AFTER_MAX * interval_ns : least_ns;
	return drop->after_ns >= least_ns;
}

void burst_init(struct burst *b, double fast, double slow, double in_flight)
{
	double window = ceil(BURST_FLIGHTS * in_flight / fast);

	b->fast = fast;
	b->slow = slow;
	b->n = 0;
	b->window = BURST_WINDOW_MIN;
	if (window > b->window)
		b->window = window < BURST_WINDOW_MAX ? (uint32_t)window : BURST_WINDOW_MAX;
}

bool burst_add(struct burst *b, uint64_t bytes)
{
	if (b->n == PACE_VALUES_MAX)
		return true;
	b->bytes[b->n++] = (double)bytes;
	return b->n >= b->window && sum(b->bytes, b->n - b->window, b->n) <
						b->window * (b->fast + b->slow) / 2;
}

double burst_first_share(const struct burst *b)
{
	uint32_t n = b->n < b->window ? b->n : b->window;
	double c[PACE_VALUES_MAX + 1], slope;

	if (!n)
		return 0;
	add_up(b->bytes, n, c);
	(void)line(c, 0, n, &slope);
	return slope / b->fast;
}

double burst_fast_bytes(const struct burst *b)
{
	double c[PACE_VALUES_MAX + 1], above = 0, most = 0, behind = 0, where;
	uint32_t best = 0, n = b->n;

	add_up(b->bytes, n, c);
	/* how far the sum is above one of the middle level: highest where the fast part ends */
	for (uint32_t i = 1; i <= n; i++) {
		above = c[i] - i * (b->fast + b->slow) / 2;
		if (above > most) {
			most = above;
			best = i;
		}
	}
	if (!best || best == n)
		return best ? c[n] : 0;
	/* behind it C(i) = fast * where + slow * (i - where) */
	for (uint32_t i = best + 1; i <= n; i++)
		behind += (c[i] - b->slow * i) / (n - best);
	where = behind / (b->fast - b->slow);
	return where > 0 ? b->fast * where : 0;
}
