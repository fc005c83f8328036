/* SPDX-License-Identifier: MIT */
/* Does a name a person gave mean this disk? A device's name wins over an equal serial number. */
#include "bench/sys/match.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "bench/sys/sysfs.h"
#include "lib/text.h"

/* Where a path leads; `real` is empty when nowhere. */
struct target {
	char real[PATH_MAX];
	bool is_block;
	unsigned major, minor;
};

static void follow(const char *path, struct target *t)
{
	struct stat st;

	*t = (struct target){ .is_block = false };
	if (!realpath(path, t->real)) {
		t->real[0] = '\0';
		return;
	}
	if (stat(t->real, &st) == 0 && S_ISBLK(st.st_mode)) {
		t->is_block = true;
		t->major = major(st.st_rdev);
		t->minor = minor(st.st_rdev);
	}
}

/* The path as this process sees it: below `root`, unless it was given so already. */
static bool place(const char *root, const char *item, char path[PATH_MAX])
{
	bool below = root[0] && !strncmp(item, root, strlen(root)) && item[strlen(root)] == '/';
	int n = snprintf(path, PATH_MAX, "%s%s", below ? "" : root, item);

	return n > 0 && n < PATH_MAX;
}

static bool leads_to(const struct target *t, const struct disk *d)
{
	char node[PATH_MAX];

	if (!t->real[0] || !d->node[0])
		return false;
	if (t->is_block)
		return t->major == d->major && t->minor == d->minor;
	return realpath(d->node, node) && !strcmp(node, t->real);
}

/* Kernel names have '!' where people write '/'. */
static bool is_name_of(const char *item, const struct disk *d)
{
	const char *name = d->name;

	for (; *name && *item; name++, item++)
		if (*name != *item && !(*name == '!' && *item == '/'))
			return false;
	return *name == *item;
}

static bool named_by_place(const struct disk *d, const char *root, const char *item,
			   const struct target *t)
{
	const char *node = d->node;

	if (item[0] != '/')
		return is_name_of(item, d);
	if (!node[0])
		return false;
	if (!strcmp(item, node))
		return true;
	/* the node may be missing while the kernel has the device */
	if (root[0] && !strncmp(node, root, strlen(root)) && !strcmp(item, node + strlen(root)))
		return true;
	return leads_to(t, d);
}

/* A WWN in one form for all spellings. */
static void plain_wwn(const char *from, char *to, size_t size)
{
	static const char *const prefixes[] = { "wwn-", "wwn:", "naa.", "eui.", "uuid.", "0x" };
	size_t n = 0;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncasecmp(from, prefixes[i], strlen(prefixes[i])))
			from += strlen(prefixes[i]);
	for (; *from && n + 1 < size; from++)
		if (!strchr("-: ", *from))
			to[n++] = (char)tolower((unsigned char)*from);
	to[n] = '\0';
}

static bool named_by_identity(const struct disk *d, const char *item)
{
	char clean[DISK_TEXT_BYTES], wanted[DISK_TEXT_BYTES], wwn[DISK_TEXT_BYTES];

	text_clean_str(clean, sizeof(clean), item);
	if (!clean[0])
		return false;
	if (text_same(clean, d->serial) || text_same(clean, d->identity))
		return true;
	plain_wwn(clean, wanted, sizeof(wanted));
	plain_wwn(d->wwn, wwn, sizeof(wwn));
	return wanted[0] && !strcmp(wanted, wwn);
}

size_t match_disks(const struct disk_list *list, const char *root, const char *item, bool *hit)
{
	struct target t = { .is_block = false };
	char path[PATH_MAX];
	size_t n = 0;

	if (item[0] == '/' && place(root, item, path))
		follow(path, &t);
	for (size_t i = 0; i < list->n; i++)
		n += hit[i] = named_by_place(&list->disk[i], root, item, &t);
	if (n)
		return n;
	for (size_t i = 0; i < list->n; i++)
		n += hit[i] = named_by_identity(&list->disk[i], item);
	return n;
}

/* The whole disk of a partition: the folder above the partition's. */
static bool is_partition(const char *root, const char *folder, const char *name, char *why,
			 size_t size)
{
	char dir[SYSFS_PATH_BYTES], entry[SYSFS_PATH_BYTES], disk[DISK_NAME_BYTES];

	if (!sysfs_join(dir, root, folder) || !sysfs_resolve(dir, name, entry) ||
	    !sysfs_exists(entry, "partition"))
		return false;
	sysfs_parent(entry);
	text_clean_str(disk, sizeof(disk), sysfs_base(entry));
	snprintf(why, size, "a partition of %s: only whole disks are measured", disk);
	return true;
}

static bool explain_name(const char *root, const char *name, char *why, size_t size)
{
	char dir[SYSFS_PATH_BYTES];

	if (!name[0] || strchr(name, '/'))
		return false;
	if (is_partition(root, "sys/class/block", name, why, size))
		return true;
	if (!sysfs_join(dir, root, "sys/class/nvme") || !sysfs_exists(dir, name))
		return false;
	snprintf(why, size, "an NVMe controller: name one of its namespaces");
	return true;
}

static bool explain_file(const char *root, const char *item, char *why, size_t size)
{
	char path[PATH_MAX], number[32];
	struct stat st;

	if (item[0] != '/' || !place(root, item, path) || stat(path, &st) != 0)
		return false;
	if (S_ISBLK(st.st_mode)) {
		snprintf(number, sizeof(number), "%u:%u", major(st.st_rdev), minor(st.st_rdev));
		if (!is_partition(root, "sys/dev/block", number, why, size))
			snprintf(why, size, "a device node (%s) without a device", number);
	} else if (S_ISREG(st.st_mode)) {
		snprintf(why, size, "a file: attach it to a loop device first");
	} else {
		snprintf(why, size, "not a block device");
	}
	return true;
}

void match_explain(const char *root, const char *item, char *why, size_t size)
{
	const char *name = !strncmp(item, "/dev/", 5) ? item + 5 : item;

	if (explain_name(root, name, why, size) || explain_file(root, item, why, size))
		return;
	snprintf(why, size, "no device, serial number or WWN of this machine");
}
