/* SPDX-License-Identifier: MIT */
/*
 * Is anything of this disk in use? Its partitions and whatever is built on them (device-mapper, md,
 * bcache, and so on upwards) are followed through sysfs; mounts and swap are compared by device
 * number, since names lie.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "bench/consent/checks.h"
#include "bench/sys/sysfs.h"
#include "lib/file.h"
#include "lib/text.h"

#define PARTS_MAX 512		/* devices looked at; a disk with more counts as in use */
#define DEPTH_MAX 16		/* of devices upon devices */
#define TABLE_MAX_BYTES (4U << 20)

/* All block devices that hold data of one disk. */
struct parts {
	size_t n;
	bool is_cut;
	char holder[DISK_NAME_BYTES];	/* the first device built on one of them; "" without */
	struct {
		unsigned major, minor;
		char name[DISK_NAME_BYTES];
	} part[PARTS_MAX];
};

static bool read_number(const char *dir, unsigned *major, unsigned *minor)
{
	char text[32];

	return sysfs_read_text(dir, "dev", text, sizeof(text)) &&
	       sscanf(text, "%u:%u", major, minor) == 2;
}

static bool is_known(const struct parts *p, unsigned major, unsigned minor)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->part[i].major == major && p->part[i].minor == minor)
			return true;
	return false;
}

static void collect(struct parts *p, const char *dir, int depth);

/* The entries of one folder that are block devices themselves. */
static void collect_below(struct parts *p, const char *dir, const char *name, bool holders,
			  int depth)
{
	char folder[SYSFS_PATH_BYTES], entry[SYSFS_PATH_BYTES];
	struct sysfs_names names;
	int err = sysfs_list(dir, name, &names);

	if (err) {
		/* a kernel without stacked devices has no holders; anything else is no answer */
		p->is_cut |= err != -ENOENT;
		return;
	}
	if (!sysfs_join(folder, dir, name))
		p->is_cut = true;
	for (size_t i = 0; i < names.n && !p->is_cut; i++) {
		if (!sysfs_resolve(folder, names.name[i], entry)) {
			p->is_cut |= holders;
			continue;
		}
		if (holders && !p->holder[0])
			text_clean_str(p->holder, sizeof(p->holder), names.name[i]);
		if (holders || sysfs_exists(entry, "partition"))
			collect(p, entry, depth + 1);
	}
	sysfs_list_free(&names);
}

static void collect(struct parts *p, const char *dir, int depth)
{
	unsigned major, minor;

	if (p->n == PARTS_MAX || depth > DEPTH_MAX || !read_number(dir, &major, &minor)) {
		p->is_cut = true;
		return;
	}
	if (is_known(p, major, minor))
		return;
	p->part[p->n].major = major;
	p->part[p->n].minor = minor;
	text_clean_str(p->part[p->n].name, sizeof(p->part[p->n].name), sysfs_base(dir));
	p->n++;
	collect_below(p, dir, "holders", true, depth);
	collect_below(p, dir, ".", false, depth);
}

static bool collect_disk(const char *root, const struct disk *d, struct parts *p)
{
	uint32_t paths = d->path_n ? d->path_n : 1;
	char block[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];

	memset(p, 0, sizeof(*p));
	if (paths > DISK_PATHS_MAX || !sysfs_join(block, root, "sys/class/block"))
		return false;
	for (uint32_t i = 0; i < paths; i++) {
		const char *name = d->path_n ? d->path[i] : d->name;

		/* hidden paths of an NVMe disk have no number, and nothing can be built on them */
		if (!sysfs_resolve(block, name, dir))
			return false;
		if (i > 0 && !sysfs_exists(dir, "dev"))
			continue;
		collect(p, dir, 0);
	}
	return p->n > 0 && !p->is_cut;
}

static const char *find(const struct parts *p, unsigned major, unsigned minor)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->part[i].major == major && p->part[i].minor == minor)
			return p->part[i].name;
	return NULL;
}

/* The device a path leads to, where it is a block device. */
static const char *find_node(const struct parts *p, const char *root, const char *node)
{
	char path[PATH_MAX];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s%s", root, node);

	if (n < 0 || (size_t)n >= sizeof(path) || stat(path, &st) < 0 || !S_ISBLK(st.st_mode))
		return NULL;
	return find(p, major(st.st_rdev), minor(st.st_rdev));
}

/* proc(5): blanks and backslashes of paths are written \NNN. In place. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' &&
		    text[2] <= '7' && text[3] >= '0' && text[3] <= '7') {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* One line of mountinfo, see proc_pid_mountinfo(5). False where it is one of this disk. */
static bool mount_is_other(const struct parts *p, const char *root, char *line,
			   char why[CHECK_WHY_BYTES])
{
	char *save = NULL, *word, *fields[64], shown[128];
	const char *name = NULL;
	unsigned major, minor, n = 0, dash;

	for (word = strtok_r(line, " ", &save); word && n < 64; word = strtok_r(NULL, " ", &save))
		fields[n++] = word;
	for (dash = 6; dash < n && strcmp(fields[dash], "-") != 0; dash++)
		;
	if (dash + 2 >= n || sscanf(fields[2], "%u:%u", &major, &minor) != 2) {
		snprintf(why, CHECK_WHY_BYTES, "the list of mounts cannot be understood");
		return false;
	}
	name = find(p, major, minor);
	/* btrfs shows a number of its own there, and a device here */
	unescape(fields[dash + 2]);
	if (!name && fields[dash + 2][0] == '/')
		name = find_node(p, root, fields[dash + 2]);
	if (!name)
		return true;
	unescape(fields[4]);
	text_clean_str(shown, sizeof(shown), fields[4]);
	snprintf(why, CHECK_WHY_BYTES, "%s is mounted at %s", name, shown);
	return false;
}

static bool mounts_are_other(const struct parts *p, const char *root, char why[CHECK_WHY_BYTES])
{
	char path[PATH_MAX], *text, *line, *save = NULL;
	bool other = true;
	size_t len;
	int err;

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	err = file_load(path, TABLE_MAX_BYTES, &text, &len);
	if (err) {
		snprintf(why, CHECK_WHY_BYTES, "the list of mounts cannot be read: %s",
			 strerror(-err));
		return false;
	}
	for (line = strtok_r(text, "\n", &save); line && other; line = strtok_r(NULL, "\n", &save))
		other = mount_is_other(p, root, line, why);
	free(text);
	return other;
}

static bool swaps_are_other(const struct parts *p, const char *root, char why[CHECK_WHY_BYTES])
{
	char path[PATH_MAX], *text, *line, *save = NULL;
	const char *name = NULL;
	size_t len;
	int err;

	snprintf(path, sizeof(path), "%s/proc/swaps", root);
	err = file_load(path, TABLE_MAX_BYTES, &text, &len);
	if (err == -ENOENT)	/* a kernel without swap */
		return true;
	if (err) {
		snprintf(why, CHECK_WHY_BYTES, "the list of swap areas cannot be read: %s",
			 strerror(-err));
		return false;
	}
	for (line = strtok_r(text, "\n", &save); line && !name;
	     line = strtok_r(NULL, "\n", &save)) {
		line[strcspn(line, " \t")] = '\0';
		unescape(line);
		if (line[0] == '/')
			name = find_node(p, root, line);
	}
	if (name)
		snprintf(why, CHECK_WHY_BYTES, "%s is in use as swap", name);
	free(text);
	return !name;
}

bool use_is_free(const char *root, const struct disk *d, char why[CHECK_WHY_BYTES])
{
	struct parts *p = malloc(sizeof(*p));
	bool is_free = false;

	if (!p) {
		snprintf(why, CHECK_WHY_BYTES, "out of memory");
		return false;
	}
	if (!collect_disk(root, d, p))
		snprintf(why, CHECK_WHY_BYTES,
			 "whether it is in use cannot be found out (partitions, holders, paths)");
	else if (!mounts_are_other(p, root, why) || !swaps_are_other(p, root, why))
		;
	else if (p->holder[0])
		snprintf(why, CHECK_WHY_BYTES, "%s is built on it", p->holder);
	else
		is_free = true;
	free(p);
	return is_free;
}

bool use_is_unzoned(const char *root, const struct disk *d, char why[CHECK_WHY_BYTES])
{
	char block[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES], model[32];

	if (!sysfs_join(block, root, "sys/class/block") || !sysfs_resolve(block, d->name, dir)) {
		snprintf(why, CHECK_WHY_BYTES, "the kernel does not list it any more");
		return false;
	}
	/* kernels that do not say it (before 4.10) serve no zoned device as an ordinary disk */
	if (!sysfs_read_text(dir, "queue/zoned", model, sizeof(model)) || !strcmp(model, "none"))
		return true;
	snprintf(why, CHECK_WHY_BYTES, "it is a zoned device (%s)", model);
	return false;
}
