/* SPDX-License-Identifier: MIT */
/* The kernel's counters of a block device; see disk_stat.h. */
#include "bench/sys/disk_stat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/sysfs.h"

#define SECTOR_BYTES 512	/* of these counters, whatever the device's own blocks are */
#define FIELDS_MIN 11		/* Linux 2.6; later kernels append discards and flushes */

/* The counters of one line, without what stands before them there. */
static bool parse(const char *text, struct disk_stat *s)
{
	uint64_t v[FIELDS_MIN];
	char *end;

	for (int i = 0; i < FIELDS_MIN; i++) {
		text += strspn(text, " \t");
		if (*text < '0' || *text > '9')
			return false;
		v[i] = strtoull(text, &end, 10);
		text = end;
	}
	*s = (struct disk_stat){
		.read_ios = v[0], .read_merges = v[1], .read_bytes = v[2] * SECTOR_BYTES,
		.read_ticks_ms = v[3],
		.write_ios = v[4], .write_merges = v[5], .write_bytes = v[6] * SECTOR_BYTES,
		.write_ticks_ms = v[7],
		/* v[8] is what is in flight now: no counter */
		.io_ticks_ms = v[9], .queue_ticks_ms = v[10],
	};
	return true;
}

/* "   8       0 sda 4711 ...": the line of `name` (with '/', where sysfs writes '!'). */
static bool read_proc(const char *root, const char *name, struct disk_stat *s)
{
	char path[SYSFS_PATH_BYTES], proc[SYSFS_PATH_BYTES], line[512], found[DISK_NAME_BYTES];
	bool ok = false;
	FILE *in;

	if (!sysfs_join(proc, root, "proc") || !sysfs_join(path, proc, "diskstats"))
		return false;
	in = fopen(path, "re");
	if (!in)
		return false;
	while (!ok && fgets(line, sizeof(line), in)) {
		int used = 0;

		if (sscanf(line, "%*u %*u %63s %n", found, &used) != 1 || !used)
			continue;
		for (char *c = found; *c; c++)
			if (*c == '/')
				*c = '!';
		ok = !strcmp(found, name) && parse(line + used, s);
	}
	fclose(in);
	return ok;
}

bool disk_stat_read(const char *root, const char *name, struct disk_stat *s)
{
	char sys[SYSFS_PATH_BYTES], block[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	char text[SYSFS_VALUE_BYTES];

	if (!*name || strchr(name, '/'))
		return false;
	if (sysfs_join(sys, root, "sys") && sysfs_join(block, sys, "block") &&
	    sysfs_join(dir, block, name) && sysfs_read_text(dir, "stat", text, sizeof(text)) &&
	    parse(text, s))
		return true;
	return read_proc(root, name, s);
}

/* The kernel keeps and prints these as 32 bits. */
static uint64_t ticks_since(uint64_t before_ms, uint64_t after_ms)
{
	return after_ms >= before_ms ? after_ms - before_ms : (uint32_t)(after_ms - before_ms);
}

bool disk_stat_since(const struct disk_stat *before, const struct disk_stat *after,
		     struct disk_stat *diff)
{
	if (after->read_ios < before->read_ios || after->write_ios < before->write_ios ||
	    after->read_merges < before->read_merges ||
	    after->write_merges < before->write_merges ||
	    after->read_bytes < before->read_bytes || after->write_bytes < before->write_bytes)
		return false;
	*diff = (struct disk_stat){
		.read_ios = after->read_ios - before->read_ios,
		.read_merges = after->read_merges - before->read_merges,
		.read_bytes = after->read_bytes - before->read_bytes,
		.read_ticks_ms = ticks_since(before->read_ticks_ms, after->read_ticks_ms),
		.write_ios = after->write_ios - before->write_ios,
		.write_merges = after->write_merges - before->write_merges,
		.write_bytes = after->write_bytes - before->write_bytes,
		.write_ticks_ms = ticks_since(before->write_ticks_ms, after->write_ticks_ms),
		.io_ticks_ms = ticks_since(before->io_ticks_ms, after->io_ticks_ms),
		.queue_ticks_ms = ticks_since(before->queue_ticks_ms, after->queue_ticks_ms),
	};
	return true;
}

static void add(struct disk_stat *to, const struct disk_stat *s)
{
	to->read_ios += s->read_ios;
	to->read_merges += s->read_merges;
	to->read_bytes += s->read_bytes;
	to->read_ticks_ms += s->read_ticks_ms;
	to->write_ios += s->write_ios;
	to->write_merges += s->write_merges;
	to->write_bytes += s->write_bytes;
	to->write_ticks_ms += s->write_ticks_ms;
	to->io_ticks_ms += s->io_ticks_ms;
	to->queue_ticks_ms += s->queue_ticks_ms;
}

void disk_stat_take(const char *root, const struct disk *d, struct disk_stat_reading *r)
{
	struct disk_stat one;

	*r = (struct disk_stat_reading){ .has_own = false };
	r->has_own = disk_stat_read(root, d->name, &r->own);
	for (uint32_t i = 0; i < d->path_n && i < DISK_PATHS_MAX; i++) {
		if (!strcmp(d->path[i], d->name) || !disk_stat_read(root, d->path[i], &one))
			continue;
		add(&r->paths, &one);
		r->has_paths = true;
	}
}

bool disk_stat_between(const struct disk_stat_reading *before,
		       const struct disk_stat_reading *after, struct disk_stat *diff)
{
	struct disk_stat d;

	if (before->has_own && after->has_own &&
	    disk_stat_since(&before->own, &after->own, &d) && (d.read_ios || d.write_ios)) {
		*diff = d;
		return true;
	}
	if (before->has_paths && after->has_paths &&
	    disk_stat_since(&before->paths, &after->paths, &d) && (d.read_ios || d.write_ios)) {
		*diff = d;
		return true;
	}
	return false;
}
