/* SPDX-License-Identifier: MIT */
/* Frames between a worker process and its supervisor. */
#include "bench/run/frame.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"

#define FRAME_MAGIC 0x626d6b31u	/* "bmk1" */

int frame_write(int fd, enum frame_type type, uint32_t entry, const void *payload, uint32_t len)
{
	uint32_t header[4] = { FRAME_MAGIC, type, entry, len };
	int err = file_write_all(fd, header, sizeof(header));

	_Static_assert(sizeof(header) == FRAME_HEADER_BYTES, "the header is four words");
	if (!err && len > 0)
		err = file_write_all(fd, payload, len);
	return err;
}

void frame_reader_init(struct frame_reader *r)
{
	r->have = 0;
}

static uint32_t length_of(uint32_t type)
{
	switch (type) {
	case FRAME_PROGRESS:
		return sizeof(struct frame_progress);
	case FRAME_RESULT:
		return sizeof(struct result);
	default:
		return 0;
	}
}

static int is_header_sound(const struct frame *f)
{
	return f->magic == FRAME_MAGIC && f->type >= FRAME_STARTED && f->type <= FRAME_RESULT &&
	       f->len == length_of(f->type);
}

/* Numbers that index arrays or tables, and texts, must hold what they promise. */
static int is_result_sound(const struct result *r)
{
	if ((unsigned)r->status >= RESULT_STATUS_COUNT || r->metric_n > RESULT_METRICS_MAX ||
	    (unsigned)r->io.end >= IO_END_COUNT || r->io.error_n > IO_ERRORS_MAX ||
	    r->io.series_n > IO_SERIES_MAX)
		return 0;
	for (uint32_t i = 0; i < r->metric_n; i++)
		if ((unsigned)r->metric[i].unit >= UNIT_UNITS ||
		    r->metric[i].sample_n > METRIC_SAMPLES_MAX ||
		    !memchr(r->metric[i].name, '\0', sizeof(r->metric[i].name)))
			return 0;
	return memchr(r->reason, '\0', sizeof(r->reason)) &&
	       memchr(r->test, '\0', sizeof(r->test)) &&
	       memchr(r->target, '\0', sizeof(r->target)) &&
	       memchr(r->target_identity, '\0', sizeof(r->target_identity)) &&
	       memchr(r->engine, '\0', sizeof(r->engine)) &&
	       memchr(r->access, '\0', sizeof(r->access)) &&
	       memchr(r->order, '\0', sizeof(r->order)) &&
	       memchr(r->io.note, '\0', sizeof(r->io.note)) &&
	       memchr(r->io.setup_what, '\0', sizeof(r->io.setup_what));
}

int frame_read(struct frame_reader *r, int fd)
{
	char *bytes = (char *)&r->frame;

	if (r->have >= FRAME_HEADER_BYTES && r->have == FRAME_HEADER_BYTES + r->frame.len)
		r->have = 0;	/* the last call handed this one out */
	for (;;) {
		size_t want = FRAME_HEADER_BYTES;
		ssize_t n;

		if (r->have >= FRAME_HEADER_BYTES) {
			if (!is_header_sound(&r->frame))
				return -EBADMSG;
			want += r->frame.len;
		}
		if (r->have == want) {
			if (r->frame.type == FRAME_RESULT && !is_result_sound(&r->frame.u.result))
				return -EBADMSG;
			return 1;
		}
		n = read(fd, bytes + r->have, want - r->have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n == 0)
			return -EPIPE;
		r->have += (size_t)n;
	}
}
