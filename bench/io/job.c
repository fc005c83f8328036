/* SPDX-License-Identifier: MIT */
/*
 * The measuring loop: keeps `depth` I/Os in flight, takes the time, counts what came back.
 *
 * One turn of the loop hands over every waiting request in batches, takes up to a batch of
 * completions, and looks at the clock once. A slot is always in one of two places: in flight
 * (submit_ns set) or in `pending` with the offset it will read next; what an engine would not take
 * yet stays there, in order.
 */
#include "bench/io/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "bench/io/buffers.h"
#include "bench/io/engine.h"
#include "bench/io/offsets.h"
#include "bench/io/trouble.h"
#include "bench/stats/summary.h"
#include "lib/clock.h"

#define TICK_NS NS_PER_S		/* progress, and the search for lost I/Os */
#define WAIT_NS (100 * NS_PER_MS)	/* longest single wait: how late a silence can be noticed */
#define GRACE_NS (100 * NS_PER_MS)	/* for the healthy I/Os beside a lost one */
/* Lost, not slow: an I/O past stall_ns, while so many times the depth came and went since. */
#define LOST_TURNS 8
#define SAMPLE_ALL 64			/* the first buffers, then one of SAMPLE_EVERY */
#define SAMPLE_EVERY 64
#define ALIGN_BYTES 64

enum phase {
	PHASE_RAMP,	/* nothing counted */
	PHASE_MEASURE,	/* the window is open */
	PHASE_DRAIN,	/* nothing new is submitted */
};

struct slot {
	uint64_t submit_ns;	/* 0: not in flight */
	uint64_t offset_bytes;
	uint64_t number;	/* how many were issued before it */
};

struct run {
	const struct io_job *job;
	const struct io_engine *engine;
	struct io_outcome *out;
	void *state;			/* the engine's, behind this struct in the same mapping */
	size_t mapped_bytes;
	struct io_buffers buffers;
	struct io_offsets offsets;
	struct io_trouble trouble;

	enum phase phase;
	bool ended_early;		/* out->end is final */
	bool broken;			/* the engine lost track of what is in flight */
	uint64_t start_ns, open_ns, last_reply_ns;
	uint64_t phase_end_ns;		/* of ramp or window; while draining early: of the grace */
	uint64_t last_end_ns;		/* the job is over by then, whatever happens */
	uint64_t tick_ns;		/* next progress */
	uint64_t look_ns;		/* next look around: a tick or the last end */
	uint64_t wait_ns;
	uint64_t series_next_ns, series_bytes;
	uint64_t gap_sum_ns, gap_n;	/* submit calls that share a time stamp */
	struct rusage usage;		/* when the window opened */

	uint32_t depth, in_flight, sample_left;
	uint32_t pending_first, pending_n;	/* pending[pending_first .. pending_n - 1] */
	struct io_request pending[IO_DEPTH_MAX];
	struct slot slot[IO_DEPTH_MAX];
};

const struct io_end_row io_end_table[IO_END_COUNT] = {
	[IO_END_TIME] = { IO_END_TIME, "time", "ran its whole time" },
	[IO_END_BYTES] = { IO_END_BYTES, "bytes", "moved all it was asked to" },
	[IO_END_STEADY] = { IO_END_STEADY, "steady", "its mean was known well enough" },
	[IO_END_NO_IO] = { IO_END_NO_IO, "no_io", "not one I/O completed in time" },
	[IO_END_VANISHED] = { IO_END_VANISHED, "vanished", "the device is gone" },
	[IO_END_ERRORS] = { IO_END_ERRORS, "errors", "too many I/Os failed, gave up" },
	[IO_END_STALLED] = { IO_END_STALLED, "stalled", "the device stopped answering" },
	[IO_END_SETUP] = { IO_END_SETUP, "setup", "could not be started" },
};

/* ---- time ---- */

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_usec * 1000;
}

static uint64_t clock_cost_ns(void)
{
	double cost[33];
	size_t n = sizeof(cost) / sizeof(cost[0]);
	uint64_t then = clock_ns(), now;

	for (size_t i = 0; i < n; i++, then = now) {
		now = clock_ns();
		cost[i] = (double)(now - then);
	}
	return (uint64_t)stats_median(cost, n);
}

static void series_advance(struct run *r, uint64_t now_ns)
{
	struct io_outcome *out = r->out;

	while (r->job->series_ns && now_ns >= r->series_next_ns) {
		if (out->series_n < IO_SERIES_MAX)
			out->series_bytes[out->series_n++] = r->series_bytes;
		else
			out->series_lost++;
		r->series_bytes = 0;
		r->series_next_ns += r->job->series_ns;
	}
}

static void window_open(struct run *r, uint64_t now_ns)
{
	r->phase = PHASE_MEASURE;
	r->open_ns = now_ns;
	r->phase_end_ns = now_ns + r->job->runtime_ns;
	r->series_next_ns = now_ns + r->job->series_ns;
	(void)getrusage(RUSAGE_THREAD, &r->usage);
}

/* Ends the window where it is open; from here on I/Os are only waited for. */
static void window_close(struct run *r, uint64_t now_ns)
{
	struct rusage usage;

	if (r->phase == PHASE_MEASURE) {
		r->out->measured_ns = now_ns - r->open_ns;
		series_advance(r, now_ns);
		(void)getrusage(RUSAGE_THREAD, &usage);
		r->out->user_cpu_ns = timeval_ns(usage.ru_utime) - timeval_ns(r->usage.ru_utime);
		r->out->system_cpu_ns = timeval_ns(usage.ru_stime) - timeval_ns(r->usage.ru_stime);
	}
	r->phase = PHASE_DRAIN;
}

/* The first early end is the one that is reported. */
static void end_early(struct run *r, enum io_end end, uint64_t since_ns, uint64_t now_ns)
{
	window_close(r, now_ns);
	if (r->ended_early)
		return;
	r->ended_early = true;
	r->out->end = end;
	r->out->trouble_ns = since_ns - r->start_ns;
}

static void window_end(struct run *r, uint64_t now_ns)
{
	struct io_outcome *out = r->out;

	window_close(r, now_ns);
	if (out->ios)
		return;
	if (out->error_ios || out->short_ios || out->zero_ios)
		end_early(r, IO_END_ERRORS, r->trouble.row_ns, now_ns);
	else
		end_early(r, IO_END_NO_IO, r->start_ns, now_ns);
}

static void phase_end(struct run *r, uint64_t now_ns)
{
	if (r->phase == PHASE_RAMP)
		window_open(r, now_ns);
	else if (r->phase == PHASE_MEASURE)
		window_end(r, now_ns);
}

/* ---- one turn ---- */

static inline void pending_add(struct run *r, uint32_t slot)
{
	struct io_request *request = &r->pending[r->pending_n++];

	request->slot = slot;
	request->offset_bytes = io_offsets_next(&r->offsets);
}

static void refused(struct run *r, int64_t result, uint64_t now_ns)
{
	struct io_request *request = &r->pending[r->pending_first];
	enum io_end end;

	r->out->issued_ios++;
	if (io_trouble_add(&r->trouble, r->job, r->out, request->offset_bytes, result, now_ns,
			   &end))
		end_early(r, end, r->trouble.row_ns, now_ns);
	request->offset_bytes = io_offsets_next(&r->offsets);
}

static void submit_pending(struct run *r)
{
	uint64_t before_ns = clock_ns(), after_ns;

	while (r->pending_first < r->pending_n) {
		const struct io_request *request = &r->pending[r->pending_first];
		uint32_t n = r->pending_n - r->pending_first;
		int got = r->engine->submit(r->state, request, n < IO_BATCH ? n : IO_BATCH);

		if (got <= 0) {
			/* full with nothing in flight would never become less full */
			if (got < 0 || !r->in_flight)
				refused(r, got < 0 ? got : -EAGAIN, before_ns);
			break;
		}
		for (int i = 0; i < got; i++) {
			struct slot *slot = &r->slot[request[i].slot];

			slot->submit_ns = before_ns;
			slot->offset_bytes = request[i].offset_bytes;
			slot->number = r->out->issued_ios++;
		}
		r->pending_first += (uint32_t)got;
		r->in_flight += (uint32_t)got;
		if (got == 1 && r->pending_first == r->pending_n)
			break;
		after_ns = clock_ns();
		r->gap_n++;
		r->gap_sum_ns += after_ns - before_ns;
		if (after_ns - before_ns > r->out->clock_error_ns)
			r->out->clock_error_ns = after_ns - before_ns;
		before_ns = after_ns;
	}
	r->pending_n -= r->pending_first;
	if (r->pending_n)
		memmove(r->pending, r->pending + r->pending_first,
			r->pending_n * sizeof(r->pending[0]));
	r->pending_first = 0;
}

static void sample_buffer(struct run *r, uint32_t slot)
{
	struct io_outcome *out = r->out;

	out->sampled_buffers++;
	out->zero_buffers += io_buffer_is_zero(r->buffers.start + slot * r->buffers.stride,
					       r->job->block_bytes);
	r->sample_left = out->sampled_buffers < SAMPLE_ALL ? 1 : SAMPLE_EVERY;
}

static void take_completions(struct run *r, const struct io_done *done, uint32_t n, uint64_t now_ns)
{
	const uint32_t block_bytes = r->job->block_bytes;
	/* the first to come after the end is no speed: nothing had completed in time */
	const bool counted = r->phase == PHASE_MEASURE && (now_ns < r->phase_end_ns || r->out->ios);
	uint32_t good = 0;
	enum io_end end;

	r->in_flight -= n;
	r->last_reply_ns = now_ns;
	for (uint32_t i = 0; i < n; i++) {
		struct slot *slot = &r->slot[done[i].slot];

		if (done[i].result == block_bytes) {
			if (counted) {
				good++;
				hist_add(&r->out->lat, now_ns - slot->submit_ns, 1);
				if (!--r->sample_left)
					sample_buffer(r, done[i].slot);
			}
			r->trouble.bad_row = r->trouble.zero_row = 0;
		} else if (io_trouble_add(&r->trouble, r->job, r->out, slot->offset_bytes,
					  done[i].result, now_ns, &end)) {
			end_early(r, end, r->trouble.row_ns, now_ns);
		}
		slot->submit_ns = 0;
		pending_add(r, done[i].slot);
	}
	if (counted) {
		series_advance(r, now_ns);
		r->series_bytes += (uint64_t)good * block_bytes;
		r->out->ios += good;
		r->out->bytes += (uint64_t)good * block_bytes;
	}
}

static void next_tick(struct run *r, uint64_t now_ns)
{
	r->tick_ns = now_ns + TICK_NS;
	r->look_ns = r->tick_ns < r->last_end_ns ? r->tick_ns : r->last_end_ns;
}

/*
 * Since when an answer is missing for too long; 0: all is well. A slow device may keep each of many
 * I/Os waiting for longer than stall_ns: while others come back, one is missed only when it was
 * passed over.
 */
static uint64_t silent_since_ns(const struct run *r, uint64_t now_ns)
{
	const uint64_t turns = (uint64_t)LOST_TURNS * r->depth;

	if (r->in_flight && now_ns - r->last_reply_ns >= r->job->stall_ns)
		return r->last_reply_ns;
	for (uint32_t i = 0; i < r->depth; i++) {
		const struct slot *slot = &r->slot[i];

		if (slot->submit_ns && now_ns - slot->submit_ns >= r->job->stall_ns &&
		    r->out->issued_ios - slot->number >= turns)
			return slot->submit_ns;
	}
	return 0;
}

/* Once per second and after each wait in vain. Returns true where the waiting is over. */
static bool look_around(struct run *r, uint64_t now_ns)
{
	uint64_t since_ns = silent_since_ns(r, now_ns);

	if (now_ns >= r->tick_ns) {
		next_tick(r, now_ns);
		if (r->job->progress)
			r->job->progress(r->job->context, now_ns - r->start_ns, r->out->bytes);
	}
	if (r->phase == PHASE_DRAIN && r->out->end == IO_END_STALLED)
		return now_ns >= r->phase_end_ns;
	if (since_ns) {
		end_early(r, IO_END_STALLED, since_ns, now_ns);
		r->out->silent_ns = now_ns - since_ns;
		r->phase_end_ns = now_ns + GRACE_NS;
		/* where it is gone or failing already, there is nothing to wait for */
		return r->out->end != IO_END_STALLED;
	}
	if (now_ns < r->last_end_ns)
		return false;
	/* still answering, but out of time */
	if (r->phase != PHASE_DRAIN)
		window_end(r, now_ns);
	return true;
}

static void run_loop(struct run *r)
{
	struct io_done done[IO_BATCH];
	uint64_t now_ns;
	int n;

	while (r->phase != PHASE_DRAIN || r->in_flight) {
		if (r->phase != PHASE_DRAIN && r->pending_n)
			submit_pending(r);
		n = r->engine->reap(r->state, done, IO_BATCH, r->in_flight ? r->wait_ns : 0);
		now_ns = clock_ns();
		if (n < 0) {
			refused(r, n, now_ns);
			end_early(r, IO_END_ERRORS, now_ns, now_ns);
			r->broken = true;
			return;
		}
		if (n > 0)
			take_completions(r, done, (uint32_t)n, now_ns);
		if (now_ns >= r->phase_end_ns && (n > 0 || !r->in_flight))
			phase_end(r, now_ns);
		if ((n == 0 || now_ns >= r->look_ns) && look_around(r, now_ns))
			return;
	}
}

/* ---- before and after ---- */

static int setup_failed(struct io_outcome *out, const char *what, int err)
{
	out->end = IO_END_SETUP;
	out->setup_errno = -err;
	snprintf(out->setup_what, sizeof(out->setup_what), "%s", what);
	return err;
}

/* The name of the first field that makes no sense, or NULL. */
static const char *job_fault(const struct io_job *job)
{
	uint32_t block = job->block_bytes, align = job->align_bytes;

	if (!align || align % 512 || !block || block % align)
		return "block size";
	if (job->depth < 1 || job->depth > IO_DEPTH_MAX)
		return "queue depth";
	if (job->area_bytes < block || job->area_offset_bytes % align ||
	    job->area_offset_bytes > (uint64_t)INT64_MAX - job->area_bytes ||
	    job->area_bytes > (uint64_t)INT64_MAX)
		return "area";
	if (!job->runtime_ns || !job->stall_ns)
		return "time";
	return NULL;
}

/*
 * A read would also note its time in the device node: 3 % of the cost of a read from memory. Only
 * root and the owner may leave it out.
 */
static void without_atime(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		(void)fcntl(fd, F_SETFL, flags | O_NOATIME);
}

static int run_setup(struct run *r)
{
	const struct io_job *job = r->job;
	struct io_engine_setup s = {
		.fd = job->fd,
		.block_bytes = job->block_bytes,
		.depth = job->depth,
		.what = "setup",
		.note = r->out->note,
	};
	int err = io_buffers_map(&r->buffers, job->depth, job->block_bytes);

	if (err)
		return setup_failed(r->out, "mmap", err);
	s.buffers = r->buffers.start;
	s.buffer_stride = r->buffers.stride;
	err = r->engine->setup(r->state, &s);
	if (err) {
		io_buffers_unmap(&r->buffers);
		return setup_failed(r->out, s.what, err);
	}
	without_atime(job->fd);
	r->depth = r->out->depth_used = s.depth;
	r->sample_left = 1;
	io_offsets_init(&r->offsets, job);
	for (uint32_t i = 0; i < r->depth; i++)
		pending_add(r, i);
	return 0;
}

static void run_start(struct run *r)
{
	const struct io_job *job = r->job;

	r->wait_ns = job->stall_ns / 4 < WAIT_NS ? job->stall_ns / 4 : WAIT_NS;
	r->out->clock_read_ns = clock_cost_ns();
	r->start_ns = r->last_reply_ns = clock_ns();
	r->phase_end_ns = r->start_ns + job->ramp_ns;
	r->last_end_ns = r->start_ns + job->ramp_ns + job->runtime_ns + job->stall_ns;
	next_tick(r, r->start_ns);
	if (!job->ramp_ns)
		window_open(r, r->start_ns);
}

static void run_finish(struct run *r)
{
	struct io_outcome *out = r->out;
	size_t used = strlen(out->note);

	if (r->gap_n)
		out->clock_error_mean_ns = (double)r->gap_sum_ns / (double)r->gap_n;
	if (!r->in_flight && !r->broken) {
		r->engine->teardown(r->state);
		io_buffers_unmap(&r->buffers);
		munmap(r, r->mapped_bytes);
		return;
	}
	/* all stays mapped: see io_job_run() */
	if (out->end == IO_END_STALLED)
		out->unanswered_ios = r->in_flight;
	else if (r->in_flight)
		snprintf(out->note + used, sizeof(out->note) - used,
			 "%s%u I/Os were still on their way when the time was over",
			 used ? "; " : "", r->in_flight);
}

int io_job_run_on(const struct io_engine *engine, const struct io_job *job, struct io_outcome *out)
{
	size_t own_bytes = (sizeof(struct run) + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
	size_t mapped_bytes = own_bytes + engine->state_bytes;
	const char *fault = job_fault(job);
	struct run *r;
	int err;

	memset(out, 0, sizeof(*out));
	hist_init(&out->lat);
	if (fault)
		return setup_failed(out, fault, -EINVAL);
	r = mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (r == MAP_FAILED)
		return setup_failed(out, "mmap", -errno);
	r->job = job;
	r->engine = engine;
	r->out = out;
	r->state = (unsigned char *)r + own_bytes;
	r->mapped_bytes = mapped_bytes;
	err = run_setup(r);
	if (err) {
		munmap(r, mapped_bytes);
		return err;
	}
	run_start(r);
	run_loop(r);
	run_finish(r);
	return 0;
}

int io_job_run(const struct io_job *job, struct io_outcome *out)
{
	const struct io_engine *engine = io_engine_find(job->engine);

	if (!engine) {
		memset(out, 0, sizeof(*out));
		hist_init(&out->lat);
		return setup_failed(out, "engine", -EINVAL);
	}
	return io_job_run_on(engine, job, out);
}
