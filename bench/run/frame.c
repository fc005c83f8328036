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
	return f->magic == FRAME_MAGIC && f->type >= FRAME_STARTED && f->type <= FRAME_READY &&
	       f->len == length_of(f->type);
}

static int has_end(const char *text, size_t bytes)
{
	return memchr(text, '\0', bytes) != NULL;
}

#define HAS_END(text) has_end(text, sizeof(text))

static int are_metrics_sound(const struct result *r)
{
	if (r->metric_n > RESULT_METRICS_MAX)
		return 0;
	for (uint32_t i = 0; i < r->metric_n; i++)
		if ((unsigned)r->metric[i].unit >= UNIT_UNITS || !HAS_END(r->metric[i].name) ||
		    r->metric[i].sample_n > METRIC_SAMPLES_MAX)
			return 0;
	return 1;
}

static int are_series_sound(const struct result *r)
{
	if (r->series_n > RESULT_SERIES_MAX)
		return 0;
	for (uint32_t i = 0; i < r->series_n; i++) {
		const struct series *s = &r->series[i];

		if (s->point_n > SERIES_POINTS_MAX || (unsigned)s->x_unit >= UNIT_UNITS ||
		    (unsigned)s->y_unit >= UNIT_UNITS || !HAS_END(s->name))
			return 0;
	}
	return 1;
}

static int are_marks_sound(const struct result *r)
{
	if (r->mark_n > RESULT_MARKS_MAX)
		return 0;
	for (uint32_t i = 0; i < r->mark_n; i++)
		if (!HAS_END(r->mark[i].word) || !HAS_END(r->mark[i].text))
			return 0;
	return 1;
}

/* Numbers that index arrays or tables, and texts, must hold what they promise. */
static int is_result_sound(const struct result *r)
{
	return (unsigned)r->status < RESULT_STATUS_COUNT && (unsigned)r->io.end < IO_END_COUNT &&
	       r->io.error_n <= IO_ERRORS_MAX && r->io.series_n <= IO_SERIES_MAX &&
	       r->io.map_n <= IO_MAP_N && are_metrics_sound(r) && are_series_sound(r) &&
	       are_marks_sound(r) && HAS_END(r->reason) && HAS_END(r->test) &&
	       HAS_END(r->family) && HAS_END(r->phase) && HAS_END(r->target) &&
	       HAS_END(r->target_identity) && HAS_END(r->engine) && HAS_END(r->access) &&
	       HAS_END(r->data) && HAS_END(r->via) && HAS_END(r->path) && HAS_END(r->order) &&
	       HAS_END(r->io.note) && HAS_END(r->io.setup_what);
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
