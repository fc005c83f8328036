/* SPDX-License-Identifier: MIT */
/* The end of a disk that was written to. */
#include "bench/run/closing.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/consent/scratch.h"
#include "lib/clock.h"

#define STEP_MS 10

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

static _Noreturn void close_disk(const struct disk *d, const struct closing *c, pid_t parent)
{
	char why[DISK_PATH_BYTES];
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	prctl(PR_SET_NAME, "bench-close");
	fd = consent_open(d, why, sizeof(why));
	_exit(fd < 0 || consent_close(d, fd, c->area, c->area_n));
}

void closing_run(const struct disk *disk, const struct closing *closing, size_t n,
		 uint64_t limit_ns)
{
	uint64_t until_ns = clock_ns() + limit_ns;
	pid_t parent = getpid(), *pid = calloc(n + 1, sizeof(*pid));
	size_t left = 0;

	for (size_t i = 0; pid && i < n; i++) {
		if (!closing[i].opened)
			continue;
		pid[i] = fork();
		if (pid[i] == 0)
			close_disk(&disk[i], &closing[i], parent);
		left += pid[i] > 0;
	}
	while (left > 0 && clock_ns() < until_ns) {
		for (size_t i = 0; i < n; i++)
			if (pid[i] > 0 && waitpid(pid[i], NULL, WNOHANG) == pid[i]) {
				pid[i] = 0;
				left--;
			}
		if (left > 0)
			poll(NULL, 0, STEP_MS);
	}
	for (size_t i = 0; left > 0 && i < n; i++)
		if (pid[i] > 0)
			kill(pid[i], SIGKILL);
	free(pid);
}
