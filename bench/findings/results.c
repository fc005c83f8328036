/* SPDX-License-Identifier: MIT */
/* Finding rules over the results: what the tests met on each disk. */
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"
#include "lib/clock.h"

static bool did_vanish(const struct result *t)
{
	return t->has_io && t->io.end == IO_END_VANISHED;
}

/* Other rules tell of what ended badly on the network, and of memory that has errors. */
static bool has_own_rule(const struct result *t)
{
	return result_is_of_network(t) || look_memory_errors(t);
}

static bool did_not_answer(const struct result *t)
{
	if (has_own_rule(t) || result_is_of_machine(t))
		return false;
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
		if (look_first(r, i, did_vanish))
			err = ADD(r->result[i].target,
				  "%s vanished during %s, after %s: reads below its end bring no "
				  "data.",
				  LABEL(r->result[i].target), r->result[i].test,
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
				  LABEL(r->disks.disk[i].name),
				  *r->disks.disk[i].skip_detail ? ": " : "",
				  r->disks.disk[i].skip_detail);
	for (size_t i = 0; i < r->result_n && !err; i++)
		if (look_first(r, i, did_not_answer))
			err = ADD(r->result[i].target, "%s did not answer in %s: %s",
				  LABEL(r->result[i].target), r->result[i].test,
				  r->result[i].reason);
	return err;
}

/* The test's reason holds counts, errors and first offsets already; more tests are summed up. */
static int add_errors(struct report *r, const struct finding_rule *rule, size_t first,
		      look_met *trouble, const char *what)
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
		return ADD(t->target, "%s: %s: %s", LABEL(t->target), t->test, t->reason);
	if (offset == UINT64_MAX)
		return ADD(t->target, "%s: %s of %s %s failed in %u tests.", LABEL(t->target),
			   units_count(UNITS_BUF, failed), units_count(UNITS_BUF, issued), what,
			   tests);
	return ADD(t->target,
		   "%s: %s of %s %s failed in %u tests, at byte %s and elsewhere. %s: %s",
		   LABEL(t->target), units_count(UNITS_BUF, failed),
		   units_count(UNITS_BUF, issued), what, tests, units_count(UNITS_BUF, offset),
		   t->test, t->reason);
}

int find_read_errors(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (look_first(r, i, has_read_errors))
			err = add_errors(r, rule, i, has_read_errors, "reads");
	return err;
}

int find_write_errors(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (look_first(r, i, has_write_errors))
			err = add_errors(r, rule, i, has_write_errors, "writes");
	return err;
}

/*
 * So short a time that a sound disk, busy elsewhere or limited by a host, may not answer in it; or
 * processors that others had.
 */
static bool had_no_time(const struct result *t)
{
	if (result_is_of_machine(t))
		return t->status == RESULT_FAILED && result_has_mark(t, "disturbed");
	return t->status == RESULT_FAILED && t->has_io && t->io.end == IO_END_NO_IO &&
	       t->budget_ns < SHORT_TEST_SECONDS * NS_PER_S;
}

int find_no_time(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (look_first(r, i, had_no_time) && result_is_of_machine(&r->result[i]))
			err = ADD("", "%s: %s. That need not be the machine's fault.",
				  r->result[i].test, r->result[i].reason);
		else if (look_first(r, i, had_no_time))
			err = ADD(r->result[i].target, "%s: %s: %s. With less than a second for a "
				  "test that need not be the disk's fault.",
				  LABEL(r->result[i].target),
				  r->result[i].test, r->result[i].reason);
	return err;
}

int find_test_failed(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];

		/* what has a finding of its own is not told twice */
		if ((t->status == RESULT_FAILED ||
		     (t->status == RESULT_TIMEOUT && result_is_of_machine(t))) &&
		    !did_vanish(t) && !did_not_answer(t) && !has_errors(t) && !had_no_time(t) &&
		    !has_own_rule(t))
			err = ADD(t->target, "%s%s%s failed: %s", LABEL(t->target),
				  *t->target ? ": " : "", t->test, t->reason);
	}
	return err;
}

int find_short_reads(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++)
		if (look_first(r, i, has_short))
			err = ADD(r->result[i].target,
				  "%s: %s reads of %s brought fewer bytes than asked; they count "
				  "in no speed.",
				  LABEL(r->result[i].target),
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

		if (!look_first(r, i, has_samples))
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
				  LABEL(target), units_count(UNITS_BUF, (uint64_t)sampled));
		else if (zeros * 100 >= sampled * ZEROS_PERCENT)
			err = ADD(target,
				  "%s: %.0f %% of %s buffers looked at are zeros: that part was "
				  "never written or trimmed, so read speed is not all the disk's.",
				  LABEL(target), zeros * 100 / sampled,
				  units_count(UNITS_BUF, (uint64_t)sampled));
	}
	return err;
}

