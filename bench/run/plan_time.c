/* SPDX-License-Identifier: MIT */
/*
 * How long each test may take.
 *
 * All tests get their least time and the same share of what is left to their most; where not even
 * the least fits, tests of high rank are left out on all disks; then what remains is cut below its
 * least, down to a floor; then more disks are measured at once than there are controllers. Each
 * step is a note of the plan.
 */
#include <string.h>

#include "bench/report/units.h"
#include "bench/run/plan_parts.h"
#include "lib/clock.h"
#include "lib/text.h"

#define STEPS 1000		/* shares are counted in so many parts */
/* Of a deadline: what the rest of the run needs, and what a plan may be exceeded by. */
#define DEADLINE_PERCENT 90
#define DEADLINE_RESERVE_NS (2 * NS_PER_S)

const struct plan_profile plan_profiles[PROFILES] = {
	[PROFILE_QUICK] = { "quick", 100 * NS_PER_S, "2 minutes" },
	[PROFILE_STANDARD] = { "standard", 13 * 60 * NS_PER_S, "15 minutes" },
	[PROFILE_FULL] = { "full", 0, "" },
};

/* Which part of its time a test gets. */
struct share {
	unsigned above;		/* STEPS: its most; 0: its least */
	unsigned below;		/* of its least: STEPS: all; 0: the floor. `above` is 0 then */
};

static const struct share share_most = { STEPS, STEPS }, share_least = { 0, STEPS };

static bool is_empty(struct test_time t)
{
	return t.min_ms == 0 && t.max_ms == 0;
}

struct test_time plan_test_time(const struct test *t, enum test_profile profile)
{
	unsigned at = profile;

	while (at < PROFILES && is_empty(t->time[at]))
		at++;
	if (at == PROFILES)
		for (at = profile; at > 0 && is_empty(t->time[at]); at--)
			;
	return t->time[at];
}

static uint64_t budget_ns(const struct plan_work *w, const struct test *t, struct share share)
{
	struct test_time time = plan_test_time(t, w->profile);
	uint64_t min_ns = time.min_ms * NS_PER_MS, max_ns = time.max_ms * NS_PER_MS, ns;
	uint64_t given_ns = options_number(w->o, OPT_ID_BUDGET) * NS_PER_S;

	if (given_ns)
		return given_ns;
	if (max_ns < min_ns)
		max_ns = min_ns;
	ns = min_ns + (max_ns - min_ns) / STEPS * share.above;
	if (share.below < STEPS)
		ns = min_ns / STEPS * share.below;
	return ns < PLAN_FLOOR_NS ? PLAN_FLOOR_NS : ns;
}

#define WITH_BUF (char[WITH_BYTES]){ 0 }
#define WITH_BYTES 40

/* " with 3 disks", where there are any. */
static const char *with_disks(char buf[WITH_BYTES], const struct plan_work *w)
{
	if (w->taken)
		snprintf(buf, WITH_BYTES, " with %zu disk%s", w->taken, w->taken == 1 ? "" : "s");
	return buf;
}

static bool is_planned(const struct plan *p, const struct test *t)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->entry[i].test == t && p->entry[i].status == RESULT_PLANNED)
			return true;
	return false;
}

static uint64_t rounds_ns(const struct plan_work *w, struct share share)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < w->world->test_n; i++) {
		const struct test *t = w->world->test[i];

		if (t->phase == PHASE_TOGETHER && is_planned(w->p, t))
			ns += budget_ns(w, t, share) + PLAN_ENTRY_NS + PLAN_ROUND_NS +
			      w->taken * PLAN_ROUND_DISK_NS;
	}
	return ns;
}

static bool is_on_own_files(const struct plan_work *w, const struct plan_entry *e)
{
	return e->test->access == TEST_FILES &&
	       w->disks->disk[e->disk].consent == CONSENT_DESTROY;
}

/* What an entry takes in its lane; `before` is the planned one before it, of the same disk. */
static uint64_t entry_ns(const struct plan_work *w, const struct plan_entry *e,
			 const struct plan_entry *before, struct share share)
{
	uint64_t ns = budget_ns(w, e->test, share) + PLAN_ENTRY_NS;

	if (!before)
		ns += PLAN_WORKER_NS;
	if (w->disks->disk[e->disk].rotational == DISK_ROTATING)
		ns += PLAN_ROTATING_NS;
	if (is_on_own_files(w, e) && (!before || before->test->access != TEST_FILES))
		ns += PLAN_FILES_NS;
	return ns;
}

/* What is not about disks: one after the other, each in a process of its own. */
static uint64_t machine_ns(const struct plan_work *w, struct share share)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < w->p->n; i++)
		if (w->p->entry[i].disk == PLAN_NO_DISK &&
		    w->p->entry[i].status == RESULT_PLANNED)
			ns += budget_ns(w, w->p->entry[i].test, share) + PLAN_ENTRY_NS +
			      PLAN_WORKER_NS;
	return ns;
}

/* How long it all takes: the longest lane, then round by round, then the machine around them. */
static uint64_t total_ns(const struct plan_work *w, struct share share)
{
	const struct plan *p = w->p;
	const struct plan_entry *before = NULL;
	uint64_t longest_ns = 0;
	bool writes = false;

	memset(w->lane_ns, 0, w->taken * sizeof(*w->lane_ns));
	for (size_t i = 0; i < p->n && p->entry[i].phase == PHASE_ALONE; i++) {
		const struct plan_entry *e = &p->entry[i];

		if (e->status != RESULT_PLANNED)
			continue;
		if (before && before->disk != e->disk)
			before = NULL;
		w->lane_ns[w->lane[e->disk]] += entry_ns(w, e, before, share);
		before = e;
		writes |= e->test->access != TEST_READS;
	}
	for (size_t i = 0; i < w->taken; i++)
		if (w->lane_ns[i] > longest_ns)
			longest_ns = w->lane_ns[i];
	return longest_ns + rounds_ns(w, share) + machine_ns(w, share) +
	       (writes ? PLAN_CLOSE_NS : 0);
}

/* The largest part, of what `set` makes of it, that is within the limit; 0 where none is. */
static struct share largest_share(const struct plan_work *w, uint64_t limit_ns, bool below)
{
	unsigned low = 0, high = STEPS;

	while (low < high) {
		unsigned middle = (low + high + 1) / 2;
		struct share share = below ? (struct share){ 0, middle }
					   : (struct share){ middle, STEPS };

		if (total_ns(w, share) <= limit_ns)
			low = middle;
		else
			high = middle - 1;
	}
	return below ? (struct share){ 0, low } : (struct share){ low, STEPS };
}

/* The next test to go: of the highest rank the last of the table. NULL: all others are kept. */
static const struct test *next_to_leave(const struct plan_work *w)
{
	const struct test *next = NULL;

	for (size_t i = 0; i < w->world->test_n; i++) {
		const struct test *t = w->world->test[i];

		if (t->rank > PLAN_RANK_KEPT && is_planned(w->p, t) &&
		    (!next || t->rank >= next->rank))
			next = t;
	}
	return next;
}

static void leave_out(struct plan_work *w, const struct test *t)
{
	for (size_t i = 0; i < w->p->n; i++) {
		struct plan_entry *e = &w->p->entry[i];

		if (e->test != t || e->status != RESULT_PLANNED)
			continue;
		e->status = RESULT_SKIPPED;
		e->no_time = true;
		snprintf(e->why, sizeof(e->why), "no time for it in profile %s%s",
			 plan_profiles[w->profile].name, with_disks(WITH_BUF, w));
	}
}

static void take_back(struct plan_work *w, const struct test *t)
{
	for (size_t i = 0; i < w->p->n; i++) {
		struct plan_entry *e = &w->p->entry[i];

		if (e->test != t || !e->no_time)
			continue;
		e->status = RESULT_PLANNED;
		e->no_time = false;
		e->why[0] = '\0';
	}
}

static bool is_left_out(const struct plan *p, const struct test *t)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->entry[i].test == t && p->entry[i].no_time)
			return true;
	return false;
}

/* Of the tests left out, by rising rank, those come back that still fit beside the others. */
static void take_back_some(struct plan_work *w, uint64_t limit_ns)
{
	unsigned rank = 0, next;

	do {
		next = UINT32_MAX;
		for (size_t i = 0; i < w->world->test_n; i++) {
			const struct test *t = w->world->test[i];

			if (t->rank > rank && t->rank < next)
				next = t->rank;
			if (t->rank != rank || !is_left_out(w->p, t))
				continue;
			take_back(w, t);
			if (total_ns(w, share_least) > limit_ns)
				leave_out(w, t);
		}
		rank = next;
	} while (next != UINT32_MAX);
}

static void note_left_out(struct plan_work *w)
{
	char names[PLAN_NOTE_BYTES / 2] = "";
	unsigned n = 0, named = 0;

	for (size_t i = 0; i < w->world->test_n; i++) {
		const struct test *t = w->world->test[i];
		size_t used = strlen(names);

		if (!is_left_out(w->p, t))
			continue;
		n++;
		if (used + strlen(t->name) + 3 >= sizeof(names))
			continue;
		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "", t->name);
		named++;
	}
	if (n > named)
		plan_note(w->p, "Left out, as there is no time for them%s: %s and %u more.",
			  with_disks(WITH_BUF, w), names, n - named);
	else if (n)
		plan_note(w->p, "Left out, as there is no time for %s%s: %s.",
			  n == 1 ? "it" : "them", with_disks(WITH_BUF, w), names);
}

/* Leaves out tests until the least of the others fits. */
static void leave_out_some(struct plan_work *w, uint64_t limit_ns)
{
	const struct test *t;

	while (total_ns(w, share_least) > limit_ns && (t = next_to_leave(w)))
		leave_out(w, t);
	take_back_some(w, limit_ns);
	note_left_out(w);
}

/* The last step: more lanes than the CPUs or the controllers ask for. */
static void add_lanes(struct plan_work *w, uint64_t limit_ns)
{
	const struct share floor = { 0, 0 };
	unsigned lanes = w->p->lane_n[PHASE_ALONE];

	while (total_ns(w, floor) > limit_ns && lanes < w->taken)
		plan_lanes_force(w, ++lanes);
	plan_note(w->p, "%u disks are measured at once, on %zu controller%s with %u CPU%s: there "
		  "is no time for less. Their numbers may suffer from each other.", lanes,
		  w->controllers, w->controllers == 1 ? "" : "s", w->world->cpus,
		  w->world->cpus == 1 ? "" : "s");
}

static struct share fit(struct plan_work *w, uint64_t limit_ns)
{
	struct share share = share_most;
	uint64_t most_ns = total_ns(w, share_most), ns;

	if (limit_ns == 0 || most_ns <= limit_ns)
		return share_most;
	leave_out_some(w, limit_ns);
	if (total_ns(w, share_least) <= limit_ns) {
		share = largest_share(w, limit_ns, false);
	} else {
		if (total_ns(w, (struct share){ 0, 0 }) > limit_ns)
			add_lanes(w, limit_ns);
		share = largest_share(w, limit_ns, true);
		plan_note(w->p, "Each test gets less than the least time it should have, down to "
			  "%llu ms: take its numbers as rough.",
			  (unsigned long long)(PLAN_FLOOR_NS / NS_PER_MS));
	}
	most_ns = total_ns(w, share_most);
	ns = total_ns(w, share);
	if (ns * 100 / most_ns < 99)
		plan_note(w->p, "Tests are shortened to %llu %% of their full length%s.",
			  (unsigned long long)(ns * 100 / most_ns), with_disks(WITH_BUF, w));
	return share;
}

static uint64_t deadline_ns(const struct plan_work *w)
{
	uint64_t all_ns = options_number(w->o, OPT_ID_DEADLINE) * NS_PER_S;
	uint64_t left_ns = all_ns > w->world->spent_ns ? all_ns - w->world->spent_ns : 0;

	left_ns = left_ns > DEADLINE_RESERVE_NS ? left_ns - DEADLINE_RESERVE_NS : 0;
	return left_ns / 100 * DEADLINE_PERCENT;
}

/* The time for all measuring; 0: without limit. Says where the deadline decides it. */
static uint64_t limit_of(struct plan_work *w)
{
	uint64_t limit_ns = plan_profiles[w->profile].limit_ns, most_ns = total_ns(w, share_most);
	uint64_t until_ns = deadline_ns(w);

	if (limit_ns && limit_ns <= w->world->spent_ns)
		limit_ns = 1;	/* nothing is left: all that can go goes */
	else if (limit_ns)
		limit_ns -= w->world->spent_ns;
	if (most_ns <= until_ns || (limit_ns && limit_ns <= until_ns))
		return limit_ns;
	if (options_number(w->o, OPT_ID_BUDGET))
		plan_note(w->p, "The deadline of %s comes before the end of this plan: the tests "
			  "at its end will not be reached.",
			  units_time(UNITS_BUF, options_number(w->o, OPT_ID_DEADLINE) * NS_PER_S));
	else
		plan_note(w->p, "All tests in full take about %s: shortened to end before the "
			  "deadline of %s.", units_time(UNITS_BUF, most_ns),
			  units_time(UNITS_BUF, options_number(w->o, OPT_ID_DEADLINE) * NS_PER_S));
	return until_ns ? until_ns : 1;
}

/*
 * A disk may take some seconds for one I/O and be well: a rotating one that wakes up, one that
 * retries a weak sector (7 s is a common limit). A kernel's own time-out is 30 s: beyond that
 * nothing comes any more.
 */
static uint64_t stall_for(uint64_t budget_ns)
{
	const uint64_t shortest = 5 * NS_PER_S, longest = 30 * NS_PER_S;

	return budget_ns < shortest ? shortest : budget_ns > longest ? longest : budget_ns;
}

static void note_lanes(struct plan_work *w)
{
	unsigned lanes = w->p->lane_n[PHASE_ALONE];

	if (w->taken <= 2)
		return;
	if (lanes < w->controllers)
		plan_note(w->p, "%zu controllers, but %u CPU%s: at most %u disks are measured side "
			  "by side.", w->controllers, w->world->cpus,
			  w->world->cpus == 1 ? "" : "s", lanes);
	else if (lanes > 1)
		plan_note(w->p, "Disks of different controllers are measured side by side (%u at "
			  "once), those of one controller one after the other.", lanes);
}

void plan_share_time(struct plan_work *w)
{
	struct share share = share_most;
	uint64_t limit_ns = limit_of(w);

	note_lanes(w);
	if (options_number(w->o, OPT_ID_BUDGET) == 0)
		share = fit(w, limit_ns);
	w->p->total_ns = total_ns(w, share);
	for (size_t i = 0; i < w->p->n; i++) {
		struct plan_entry *e = &w->p->entry[i];

		if (e->status != RESULT_PLANNED)
			continue;
		e->budget_ns = budget_ns(w, e->test, share);
		e->may_end_early = e->phase != PHASE_TOGETHER && w->profile != PROFILE_FULL &&
				   options_number(w->o, OPT_ID_BUDGET) == 0;
		e->stall_ns = stall_for(e->budget_ns);
		e->deadline_ns = e->budget_ns + e->stall_ns + PLAN_GRACE_NS;
	}
}
