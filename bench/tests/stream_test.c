/* SPDX-License-Identifier: MIT */
/* Runs of a tool as one result; see stream_test.h. */
#include "bench/tests/stream_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/consent/scratch.h"
#include "bench/report/units.h"
#include "bench/stats/summary.h"
#include "bench/tests/io_verdict.h"
#include "bench/tests/numbers.h"
#include "lib/clock.h"
#include "lib/text.h"

#define PLACE_ALIGN (UINT64_C(1) << 20)

int stream_test_open(const struct test_context *c)
{
	struct stat checked, own;
	int fd = open(c->disk->node, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (fstat(c->fd, &checked) || fstat(fd, &own) || checked.st_rdev != own.st_rdev) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

struct stream stream_test_init(const struct test_context *c, int fd, uint32_t block_bytes)
{
	struct stream s = {
		.fd = fd, .block_bytes = block_bytes,
		.stall_ns = c->stall_ns, .seed = 1,
		.progress = c->progress, .context = c->progress_context,
	};

	numbers_area(c, &s.offset_bytes, &s.bytes);
	s.bytes = s.bytes / block_bytes * block_bytes;
	snprintf(s.disk_stat, sizeof(s.disk_stat), "/sys/block/%s/stat", c->disk->name);
	return s;
}

/* Adds one outcome to those before; the last one tells how it ended. */
static void add_outcome(struct io_outcome *sum, const struct io_outcome *out)
{
	struct io_outcome before = *sum;

	*sum = *out;
	sum->measured_ns += before.measured_ns;
	sum->ios += before.ios;
	sum->bytes += before.bytes;
	sum->issued_ios += before.issued_ios;
	sum->sampled_buffers += before.sampled_buffers;
	sum->zero_buffers += before.zero_buffers;
}

bool stream_test_run(const struct stream *s, struct result *r, struct series *runs,
		     bool *left_behind)
{
	/* what io_verdict wants to know of it */
	const struct io_job job = {
		.fd = s->fd, .access = s->write ? IO_WRITE : IO_READ,
		.block_bytes = s->block_bytes, .depth = 1,
		.runtime_ns = s->runtime_ns ? s->runtime_ns : s->budget_ns,
	};
	char why[RESULT_REASON_BYTES];
	enum result_status status;
	struct io_outcome out;
	int err;

	err = stream_run(s, &out);
	*left_behind = err == -EINPROGRESS;
	if (*left_behind && out.end == IO_END_TIME) {
		status = RESULT_FAILED;
		snprintf(why, sizeof(why),
			 "too slow: %s of %s were %s after %.1f s, when its time was over",
			 units_bytes(UNITS_BUF, out.bytes), units_bytes(UNITS_BUF, s->bytes),
			 s->write ? "on the disk" : "read", (double)out.measured_ns / 1e9);
	} else {
		status = io_verdict(&job, &out, why, sizeof(why));
	}
	if (status == RESULT_OK && (!out.bytes || !out.measured_ns)) {
		out.end = IO_END_NO_IO;
		status = io_verdict(&job, &out, why, sizeof(why));
	}
	add_outcome(&r->io, &out);
	r->has_io = true;
	result_end(r, status, "%s", why);
	if (status != RESULT_OK)
		return false;
	series_add(runs, (double)out.measured_ns, (double)out.bytes);
	return true;
}

/* A file without a name: it is gone with its descriptor, however this process ends. */
static int open_file(struct stream_target *t, const struct test_context *c, uint64_t bytes,
		     struct result *r)
{
	char why[RESULT_REASON_BYTES];

	t->is_file = true;
	t->room_bytes = scratch_room_bytes(c->dir);
	t->fd = scratch_open(c->dir, bytes < t->room_bytes ? bytes : t->room_bytes, 0, why,
			     sizeof(why));
	if (t->fd < 0) {
		result_end(r, RESULT_FAILED, "%s", why);
		return t->fd;
	}
	text_clean_str(r->path, sizeof(r->path), c->dir);
	snprintf(r->via, sizeof(r->via), "file");
	return 0;
}

void stream_test_place(const struct test_context *c, uint64_t bytes, uint64_t *offset_bytes,
		       uint64_t *room_bytes)
{
	uint64_t area_bytes, size = c->disk->size_bytes, behind;

	numbers_area(c, offset_bytes, &area_bytes);
	behind = (*offset_bytes + area_bytes + PLACE_ALIGN - 1) / PLACE_ALIGN * PLACE_ALIGN;
	if (c->area_written && behind < size && size - behind >= bytes)
		*offset_bytes = behind;
	else if (c->area_written && area_bytes > bytes)
		*offset_bytes += (area_bytes - bytes) / PLACE_ALIGN * PLACE_ALIGN;
	*room_bytes = *offset_bytes < size ? size - *offset_bytes : 0;
}

int stream_target_open(struct stream_target *t, const struct test_context *c, uint64_t bytes,
		       struct result *r)
{
	*t = (struct stream_target) { .fd = c->write_fd };
	snprintf(r->access, sizeof(r->access), "write");
	snprintf(r->order, sizeof(r->order), "sequential");
	r->depth = r->depth_asked = r->jobs = 1;
	if (c->write_fd < 0 && c->dir)
		return open_file(t, c, bytes, r);
	if (c->write_fd < 0) {
		result_end(r, RESULT_SKIPPED, "no consent to write");
		return -EACCES;
	}
	t->flags = fcntl(c->write_fd, F_GETFL);
	if (t->flags < 0 || fcntl(c->write_fd, F_SETFL, t->flags & ~O_DIRECT)) {
		int err = errno;

		result_end(r, RESULT_FAILED, "the page cache cannot be used: %s", strerror(err));
		return -err;
	}
	stream_test_place(c, bytes, &r->area_offset_bytes, &t->room_bytes);
	snprintf(r->via, sizeof(r->via), "page-cache");
	return 0;
}

void stream_target_close(struct stream_target *t, bool left_behind)
{
	if (left_behind)
		return;		/* a call on it never came back */
	if (t->is_file) {
		close(t->fd);
		return;
	}
	(void)stream_drop_cache(t->fd);
	(void)fcntl(t->fd, F_SETFL, t->flags);
}

bool stream_test_write(const struct test_context *c, const struct stream *form, uint64_t bytes,
		       uint64_t budget_ns, struct result *r, struct series *runs)
{
	bool left_behind = false, went_well;
	struct stream_target target;
	struct stream s = *form;
	uint64_t before = r->io.bytes, done;

	if (stream_target_open(&target, c, bytes, r))
		return false;
	s.fd = target.fd;
	s.own_file = target.is_file;
	s.offset_bytes = target.is_file ? 0 : r->area_offset_bytes;
	s.bytes = bytes;
	if (s.bytes > target.room_bytes)
		s.bytes = target.room_bytes / s.block_bytes * s.block_bytes;
	r->area_bytes = s.bytes;
	s.budget_ns = budget_ns;
	if (!target.is_file)
		(void)stream_drop_cache(target.fd);	/* its pages are new, as a new file's */
	went_well = stream_test_run(&s, r, runs, &left_behind);
	done = r->io.bytes - before;
	if (went_well && done < bytes)
		result_end(r, RESULT_OK, "%s of %s: %s", units_bytes(UNITS_BUF, done),
			   units_bytes(UNITS_BUF, bytes),
			   done < s.bytes   ? "its time was over"
			   : target.is_file ? "there is no more room"
					    : "the disk has no more");
	stream_target_close(&target, left_behind);
	stream_test_leave(c, left_behind);
	return went_well;
}

void stream_test_leave(const struct test_context *c, bool left_behind)
{
	if (left_behind && c->left_behind)
		*c->left_behind = true;
}

void stream_test_pause(const struct test_context *c, uint64_t ns)
{
	uint64_t start_ns = clock_ns(), now_ns = start_ns;

	while (now_ns < start_ns + ns) {
		uint64_t left_ns = start_ns + ns - now_ns;
		struct timespec t = { .tv_sec = left_ns >= NS_PER_S,
				      .tv_nsec = left_ns < NS_PER_S ? (long)left_ns : 0 };

		nanosleep(&t, NULL);
		now_ns = clock_ns();
		if (c->progress)
			c->progress(c->progress_context, 0, 0);
	}
}

void stream_test_median(struct result *r, const char *name, const struct series *runs)
{
	double rate[METRIC_SAMPLES_MAX], sorted[METRIC_SAMPLES_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < runs->point_n && n < METRIC_SAMPLES_MAX; i++)
		if (runs->point[i].x > 0)
			rate[n++] = runs->point[i].y / runs->point[i].x * 1e9;
	if (n == 0)
		return;
	memcpy(sorted, rate, n * sizeof(*rate));
	metric_samples(result_metric(r, name, UNIT_BYTES_PER_S, stats_median(sorted, n)), rate, n);
}
