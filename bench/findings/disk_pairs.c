/* SPDX-License-Identifier: MIT */
/*
 * Finding rules over disks that look like a pair (or more of a kind): the same transport and kind
 * and nearly the same size. A mirror of them is only as good as the lesser one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"

#define LIST_BYTES 150
#define SAMPLES_MIN 8	/* with fewer the spread says nothing */

static bool is_hardware(const struct disk *d)
{
	static const char *const kinds[] = { "nvme", "sata", "ata", "sas", "scsi" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(d->transport, kinds[i]))
			return d->skip == DISK_TAKEN && d->size_bytes > 0 && *d->model;
	return false;
}

static bool are_alike(const struct disk *a, const struct disk *b)
{
	double larger = (double)(a->size_bytes > b->size_bytes ? a->size_bytes : b->size_bytes);
	double smaller = (double)(a->size_bytes < b->size_bytes ? a->size_bytes : b->size_bytes);

	return is_hardware(a) && is_hardware(b) && !strcmp(a->transport, b->transport) &&
	       a->rotational == b->rotational &&
	       smaller >= larger * (100 - PAIR_SIZE_PERCENT) / 100;
}

/* Disk `i` stands for its group: no disk before it is alike. */
static bool leads(const struct report *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (are_alike(&r->disks.disk[k], &r->disks.disk[i]))
			return false;
	return is_hardware(&r->disks.disk[i]);
}

/* Appends "NAME (TEXT)" to a list; `n` counts, also those without room. */
static void list_add(char list[LIST_BYTES], size_t *n, const char *name, const char *text)
{
	char item[LOOK_LABEL_BYTES];
	size_t used = strlen(list);

	snprintf(item, sizeof(item), "%.40s (%.44s)", name, *text ? text : "not known");
	(*n)++;
	if (used + strlen(item) + 2 < LIST_BYTES)
		snprintf(list + used, LIST_BYTES - used, "%s%s", used ? ", " : "", item);
	else if (used + 5 < LIST_BYTES && strcmp(list + used - 3, "..."))
		snprintf(list + used, LIST_BYTES - used, " ...");
}

int find_pair_model(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		const struct disk *first = &r->disks.disk[i];
		char list[LIST_BYTES] = "";
		bool differ = false;
		size_t n = 0;

		if (!leads(r, i))
			continue;
		for (size_t k = i; k < r->disks.n; k++) {
			const struct disk *d = &r->disks.disk[k];

			if (!are_alike(first, d))
				continue;
			differ = differ || strcmp(d->model, first->model);
			list_add(list, &n, d->name, d->model);
		}
		if (differ)
			err = ADD("", "%zu disks of %s differ in model: %s.", n,
				  units_bytes(UNITS_BUF, first->size_bytes), list);
	}
	return err;
}

int find_pair_firmware(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		const struct disk *first = &r->disks.disk[i];
		char list[LIST_BYTES] = "";
		bool differ = false, is_told = !*first->firmware;
		size_t n = 0;

		for (size_t k = 0; k < i; k++)
			is_told = is_told || (are_alike(first, &r->disks.disk[k]) &&
					      *r->disks.disk[k].firmware &&
					      !strcmp(first->model, r->disks.disk[k].model));
		for (size_t k = i; k < r->disks.n && !is_told; k++) {
			const struct disk *d = &r->disks.disk[k];

			if (!are_alike(first, d) || strcmp(d->model, first->model) || !*d->firmware)
				continue;
			differ = differ || strcmp(d->firmware, first->firmware);
			list_add(list, &n, d->name, d->firmware);
		}
		if (differ)
			err = ADD("", "%zu disks of model %.60s differ in firmware: %s.", n,
				  first->model, list);
	}
	return err;
}

static int64_t hours_of(const struct report *r, const struct disk *d)
{
	const struct health *h = report_health_of(r, d->name);

	return h && h->state == HEALTH_READ && !look_doubted(h, "power_on_hours") ?
	       h->power_on_hours : -1;
}

int find_pair_age(struct report *r, const struct finding_rule *rule)
{
	char old[LOOK_LABEL_BYTES], young[LOOK_LABEL_BYTES];
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		int64_t most = -1, least = INT64_MAX;
		const char *oldest = "", *youngest = "";

		for (size_t k = i; k < r->disks.n && leads(r, i); k++) {
			const struct disk *d = &r->disks.disk[k];
			int64_t hours = hours_of(r, d);

			if (!are_alike(&r->disks.disk[i], d) || hours < 0)
				continue;
			oldest = hours > most ? d->name : oldest;
			youngest = hours < least ? d->name : youngest;
			most = hours > most ? hours : most;
			least = hours < least ? hours : least;
		}
		if (most < 0 || most - least <= PAIR_AGE_HOURS ||
		    (double)(most - least) <= (double)most * PAIR_AGE_PERCENT / 100)
			continue;
		err = ADD(oldest, "%s has run for %s hours, %s of the same size for %s hours.",
			  look_label(r, oldest, old), units_count(UNITS_BUF, (uint64_t)most),
			  look_label(r, youngest, young), units_count(UNITS_BUF, (uint64_t)least));
	}
	return err;
}

static int32_t wear_of(const struct report *r, const struct disk *d)
{
	const struct health *h = report_health_of(r, d->name);

	return h && h->state == HEALTH_READ && !look_doubted(h, "wear_percent") ?
	       h->wear_percent : -1;
}

int find_pair_worn(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		const struct disk *first = &r->disks.disk[i];
		int32_t wear = wear_of(r, first);
		char list[LIST_BYTES] = "", percent[24];
		bool is_told = wear < PAIR_WORN_PERCENT;
		size_t n = 0;

		for (size_t k = 0; k < r->disks.n && !is_told; k++) {
			const struct disk *d = &r->disks.disk[k];
			int32_t other = wear_of(r, d);

			if (!are_alike(first, d) || other < PAIR_WORN_PERCENT ||
			    other > wear + PAIR_WORN_APART_PERCENT ||
			    other < wear - PAIR_WORN_APART_PERCENT)
				continue;
			is_told = k < i;
			snprintf(percent, sizeof(percent), "%d %%", other);
			list_add(list, &n, d->name, percent);
		}
		if (!is_told && n > 1)
			err = ADD("", "%zu disks are worn alike, endurance used: %s. A mirror of "
				  "them may lose both at about the same time.", n, list);
	}
	return err;
}

/* The speed of a result by which disks are compared; NAN where there is none. */
static double speed_of(const struct result *t)
{
	const struct metric *m = look_own_speed(t);

	return !m ? (double)NAN : m->sample_n >= SAMPLES_MIN ? m->median : m->value;
}

struct gap {
	const struct result *slow, *fast;
	double slow_speed, fast_speed;
};

/* The slowest and the fastest disk of the group of `first` in test `test`. */
static struct gap gap_of(const struct report *r, const struct disk *first, const char *test)
{
	struct gap g = { .slow_speed = INFINITY, .fast_speed = -INFINITY };

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];
		const struct disk *d = strcmp(t->test, test) ? NULL : report_disk(r, t->target);
		double speed = d && are_alike(first, d) ? speed_of(t) : NAN;

		if (speed < g.slow_speed) {
			g.slow_speed = speed;
			g.slow = t;
		}
		if (speed > g.fast_speed) {
			g.fast_speed = speed;
			g.fast = t;
		}
	}
	return g;
}

/* Large, no chance, and not told by rule odd-sibling already. */
static bool counts(const struct report *r, const struct gap *g)
{
	double noise, median;
	size_t siblings;

	if (!g->slow || g->slow == g->fast || !(g->fast_speed > 0) ||
	    g->slow_speed >= g->fast_speed * (100 - PAIR_SPEED_PERCENT) / 100)
		return false;
	noise = (look_speed(g->slow)->mad + look_speed(g->fast)->mad) * PAIR_NOISE_MADS;
	if (look_speed(g->slow)->sample_n >= SAMPLES_MIN &&
	    look_speed(g->fast)->sample_n >= SAMPLES_MIN && g->fast_speed - g->slow_speed <= noise)
		return false;
	median = look_siblings(r, g->slow, &siblings);
	return siblings < SIBLINGS_MIN ||
	       look_speed(g->slow)->value >= SIBLING_PERCENT / 100.0 * median;
}

static bool is_first_of_test(const struct report *r, size_t i, const struct disk *first)
{
	for (size_t k = 0; k < i; k++) {
		const struct disk *d = strcmp(r->result[k].test, r->result[i].test) ? NULL :
				       report_disk(r, r->result[k].target);

		if (d && are_alike(first, d))
			return false;
	}
	return report_disk(r, r->result[i].target) &&
	       are_alike(first, report_disk(r, r->result[i].target));
}

int find_pair_speed(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		struct gap worst = { .fast_speed = 1, .slow_speed = 1 };
		char slow[LOOK_LABEL_BYTES], fast[LOOK_LABEL_BYTES], more[48] = "";
		const struct metric *m;
		size_t tests = 0;

		for (size_t k = 0; k < r->result_n && leads(r, i); k++) {
			struct gap g;

			if (!is_first_of_test(r, k, &r->disks.disk[i]))
				continue;
			g = gap_of(r, &r->disks.disk[i], r->result[k].test);
			if (!counts(r, &g))
				continue;
			tests++;
			if (g.slow_speed / g.fast_speed < worst.slow_speed / worst.fast_speed)
				worst = g;
		}
		if (!tests)
			continue;
		m = look_speed(worst.slow);
		if (tests > 1)
			snprintf(more, sizeof(more), ", and in %zu more test%s", tests - 1,
				 tests > 2 ? "s" : "");
		err = ADD(worst.slow->target, "%s is slower than %s: %s and %s in %s%s.",
			  look_label(r, worst.slow->target, slow),
			  look_label(r, worst.fast->target, fast),
			  look_speed_text(UNITS_BUF, m, worst.slow_speed),
			  look_speed_text(UNITS_BUF, m, worst.fast_speed), worst.slow->test, more);
	}
	return err;
}
