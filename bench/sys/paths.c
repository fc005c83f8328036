/* SPDX-License-Identifier: MIT */
/*
 * Several paths to one disk: it is measured once, and the paths are listed.
 *
 * A disk measured twice costs time, a disk taken for another is lost: so two entries are one disk
 * only when everything says so. A WWN alone does not (makers and hypervisors repeat them), nor does
 * a serial number (USB docks show one for all slots).
 */
#include <string.h>

#include "bench/sys/found.h"
#include "lib/text.h"

static bool same_shape(const struct disk *a, const struct disk *b)
{
	return a->size_bytes == b->size_bytes && a->size_bytes > 0 &&
		a->logical_block_bytes == b->logical_block_bytes && !strcmp(a->model, b->model) &&
		!strcmp(a->vendor, b->vendor);
}

/*
 * Two controllers of one subsystem, where the kernel does not join them itself
 * (nvme_core.multipath=N).
 */
static bool same_namespace(const struct found *a, const struct found *b)
{
	if (!a->namespace_id || a->namespace_id != b->namespace_id)
		return false;
	if (strcmp(a->subsystem_nqn, b->subsystem_nqn))
		return false;
	/* two disks may repeat everything else; controllers of one subsystem are numbered apart */
	return a->controller_id >= 0 && b->controller_id >= 0 &&
		a->controller_id != b->controller_id;
}

static bool same_disk(const struct found *a, const struct found *b)
{
	if (!a->may_have_paths || !b->may_have_paths ||
	    strcmp(a->disk.transport, b->disk.transport))
		return false;
	if (!a->wwid[0] || strcmp(a->wwid, b->wwid))
		return false;
	/* WWN and serial number come from the same place: who shows one and not the other is odd */
	if (!a->disk.serial[0] || strcmp(a->disk.serial, b->disk.serial))
		return false;
	if (!same_shape(&a->disk, &b->disk))
		return false;
	if (nvme_is(a))
		return !a->is_head && !b->is_head && same_namespace(a, b);
	return identity_wwid_is_good(a->wwid);
}

static bool can_be_joined(const struct found *f)
{
	return f->disk.skip == DISK_TAKEN && !f->hidden;
}

/* Entries equal to `first` are gathered behind the one whose path works best. */
static void gather(struct found_list *l, size_t first)
{
	size_t best = first;

	for (size_t i = first + 1; i < l->n; i++) {
		struct found *f = &l->found[i];

		if (!can_be_joined(f) || f->same_as != i || !same_disk(&l->found[first], f))
			continue;
		f->same_as = first;
		if (f->path_rank < l->found[best].path_rank)
			best = i;
	}
	if (best == first)
		return;
	for (size_t i = first; i < l->n; i++)
		if (l->found[i].same_as == first)
			l->found[i].same_as = best;
}

static void add_path(struct disk *d, const char *name)
{
	if (!strcmp(d->path[0], name))
		return;	/* its own name stands first already */
	if (d->path_n < DISK_PATHS_MAX)
		text_copy(d->path[d->path_n], sizeof(d->path[0]), name);
	d->path_n++;
}

static void list_paths(struct found_list *l, size_t at)
{
	struct found *f = &l->found[at];

	text_copy(f->disk.path[0], sizeof(f->disk.path[0]), f->disk.name);
	f->disk.path_n = 1;
	for (size_t i = 0; i < l->n; i++)
		if (l->found[i].same_as == f->same_as)
			add_path(&f->disk, l->found[i].disk.name);
}

void paths_merge(struct found_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (can_be_joined(&l->found[i]) && l->found[i].same_as == i)
			gather(l, i);
	for (size_t i = 0; i < l->n; i++) {
		struct found *f = &l->found[i];

		list_paths(l, i);
		if (f->same_as == i)
			continue;
		if (!f->hidden)
			f->disk.skip = DISK_SECOND_PATH;
		text_copy(f->disk.skip_detail, sizeof(f->disk.skip_detail),
			  l->found[f->same_as].disk.name);
	}
}
