/* SPDX-License-Identifier: MIT */
/* Applies the options disks and exclude to what discovery found. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/discover.h"
#include "bench/sys/match.h"
#include "lib/text.h"

#define ITEM_BYTES 512

/* Marks all that one option names; notes what names nothing or several disks. */
struct marks {
	bool *on;	/* one per disk */
	bool *hit;	/* scratch, one per disk */
	bool any_item;
};

/* Disks are selected again when late ones are looked for: that is no reason to say things twice. */
__attribute__((format(printf, 2, 3)))
static void note_once(struct options *o, const char *format, ...)
{
	char text[OPT_NOTE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (uint32_t i = 0; i < o->note_n && i < OPT_NOTES_MAX; i++)
		if (!strcmp(o->note[i], text))
			return;
	options_note(o, "%s", text);
}

static bool same_disk(const struct disk *a, const struct disk *b)
{
	return a == b || (a->identity[0] && !strcmp(a->identity, b->identity));
}

/* How many different disks are hit: paths to one disk count once. */
static size_t count_disks(const struct disk_list *l, const bool *hit)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		bool first = hit[i];

		for (size_t k = 0; k < i && first; k++)
			if (hit[k] && same_disk(&l->disk[k], &l->disk[i]))
				first = false;
		n += first;
	}
	return n;
}

static void mark(const struct disk_list *l, struct options *o, enum opt_id id, struct marks *m)
{
	const char *option = options_table[id].name, *root = options_text(o, OPT_ID_ROOT);
	char item[ITEM_BYTES], shown[96], why[96];

	for (unsigned k = 0; options_item(o, id, k, item, sizeof(item)); k++) {
		size_t n = match_disks(l, root, item, m->hit);

		m->any_item = true;
		text_clean_str(shown, sizeof(shown), item);
		if (!n) {
			match_explain(root, item, why, sizeof(why));
			note_once(o, "%s: \"%s\" is %s", option, shown, why);
			continue;
		}
		n = count_disks(l, m->hit);
		if (n > 1)
			note_once(o, "%s: \"%s\" names %zu disks; all of them are meant", option,
				  shown, n);
		for (size_t i = 0; i < l->n; i++)
			m->on[i] |= m->hit[i];
	}
}

/* A path that is named stands for its disk: the disk is left alone whichever way it is reached. */
static void spread(const struct disk_list *l, bool *on)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->n && on[i]; k++)
			if (same_disk(&l->disk[i], &l->disk[k]))
				on[k] = true;
}

static void set_skip(struct disk *d, enum disk_skip skip)
{
	d->skip = skip;
	d->skip_detail[0] = '\0';
}

static bool is_second(enum disk_skip skip)
{
	return skip == DISK_SECOND_PATH || skip == DISK_HIDDEN_PATH;
}

static bool is_taken_elsewhere(const struct disk_list *l, size_t at)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct disk *d = &l->disk[i];

		if (i != at && d->skip == DISK_TAKEN && same_disk(d, &l->disk[at]))
			return true;
	}
	return false;
}

/* Takes what was asked for by name, although it would be left alone otherwise. */
static void lift(struct disk_list *l, struct options *o, size_t at)
{
	struct disk *d = &l->disk[at];
	const struct disk_skip_row *row = &disk_skip_table[d->skip];

	if (is_second(d->skip) && is_taken_elsewhere(l, at))
		return;
	if (row->overridden)
		set_skip(d, DISK_TAKEN);
	else if (d->skip != DISK_TAKEN)
		note_once(o, "disks: %s is left alone all the same: %s%s%s", d->name,
			  row->sentence, d->skip_detail[0] ? ": " : "", d->skip_detail);
}

static void apply(struct disk_list *l, struct options *o, const struct marks *asked,
		  const struct marks *excluded)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->disk[i].skip != DISK_TAKEN)
			continue;
		if (excluded->on[i])
			set_skip(&l->disk[i], DISK_EXCLUDED);
		else if (asked->any_item && !asked->on[i])
			set_skip(&l->disk[i], DISK_NOT_ASKED);
	}
	/* other paths last: they are taken only where the disk is not */
	for (int second = 0; second < 2; second++) {
		for (size_t i = 0; i < l->n; i++) {
			if (!asked->on[i] || excluded->on[i])
				continue;
			if (is_second(l->disk[i].skip) == second)
				lift(l, o, i);
		}
	}
}

void disks_select(struct disk_list *list, struct options *o)
{
	bool *flags = calloc(list->n + 1, 3);
	struct marks asked = { .any_item = false }, excluded = { .any_item = false };

	if (!flags) {	/* a wish that cannot be kept must not become "all disks" */
		options_note(o, "disks: out of memory: no disk is taken");
		for (size_t i = 0; i < list->n; i++)
			if (list->disk[i].skip == DISK_TAKEN)
				set_skip(&list->disk[i], DISK_NOT_ASKED);
		return;
	}
	asked.on = flags;
	excluded.on = flags + list->n;
	asked.hit = excluded.hit = flags + 2 * list->n;
	mark(list, o, OPT_ID_DISKS, &asked);
	mark(list, o, OPT_ID_EXCLUDE, &excluded);
	spread(list, excluded.on);
	apply(list, o, &asked, &excluded);
	free(flags);
}
