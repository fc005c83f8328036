/* SPDX-License-Identifier: MIT */
/* The watching end of a stream: stops it in time, and gives it up when its disk is silent. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/io/stream.h"
#include "bench/io/stream_thread.h"
#include "lib/clock.h"
#include "lib/file.h"

#define READ_TICK_MS 250
#define WRITE_TICK_MS 50	/* so much may become dirty before the next look */
#define SECTOR_BYTES 512	/* of /sys/block/NAME/stat, whatever the disk's */
/* The disk's rate is that of the last two to four seconds, given it completed so much in them. */
#define RATE_NS (2 * NS_PER_S)
#define RATE_BYTES_MIN (UINT64_C(32) << 20)
#define RESERVE_SHARE 20	/* of the budget, for a flush that is a little slower */

struct watch {
	struct stream_thread *t;
	uint64_t begin_completed;	/* of the timed part; see completed() */
	bool has_begun;
	uint64_t last_sign, last_sign_ns;	/* of life */
	/* what the disk had completed when: a first look RATE_NS ago and more, and the next one */
	struct mark {
		uint64_t ns, completed;
	} mark, next;
	uint64_t next_progress_ns;
};

/* Bytes the disk has read and written since the system began. False: not known. */
static bool disk_bytes(const struct stream *s, uint64_t *read_bytes, uint64_t *written_bytes)
{
	uint64_t in, out;
	char text[256];

	if (!s->disk_stat[0] || file_read(s->disk_stat, text, sizeof(text)) <= 0)
		return false;
	if (sscanf(text, "%*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64, &in, &out) != 2)
		return false;
	*read_bytes = in * SECTOR_BYTES;
	*written_bytes = out * SECTOR_BYTES;
	return true;
}

/* Bytes per second that the disk completes now; 0: not known. */
static double rate_now(struct watch *w, uint64_t now_ns, uint64_t completed)
{
	if (!completed)
		return 0;
	if (!w->next.ns)
		w->mark = w->next = (struct mark){ now_ns, completed };
	if (now_ns - w->next.ns >= RATE_NS) {
		w->mark = w->next;
		w->next = (struct mark){ now_ns, completed };
	}
	if (now_ns - w->mark.ns < RATE_NS || completed - w->mark.completed < RATE_BYTES_MIN)
		return 0;
	return (double)(completed - w->mark.completed) / (double)(now_ns - w->mark.ns) * 1e9;
}

/*
 * Would the stream end in time if no further block was written? `written` bytes are in the page
 * cache or on the disk, `completed` on the disk.
 */
static bool must_stop(const struct stream_thread *t, struct watch *w, uint64_t now_ns,
		      uint64_t written, uint64_t completed)
{
	uint64_t end_ns = t->start_ns + t->s.budget_ns - t->s.budget_ns / RESERVE_SHARE;
	double rate;

	if (completed > written)
		completed = written;
	rate = rate_now(w, now_ns, completed);
	if (now_ns >= end_ns)
		return true;
	return rate > 0 && (double)(written - completed) / rate * 1e9 >= (double)(end_ns - now_ns);
}

/* One look. Returns false where the stream is to be left behind, with the outcome in `out`. */
static bool look(struct watch *w, struct io_outcome *out)
{
	struct stream_thread *t = w->t;
	uint64_t now_ns = clock_ns(), in = 0, done = 0, began_ns = atomic_load(&t->began_ns);
	uint64_t bytes = atomic_load(&t->bytes), completed = 0;
	bool has_stat = disk_bytes(&t->s, &in, &done);

	if (began_ns && !w->has_begun) {
		w->has_begun = true;
		w->begin_completed = done;
	}
	if (has_stat && w->has_begun)
		completed = done - w->begin_completed;
	if (bytes + in + done != w->last_sign) {
		w->last_sign = bytes + in + done;
		w->last_sign_ns = now_ns;
	}
	if (t->s.progress && now_ns >= w->next_progress_ns) {
		w->next_progress_ns = now_ns + NS_PER_S;
		t->s.progress(t->s.context, began_ns ? now_ns - began_ns : 0, bytes);
	}
	if (t->s.budget_ns && began_ns && (t->s.write ? must_stop(t, w, now_ns, bytes, completed)
					   : now_ns >= began_ns + t->s.budget_ns))
		atomic_store(&t->stop, true);
	/* a flush shows no signs of life but the disk's: without those it gets its whole time */
	if (now_ns - w->last_sign_ns >= t->s.stall_ns &&
	    (has_stat || !atomic_load(&t->closing) || !t->s.budget_ns)) {
		out->end = IO_END_STALLED;
		out->unanswered_ios = 1;
		out->silent_ns = now_ns - w->last_sign_ns;
		out->trouble_ns = w->last_sign_ns - t->start_ns;
	} else if (t->s.budget_ns && now_ns >= t->start_ns + t->s.budget_ns + t->s.stall_ns) {
		out->end = IO_END_TIME;
	} else {
		return true;
	}
	out->bytes = t->s.write ? (completed < bytes ? completed : bytes) : bytes;
	out->ios = out->bytes / t->s.block_bytes;
	out->issued_ios = bytes / t->s.block_bytes + 1;
	out->measured_ns = began_ns ? now_ns - began_ns : 0;
	return false;
}

static void tear_down(struct stream_thread *t)
{
	if (t->aside_fd >= 0)
		close(t->aside_fd);
	if (t->done_fd >= 0)
		close(t->done_fd);
	if (t->block.start)
		io_buffers_unmap(&t->block);
	free(t);
}

/*
 * Ordinary pages, as the tools have: on huge ones a copy out of the page cache is some percent
 * faster. All are there before the clock runs, and not taken for zeros that were read.
 */
static int map_block(struct io_buffers *b, uint32_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	(void)madvise(p, bytes, MADV_NOHUGEPAGE);
	memset(p, 0x5a, bytes);
	*b = (struct io_buffers) { .start = p, .stride = bytes, .mapped_bytes = bytes };
	return 0;
}

static int set_up(struct stream_thread *t, const struct stream *s, const char **what)
{
	int err;

	t->s = *s;
	t->aside_fd = t->done_fd = -1;
	hist_init(&t->out.lat);
	for (int i = 0; i < IO_SIDES; i++)
		hist_init(&t->out.side[i].clat);
	*what = "mmap";
	err = map_block(&t->block, s->block_bytes);
	if (err)
		return err;
	if (s->touch && mlock(t->block.start, s->block_bytes))
		snprintf(t->out.note, sizeof(t->out.note),
			 "the buffer could not be locked in memory (%s)", strerror(errno));
	if (s->write && s->data == STREAM_RANDOM)
		io_buffers_fill(&t->block, s->seed);
	*what = "open";
	if (s->write && s->data == STREAM_ZEROS)
		t->aside_fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	else if (s->null_sink)
		t->aside_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (t->aside_fd < 0 && ((s->write && s->data == STREAM_ZEROS) || s->null_sink))
		return -errno;
	*what = "eventfd";
	t->done_fd = eventfd(0, EFD_CLOEXEC);
	return t->done_fd < 0 ? -errno : 0;
}

static int refuse(struct io_outcome *out, int err, const char *what)
{
	out->end = IO_END_SETUP;
	out->setup_errno = -err;
	snprintf(out->setup_what, sizeof(out->setup_what), "%s", what);
	return err;
}

int stream_run(const struct stream *s, struct io_outcome *out)
{
	struct stream_thread *t = calloc(1, sizeof(*t));
	struct watch w = { .t = t };
	const char *what = "calloc";
	pthread_t id;
	int err = -ENOMEM;

	memset(out, 0, sizeof(*out));
	hist_init(&out->lat);
	for (int i = 0; i < IO_SIDES; i++)
		hist_init(&out->side[i].clat);
	if (!t)
		return refuse(out, err, what);
	err = set_up(t, s, &what);
	if (err) {
		tear_down(t);
		return refuse(out, err, what);
	}
	t->start_ns = w.last_sign_ns = clock_ns();
	w.next_progress_ns = t->start_ns + NS_PER_S;
	err = -pthread_create(&id, NULL, stream_thread_main, t);
	if (err) {
		tear_down(t);
		return refuse(out, err, "pthread_create");
	}
	for (;;) {
		struct pollfd p = { .fd = t->done_fd, .events = POLLIN };

		if (poll(&p, 1, s->write ? WRITE_TICK_MS : READ_TICK_MS) > 0)
			break;
		if (!look(&w, out)) {
			/* should it ever wake up: by then its descriptor may be another file's */
			atomic_store(&t->stop, true);
			pthread_detach(id);
			return -EINPROGRESS;
		}
	}
	pthread_join(id, NULL);
	*out = t->out;
	out->depth_used = out->jobs_used = 1;
	tear_down(t);
	return 0;
}
