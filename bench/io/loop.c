/* SPDX-License-Identifier: MIT */
/*
 * The turns of the measuring loop; see loop.h.
 *
 * One turn of the loop hands over every waiting request in batches, takes up to a batch of
 * completions, and looks at the clock once. A slot is always in one of two places: in flight
 * (submit_ns set) or in `pending` with what it will do next; what an engine would not take yet
 * stays there, in order.
 */
#include "bench/io/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/io/merge.h"
#include "bench/io/place.h"
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

/* ---- what comes next ---- */

static unsigned char *buffer_of(const struct io_loop *r, uint32_t slot)
{
	return r->buffers.start + slot * r->buffers.stride;
}

/* Of each 100 I/Os of a mix read_percent read, on average. */
static bool draw_write(struct io_loop *r)
{
	uint64_t draw = io_offsets_draw(&r->side_state) >> 32;

	return (draw * 100) >> 32 >= r->job.read_percent;
}

/* New data in the buffer: wholly where a read left its own there, else as little as will do. */
static void prepare_data(struct io_loop *r, uint32_t slot)
{
	struct io_buffers one = {
		.start = buffer_of(r, slot),
		.mapped_bytes = r->job.block_bytes,
	};

	if (r->slot[slot].stale)
		io_buffers_fill(&one, io_offsets_draw(&r->data_state));
	else
		io_buffer_refresh(one.start, r->job.block_bytes, &r->data_state);
	r->slot[slot].stale = false;
}

static inline void pending_add(struct io_loop *r, uint32_t slot)
{
	struct io_request *request = &r->pending[r->pending_n++];

	request->slot = slot;
	request->write = false;
	request->offset_bytes = io_offsets_next(&r->offsets);
	if (r->job.access != IO_READ && (r->job.access == IO_WRITE || draw_write(r))) {
		request->write = true;
		prepare_data(r, slot);
	}
}

/* ---- one turn ---- */

static void refused(struct io_loop *r, int64_t result, uint64_t now_ns)
{
	struct io_request *request = &r->pending[r->pending_first];
	enum io_end end;

	r->out->issued_ios++;
	if (io_trouble_add(&r->trouble, &r->job, r->out, request->offset_bytes, result, now_ns,
			   &end))
		io_window_trouble(r, end, r->trouble.row_ns, now_ns);
	request->offset_bytes = io_offsets_next(&r->offsets);
}

/* fio's bounds, see IO_MAP_N. */
static unsigned depth_bin(uint32_t depth)
{
	unsigned bin = 31 - (unsigned)__builtin_clz(depth);

	return bin < IO_MAP_N ? bin : IO_MAP_N - 1;
}

static unsigned calls_bin(uint32_t ios)
{
	if (ios <= 4)
		return ios ? 1 : 0;
	ios = depth_bin((ios - 1) / 4) + 2;
	return ios < IO_MAP_N ? ios : IO_MAP_N - 1;
}

/* A submit call took `got` requests, with those of `r->in_flight` before them. */
static void map_submit(struct io_loop *r, uint32_t got)
{
	if (r->phase != IO_PHASE_MEASURE)
		return;
	r->out->submit_map[calls_bin(got)]++;
	for (uint32_t i = 1; i <= got; i++)
		r->out->depth_map[depth_bin(r->in_flight + i)]++;
}

/* How many of the waiting requests may go now: no more than bytes_max leaves room for. */
static uint32_t may_submit(const struct io_loop *r)
{
	uint64_t left = r->ios_max - r->out->ios;

	left = left > r->in_flight ? left - r->in_flight : 0;
	return left < r->pending_n ? (uint32_t)left : r->pending_n;
}

static enum io_stop stop_of(const struct io_loop *r)
{
	return (enum io_stop)atomic_load_explicit(r->stop, memory_order_relaxed);
}

static void submit_pending(struct io_loop *r)
{
	const uint32_t end = may_submit(r);
	uint64_t before_ns = clock_ns(), after_ns;

	/* after a call that hung the descriptor may not be ours any more: look before the next */
	while (r->pending_first < end && stop_of(r) != IO_STOP_ABANDONED) {
		const struct io_request *request = &r->pending[r->pending_first];
		uint32_t n = end - r->pending_first;
		int got = r->engine->submit(r->state, request, n < IO_BATCH ? n : IO_BATCH);

		after_ns = r->job.detail ? clock_ns() : 0;
		if (r->job.detail)
			map_submit(r, got > 0 ? (uint32_t)got : 0);
		if (got <= 0) {
			/* full with nothing in flight would never become less full */
			if (got < 0 || !r->in_flight)
				refused(r, got < 0 ? got : -EAGAIN, before_ns);
			break;
		}
		for (int i = 0; i < got; i++) {
			struct io_slot *slot = &r->slot[request[i].slot];

			slot->submit_ns = before_ns;
			slot->after_ns = after_ns;
			slot->offset_bytes = request[i].offset_bytes;
			slot->write = request[i].write;
			slot->number = r->out->issued_ios++;
		}
		r->pending_first += (uint32_t)got;
		r->in_flight += (uint32_t)got;
		if (got == 1 && r->pending_first == end)
			break;
		if (!after_ns)
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

static void sample_buffer(struct io_loop *r, uint32_t slot)
{
	struct io_outcome *out = r->out;

	out->sampled_buffers++;
	out->zero_buffers += io_buffer_is_zero(buffer_of(r, slot), r->job.block_bytes);
	r->sample_left = out->sampled_buffers < SAMPLE_ALL ? 1 : SAMPLE_EVERY;
}

static void add_detail(struct io_outcome *out, const struct io_slot *slot, uint64_t now_ns)
{
	struct io_side *side = &out->side[slot->write ? IO_SIDE_WRITE : IO_SIDE_READ];

	moments_add(&side->slat, slot->after_ns - slot->submit_ns);
	moments_add(&side->lat, now_ns - slot->submit_ns);
	hist_add(&side->clat, now_ns - slot->after_ns, 1);
}

/* A complete transfer within the window; returns whether it was a write. */
static inline bool count_good(struct io_loop *r, uint32_t slot_number, uint64_t now_ns)
{
	const struct io_slot *slot = &r->slot[slot_number];

	hist_add(&r->out->lat, now_ns - slot->submit_ns, 1);
	if (r->job.detail)
		add_detail(r->out, slot, now_ns);
	if (!slot->write && !--r->sample_left)
		sample_buffer(r, slot_number);
	return slot->write;
}

static void count_sum(struct io_outcome *out, uint32_t good, uint32_t writes, uint32_t block_bytes)
{
	out->ios += good;
	out->bytes += (uint64_t)good * block_bytes;
	out->side[IO_SIDE_READ].ios += good - writes;
	out->side[IO_SIDE_READ].bytes += (uint64_t)(good - writes) * block_bytes;
	out->side[IO_SIDE_WRITE].ios += writes;
	out->side[IO_SIDE_WRITE].bytes += (uint64_t)writes * block_bytes;
}

static void take_completions(struct io_loop *r, const struct io_done *done, uint32_t n,
			     uint64_t now_ns)
{
	const uint32_t block_bytes = r->job.block_bytes;
	const bool counted = io_window_counts(r, now_ns);
	uint32_t good = 0, writes = 0;
	enum io_end end;

	r->in_flight -= n;
	r->last_reply_ns = now_ns;
	for (uint32_t i = 0; i < n; i++) {
		struct io_slot *slot = &r->slot[done[i].slot];

		if (done[i].result == block_bytes) {
			if (counted) {
				good++;
				writes += count_good(r, done[i].slot, now_ns);
			}
			r->trouble.bad_row = r->trouble.zero_row = 0;
		} else if (io_trouble_add(&r->trouble, &r->job, r->out, slot->offset_bytes,
					  done[i].result, now_ns, &end)) {
			io_window_trouble(r, end, r->trouble.row_ns, now_ns);
		}
		slot->submit_ns = 0;
		slot->stale |= !slot->write;
		pending_add(r, done[i].slot);
	}
	if (counted) {
		if (now_ns >= r->series_next_ns)
			io_window_series(r, now_ns);
		r->series_bytes += (uint64_t)good * block_bytes;
		count_sum(r->out, good, writes, block_bytes);
		atomic_store_explicit(&r->bytes_seen, r->out->bytes, memory_order_relaxed);
		if (r->out->ios >= r->ios_max)
			io_window_end(r, IO_END_BYTES, now_ns);
		else if (r->enough)
			io_window_end(r, IO_END_ENOUGH, now_ns);
		else if (r->steady)
			io_window_end(r, IO_END_STEADY, now_ns);
	}
}

static void next_tick(struct io_loop *r, uint64_t now_ns)
{
	r->tick_ns = now_ns + TICK_NS;
	r->look_ns = r->tick_ns < r->last_end_ns ? r->tick_ns : r->last_end_ns;
}

/*
 * Since when an answer is missing for too long; 0: all is well. A slow device may keep each of many
 * I/Os waiting for longer than stall_ns: while others come back, one is missed only when it was
 * passed over.
 */
static uint64_t silent_since_ns(const struct io_loop *r, uint64_t now_ns)
{
	const uint64_t turns = (uint64_t)LOST_TURNS * r->depth;

	if (r->in_flight && now_ns - r->last_reply_ns >= r->job.stall_ns)
		return r->last_reply_ns;
	for (uint32_t i = 0; i < r->depth; i++) {
		const struct io_slot *slot = &r->slot[i];

		if (slot->submit_ns && now_ns - slot->submit_ns >= r->job.stall_ns &&
		    r->out->issued_ios - slot->number >= turns)
			return slot->submit_ns;
	}
	return 0;
}

/* Once per second and after each wait in vain. Returns true where the waiting is over. */
static bool look_around(struct io_loop *r, uint64_t now_ns)
{
	uint64_t since_ns = silent_since_ns(r, now_ns);

	if (now_ns >= r->tick_ns) {
		next_tick(r, now_ns);
		if (r->job.progress)
			r->job.progress(r->job.context, now_ns - r->start_ns, r->out->bytes);
	}
	if (r->stalled)
		return now_ns >= r->phase_end_ns;
	if (since_ns) {
		io_window_trouble(r, IO_END_STALLED, since_ns, now_ns);
		r->out->silent_ns = now_ns - since_ns;
		r->phase_end_ns = now_ns + GRACE_NS;
		r->stalled = r->out->end == IO_END_STALLED;
		/* where it ended for another reason already, there is nothing to wait for */
		return r->out->end != IO_END_STALLED;
	}
	if (now_ns < r->last_end_ns)
		return false;
	/* still answering, but out of time */
	if (r->phase != IO_PHASE_DRAIN)
		io_window_time_over(r, now_ns);
	return true;
}

/* What the thread that watches this one wants. Returns true where the waiting is over. */
static bool obey(struct io_loop *r, enum io_stop stop, uint64_t now_ns)
{
	if (stop == IO_STOP_ABANDONED)
		return true;
	/* what ended the others is theirs to tell */
	io_window_end(r, stop == IO_STOP_STEADY ? IO_END_STEADY : IO_END_TIME, now_ns);
	if (stop == IO_STOP_STALLED && !r->stalled) {
		r->stalled = true;
		r->phase_end_ns = now_ns + GRACE_NS;
	}
	return r->stalled && now_ns >= r->phase_end_ns;
}

/* ---- before and after ---- */

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

static void loop_start(struct io_loop *r)
{
	const struct io_job *job = &r->job;

	r->wait_ns = job->stall_ns / 4 < WAIT_NS ? job->stall_ns / 4 : WAIT_NS;
	r->out->clock_read_ns = clock_cost_ns();
	r->start_ns = r->last_reply_ns = clock_ns();
	atomic_store(&r->beat_ns, r->start_ns);
	r->phase_end_ns = r->start_ns + job->ramp_ns;
	r->last_end_ns = r->start_ns + job->ramp_ns + job->runtime_ns + job->stall_ns;
	next_tick(r, r->start_ns);
	if (!job->ramp_ns)
		io_window_open(r, r->start_ns);
}

void io_loop_run(struct io_loop *r)
{
	struct io_done done[IO_BATCH];
	enum io_stop stop;
	uint64_t now_ns;
	int n;

	loop_start(r);
	while (r->phase != IO_PHASE_DRAIN || r->in_flight) {
		if (r->phase != IO_PHASE_DRAIN && r->pending_n)
			submit_pending(r);
		n = r->engine->reap(r->state, done, IO_BATCH, r->in_flight ? r->wait_ns : 0);
		now_ns = clock_ns();
		stop = stop_of(r);
		if (stop && obey(r, stop, now_ns))
			return;
		atomic_store_explicit(&r->beat_ns, now_ns, memory_order_relaxed);
		if (n < 0) {
			refused(r, n, now_ns);
			io_window_trouble(r, IO_END_ERRORS, now_ns, now_ns);
			r->broken = true;
			return;
		}
		if (r->job.detail && r->phase == IO_PHASE_MEASURE)
			r->out->complete_map[calls_bin((uint32_t)n)]++;
		if (n > 0)
			take_completions(r, done, (uint32_t)n, now_ns);
		if (now_ns >= r->phase_end_ns && (n > 0 || !r->in_flight))
			io_window_phase_end(r, now_ns);
		if ((n == 0 || now_ns >= r->look_ns) && look_around(r, now_ns))
			return;
	}
}

void io_loop_empty(struct io_outcome *out)
{
	memset(out, 0, sizeof(*out));
	hist_init(&out->lat);
	for (size_t i = 0; i < IO_SIDES; i++)
		hist_init(&out->side[i].clat);
}

int io_loop_failed(struct io_outcome *out, const char *what, int err)
{
	out->end = IO_END_SETUP;
	out->setup_errno = -err;
	snprintf(out->setup_what, sizeof(out->setup_what), "%s", what);
	return err;
}

int io_loop_map(struct io_loop **loop, const struct io_engine *engine, const struct io_job *job,
		struct io_outcome *out)
{
	size_t own_bytes = (sizeof(struct io_loop) + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
	size_t mapped_bytes = own_bytes + engine->state_bytes;
	struct io_loop *r = mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (r == MAP_FAILED)
		return io_loop_failed(out, "mmap", -errno);
	r->job = *job;
	r->engine = engine;
	r->out = out;
	r->stop = &r->own_stop;
	r->common = &r->own_common;
	r->state = (unsigned char *)r + own_bytes;
	r->mapped_bytes = mapped_bytes;
	*loop = r;
	return 0;
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

int io_loop_setup(struct io_loop *r, pthread_mutex_t *one_by_one)
{
	const struct io_job *job = &r->job;
	struct io_engine_setup s = {
		.fd = job->fd,
		.block_bytes = job->block_bytes,
		.writes = job->access != IO_READ,
		.flush = job->flush,
		.depth = job->depth,
		.what = "setup",
		.note = r->out->note,
	};
	int err;

	/* first: memory comes from the node of the CPU that touches it */
	(void)place_thread("", job->numa_node);
	err = io_buffers_map(&r->buffers, job->depth, job->block_bytes);
	if (err)
		return io_loop_failed(r->out, "mmap", err);
	/* what is written may repeat nothing, not even what an earlier job with this seed wrote */
	r->data_state = (job->seed ^ clock_ns()) + ((uint64_t)r->number << 48);
	if (job->access != IO_READ)
		io_buffers_fill(&r->buffers, io_offsets_draw(&r->data_state));
	s.buffers = r->buffers.start;
	s.buffer_stride = r->buffers.stride;
	if (one_by_one)
		pthread_mutex_lock(one_by_one);
	err = r->engine->setup(r->state, &s);
	if (one_by_one)
		pthread_mutex_unlock(one_by_one);
	if (err) {
		io_buffers_unmap(&r->buffers);
		return io_loop_failed(r->out, s.what, err);
	}
	without_atime(job->fd);
	r->depth = r->out->depth_used = s.depth;
	r->out->huge_pages = r->buffers.huge;
	r->out->has_detail = job->detail;
	r->out->map_n = job->detail ? IO_MAP_N : 0;
	r->sample_left = 1;
	r->ios_max = job->bytes_max ? job->bytes_max / job->block_bytes : UINT64_MAX;
	r->series_next_ns = UINT64_MAX;
	io_offsets_init_thread(&r->offsets, job, r->number);
	r->side_state = ~r->offsets.state;
	for (uint32_t i = 0; i < r->depth; i++)
		pending_add(r, i);
	return 0;
}

bool io_loop_finish(struct io_loop *r)
{
	struct io_outcome *out = r->out;

	if (r->gap_n)
		out->clock_error_mean_ns = (double)r->gap_sum_ns / (double)r->gap_n;
	if (!r->in_flight && !r->broken) {
		r->engine->teardown(r->state);
		io_buffers_unmap(&r->buffers);
		return true;
	}
	/* all stays mapped: see io_job_run() */
	if (r->stalled)
		out->unanswered_ios = r->in_flight;
	else if (r->in_flight)
		io_merge_note(out, IO_NOTE_ON_THEIR_WAY);
	return false;
}

void io_loop_unmap(struct io_loop *r)
{
	munmap(r, r->mapped_bytes);
}
