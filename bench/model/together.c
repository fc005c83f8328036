/* SPDX-License-Identifier: MIT */
/* Compares the phase together with the phase alone. */
#include "bench/model/together.h"

#include <string.h>

static bool is_together(const struct result *t)
{
	return t->status == RESULT_OK && result_is_together(t);
}

/* What a test is known by: IOPS where the order is random, else bytes per second. */
static const struct metric *rate_of(const struct result *t)
{
	return result_find(t, strcmp(t->order, "random") ? "throughput" : "iops");
}

/* The same work, done by the same disk alone; NULL where there is none with a number. */
static const struct result *alone_of(const struct report *r, const struct result *t)
{
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *a = &r->result[i];

		if (a->status == RESULT_OK && strcmp(a->phase, "alone") == 0 &&
		    strcmp(a->target, t->target) == 0 && strcmp(a->access, t->access) == 0 &&
		    strcmp(a->order, t->order) == 0 && strcmp(a->engine, t->engine) == 0 &&
		    strcmp(a->via, t->via) == 0 && strcmp(a->family, t->family) == 0 &&
		    a->block_bytes == t->block_bytes && a->depth_asked == t->depth_asked &&
		    a->jobs == t->jobs && rate_of(a))
			return a;
	}
	return NULL;
}

static const char *controller_of(const struct report *r, const struct result *t)
{
	const struct disk *d = report_disk(r, t->target);

	return d ? d->controller : "";
}

/*
 * Sums up one test on the disks of `controller`, NULL: on all disks. False where there are less
 * than two, or a disk has nothing to be compared with.
 */
static bool sum_up(const struct report *r, const char *test, const char *controller,
		   struct shared_limit *sum)
{
	bool same = true, doubtful = false;
	const char *first = NULL;

	memset(sum, 0, sizeof(*sum));
	memcpy(sum->test, test, strlen(test));
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i], *alone;
		const char *where = controller_of(r, t);

		if (!is_together(t) || strcmp(t->test, test) ||
		    (controller && strcmp(where, controller)))
			continue;
		alone = alone_of(r, t);
		if (!alone || !rate_of(t))
			return false;
		first = first ? first : where;
		same &= strcmp(first, where) == 0;
		/* one that was slow, or stood still, is still the disk's */
		doubtful |= result_is_doubtful(alone) || result_is_doubtful(t);
		sum->disk_n++;
		sum->unit = rate_of(t)->unit;
		sum->together += rate_of(t)->value;
		sum->alone += rate_of(alone)->value;
	}
	if (same && first)
		memcpy(sum->controller, first, strlen(first));
	/* a sum with a part that may be of no disk proves nothing */
	sum->limited = sum->together < TOGETHER_PERCENT / 100.0 * sum->alone && !doubtful;
	return sum->disk_n >= 2 && sum->alone > 0;
}

/* Result i is the first of its test in the phase together, or of its controller in that test. */
static bool is_first(const struct report *r, size_t i, bool of_controller)
{
	const struct result *t = &r->result[i];

	if (!is_together(t))
		return false;
	for (size_t k = 0; k < i; k++)
		if (is_together(&r->result[k]) && !strcmp(r->result[k].test, t->test) &&
		    (!of_controller || !strcmp(controller_of(r, &r->result[k]),
					       controller_of(r, t))))
			return false;
	return true;
}

static int compare_test(struct report *r, size_t first)
{
	const char *test = r->result[first].test;
	struct shared_limit sum;
	int err = 0;

	if (!sum_up(r, test, NULL, &sum))
		return 0;
	err = report_add_shared_limit(r, &sum);
	if (sum.controller[0])	/* of all disks: nothing is left to tell apart */
		return err;
	for (size_t i = first; i < r->result_n && !err; i++) {
		const char *controller = controller_of(r, &r->result[i]);

		if (!strcmp(r->result[i].test, test) && is_first(r, i, true) && controller[0] &&
		    sum_up(r, test, controller, &sum))
			err = report_add_shared_limit(r, &sum);
	}
	return err;
}

int together_find(struct report *r)
{
	int err = 0;

	r->shared_limit_n = 0;
	for (size_t i = 0; i < r->result_n && !err; i++)
		if (is_first(r, i, false))
			err = compare_test(r, i);
	return err;
}
