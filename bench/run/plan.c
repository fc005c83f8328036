/* SPDX-License-Identifier: MIT */
/* Which test runs on which disk, and for how long. */
#include "bench/run/plan.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/consent/consent.h"
#include "bench/run/plan_parts.h"
#include "lib/clock.h"
#include "lib/text.h"

#define LINE_SHOWN 180	/* of an option line in a reason */
#define CPUS_MAX 16384	/* that an affinity mask is asked for */

void plan_note(struct plan *p, const char *fmt, ...)
{
	char text[2 * PLAN_NOTE_BYTES];
	va_list args;

	if (p->note_n >= PLAN_NOTES_MAX)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text_clean_str(p->note[p->note_n++], PLAN_NOTE_BYTES, text);
}

/* What a word of option tests means for a test: its name, its family or its phase. */
static bool is_named(const struct test *t, const char *word)
{
	return strcmp(word, t->name) == 0 || (t->family[0] && strcmp(word, t->family) == 0) ||
	       (t->phase != PHASE_ALONE && strcmp(word, test_phase_words[t->phase]) == 0);
}

static bool is_asked(const struct options *o, const struct test *t)
{
	char item[64];

	for (unsigned i = 0; options_item(o, OPT_ID_TESTS, i, item, sizeof(item)); i++)
		if (is_named(t, item))
			return true;
	return false;
}

int plan_check_tests(struct options *o)
{
	char item[64];
	int err = 0;

	for (unsigned i = 0; options_item(o, OPT_ID_TESTS, i, item, sizeof(item)); i++) {
		size_t t = 0;

		while (t < test_table_n && !is_named(test_table[t], item))
			t++;
		if (t < test_table_n)
			continue;
		options_note(o, "tests: there is no test %s", item);
		if (o->value[OPT_ID_TESTS].source == OPT_FROM_FLAG)
			err = -EINVAL;
	}
	return err;
}

/*
 * Tests that are named run in any profile; else those run that have time in it. What is not about
 * disks was measured before late ones come.
 */
static bool is_chosen(const struct plan_work *w, const struct test *t)
{
	if (w->late && !test_phase_on_disks(t->phase))
		return false;
	if (options_number(w->o, OPT_ID_TESTS))
		return is_asked(w->o, t);
	if (t->needs_others && (w->taken < 2 || w->late))
		return false;
	return t->time[w->profile].min_ms || t->time[w->profile].max_ms;
}

/* Does the disk's consent cover what the test does to it? */
static bool is_granted(const struct test *t, const struct disk *d)
{
	switch (t->access) {
	case TEST_READS:
		return true;
	case TEST_WRITES_BACK:
		return d->consent == CONSENT_WRITEBACK || d->consent == CONSENT_DESTROY;
	case TEST_WRITES:
		return d->consent == CONSENT_DESTROY;
	case TEST_FILES:
	case TEST_WRITES_OR_FILE:
		return d->consent == CONSENT_FILE || d->consent == CONSENT_DESTROY;
	}
	return false;
}

/* The option line that would allow the test, and no more than that; "" where none would. */
static void allowing_line(const struct test *t, const struct disk *d, char line[CONSENT_LINE_BYTES])
{
	static const char key[] = "bench.destroy=";
	char destroy[CONSENT_LINE_BYTES];
	const char *name = strstr(consent_option_line(d, destroy, sizeof(destroy)), key);

	if (name && t->access == TEST_WRITES_BACK)
		snprintf(line, CONSENT_LINE_BYTES, "bench.write=writeback bench.disks=%s",
			 name + strlen(key));
	else if (destroy[0] && t->access == TEST_WRITES_BACK)	/* flags, by the kernel's name */
		snprintf(line, CONSENT_LINE_BYTES, "--write writeback --disks %s", d->name);
	else
		text_copy(line, CONSENT_LINE_BYTES, destroy);
}

static void refuse(struct plan_entry *e, const struct disk *d, const struct options *o)
{
	char line[CONSENT_LINE_BYTES];

	e->status = RESULT_SKIPPED;
	if (options_number(o, OPT_ID_WRITE) != OPT_WRITE_NONE && d->consent_why[0]) {
		snprintf(e->why, sizeof(e->why), d->consent == CONSENT_NONE ?
			 "it writes, and that was refused: %.180s" :
			 "it writes more than the consent covers: %.180s", d->consent_why);
		return;
	}
	allowing_line(e->test, d, line);
	/* a line that does not fit whole would allow nothing */
	if (strlen(line) > LINE_SHOWN)
		line[0] = '\0';
	snprintf(e->why, sizeof(e->why), "it writes, and nobody has consented to that%s%.180s",
		 line[0] ? "; this would: " : "", line);
}

static void fill_entry(const struct plan_work *w, struct plan_entry *e, size_t disk, size_t place)
{
	const struct test *t = w->world->test[place];
	const struct disk *d = &w->disks->disk[disk];

	e->disk = disk;
	e->test = t;
	e->place = place;
	e->phase = t->phase;
	if (t->phase == PHASE_TOGETHER && (w->taken < 2 || w->late)) {
		e->status = RESULT_SKIPPED;
		text_copy(e->why, sizeof(e->why), w->late ? "the disk came too late for it"
			  : "there is no other disk to measure at the same time");
		return;
	}
	e->status = t->fits(t, d, e->why, sizeof(e->why));
	if (e->status != RESULT_OK)
		return;
	e->status = RESULT_PLANNED;
	if (!is_granted(t, d))
		refuse(e, d, w->o);
}

/* By phase, lane and disk: the order of running. Then in the order of the table and its targets. */
static int by_turn(const void *a, const void *b)
{
	const struct plan_entry *x = a, *y = b;

	if (x->phase != y->phase)
		return x->phase < y->phase ? -1 : 1;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->disk != y->disk)
		return x->disk < y->disk ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->target < y->target ? -1 : x->target > y->target;
}

static void sort_entries(struct plan_work *w)
{
	unsigned together = 0;
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < w->p->n; i++) {
		struct plan_entry *e = &w->p->entry[i];

		if (e->disk == PLAN_NO_DISK) {
			w->p->lane_n[e->phase] = 1;
			continue;
		}
		e->lane = w->lane[e->disk];
		if (e->phase != PHASE_TOGETHER)
			continue;
		together += e->disk != last;
		last = e->disk;
		e->lane = together - 1;
	}
	w->p->lane_n[PHASE_TOGETHER] = together;
	if (w->p->n > 1)
		qsort(w->p->entry, w->p->n, sizeof(*w->p->entry), by_turn);
}

static unsigned cpus_allowed(void)
{
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	int n = 0;

	if (set && sched_getaffinity(0, CPU_ALLOC_SIZE(CPUS_MAX), set) == 0)
		n = CPU_COUNT_S(CPU_ALLOC_SIZE(CPUS_MAX), set);
	CPU_FREE(set);
	return n > 0 ? (unsigned)n : 1;
}

static void fill_disks(struct plan_work *w, enum test_phase phase)
{
	for (size_t d = w->first_disk; d < w->disks->n; d++) {
		if (w->disks->disk[d].skip != DISK_TAKEN)
			continue;
		for (size_t t = 0; t < w->world->test_n; t++)
			if (w->world->test[t]->phase == phase && is_chosen(w, w->world->test[t]))
				fill_entry(w, &w->p->entry[w->p->n++], d, t);
	}
}

/* The name of a test's target `i`. Returns how many there are. */
static unsigned find_target(const struct plan_work *w, const struct test *t, unsigned i,
			    char name[DISK_NAME_BYTES])
{
	char given[DISK_NAME_BYTES] = "";
	unsigned n = t->targets ? t->targets(w->o, i, given) : 1;

	text_clean_str(name, DISK_NAME_BYTES, given);
	return n > PLAN_TARGETS_MAX ? PLAN_TARGETS_MAX : n;
}

/* A test that cannot run here says so once; one that can has an entry for each of its targets. */
static void fill_targets(struct plan_work *w, size_t place)
{
	const struct test *t = w->world->test[place];
	char why[RESULT_REASON_BYTES] = "", name[DISK_NAME_BYTES];
	enum result_status fits = t->fits(t, NULL, why, sizeof(why));
	unsigned n = fits == RESULT_OK ? find_target(w, t, 0, name) : 1;

	if (n == 0) {
		fits = name[0] ? RESULT_SKIPPED : RESULT_UNSUPPORTED;
		text_copy(why, sizeof(why),
			  name[0] ? name : "there is nothing here that it could measure");
		n = 1;
	}
	for (unsigned i = 0; i < n && w->p->n < w->room; i++) {
		struct plan_entry *e = &w->p->entry[w->p->n++];

		e->disk = PLAN_NO_DISK;
		e->test = t;
		e->place = place;
		e->phase = t->phase;
		e->status = fits == RESULT_OK ? RESULT_PLANNED : fits;
		text_copy(e->why, sizeof(e->why), why);
		e->target = i;
		if (fits == RESULT_OK)
			find_target(w, t, i, e->target_name);
	}
}

/* Entries that all chosen tests together may need. */
static size_t count_entries(const struct plan_work *w)
{
	char name[DISK_NAME_BYTES];
	size_t n = 0;

	for (size_t i = 0; i < w->world->test_n; i++) {
		const struct test *t = w->world->test[i];
		unsigned targets;

		if (!is_chosen(w, t))
			continue;
		targets = test_phase_on_disks(t->phase) ? 0 : find_target(w, t, 0, name);
		n += test_phase_on_disks(t->phase) ? w->taken : targets ? targets : 1;
	}
	return n;
}

static int fill(struct plan_work *w)
{
	w->room = count_entries(w);
	if (w->room == 0)
		return 0;
	w->p->entry = calloc(w->room, sizeof(*w->p->entry));
	if (!w->p->entry)
		return -ENOMEM;
	for (int phase = 0; phase < PHASES; phase++) {
		if (test_phase_on_disks((enum test_phase)phase)) {
			fill_disks(w, (enum test_phase)phase);
			continue;
		}
		for (size_t t = 0; t < w->world->test_n; t++)
			if ((int)w->world->test[t]->phase == phase &&
			    is_chosen(w, w->world->test[t]))
				fill_targets(w, t);
	}
	plan_lanes(w, w->world->cpus);
	plan_share_time(w);
	sort_entries(w);
	return 0;
}

int plan_make_in(const struct plan_world *world, struct plan *p, const struct disk_list *disks,
		 size_t first_disk, const struct options *o)
{
	struct plan_work w = {
		.world = world, .p = p, .disks = disks, .o = o, .first_disk = first_disk,
		.late = world->late || first_disk > 0,
		.profile = (enum test_profile)options_number(o, OPT_ID_PROFILE),
	};
	unsigned *numbers = calloc(disks->n + 1, 4 * sizeof(*numbers));
	int err = -ENOMEM;

	memset(p, 0, sizeof(*p));
	p->options = o;
	for (size_t d = first_disk; d < disks->n; d++)
		w.taken += disks->disk[d].skip == DISK_TAKEN;
	w.lane_ns = calloc(disks->n + 1, sizeof(*w.lane_ns));
	if (numbers && w.lane_ns) {
		w.lane = numbers;
		w.group = numbers + disks->n;
		w.group_lane = numbers + 2 * disks->n;
		w.group_n = numbers + 3 * disks->n;
		err = fill(&w);
	}
	free(numbers);
	free(w.lane_ns);
	if (err)
		plan_free(p);
	return err;
}

struct plan_world plan_world_own(void)
{
	struct plan_world own = {
		.test = test_table, .test_n = test_table_n, .cpus = cpus_allowed(),
	};

	return own;
}

int plan_make(struct plan *p, const struct disk_list *disks, size_t first_disk,
	      const struct options *o)
{
	const struct plan_world own = plan_world_own();

	return plan_make_in(&own, p, disks, first_disk, o);
}

void plan_free(struct plan *p)
{
	free(p->entry);
	memset(p, 0, sizeof(*p));
}
