/* SPDX-License-Identifier: MIT */
/* A pace over time, its drop and its return; see pace.h. */
#include "bench/stats/pace.h"

#include <math.h>

#define SEGMENT_MIN 10
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

bool pace_find_drop(const struct pace *p, struct pace_drop *drop)
{
	static const struct changepoint_rule rule = { SEGMENT_MIN, SHARE_MIN };
	const double seconds = (double)p->interval_ns / 1e9;
	struct changepoint found[DROPS_MAX];
	size_t n = changepoint_drops(p->bytes, p->n, &rule, found, DROPS_MAX);
	uint32_t whole, behind;

	if (!n)
		return false;
	whole = (uint32_t)found[0].position;
	drop->drops = (uint32_t)n;
	drop->at_ns = (uint64_t)(found[0].position * (double)p->interval_ns);
	drop->at_bytes = sum(p->bytes, 0, whole) +
			 (found[0].position - whole) * found[0].before;
	drop->before = drop->at_bytes / (found[0].position * seconds);
	/* the value at the border may belong to both */
	behind = (uint32_t)found[n - 1].index + 1;
	drop->after_ns = (p->n - behind) * p->interval_ns;
	drop->after = sum(p->bytes, behind, p->n) / ((p->n - behind) * seconds);
	return true;
}

bool pace_is_settled(const struct pace *p, const struct pace_drop *drop)
{
	const uint64_t interval_ns = p->interval_ns / p->parts;	/* as it began */
	uint64_t least_ns = drop->at_ns / AFTER_SHARE;

	least_ns = least_ns < AFTER_MIN * interval_ns ? AFTER_MIN * interval_ns : least_ns;
	least_ns = least_ns > AFTER_MAX * interval_ns ? AFTER_MAX * interval_ns : least_ns;
	return drop->after_ns >= least_ns;
}

void burst_init(struct burst *b, double fast, double slow)
{
	b->fast = fast;
	b->slow = slow;
	b->n = 0;
}

bool burst_add(struct burst *b, uint64_t bytes)
{
	if (b->n == PACE_VALUES_MAX)
		return true;
	b->bytes[b->n++] = (double)bytes;
	return b->n >= BURST_WINDOW && sum(b->bytes, b->n - BURST_WINDOW, b->n) <
						BURST_WINDOW * (b->fast + b->slow) / 2;
}

double burst_first_share(const struct burst *b)
{
	uint32_t n = b->n < BURST_WINDOW ? b->n : BURST_WINDOW;

	return n ? sum(b->bytes, 0, n) / (n * b->fast) : 0;
}

double burst_fast_bytes(const struct burst *b)
{
	double off = 0, least = 0, part = 0;
	uint32_t best = 0;

	/* where the two levels fit best, as in changepoint.c */
	for (uint32_t i = 0; i < b->n; i++) {
		off += fabs(b->bytes[i] - b->fast) - fabs(b->bytes[i] - b->slow);
		if (off < least) {
			least = off;
			best = i + 1;
		}
	}
	/* and the part of the next value that was still fast */
	if (best && best < b->n)
		part = (b->bytes[best] - b->slow) / (b->fast - b->slow);
	return sum(b->bytes, 0, best) + (part > 0 ? part * b->fast : 0);
}
