/* SPDX-License-Identifier: MIT */
/* Finding rules over the results: what the tests met on each disk. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/findings/findings.h"
#include "bench/report/units.h"
#include "bench/stats/summary.h"
#include "lib/clock.h"

#define ADD(target, ...) report_add_finding(r, rule->severity, rule->name, target, __VA_ARGS__)

#define SLOW_SHARE 0.5		/* an interval below this share of the median is slow */
#define SLOW_INTERVALS_MIN 8	/* fewer intervals have no meaningful median */
#define SLOW_BLOCKS_MIN 16	/* fewer I/Os per interval vary that much by chance */
#define ZEROS_PERCENT 5		/* fewer zero buffers are ordinary gaps between files */
#define DEPTH_REASON_MAX 120		/* longer ones would be cut */
#define SIBLINGS_MIN 3		/* with two disks nobody can say which is odd */
#define SIBLINGS_MAX 256
#define SIBLING_SHARE 0.7	/* of the siblings' median */
#define SHORT_NS NS_PER_S	/* of a test: with less, no answer is no sign of trouble */
#define ENGINE_SHARE 0.5	/* of the null engine's IOPS */

typedef bool met(const struct result *t);

/*
 * Sums one kind of trouble per disk: `i` is its first result with it, or the disk was already
 * named.
 */
static bool is_first(const struct report *r, size_t i, met *trouble)
{
	if (!trouble(&r->result[i]))
		return false;
	for (size_t k = 0; k < i; k++)
		if (!strcmp(r->result[k].target, r->result[i].target) && trouble(&r->result[k]))
			return false;
	return true;
}

static bool did_vanish(const struct result *t)
{
	return t->has_io && t->io.end == IO_END_VANISHED;
}

static bool did_not_answer(const struct result *t)
{
	return t->status == RESULT_TIMEOUT || (t->has_io && t->io.end == IO_END_STALLED);
}

static bool has_errors(const struct result *t)
{
	return t->has_io && t->io.error_ios > 0;
}

static bool has_write_errors(const struct result *t)
{
	return has_errors(t) && (!strcmp(t->access, "write") || !strcmp(t->access, "mixed"));
}

static bool has_read_errors(const struct result *t)
{
	return has_errors(t) && !has_write_errors(t);
}

static bool has_short(const struct result *t)
{
	return t->has_io && t->io.short_ios > 0;
}

static bool has_samples(const struct result *t)
{
	return t->has_io && t->io.sampled_buffers > 0;
}

int find_vanished(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (is_first(r, i, did_vanish))
			err = ADD(r->result[i].target,
				  "%s vanished during %s, after %s: reads below its end bring no "
				  "data.",
				  r->result[i].target, r->result[i].test,
				  units_bytes(UNITS_BUF, r->result[i].io.bytes));
	return err;
}

int find_no_answer(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++)
		if (r->disks.disk[i].skip == DISK_NO_ANSWER)
			err = ADD(r->disks.disk[i].name,
				  "%s did not answer when it was opened%s%s. It was not measured.",
				  r->disks.disk[i].name, *r->disks.disk[i].skip_detail ? ": " : "",
				  r->disks.disk[i].skip_detail);
	for (size_t i = 0; i < r->result_n && !err; i++)
		if (is_first(r, i, did_not_answer))
			err = ADD(r->result[i].target, "%s did not answer in %s: %s",
				  r->result[i].target, r->result[i].test, r->result[i].reason);
	return err;
}

/* The test's reason holds counts, errors and first offsets already; more tests are summed up. */
static int add_errors(struct report *r, const struct finding_rule *rule, size_t first,
		      met *trouble, const char *what)
{
	const struct result *t = &r->result[first];
	uint64_t failed = 0, issued = 0, offset = UINT64_MAX;
	unsigned tests = 0;

	for (size_t i = first; i < r->result_n; i++) {
		const struct result *other = &r->result[i];

		if (!trouble(other) || strcmp(other->target, t->target))
			continue;
		tests++;
		failed += other->io.error_ios;
		issued += other->io.issued_ios;
		for (uint32_t k = 0; k < other->io.error_n && k < IO_ERRORS_MAX; k++)
			if (other->io.error[k].err &&
			    other->io.error[k].first_offset_bytes < offset)
				offset = other->io.error[k].first_offset_bytes;
	}
	if (tests == 1 && *t->reason)
		return ADD(t->target, "%s: %s: %s", t->target, t->test, t->reason);
	if (offset == UINT64_MAX)
		return ADD(t->target, "%s: %s of %s %s failed in %u tests.", t->target,
			   units_count(UNITS_BUF, failed), units_count(UNITS_BUF, issued), what,
			   tests);
	return ADD(t->target,
		   "%s: %s of %s %s failed in %u tests, at byte %s and elsewhere. %s: %s",
		   t->target, units_count(UNITS_BUF, failed), units_count(UNITS_BUF, issued), what,
		   tests, units_count(UNITS_BUF, offset), t->test, t->reason);
}

int find_read_errors(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (is_first(r, i, has_read_errors))
			err = add_errors(r, rule, i, has_read_errors, "reads");
	return err;
}

int find_write_errors(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (is_first(r, i, has_write_errors))
			err = add_errors(r, rule, i, has_write_errors, "writes");
	return err;
}

/* So short a time that a sound disk, busy elsewhere or limited by a host, may not answer in it. */
static bool had_no_time(const struct result *t)
{
	return t->status == RESULT_FAILED && t->has_io && t->io.end == IO_END_NO_IO &&
	       t->budget_ns < SHORT_NS;
}

int find_no_time(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (is_first(r, i, had_no_time))
			err = ADD(r->result[i].target, "%s: %s: %s. With less than a second for a "
				  "test that need not be the disk's fault.", r->result[i].target,
				  r->result[i].test, r->result[i].reason);
	return err;
}

int find_test_failed(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];

		/* what has a finding of its own is not told twice */
		if (t->status == RESULT_FAILED && !did_vanish(t) && !did_not_answer(t) &&
		    !has_errors(t) && !had_no_time(t))
			err = ADD(t->target, "%s%s%s failed: %s", t->target, *t->target ? ": " : "",
				  t->test, t->reason);
	}
	return err;
}

int find_short_reads(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (is_first(r, i, has_short))
			err = ADD(r->result[i].target,
				  "%s: %s reads of %s brought fewer bytes than asked; they count "
				  "in no speed.",
				  r->result[i].target,
				  units_count(UNITS_BUF, r->result[i].io.short_ios),
				  r->result[i].test);
	return err;
}

int find_zeros(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const char *target = r->result[i].target;
		double sampled = 0, zeros = 0;

		if (!is_first(r, i, has_samples))
			continue;
		for (size_t k = i; k < r->result_n; k++)
			if (has_samples(&r->result[k]) && !strcmp(r->result[k].target, target)) {
				sampled += (double)r->result[k].io.sampled_buffers;
				zeros += (double)r->result[k].io.zero_buffers;
			}
		if (zeros >= sampled)
			err = ADD(target,
				  "%s: reads return zeros (all %s buffers looked at): never "
				  "written or trimmed, so read speed is not the disk's.",
				  target, units_count(UNITS_BUF, (uint64_t)sampled));
		else if (zeros * 100 >= sampled * ZEROS_PERCENT)
			err = ADD(target,
				  "%s: %.0f %% of %s buffers looked at are zeros: that part was "
				  "never written or trimmed, so read speed is not all the disk's.",
				  target, zeros * 100 / sampled,
				  units_count(UNITS_BUF, (uint64_t)sampled));
	}
	return err;
}

/* The number a test is known by: IOPS where the order is random, else throughput. */
static const struct metric *main_metric(const struct result *t)
{
	return t->status == RESULT_OK
		       ? result_find(t, strcmp(t->order, "random") ? "throughput" : "iops")
		       : NULL;
}

static const char *metric_text(char *buf, size_t size, const struct metric *m, double value)
{
	return m->unit == UNIT_IOPS ? units_iops(buf, size, value) : units_rate(buf, size, value);
}

/* Disks of the same model and size should do the same; of three or more the odd one shows. */
int find_odd_sibling(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];
		const struct metric *m = main_metric(t);
		const struct disk *d = report_disk(r, t->target);
		double value[SIBLINGS_MAX], median;
		size_t n = 0;

		if (!m || !d || !*d->model)
			continue;
		for (size_t k = 0; k < r->result_n && n < SIBLINGS_MAX; k++) {
			const struct metric *other = main_metric(&r->result[k]);
			const struct disk *sibling = report_disk(r, r->result[k].target);

			if (other && sibling && !strcmp(r->result[k].test, t->test) &&
			    !strcmp(sibling->model, d->model) &&
			    sibling->size_bytes == d->size_bytes)
				value[n++] = other->value;
		}
		median = stats_median(value, n);
		if (n >= SIBLINGS_MIN && m->value < SIBLING_SHARE * median)
			err = ADD(t->target,
				  "%s is the odd one: %s in %s, while the median of %zu disks of "
				  "its model and size is %s.",
				  t->target, metric_text(UNITS_BUF, m, m->value), t->test, n,
				  metric_text(UNITS_BUF, m, median));
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
	/* an interval that the end of the job cut short is not slow */
	uint64_t whole = t->series_ns ? t->io.measured_ns / t->series_ns : 0;
	struct slow s = { .slowest = INFINITY };
	double value[IO_SERIES_MAX];

	if (!t->has_io || t->status != RESULT_OK)
		return s;
	for (; s.n < t->io.series_n && s.n < whole && s.n < IO_SERIES_MAX; s.n++)
		value[s.n] = (double)t->io.series_bytes[s.n];
	s.median = stats_median(value, s.n);
	if (s.n < SLOW_INTERVALS_MIN || s.median < (double)t->block_bytes * SLOW_BLOCKS_MIN)
		return s;
	for (size_t k = 0; k < s.n; k++) {
		s.slow += value[k] < SLOW_SHARE * s.median;
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

		if (!is_first(r, i, has_slow))
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
			  worst->target, worst->test, w.slow, w.n,
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

		if (!is_first(r, i, has_lower_depth))
			continue;
		for (size_t k = i; k < r->result_n; k++)
			tests += has_lower_depth(&r->result[k]) &&
				 !strcmp(r->result[k].target, t->target);
		err = ADD(t->target, "%s: %s ran with %u instead of %u I/Os in flight (%s)%s.",
			  t->target, t->test, t->depth, t->depth_asked,
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
		    m->value > ENGINE_SHARE * r->tool.engine_iops)
			err = ADD(r->result[i].target,
				  "%s: %s in %s come near what one CPU does without any disk (%s): "
				  "the disk may be faster.",
				  r->result[i].target, units_iops(UNITS_BUF, m->value),
				  r->result[i].test, units_iops(UNITS_BUF, r->tool.engine_iops));
	}
	return err;
}
