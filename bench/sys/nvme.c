/* SPDX-License-Identifier: MIT */
/*
 * NVMe: which namespace belongs to which controller, by sysfs links alone. Numbers in names mean
 * nothing: nvme1n1 may well be served by nvme0.
 *
 * With native multipath, a namespace is one node below its subsystem (the head) and one hidden
 * device for each controller that leads to it. The head says nothing of its hardware; the hidden
 * devices do.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/found.h"
#include "lib/text.h"

bool nvme_is(const struct found *f)
{
	return f->is_head || f->controller_dir[0];
}

/* A controller's folder is ".../nvme/nvme0", over a network "virtual/nvme-fabrics/ctl/nvme0". */
static bool is_controller(const char *dir)
{
	char up[SYSFS_PATH_BYTES];

	text_copy(up, sizeof(up), dir);
	if (!sysfs_parent(up))
		return false;
	if (!strcmp(sysfs_base(up), "nvme"))
		return true;
	return !strcmp(sysfs_base(up), "ctl") && sysfs_parent(up) &&
		!strcmp(sysfs_base(up), "nvme-fabrics");
}

static unsigned rank_of_state(const char *controller)
{
	char state[32];

	if (!sysfs_read_text(controller, "state", state, sizeof(state)) || !strcmp(state, "live"))
		return 0;
	return 4;
}

/* Path state of asymmetric access (ANA), where the subsystem has it. */
static unsigned rank_of_access(const char *dir)
{
	char state[32];

	if (!sysfs_read_text(dir, "ana_state", state, sizeof(state)) || !strcmp(state, "optimized"))
		return 0;
	return !strcmp(state, "non-optimized") ? 1 : 2;
}

void nvme_read(struct found *f)
{
	char up[SYSFS_PATH_BYTES];

	f->controller_id = -1;
	text_copy(up, sizeof(up), f->dir);
	if (!f->device[0] || !sysfs_parent(up))
		return;
	if (is_controller(f->device)) {
		text_copy(f->controller_dir, sizeof(f->controller_dir), f->device);
		sysfs_read_i64(f->device, "cntlid", &f->controller_id);
		f->path_rank = rank_of_state(f->device) + rank_of_access(f->dir);
	} else if (sysfs_parent(up) && !strcmp(sysfs_base(up), "nvme-subsystem")) {
		f->is_head = true;
	} else {
		return;
	}
	sysfs_read_u64(f->dir, "nsid", &f->namespace_id);
	sysfs_read_text(f->device, "subsysnqn", f->subsystem_nqn, sizeof(f->subsystem_nqn));
}

/*
 * True where the head's subsystem links to the controller. Known: whether it links to any at all.
 */
static bool subsystem_has(const char *subsystem, const char *controller, bool *known)
{
	char linked[SYSFS_PATH_BYTES];
	struct sysfs_names names;
	bool has = false;

	*known = false;
	if (sysfs_list(subsystem, ".", &names) < 0)
		return false;
	for (size_t i = 0; i < names.n && !has; i++) {
		if (!sysfs_resolve(subsystem, names.name[i], linked) || !is_controller(linked))
			continue;
		*known = true;
		has = !strcmp(linked, controller);
	}
	sysfs_list_free(&names);
	return has;
}

static bool is_path_of(const struct found *path, const struct found *head)
{
	char subsystem[SYSFS_PATH_BYTES];
	bool known, has;

	if (!path->hidden || path->namespace_id != head->namespace_id ||
	    strcmp(path->wwid, head->wwid))
		return false;
	text_copy(subsystem, sizeof(subsystem), head->dir);
	sysfs_parent(subsystem);
	has = subsystem_has(subsystem, path->controller_dir, &known);
	return known ? has : !strcmp(path->subsystem_nqn, head->subsystem_nqn);
}

/* The head takes over what its best path knows of the hardware. */
static void take_hardware(struct found *head, const struct found *path)
{
	struct disk *d = &head->disk;

	text_copy(head->controller_dir, sizeof(head->controller_dir), path->controller_dir);
	text_copy(d->driver, sizeof(d->driver), path->disk.driver);
	text_copy(d->controller, sizeof(d->controller), path->disk.controller);
	text_copy(head->bus_path, sizeof(head->bus_path), path->bus_path);
	d->numa_node = path->disk.numa_node;
	text_copy(d->link, sizeof(d->link), path->disk.link);
	if (!d->model[0])
		text_copy(d->model, sizeof(d->model), path->disk.model);
	if (!d->serial[0])
		text_copy(d->serial, sizeof(d->serial), path->disk.serial);
	if (!d->firmware[0])
		text_copy(d->firmware, sizeof(d->firmware), path->disk.firmware);
}

void nvme_equip_heads(struct found_list *l)
{
	for (size_t h = 0; h < l->n; h++) {
		struct found *head = &l->found[h], *best = NULL;
		uint64_t links_bytes_per_s = 0;
		bool known = true;

		if (!head->is_head || head->hidden)
			continue;
		for (size_t i = 0; i < l->n; i++) {
			struct found *path = &l->found[i];

			if (!is_path_of(path, head))
				continue;
			if (!best || path->path_rank < best->path_rank)
				best = path;
			known = known && path->disk.link_bytes_per_s;
			links_bytes_per_s += path->disk.link_bytes_per_s;
		}
		if (!best)
			continue;
		take_hardware(head, best);
		/* the kernel may send I/Os over all of them at once */
		head->disk.link_bytes_per_s = known ? links_bytes_per_s : 0;
	}
}

void nvme_join_heads(struct found_list *l)
{
	for (size_t h = 0; h < l->n; h++) {
		if (!l->found[h].is_head || l->found[h].hidden)
			continue;
		for (size_t i = 0; i < l->n; i++)
			if (is_path_of(&l->found[i], &l->found[h]))
				l->found[i].same_as = h;
	}
}

/*
 * What stands below a controller that has no block device: "ng0n1" is a namespace only passed
 * through.
 */
static void say_why_none(struct found *f)
{
	char state[32] = "", *detail = f->disk.skip_detail;
	struct sysfs_names names;
	bool passed = false;

	sysfs_read_text(f->dir, "state", state, sizeof(state));
	if (state[0] && strcmp(state, "live")) {
		snprintf(detail, DISK_TEXT_BYTES, "its state is \"%s\"", state);
		return;
	}
	if (sysfs_list(f->dir, ".", &names) == 0) {
		for (size_t i = 0; i < names.n; i++)
			if (!strncmp(names.name[i], "ng", 2))
				passed = true;
		sysfs_list_free(&names);
	}
	text_copy(detail, DISK_TEXT_BYTES, passed ?
		  "its namespace has a command set or format the kernel does not serve" :
		  "none is attached to it");
}

static int add_controller(const struct found_tree *t, struct found_list *l, const char *name)
{
	char class_dir[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct found *f;

	if (!sysfs_join(class_dir, t->sys, "class/nvme") || !sysfs_resolve(class_dir, name, dir))
		return 0;	/* gone again */
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->found[i].controller_dir, dir))
			return 0;
	f = found_add(l);
	if (!f)
		return -ENOMEM;
	text_clean_str(f->disk.name, sizeof(f->disk.name), name);
	text_copy(f->dir, sizeof(f->dir), dir);
	text_copy(f->device, sizeof(f->device), dir);
	text_copy(f->controller_dir, sizeof(f->controller_dir), dir);
	f->disk.skip = DISK_NO_NAMESPACE;
	say_why_none(f);
	return 0;
}

int nvme_add_controllers(const struct found_tree *t, struct found_list *l)
{
	struct sysfs_names names;
	int err = 0;

	if (sysfs_list(t->sys, "class/nvme", &names) < 0)
		return 0;	/* no NVMe here */
	for (size_t i = 0; i < names.n && !err; i++)
		err = add_controller(t, l, names.name[i]);
	sysfs_list_free(&names);
	return err;
}
