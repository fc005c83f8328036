/* SPDX-License-Identifier: MIT */
/*
 * Storage controllers that no driver serves, and NVMe disks whose controller the kernel gave up:
 * what hangs there appears nowhere else, and a missing disk is what people most need to be told of.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/sys/found.h"
#include "lib/text.h"

/* Class codes, PCI Code and ID Assignment 1.11: base class 01h is mass storage, 0108h is NVM. */
enum { CLASS_STORAGE = 0x01, CLASS_NVM = 0x0108 };

static int add_function(struct found_list *l, const char *dir, enum disk_skip skip,
			const char *detail)
{
	struct found *f = found_add(l);

	if (!f)
		return -ENOMEM;
	text_clean_str(f->disk.name, sizeof(f->disk.name), sysfs_base(dir));
	text_copy(f->dir, sizeof(f->dir), dir);
	text_copy(f->device, sizeof(f->device), dir);
	if (skip == DISK_NO_NAMESPACE)
		text_copy(f->controller_dir, sizeof(f->controller_dir), dir);
	f->disk.skip = skip;
	text_copy(f->disk.skip_detail, sizeof(f->disk.skip_detail), detail);
	return 0;
}

/* Why nothing is seen of the function; "" where its driver serves it. */
static void say_why(const char *dir, bool is_nvm, char detail[DISK_TEXT_BYTES])
{
	char driver[32];
	bool has_driver = sysfs_link_name(dir, "driver", driver, sizeof(driver));
	uint64_t vendor = 0, device = 0;
	int n;

	detail[0] = '\0';
	if (has_driver && (!is_nvm || sysfs_is_dir(dir, "nvme")))
		return;
	sysfs_read_u64(dir, "vendor", &vendor);
	sysfs_read_u64(dir, "device", &device);
	n = snprintf(detail, DISK_TEXT_BYTES, "%s %04x:%04x ", is_nvm ? "NVMe disk" :
		     "storage controller", (unsigned)vendor & 0xffff, (unsigned)device & 0xffff);
	detail += n;
	if (has_driver && strcmp(driver, "nvme"))
		snprintf(detail, DISK_TEXT_BYTES - (size_t)n, "held by driver %s", driver);
	else if (is_nvm)	/* unbound from nvme, or bound and nothing below it */
		snprintf(detail, DISK_TEXT_BYTES - (size_t)n,
			 "without a controller: the kernel may have given it up (see its log)");
	else
		snprintf(detail, DISK_TEXT_BYTES - (size_t)n,
			 "without a driver: what is behind it cannot be seen");
}

static int look_at(struct found_list *l, const char *dir)
{
	char detail[DISK_TEXT_BYTES];
	uint64_t class;
	bool is_nvm;

	if (!sysfs_read_u64(dir, "class", &class) || class >> 16 != CLASS_STORAGE)
		return 0;
	is_nvm = class >> 8 == CLASS_NVM;
	say_why(dir, is_nvm, detail);
	if (!detail[0])
		return 0;
	return add_function(l, dir, is_nvm ? DISK_NO_NAMESPACE : DISK_NO_DEVICE, detail);
}

int pci_add_unserved(const struct found_tree *t, struct found_list *l)
{
	char bus[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct sysfs_names names;
	int err = 0;

	if (!sysfs_join(bus, t->sys, "bus/pci/devices") || sysfs_list(bus, ".", &names) < 0)
		return 0;	/* no PCI here */
	for (size_t i = 0; i < names.n && !err; i++)
		if (sysfs_resolve(bus, names.name[i], dir))
			err = look_at(l, dir);
	sysfs_list_free(&names);
	return err;
}
