/* SPDX-License-Identifier: MIT */
/*
 * Volumes made of others. Only fields with a fixed place are read: an array's name, its members'
 * metadata and the events mdadm shows are texts that whoever made a disk could choose.
 */
#include "bench/sys/arrays.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/order.h"
#include "bench/sys/sysfs.h"
#include "bench/sys/words.h"
#include "lib/file.h"
#include "lib/text.h"

#define MDSTAT_BYTES 65536

static struct storage_array *add(struct machine_info *m, const char *name, const char *kind)
{
	struct storage_array *a = fields_add(&fields_machine, m, "arrays");

	if (!a)
		return NULL;
	text_clean_str(a->name, sizeof(a->name), name);
	text_copy(a->kind, sizeof(a->kind), kind);
	return a;
}

static void read_size(const char *dir, struct storage_array *a)
{
	uint64_t sectors;

	if (sysfs_read_u64(dir, "size", &sectors) && sectors <= UINT64_MAX / 512)
		a->size_bytes = sectors * 512;
}

static void read_slaves(const char *dir, struct storage_array *a)
{
	struct sysfs_names names;
	char clean[64];

	if (sysfs_list(dir, "slaves", &names) < 0)
		return;
	order_sort(names.name, names.n);
	for (size_t i = 0; i < names.n; i++) {
		text_clean_str(clean, sizeof(clean), names.name[i]);
		words_append(a->members, sizeof(a->members), " ", clean);
	}
	sysfs_list_free(&names);
}

/* md/dev-NAME/state: "in_sync", "faulty", "spare,write_mostly" ... */
static void read_faulty(const char *md, struct storage_array *a)
{
	struct sysfs_names names;
	char path[320], state[128], name[64], text[80];

	if (sysfs_list(md, ".", &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		if (strncmp(names.name[i], "dev-", 4) || strlen(names.name[i]) > 64)
			continue;
		snprintf(path, sizeof(path), "%s/state", names.name[i]);
		if (!sysfs_read_text(md, path, state, sizeof(state)) || !strstr(state, "faulty"))
			continue;
		text_clean_str(name, sizeof(name), names.name[i] + 4);
		snprintf(text, sizeof(text), "%s faulty", name);
		words_append(a->state, sizeof(a->state), ", ", text);
	}
	sysfs_list_free(&names);
}

/* The kernel's words for these are single ones. */
static bool read_word(const char *dir, const char *name, char *to, size_t size)
{
	bool any = sysfs_read_text(dir, name, to, size);

	to[strcspn(to, " ")] = '\0';
	return any;
}

/* Kernel: Documentation/admin-guide/md.rst. */
static void read_md(const char *dir, const char *name, struct machine_info *m)
{
	char md[SYSFS_PATH_BYTES], action[32];
	struct storage_array *a = add(m, name, "md");
	uint64_t number;

	if (!a || !sysfs_join(md, dir, "md"))
		return;
	read_word(md, "level", a->level, sizeof(a->level));
	read_word(md, "array_state", a->state, sizeof(a->state));
	if (sysfs_read_u64(md, "raid_disks", &number) && number <= UINT32_MAX)
		a->members_wanted = (uint32_t)number;
	if (sysfs_read_u64(md, "degraded", &number) && number > 0)
		words_append(a->state, sizeof(a->state), ", ", "degraded");
	if (read_word(md, "sync_action", action, sizeof(action)) && strcmp(action, "idle"))
		words_append(a->state, sizeof(a->state), ", ", action);
	read_faulty(md, a);
	read_size(dir, a);
	read_slaves(dir, a);
}

/* By what made the volume: its UUID begins with it. */
static const struct {
	const char *prefix, *kind;
} mapped[] = {
	{ "LVM-", "lvm" }, { "CRYPT-", "crypt" }, { "mpath-", "multipath" },
	{ "DMRAID-", "dmraid" }, { "VDO-", "vdo" }, { "VERITY-", "verity" },
	{ "INTEGRITY-", "integrity" },
};

static void read_mapped(const char *dir, const char *name, struct machine_info *m)
{
	const char *kind = "device-mapper";
	struct storage_array *a;
	char uuid[160];
	uint64_t suspended;

	if (sysfs_read_text(dir, "dm/uuid", uuid, sizeof(uuid))) {
		if (!strncmp(uuid, "part", 4) && isdigit((unsigned char)uuid[4]))
			return;		/* a partition of another one */
		for (size_t i = 0; i < sizeof(mapped) / sizeof(*mapped); i++)
			if (!strncmp(uuid, mapped[i].prefix, strlen(mapped[i].prefix)))
				kind = mapped[i].kind;
	}
	a = add(m, name, kind);
	if (!a)
		return;
	if (sysfs_read_u64(dir, "dm/suspended", &suspended) && suspended)
		text_copy(a->state, sizeof(a->state), "suspended");
	read_size(dir, a);
	read_slaves(dir, a);
}

static void read_bcache(const char *dir, const char *name, struct machine_info *m)
{
	struct storage_array *a = add(m, name, "bcache");

	if (!a)
		return;
	sysfs_read_text(dir, "bcache/state", a->state, sizeof(a->state));
	read_size(dir, a);
	read_slaves(dir, a);
}

static bool is_listed(const struct machine_info *m, const char *name)
{
	for (size_t i = 0; i < REPORT_KEPT(m->arrays_n, m->arrays); i++)
		if (!strcmp(m->arrays[i].name, name))
			return true;
	return false;
}

/*
 * "md0 : active (auto-read-only) raid1 sdb1[1] sda1[0](F)": state, notes in parentheses, level
 * where it is active, members with their number.
 */
static struct storage_array *read_mdstat_line(char *line, struct machine_info *m)
{
	char *save = NULL, *name = strtok_r(line, " ", &save), *word = strtok_r(NULL, " ", &save);
	struct storage_array *a;

	if (!name || strncmp(name, "md", 2) || !word || strcmp(word, ":") || is_listed(m, name) ||
	    !(word = strtok_r(NULL, " ", &save)))
		return NULL;
	a = add(m, name, "md");
	if (!a)
		return NULL;
	text_clean_str(a->state, sizeof(a->state), word);
	while ((word = strtok_r(NULL, " ", &save))) {
		char clean[64], *bracket = strchr(word, '[');

		if (word[0] == '(')
			continue;
		if (!bracket) {
			text_clean_str(a->level, sizeof(a->level), word);
			continue;
		}
		*bracket = '\0';
		text_clean_str(clean, sizeof(clean), word);
		words_append(a->members, sizeof(a->members), " ", clean);
		if (strstr(bracket + 1, "(F)")) {
			words_append(clean, sizeof(clean), " ", "faulty");
			words_append(a->state, sizeof(a->state), ", ", clean);
		}
	}
	return a;
}

/*
 * The lines below: "7813770240 blocks ... [4/3] [UU_U]", members wanted and there; "[==>....]
 * recovery = 12.6% ...".
 */
static void read_mdstat_more(const char *line, struct storage_array *a)
{
	static const char *const actions[] = { "recovery", "resync", "reshape", "check" };
	unsigned long long blocks;
	unsigned wanted, there;
	char text[16];

	if (sscanf(line, " %llu %15s", &blocks, text) == 2 && !strcmp(text, "blocks") &&
	    blocks <= UINT64_MAX / 1024)
		a->size_bytes = blocks * 1024;
	for (const char *at = line; (at = strchr(at, '[')); at++)
		if (sscanf(at, "[%u/%u]", &wanted, &there) == 2) {
			a->members_wanted = wanted;
			if (there < wanted)
				words_append(a->state, sizeof(a->state), ", ", "degraded");
			break;
		}
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		const char *at = strstr(line, actions[i]);

		/* "recovery = 12.6%", "resync=DELAYED" */
		if (at && strchr(" =", at[strlen(actions[i])]))
			words_append(a->state, sizeof(a->state), ", ", actions[i]);
	}
}

/* Of arrays that sysfs does not show. */
static void read_mdstat(const char *root, struct machine_info *m)
{
	char path[SYSFS_PATH_BYTES], *text, *line, *save = NULL;
	struct storage_array *a = NULL;
	size_t len;

	if (!sysfs_join(path, root, "proc/mdstat") || file_load(path, MDSTAT_BYTES, &text, &len))
		return;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (line[0] != ' ')
			a = read_mdstat_line(line, m);
		else if (a)
			read_mdstat_more(line, a);
	}
	free(text);
}

void arrays_read(const char *root, struct machine_info *m)
{
	char block[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	struct sysfs_names names;

	if (sysfs_join(block, root, "sys/block") && sysfs_list(block, ".", &names) == 0) {
		order_sort(names.name, names.n);
		for (size_t i = 0; i < names.n; i++) {
			if (!sysfs_join(dir, block, names.name[i]))
				continue;
			if (sysfs_is_dir(dir, "md"))
				read_md(dir, names.name[i], m);
			else if (sysfs_is_dir(dir, "dm"))
				read_mapped(dir, names.name[i], m);
			else if (!strncmp(names.name[i], "bcache", 6))
				read_bcache(dir, names.name[i], m);
		}
		sysfs_list_free(&names);
	}
	read_mdstat(root, m);
}

/*
 * hpsa and smartpqi: device/raid_level; mpt3sas: device/raid_devices/ADDRESS/level and state.
 * Others tell nothing of their volumes but that they are some.
 */
static void read_volume(const char *root, const char *disk, struct storage_array *a)
{
	char block[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES], path[320];
	struct sysfs_names names;

	if (!sysfs_join(block, root, "sys/block") || !sysfs_join(dir, block, disk))
		return;
	sysfs_read_text(dir, "device/raid_level", a->level, sizeof(a->level));
	if (text_same(a->level, "N/A"))
		a->level[0] = '\0';
	if (sysfs_list(dir, "device/raid_devices", &names) < 0)
		return;
	if (names.n == 1 && strlen(names.name[0]) < 64) {
		snprintf(path, sizeof(path), "device/raid_devices/%s/level", names.name[0]);
		sysfs_read_text(dir, path, a->level, sizeof(a->level));
		snprintf(path, sizeof(path), "device/raid_devices/%s/state", names.name[0]);
		sysfs_read_text(dir, path, a->state, sizeof(a->state));
	}
	sysfs_list_free(&names);
}

void arrays_of_controllers(const char *root, const struct disk_list *l, size_t first,
			   struct machine_info *m)
{
	for (size_t i = first; i < l->n; i++) {
		const struct disk *d = &l->disk[i];
		struct storage_array *a;

		if (strcmp(d->transport, "raid") || !d->size_bytes ||
		    !(a = add(m, d->name, "raid-controller")))
			continue;
		a->size_bytes = d->size_bytes;
		read_volume(root, d->name, a);
	}
}

static const struct {
	const char *type, *kind;
	uint32_t least;		/* fewer members make no volume worth a line */
} grouped[] = {
	{ "zfs_member", "zfs", 1 }, { "btrfs", "btrfs", 2 }, { "linux_raid_member", "md", 1 },
};

static bool same_volume(const struct signature *a, const struct signature *b)
{
	return !strcmp(a->type, b->type) && !strcmp(a->uuid, b->uuid);
}

/*
 * True where an array has a device of the same volume, this one or another: it does not have the
 * member that it threw out.
 */
static bool is_known(const struct machine_info *m, size_t at)
{
	for (size_t i = 0; i < REPORT_KEPT(m->signatures_n, m->signatures); i++) {
		if (!same_volume(&m->signatures[i], &m->signatures[at]))
			continue;
		for (size_t k = 0; k < REPORT_KEPT(m->arrays_n, m->arrays); k++)
			if (words_hold(m->arrays[k].members, m->signatures[i].device))
				return true;
	}
	return false;
}

static void group(struct machine_info *m, size_t at, const char *kind, uint32_t least)
{
	const struct signature *s = &m->signatures[at];
	struct storage_array *a, made = { .name = "" };
	uint32_t members = 0, number = 1;

	for (size_t i = at; i < REPORT_KEPT(m->signatures_n, m->signatures); i++)
		if (same_volume(&m->signatures[i], s) &&
		    !words_hold(made.members, m->signatures[i].device)) {
			words_append(made.members, sizeof(made.members), " ",
				     m->signatures[i].device);
			members++;
		}
	if (members < least)
		return;
	for (size_t i = 0; i < REPORT_KEPT(m->arrays_n, m->arrays); i++)
		number += !strcmp(m->arrays[i].kind, kind);
	/* the label may tell whose machine it is: it stands, to be redacted, with the signature */
	snprintf(made.name, sizeof(made.name), "%s-%u", kind, number);
	a = add(m, made.name, kind);
	if (!a)
		return;
	text_copy(a->members, sizeof(a->members), made.members);
	if (!strcmp(kind, "md"))
		text_copy(a->state, sizeof(a->state), "not assembled");
}

void arrays_of_signatures(struct machine_info *m)
{
	for (size_t i = 0; i < REPORT_KEPT(m->signatures_n, m->signatures); i++)
		for (size_t k = 0; k < sizeof(grouped) / sizeof(*grouped); k++)
			if (!strcmp(m->signatures[i].type, grouped[k].type) &&
			    m->signatures[i].uuid[0] && !is_known(m, i))
				group(m, i, grouped[k].kind, grouped[k].least);
}
