/* SPDX-License-Identifier: MIT */
/*
 * A job of several threads; see jobs.h.
 *
 * The calling thread does no I/O: it lets all set up, starts them together, watches, and merges.
 * A thread that hangs in a system call cannot be ended. It is abandoned: its outcome is taken as it
 * stands, and it, its loop and this team stay in memory for ever; when it wakes it touches nothing
 * more and returns.
 */
#include "bench/io/jobs.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "bench/io/loop.h"
#include "bench/io/merge.h"
#include "lib/clock.h"

#define TICK_NS NS_PER_S
#define LOOK_MIN_NS (5 * NS_PER_MS)
#define LATE_NS (500 * NS_PER_MS)	/* what a thread that can run needs at most to end itself */
#define SETTLE_NS (20 * NS_PER_MS)	/* for one that wakes just when it is abandoned */

enum order {
	ORDER_WAIT,
	ORDER_GO,
	ORDER_LEAVE,	/* without one I/O */
};

struct member {
	struct team *team;
	pthread_t thread;
	struct io_loop *loop;
	int err;		/* of the setup */
	bool done;		/* returned, or about to: nothing of it is in use any more */
	bool stays;		/* I/Os in flight: its loop is never unmapped */
	struct io_outcome out;
};

struct team {
	struct io_job job;
	const struct io_engine *engine;
	size_t mapped_bytes;
	pthread_mutex_t setup;		/* engines are set up one after the other */
	pthread_mutex_t lock;		/* of what follows and of the members */
	pthread_cond_t changed;
	enum order order;
	uint32_t n, ready, done;
	_Atomic int stop;		/* enum io_stop */
	struct io_common common;
	uint64_t start_ns, stop_ns, tick_ns, hard_end_ns;
	struct io_steady_state steadiness;
	uint32_t sum_n;			/* intervals that all threads have behind them */
	uint64_t sum_bytes[IO_SERIES_MAX];
	struct member member[];
};

/* ---- one thread ---- */

static enum order wait_for_order(struct team *t)
{
	enum order order;

	pthread_mutex_lock(&t->lock);
	t->ready++;
	pthread_cond_broadcast(&t->changed);
	while (t->order == ORDER_WAIT)
		pthread_cond_wait(&t->changed, &t->lock);
	order = t->order;
	pthread_mutex_unlock(&t->lock);
	return order;
}

static void *member_main(void *arg)
{
	struct member *m = arg;
	struct team *t = m->team;
	enum order order;

	m->err = io_loop_setup(m->loop, &t->setup);
	order = wait_for_order(t);
	if (!m->err && order == ORDER_GO)
		io_loop_run(m->loop);
	if (atomic_load(&t->stop) == IO_STOP_ABANDONED)
		return NULL;
	if (!m->err)
		m->stays = !io_loop_finish(m->loop);
	pthread_mutex_lock(&t->lock);
	m->done = true;
	t->done++;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* What one thread does of it: its share of bytes_max; where it does it, offsets.c knows. */
static struct io_job part_of(const struct io_job *job, uint32_t number)
{
	struct io_job part = *job;
	uint64_t max = job->bytes_max / job->block_bytes;

	if (job->bytes_max)
		part.bytes_max = (max / job->jobs + (number < max % job->jobs)) * job->block_bytes;
	part.gate = NULL;
	part.progress = NULL;
	part.steady.share = 0;		/* the sum of all is judged, by the team */
	return part;
}

/* ---- setting up ---- */

static void timed_wait(struct team *t, uint64_t until_ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(until_ns / NS_PER_S),
		.tv_nsec = (long)(until_ns % NS_PER_S),
	};

	(void)pthread_cond_timedwait(&t->changed, &t->lock, &until);
}

static void team_free(struct team *t)
{
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
	pthread_mutex_destroy(&t->setup);
	munmap(t, t->mapped_bytes);
}

static void give_order(struct team *t, enum order order)
{
	pthread_mutex_lock(&t->lock);
	t->order = order;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
}

/* Ends all threads of a team that will not start. */
static void team_leave(struct team *t)
{
	give_order(t, ORDER_LEAVE);
	for (uint32_t i = 0; i < t->n; i++) {
		pthread_join(t->member[i].thread, NULL);
		io_loop_unmap(t->member[i].loop);
	}
	team_free(t);
}

static struct team *team_new(const struct io_engine *engine, const struct io_job *job)
{
	size_t bytes = sizeof(struct team) + job->jobs * sizeof(struct member);
	struct team *t = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
	pthread_condattr_t attr;

	if (t == MAP_FAILED)
		return NULL;
	t->job = *job;
	t->engine = engine;
	t->mapped_bytes = bytes;
	pthread_mutex_init(&t->setup, NULL);
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->changed, &attr);
	pthread_condattr_destroy(&attr);
	return t;
}

/* Starts as many threads as there are to be had, up to job.jobs, and lets them set up. */
static void team_gather(struct team *t)
{
	for (uint32_t i = 0; i < t->job.jobs; i++) {
		struct member *m = &t->member[i];
		struct io_job part = part_of(&t->job, i);

		m->team = t;
		io_loop_empty(&m->out);
		if (io_loop_map(&m->loop, t->engine, &part, &m->out))
			break;
		m->loop->number = i;
		m->loop->stop = &t->stop;
		m->loop->common = &t->common;
		if (pthread_create(&m->thread, NULL, member_main, m)) {
			io_loop_unmap(m->loop);
			break;
		}
		t->n++;
	}
	pthread_mutex_lock(&t->lock);
	while (t->ready < t->n)
		pthread_cond_wait(&t->changed, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

static bool is_shortage(int err)
{
	return err == -EAGAIN || err == -ENOMEM || err == -EMFILE || err == -ENFILE;
}

/*
 * What the threads got. Returns true where all of `job` can start; else *job holds what is to be
 * tried instead, with jobs = 0 where nothing is left to try and `out` says why. All jobs are to
 * have the same depth: otherwise the first ones would take it all.
 */
static bool team_is_whole(const struct team *t, struct io_job *job, struct io_outcome *out)
{
	uint64_t total = 0;
	bool even = t->n == job->jobs;
	uint32_t had = job->jobs * job->depth;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct member *m = &t->member[i];

		if (m->err && !is_shortage(m->err)) {
			*out = m->out;
			job->jobs = 0;
			return false;
		}
		total += m->err ? 0 : m->out.depth_used;
		even = even && !m->err && m->out.depth_used == t->member[0].out.depth_used;
	}
	if (even)
		return true;
	if (!total) {
		if (t->n)
			*out = t->member[0].out;
		else
			(void)io_loop_failed(out, "pthread_create", -EAGAIN);
		job->jobs = 0;
		return false;
	}
	job->jobs = t->n < total ? t->n : (uint32_t)total;
	if (total / job->jobs < job->depth)
		job->depth = (uint32_t)(total / job->jobs);
	/* what another process takes meanwhile must not keep us here */
	if (job->jobs * job->depth >= had) {
		job->depth = (job->depth + 1) / 2;
		job->jobs -= job->depth == 1 && job->jobs > 1;
	}
	return false;
}

/* A team of which each thread is ready; NULL where there is none to be had, with `out` why. */
static struct team *team_build(const struct io_engine *engine, const struct io_job *asked,
			       struct io_outcome *out)
{
	struct io_job job = *asked;
	struct team *t;

	while (job.jobs) {
		t = team_new(engine, &job);
		if (!t) {
			(void)io_loop_failed(out, "mmap", -ENOMEM);
			return NULL;
		}
		team_gather(t);
		if (team_is_whole(t, &job, out))
			return t;
		team_leave(t);
	}
	return NULL;
}

/* ---- while it runs ---- */

static bool is_trouble(enum io_end end)
{
	return end == IO_END_VANISHED || end == IO_END_SHRUNK || end == IO_END_STALLED ||
	       end == IO_END_ERRORS;
}

/* Ends all threads; only ever to a harder stop than before. */
static void team_stop(struct team *t, enum io_stop stop, uint64_t now_ns)
{
	if ((int)stop <= atomic_load(&t->stop))
		return;
	if (!t->stop_ns)
		t->stop_ns = now_ns;
	atomic_store(&t->stop, (int)stop);
}

/* True where a thread has hung in one system call for longer than any I/O may take. */
static bool is_stuck(const struct team *t, const struct member *m, uint64_t now_ns)
{
	uint64_t beat_ns = atomic_load(&m->loop->beat_ns);

	return !m->done && beat_ns && now_ns > beat_ns && now_ns - beat_ns > t->job.stall_ns;
}

/* Looks at all threads. Returns true where those that are not done will not be. */
static bool team_look(struct team *t, uint64_t now_ns)
{
	bool only_stuck = true;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct member *m = &t->member[i];
		bool stuck = is_stuck(t, m, now_ns);

		if (stuck || (m->done && m->out.end == IO_END_STALLED))
			team_stop(t, IO_STOP_STALLED, now_ns);
		else if (m->done && is_trouble(m->out.end))
			team_stop(t, IO_STOP_PEER, now_ns);
		only_stuck = only_stuck && (m->done || stuck);
	}
	if (now_ns >= t->hard_end_ns)
		return true;
	return only_stuck && t->stop_ns && now_ns - t->stop_ns >= LATE_NS;
}

static uint64_t team_bytes(const struct team *t)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < t->n; i++)
		bytes += atomic_load(&t->member[i].loop->bytes_seen);
	return bytes;
}

/* Sums up the intervals that are new, and ends all where the sum's mean is known well enough. */
static void team_judge(struct team *t, uint64_t now_ns)
{
	uint32_t n = IO_SERIES_MAX;
	uint64_t open_ns;

	for (uint32_t i = 0; i < t->n; i++) {
		/* acquire: the intervals below the number are read after it */
		uint32_t seen = atomic_load_explicit(&t->member[i].loop->series_seen,
						     memory_order_acquire);

		n = seen < n ? seen : n;
	}
	if (n == t->sum_n)
		return;
	for (; t->sum_n < n; t->sum_n++)
		for (uint32_t i = 0; i < t->n; i++)
			t->sum_bytes[t->sum_n] += t->member[i].out.series_bytes[t->sum_n];
	open_ns = t->start_ns + t->job.ramp_ns;
	if (io_steady_reached(&t->steadiness, &t->job, t->sum_bytes, n,
			      now_ns > open_ns ? now_ns - open_ns : 0, team_bytes(t)))
		team_stop(t, IO_STOP_STEADY, now_ns);
}

/* How long the watching thread may sleep. */
static uint64_t look_interval_ns(const struct io_job *job)
{
	uint64_t ns = job->stall_ns / 4 < TICK_NS ? job->stall_ns / 4 : TICK_NS;

	if (job->steady.share > 0 && job->series_ns / 2 < ns)
		ns = job->series_ns / 2;
	return ns > LOOK_MIN_NS ? ns : LOOK_MIN_NS;
}

static void team_watch(struct team *t)
{
	const struct io_job *job = &t->job;
	uint64_t look_ns = look_interval_ns(job), now_ns;
	bool over = false;

	pthread_mutex_lock(&t->lock);
	while (t->done < t->n && !over) {
		timed_wait(t, clock_ns() + look_ns);
		now_ns = clock_ns();
		over = team_look(t, now_ns);
		if (job->steady.share > 0)
			team_judge(t, now_ns);
		if (now_ns < t->tick_ns)
			continue;
		t->tick_ns = now_ns + TICK_NS;
		pthread_mutex_unlock(&t->lock);
		if (job->progress)
			job->progress(job->context, now_ns - t->start_ns, team_bytes(t));
		pthread_mutex_lock(&t->lock);
	}
	over = t->done < t->n;
	pthread_mutex_unlock(&t->lock);
	if (over) {
		struct timespec settle = { 0, (long)SETTLE_NS };

		atomic_store(&t->stop, (int)IO_STOP_ABANDONED);
		nanosleep(&settle, NULL);
	}
}

/* ---- afterwards ---- */

static void team_merge(struct team *t, struct io_outcome *out)
{
	uint64_t now_ns = clock_ns();
	bool stays = false;

	for (uint32_t i = 0; i < t->n; i++) {
		struct member *m = &t->member[i];
		bool done;

		pthread_mutex_lock(&t->lock);
		done = m->done;
		pthread_mutex_unlock(&t->lock);
		if (!done) {
			io_window_abandon(m->loop, now_ns, is_stuck(t, m, now_ns));
			pthread_detach(m->thread);
			stays = true;
		} else {
			pthread_join(m->thread, NULL);
			if (!m->stays)
				io_loop_unmap(m->loop);
		}
		io_merge_add(out, &m->out, i == 0);
	}
	io_merge_end(out);
	if (!stays)
		team_free(t);
}

/* What is less than asked for. */
static void note_less(const struct io_job *asked, const struct io_job *job, struct io_outcome *out)
{
	if (out->jobs_used < asked->jobs)
		io_merge_note(out, "%u jobs instead of %u: the kernel allows no more",
			      out->jobs_used, asked->jobs);
	if (job->depth < asked->depth)
		io_merge_note(out, "queue depth %u instead of %u in each job: "
			      "the kernel allows no more for all of them", job->depth,
			      asked->depth);
}

int io_jobs_run(const struct io_engine *engine, const struct io_job *job, struct io_outcome *out)
{
	struct team *t = team_build(engine, job, out);
	struct io_job used;

	if (!t)
		return -out->setup_errno;
	if (job->gate && !job->gate(job->context)) {
		team_leave(t);
		return io_loop_failed(out, "gate", -ECANCELED);
	}
	used = t->job;
	t->start_ns = clock_ns();
	t->tick_ns = t->start_ns + TICK_NS;
	t->hard_end_ns = t->start_ns + job->ramp_ns + job->runtime_ns + job->stall_ns + LATE_NS;
	give_order(t, ORDER_GO);
	team_watch(t);
	team_merge(t, out);
	io_steady_note(out);
	note_less(job, &used, out);
	return 0;
}
