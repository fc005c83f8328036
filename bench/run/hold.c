/* SPDX-License-Identifier: MIT */
/* What a worker holds of its disk. */
#include "bench/run/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void hold_init(struct hold *h, const struct disk *d)
{
	memset(h, 0, sizeof(*h));
	h->disk = d;
	h->fd = h->write_fd = -1;
}

static bool refuse(struct hold *h, struct result *r)
{
	result_end(r, RESULT_SKIPPED, "it writes, and that was refused: %.200s",
		   h->refused[0] ? h->refused : "no consent can be had");
	return false;
}

/* A file system of ours and a descriptor to write exclude each other. */
static void drop_dir(struct hold *h)
{
	if (h->has_dir)
		(void)scratch_end(&h->scratch, h->disk);
	memset(&h->scratch, 0, sizeof(h->scratch));
	h->has_dir = false;
}

static void drop_write(struct hold *h)
{
	if (h->write_fd >= 0)
		close(h->write_fd);
	h->write_fd = -1;
}

static bool need_write(struct hold *h, struct test_context *c, struct result *r)
{
	drop_dir(h);
	if (h->write_fd < 0 && !h->refused[0])
		h->write_fd = consent_open(h->disk, h->refused, sizeof(h->refused));
	c->write_fd = h->write_fd;
	return h->write_fd >= 0 || refuse(h, r);
}

static bool need_dir(struct hold *h, struct test_context *c, struct result *r)
{
	drop_write(h);
	if (!h->has_dir && !h->refused[0])
		h->has_dir = scratch_begin(&h->scratch, h->disk, h->refused,
					   sizeof(h->refused)) == 0;
	c->dir = h->scratch.dir;
	return h->has_dir || refuse(h, r);
}

/* The plan asks the same: what gets here in spite of that must not write. */
static bool is_covered(enum test_access access, enum disk_consent consent)
{
	switch (access) {
	case TEST_READS:
		return true;
	case TEST_WRITES_BACK:
		return consent == CONSENT_WRITEBACK || consent == CONSENT_DESTROY;
	case TEST_WRITES:
		return consent == CONSENT_DESTROY;
	case TEST_FILES:
	case TEST_WRITES_OR_FILE:
		return consent == CONSENT_FILE || consent == CONSENT_DESTROY;
	}
	return false;
}

bool hold_for(struct hold *h, struct test_context *c, struct result *r)
{
	c->fd = c->write_fd = -1;
	if (!h->disk && c->test->access == TEST_READS)
		return true;
	if (!h->disk) {
		result_end(r, RESULT_SKIPPED, "it writes, and there is no disk");
		return false;
	}
	if (!is_covered(c->test->access, h->disk->consent)) {
		result_end(r, RESULT_SKIPPED, "it writes more than the consent covers");
		return false;
	}
	if (h->fd < 0)
		h->fd = open(h->disk->node, O_RDONLY | O_DIRECT | O_CLOEXEC);
	c->fd = h->fd;
	if (h->fd < 0) {
		result_end(r, RESULT_FAILED, "%s cannot be opened: %s", h->disk->node,
			   strerror(errno));
		return false;
	}
	switch (c->test->access) {
	case TEST_READS:
		if (h->scratch.mounted)
			drop_dir(h);
		return true;
	case TEST_WRITES_BACK:
	case TEST_WRITES:
		return need_write(h, c, r);
	case TEST_FILES:
		return need_dir(h, c, r);
	case TEST_WRITES_OR_FILE:
		return h->disk->consent == CONSENT_FILE ? need_dir(h, c, r) : need_write(h, c, r);
	}
	return false;
}

void hold_end(struct hold *h)
{
	drop_dir(h);
	drop_write(h);
	if (h->fd >= 0)
		close(h->fd);
	h->fd = -1;
}
