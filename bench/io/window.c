/* SPDX-License-Identifier: MIT */
/*
 * The measured window of one loop: when it opens and closes, what it cost, and what it held per
 * interval.
 */
#include "bench/io/loop.h"

#include "bench/io/merge.h"
#include "lib/clock.h"

#define END_AHEAD_NS (20 * NS_PER_MS)

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_usec * 1000;
}

/*
 * Sets the end of the window so that what is in flight then has come back when the job's total time
 * is over, at the rate at which replies came so far.
 */
static void keep_total(struct io_loop *r, uint64_t now_ns)
{
	const struct io_job *job = &r->job;
	uint64_t wait_ns, end_ns, least_ns = r->open_ns + job->runtime_ns / 2;
	uint64_t set_ns = atomic_load_explicit(&r->common->end_ns, memory_order_relaxed);

	/* an end that is near stays: it would else move on for ever */
	if (!job->total_ns || !r->out->ios || (set_ns && set_ns < now_ns + END_AHEAD_NS))
		return;
	wait_ns = (uint64_t)((double)(now_ns - r->open_ns) * r->depth / (double)r->out->ios);
	end_ns = r->start_ns + job->total_ns;
	end_ns = end_ns > wait_ns ? end_ns - wait_ns : 0;
	if (end_ns < least_ns)
		end_ns = least_ns;
	/* ahead of every thread's clock, so that all of them see it before it comes */
	if (end_ns < now_ns + END_AHEAD_NS)
		end_ns = now_ns + END_AHEAD_NS;
	atomic_store_explicit(&r->common->end_ns, end_ns, memory_order_relaxed);
}

void io_window_series(struct io_loop *r, uint64_t now_ns)
{
	struct io_outcome *out = r->out;

	while (now_ns >= r->series_next_ns) {
		if (out->series_n < IO_SERIES_MAX)
			out->series_bytes[out->series_n++] = r->series_bytes;
		else
			out->series_lost++;
		if (r->job.interval && r->job.interval(r->job.context, r->series_bytes))
			r->enough = true;
		r->series_bytes = 0;
		r->series_next_ns += r->job.series_ns;
	}
	/* release: whoever reads the number finds the intervals before it */
	atomic_store_explicit(&r->series_seen, out->series_n, memory_order_release);
	keep_total(r, now_ns);
	if (r->job.steady.share > 0)
		r->steady = io_steady_reached(&r->steadiness, &r->job, out->series_bytes,
					      out->series_n, now_ns - r->open_ns, out->bytes);
}

void io_window_open(struct io_loop *r, uint64_t now_ns)
{
	uint64_t first_ns = 0;

	if (!atomic_compare_exchange_strong(&r->common->open_ns, &first_ns, now_ns))
		now_ns = first_ns;
	r->phase = IO_PHASE_MEASURE;
	r->open_ns = now_ns;
	r->phase_end_ns = now_ns + r->job.runtime_ns;
	r->series_next_ns = r->job.series_ns ? now_ns + r->job.series_ns : UINT64_MAX;
	(void)getrusage(RUSAGE_THREAD, &r->usage);
}

bool io_window_counts(struct io_loop *r, uint64_t now_ns)
{
	uint64_t open_ns, end_ns, last_ns = 0;

	if (r->phase == IO_PHASE_RAMP) {
		open_ns = atomic_load_explicit(&r->common->open_ns, memory_order_relaxed);
		if (!open_ns || open_ns >= now_ns)
			return false;
		io_window_open(r, now_ns);
	}
	if (r->phase != IO_PHASE_MEASURE)
		return false;
	end_ns = atomic_load_explicit(&r->common->end_ns, memory_order_relaxed);
	r->phase_end_ns = r->open_ns + r->job.runtime_ns;
	if (end_ns && end_ns < r->phase_end_ns)
		r->phase_end_ns = end_ns;
	if (now_ns < r->phase_end_ns)
		return true;
	/* the first to come after the end is no speed: nothing had completed in time */
	return r->out->ios &&
	       (atomic_compare_exchange_strong(&r->common->close_ns, &last_ns, now_ns) ||
		last_ns >= now_ns);
}

/* What the thread used since the window opened. */
static void take_usage(const struct rusage *then, struct io_outcome *out)
{
	struct rusage now;

	if (getrusage(RUSAGE_THREAD, &now))
		return;
	out->user_cpu_ns = timeval_ns(now.ru_utime) - timeval_ns(then->ru_utime);
	out->system_cpu_ns = timeval_ns(now.ru_stime) - timeval_ns(then->ru_stime);
	out->context_switches = (uint64_t)(now.ru_nvcsw - then->ru_nvcsw) +
				(uint64_t)(now.ru_nivcsw - then->ru_nivcsw);
	out->minor_faults = (uint64_t)(now.ru_minflt - then->ru_minflt);
	out->major_faults = (uint64_t)(now.ru_majflt - then->ru_majflt);
}

void io_window_close(struct io_loop *r, uint64_t now_ns)
{
	uint64_t close_ns = atomic_load(&r->common->close_ns);

	if (close_ns && close_ns < now_ns)
		now_ns = close_ns;
	if (r->phase == IO_PHASE_MEASURE) {
		r->out->measured_ns = now_ns - r->open_ns;
		io_window_series(r, now_ns);
		take_usage(&r->usage, r->out);
	}
	r->phase = IO_PHASE_DRAIN;
}

void io_window_end(struct io_loop *r, enum io_end end, uint64_t now_ns)
{
	io_window_close(r, now_ns);
	if (!r->ended_early)
		r->out->end = end;
	r->ended_early = true;
}

void io_window_trouble(struct io_loop *r, enum io_end end, uint64_t since_ns, uint64_t now_ns)
{
	if (!r->ended_early)
		r->out->trouble_ns = since_ns - r->start_ns;
	io_window_end(r, end, now_ns);
}

void io_window_time_over(struct io_loop *r, uint64_t now_ns)
{
	struct io_outcome *out = r->out;

	io_window_close(r, now_ns);
	if (out->ios)
		return;
	if (out->error_ios || out->short_ios || out->zero_ios)
		io_window_trouble(r, IO_END_ERRORS, r->trouble.row_ns, now_ns);
	else
		io_window_trouble(r, IO_END_NO_IO, r->start_ns, now_ns);
}

void io_window_abandon(struct io_loop *r, uint64_t now_ns, bool stalled)
{
	struct io_outcome *out = r->out;
	uint64_t since_ns = atomic_load(&r->beat_ns);

	if (r->phase == IO_PHASE_MEASURE) {
		out->measured_ns = now_ns - r->open_ns;
		io_window_series(r, now_ns);
	}
	if (!stalled) {
		if (!r->ended_early)
			out->end = out->ios ? IO_END_TIME : IO_END_NO_IO;
		io_merge_note(out, IO_NOTE_ON_THEIR_WAY);
		return;
	}
	if (!r->ended_early) {
		out->end = IO_END_STALLED;
		out->trouble_ns = since_ns - r->start_ns;
	}
	out->silent_ns = now_ns - since_ns;
	/* at least the one whose system call does not return */
	out->unanswered_ios = r->in_flight ? r->in_flight : 1;
}

void io_window_phase_end(struct io_loop *r, uint64_t now_ns)
{
	if (r->phase == IO_PHASE_RAMP)
		io_window_open(r, now_ns);
	else if (r->phase == IO_PHASE_MEASURE)
		io_window_time_over(r, now_ns);
}
