/* SPDX-License-Identifier: MIT */
/*
 * Walks the block devices of sysfs and turns each into one entry of the disk list. Opens no device.
 *
 * In order: read every entry, add what has no block device, sort, join paths, name. Private parts:
 * found.h.
 */
#include "bench/sys/discover.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/found.h"
#include "bench/sys/link.h"
#include "bench/sys/order.h"
#include "lib/text.h"

struct found *found_add(struct found_list *l)
{
	if (l->n == l->room) {
		size_t room = l->room ? l->room * 2 : 16;
		struct found *more = reallocarray(l->found, room, sizeof(*more));

		if (!more)
			return NULL;
		l->found = more;
		l->room = room;
	}
	l->found[l->n] = (struct found){ .controller_id = -1, .disk.numa_node = -1,
					 .disk.rotational = DISK_ROTATIONAL_UNKNOWN };
	return &l->found[l->n++];
}

static int open_tree(const char *root, struct found_tree *t)
{
	char real[PATH_MAX];

	*t = (struct found_tree){ .root = root };
	if (!sysfs_join(t->sys, root, "sys"))
		return -ENAMETOOLONG;
	if (!realpath(t->sys, real))
		return -errno;
	if (strlen(real) >= sizeof(t->sys))
		return -ENAMETOOLONG;
	strcpy(t->sys, real);
	sysfs_resolve(t->sys, "devices", t->devices);
	return 0;
}

/* The kernel writes '!' in sysfs for the '/' of a name such as cciss/c0d0. */
static void name_node(const struct found_tree *t, struct disk *d)
{
	int n = snprintf(d->node, sizeof(d->node), "%s/dev/%s", t->root, d->name);

	if (n < 0 || (size_t)n >= sizeof(d->node)) {
		d->node[0] = '\0';	/* half a path might be another device's */
		return;
	}
	for (char *s = d->node + strlen(t->root) + 5; *s; s++)
		if (*s == '!')
			*s = '/';
}

static void cannot_read(struct disk *d, const char *why)
{
	d->skip = DISK_CANNOT_OPEN;
	text_copy(d->skip_detail, sizeof(d->skip_detail), why);
}

static void read_numbers(struct found *f)
{
	unsigned major, minor;
	char dev[32];
	uint64_t hidden;

	if (sysfs_read_text(f->dir, "dev", dev, sizeof(dev)) &&
	    sscanf(dev, "%u:%u", &major, &minor) == 2) {
		f->disk.major = major;
		f->disk.minor = minor;
	}
	f->hidden = sysfs_read_u64(f->dir, "hidden", &hidden) && hidden == 1;
}

static void read_ata(struct found *f)
{
	uint8_t page[SYSFS_VALUE_BYTES];
	ssize_t n = f->device[0] ? sysfs_read_bytes(f->device, "vpd_pg89", page, sizeof(page)) : 0;

	f->ata = n > 0 && vpd_ata(page, (size_t)n, &f->ata_data);
}

static void read_link(struct found *f)
{
	struct disk *d = &f->disk;
	struct link l;

	link_read(f->dir, d->transport, f->usb_dir, d->controller, &l);
	text_copy(d->link, sizeof(d->link), l.text);
	d->link_bytes_per_s = l.bytes_per_s;
}

/* Everything about one entry whose folders are known. */
static void read_found(const struct found_tree *t, struct found *f)
{
	if (!nvme_is(f))
		nvme_read(f);
	read_ata(f);
	bus_read(t, f);
	read_link(f);
	identify_read(f);
	if (f->device[0] && !nvme_is(f))
		f->path_rank = scsi_path_rank(f);
	kind_read(f);
}

static int add_block(const struct found_tree *t, struct found_list *l, const char *folder,
		     const char *name)
{
	struct found *f = found_add(l);
	struct disk *d;

	if (!f)
		return -ENOMEM;
	d = &f->disk;
	text_clean_str(d->name, sizeof(d->name), name);
	if (strcmp(d->name, name)) {
		cannot_read(d, "its name has more or other characters than a device's");
		return 0;
	}
	if (!sysfs_resolve(folder, name, f->dir)) {
		cannot_read(d, "its folder in /sys leads nowhere: it is gone");
		return 0;
	}
	if (strncmp(f->dir, t->sys, strlen(t->sys)) || f->dir[strlen(t->sys)] != '/') {
		cannot_read(d, "its folder in /sys leads out of /sys");
		return 0;
	}
	sysfs_resolve(f->dir, "device", f->device);
	read_numbers(f);
	if (!f->hidden)
		name_node(t, d);
	read_found(t, f);
	return 0;
}

/*
 * /sys/block has whole disks; /sys/class/block, where only that is there, has partitions as well.
 */
static int add_blocks(const struct found_tree *t, struct found_list *l)
{
	char folder[SYSFS_PATH_BYTES], entry[SYSFS_PATH_BYTES];
	struct sysfs_names names;
	int err = sysfs_list(t->sys, "block", &names);

	if (!sysfs_join(folder, t->sys, err ? "class/block" : "block"))
		return -ENAMETOOLONG;
	if (err)
		err = sysfs_list(folder, ".", &names);
	if (err)
		return err;
	for (size_t i = 0; i < names.n && !err; i++) {
		if (sysfs_join(entry, folder, names.name[i]) && sysfs_exists(entry, "partition"))
			continue;
		err = add_block(t, l, folder, names.name[i]);
	}
	sysfs_list_free(&names);
	return err;
}

/* NVMe and other storage controllers, and SCSI disks, that no block device serves. */
static int add_without_block(const struct found_tree *t, struct found_list *l)
{
	size_t first = l->n;
	int err = nvme_add_controllers(t, l);

	if (!err)
		err = scsi_add_unserved(t, l);
	if (!err)
		err = pci_add_unserved(t, l);
	for (size_t i = first; i < l->n; i++)
		read_found(t, &l->found[i]);
	return err;
}

static int by_controller_and_name(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int differ = order_addresses(x->disk.controller, y->disk.controller);

	return differ ? differ : order_names(x->disk.name, y->disk.name);
}

static int copy_disks(const struct found_list *l, struct disk_list *list)
{
	int err = 0;

	for (size_t i = 0; i < l->n && !err; i++)
		err = disk_list_add(list, &l->found[i].disk);
	if (err)
		disk_list_free(list);
	return err;
}

int disks_discover(const char *root, struct disk_list *list)
{
	struct found_list l = { .found = NULL };
	struct found_tree t;
	int err = open_tree(root, &t);

	*list = (struct disk_list){ .disk = NULL };
	if (!err)
		err = add_blocks(&t, &l);
	if (!err)
		err = add_without_block(&t, &l);
	if (!err && l.n) {
		nvme_equip_heads(&l);
		qsort(l.found, l.n, sizeof(*l.found), by_controller_and_name);
		for (size_t i = 0; i < l.n; i++)
			l.found[i].same_as = i;
		nvme_join_heads(&l);
		paths_merge(&l);
		identity_assign(&l);
		err = copy_disks(&l, list);
	}
	free(l.found);
	return err;
}
