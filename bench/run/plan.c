/* SPDX-License-Identifier: MIT */
/* Which test runs on which disk, and for how long. */
#include "bench/run/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/text.h"

/*
 * What an entry takes beside its measuring time: a process, buffers, opening, the report's next
 * state.
 */
#define PLAN_OVERHEAD_NS (100 * NS_PER_MS)
/* Beyond budget and stall time, for opening the disk and allocating buffers on a busy machine. */
#define PLAN_GRACE_NS (5 * NS_PER_S)
/* Below this a rate says nothing; machines with very many disks get longer plans instead. */
#define PLAN_BUDGET_MIN_NS (250 * NS_PER_MS)

static const struct {
	const char *name;
	uint64_t all_tests_ns;	/* all measuring together; 0: no limit */
	uint64_t one_test_ns;	/* no test of weight 1 gets more */
} profiles[] = {
	/*
	 * quick ends within 2, standard within 15 minutes: the rest is for health, upload and boot
	 */
	{ "quick", 100 * NS_PER_S, 5 * NS_PER_S },
	{ "standard", 13 * 60 * NS_PER_S, 30 * NS_PER_S },
	{ "full", 0, 60 * NS_PER_S },
};

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

static bool is_asked(const struct options *o, const struct test *t)
{
	char item[64];
	unsigned i;

	if (options_number(o, OPT_ID_TESTS) == 0)
		return true;
	for (i = 0; options_item(o, OPT_ID_TESTS, i, item, sizeof(item)); i++)
		if (strcmp(item, t->name) == 0)
			return true;
	return false;
}

int plan_check_tests(struct options *o)
{
	char item[64];
	int err = 0;

	for (unsigned i = 0; options_item(o, OPT_ID_TESTS, i, item, sizeof(item)); i++) {
		if (test_find(item))
			continue;
		options_note(o, "tests: there is no test %s", item);
		if (o->value[OPT_ID_TESTS].source == OPT_FROM_FLAG)
			err = -EINVAL;
	}
	return err;
}

static void fill_entry(struct plan_entry *e, size_t disk, const struct disk *d,
		       const struct test *t, const struct options *o)
{
	e->disk = disk;
	e->test = t;
	if (!is_asked(o, t)) {
		e->status = RESULT_SKIPPED;
		text_copy(e->why, sizeof(e->why), "not among the tests asked for");
		return;
	}
	e->status = t->fits(t, d, e->why, sizeof(e->why));
	if (e->status == RESULT_OK)
		e->status = RESULT_PLANNED;
}

/* Gives every entry that will run its measuring time. */
static void share_time(struct plan *p, const struct options *o)
{
	uint64_t profile = options_number(o, OPT_ID_PROFILE), unit_ns, weights = 0, entries = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->entry[i].status != RESULT_PLANNED)
			continue;
		weights++;
		entries++;
	}
	unit_ns = profiles[profile].one_test_ns;
	if (profiles[profile].all_tests_ns && weights > 0) {
		uint64_t spent_ns = entries * PLAN_OVERHEAD_NS,
			 all_ns = profiles[profile].all_tests_ns;
		uint64_t share_ns = all_ns > spent_ns ? (all_ns - spent_ns) / weights : 0;

		if (share_ns < unit_ns)
			unit_ns = share_ns;
	}
	if (unit_ns < PLAN_BUDGET_MIN_NS)
		unit_ns = PLAN_BUDGET_MIN_NS;
	p->total_ns = entries * PLAN_OVERHEAD_NS;
	for (size_t i = 0; i < p->n; i++) {
		struct plan_entry *e = &p->entry[i];

		if (e->status != RESULT_PLANNED)
			continue;
		e->budget_ns = options_number(o, OPT_ID_BUDGET) * NS_PER_S;
		if (e->budget_ns == 0)
			e->budget_ns = unit_ns;
		e->stall_ns = stall_for(e->budget_ns);
		e->deadline_ns = e->budget_ns + e->stall_ns + PLAN_GRACE_NS;
		p->total_ns += e->budget_ns;
	}
}

int plan_make(struct plan *p, const struct disk_list *disks, size_t first_disk,
	      const struct options *o)
{
	size_t room = 0;

	memset(p, 0, sizeof(*p));
	_Static_assert(sizeof(profiles) / sizeof(profiles[0]) == 3,
		       "one row per choice of --profile");
	for (size_t d = first_disk; d < disks->n; d++)
		room += disks->disk[d].skip == DISK_TAKEN ? test_table_n : 0;
	if (room > 0) {
		p->entry = calloc(room, sizeof(*p->entry));
		if (!p->entry)
			return -ENOMEM;
	}
	for (size_t d = first_disk; d < disks->n; d++)
		for (size_t t = 0; t < test_table_n && disks->disk[d].skip == DISK_TAKEN; t++)
			fill_entry(&p->entry[p->n++], d, &disks->disk[d], test_table[t], o);
	share_time(p, o);
	return 0;
}

void plan_free(struct plan *p)
{
	free(p->entry);
	memset(p, 0, sizeof(*p));
}
