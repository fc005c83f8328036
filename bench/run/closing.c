/* SPDX-License-Identifier: MIT */
/* The end of a disk that was written to. */
#include "bench/run/closing.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "bench/consent/scratch.h"
#include "bench/sys/child.h"
#include "lib/clock.h"

#define STEP_MS 10
#define NOT_OPENED INT_MAX	/* no errno */

static bool is_open_for(const struct test *t, const struct disk *d)
{
	return t->access != TEST_READS && (d->consent == CONSENT_WRITEBACK ||
					   d->consent == CONSENT_DESTROY);
}

/* Where an area touches one that is known the two become one; so do the last where room ends. */
static void add_area(struct closing *c, uint64_t offset_bytes, uint64_t bytes)
{
	uint64_t end = offset_bytes + bytes;
	size_t i = 0;

	while (i < c->area_n && (offset_bytes > c->area[i].offset_bytes + c->area[i].bytes ||
				 end < c->area[i].offset_bytes))
		i++;
	if (i == CLOSING_AREAS_MAX)
		i--;
	if (i == c->area_n) {
		c->area[c->area_n++] = (struct consent_area){ offset_bytes, bytes };
		return;
	}
	if (c->area[i].offset_bytes + c->area[i].bytes > end)
		end = c->area[i].offset_bytes + c->area[i].bytes;
	if (c->area[i].offset_bytes < offset_bytes)
		offset_bytes = c->area[i].offset_bytes;
	c->area[i] = (struct consent_area){ offset_bytes, end - offset_bytes };
}

void closing_started(struct closing *c, const struct test *t, const struct disk *d)
{
	if (!is_open_for(t, d))
		return;
	c->opened = true;
	if (t->access == TEST_FILES)	/* on a file system of its own */
		add_area(c, 0, d->size_bytes < SCRATCH_FS_MAX_BYTES ? d->size_bytes
								    : SCRATCH_FS_MAX_BYTES);
}

void closing_wrote(struct closing *c, const struct test *t, const struct disk *d,
		   const struct result *r)
{
	/* what was written back is data, and stays */
	if (!is_open_for(t, d) || t->access == TEST_WRITES_BACK || t->access == TEST_FILES ||
	    r->area_bytes == 0 || r->area_offset_bytes >= d->size_bytes)
		return;
	add_area(c, r->area_offset_bytes, r->area_bytes < d->size_bytes - r->area_offset_bytes ?
		 r->area_bytes : d->size_bytes - r->area_offset_bytes);
}

struct task {
	const struct disk *d;
	const struct closing *c;
};

/* In the child: answers 0, an errno or NOT_OPENED. */
static void close_disk(void *context)
{
	const struct task *t = context;
	char why[DISK_PATH_BYTES];
	int fd, err = NOT_OPENED;

	prctl(PR_SET_NAME, "bench-close");
	fd = consent_open(t->d, why, sizeof(why));
	if (fd >= 0)
		err = -consent_close(t->d, fd, t->c->area, t->c->area_n);
	child_say(&err, sizeof(err));
}

/* What is left undone: 0 nothing, an errno, NOT_OPENED, or negative where nothing was answered. */
static void tell(const struct disk *d, int err, closing_told *told, void *context)
{
	char why[160];

	if (err == 0)
		return;
	if (err < 0)
		snprintf(why, sizeof(why), "what this run wrote may be there still, and the disk "
			 "open to writing: closing it took too long");
	else if (err == NOT_OPENED)
		snprintf(why, sizeof(why), "what this run wrote may be there still, and the disk "
			 "open to writing: it could not be opened any more");
	else if (err == EOPNOTSUPP)
		snprintf(why, sizeof(why), "what this run wrote is there still: the disk cannot "
			 "discard");
	else
		snprintf(why, sizeof(why), "what this run wrote may be there still: %s",
			 strerror(err));
	told(context, d, why);
}

/* What the child of a disk has answered; it is ended. */
static int take_answer(struct child *c)
{
	int err;

	if (child_listen(c, &err, sizeof(err), 0) != sizeof(err))
		err = -1;
	child_end(c);
	return err;
}

void closing_run(const struct disk *disk, const struct closing *closing, size_t n,
		 uint64_t limit_ns, closing_told *told, void *context)
{
	uint64_t until_ns = clock_ns() + limit_ns;
	struct child *child = calloc(n + 1, sizeof(*child));
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		struct task task = { &disk[i], &closing[i] };
		int err;

		if (!closing[i].opened)
			continue;
		err = child ? child_start(&child[i], close_disk, &task) : -ENOMEM;
		if (err)
			tell(&disk[i], -err, told, context);
		else
			left++;
	}
	while (left > 0 && clock_ns() < until_ns) {
		for (size_t i = 0; i < n; i++)
			if (child[i].pid && child_has_ended(&child[i])) {
				tell(&disk[i], take_answer(&child[i]), told, context);
				left--;
			}
		if (left > 0)
			poll(NULL, 0, STEP_MS);
	}
	for (size_t i = 0; left > 0 && i < n; i++)
		if (child[i].pid)
			tell(&disk[i], take_answer(&child[i]), told, context);
	free(child);
}
