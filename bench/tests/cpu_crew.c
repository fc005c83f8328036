/* SPDX-License-Identifier: MIT */
/* Threads that work side by side; see cpu_crew.h. */
#include "bench/tests/cpu_crew.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/io/place.h"
#include "bench/stats/summary.h"
#include "lib/clock.h"

#define TICK_NS (250 * NS_PER_MS)
#define BATCH_MIN_NS NS_PER_MS		/* a look at the clock is nothing beside it */
#define BATCHES_PER_SLICE 16
#define GROWTH_MAX 8			/* of a batch, from one to the next */
#define WARM_SHARE 10			/* of the time, at most WARM_MAX_NS */
#define WARM_MAX_NS (250 * NS_PER_MS)
#define NOTES_MAX (1u << 16)
#define STACK_BYTES (1u << 20)

enum { MEMBER_STARTS, MEMBER_READY, MEMBER_NOTES, MEMBER_ENDED };

struct crew;

struct member {
	struct crew *crew;
	pthread_t thread;
	unsigned cpu;
	_Atomic int state;
	int err;			/* why it ended by itself; 0: it did not */
	const char *what;		/* that failed */
	struct cpu_crew_note *note;
	_Atomic uint32_t note_n;
	uint64_t cpu_ns, switches;	/* in the window */
	double part[CPU_PARTS_MAX];
};

struct crew {
	const struct cpu_crew_order *order;
	struct cpu_crew_outcome *out;
	struct member *member;
	unsigned started;
	uint64_t start_ns, warm_ns, batch_ns;
	uint32_t room;			/* for notes of each */
	atomic_bool go, stop;
};

/* ---- one thread ---- */

void *cpu_state_new(size_t bytes)
{
	const size_t line = 256;	/* with what neighbours are fetched in pairs */
	void *p;

	bytes = (bytes + line - 1) / line * line;
	p = aligned_alloc(line, bytes);
	if (p)
		memset(p, 0, bytes);
	return p;
}

static uint64_t thread_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		return 0;
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static uint64_t thread_switches(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : (uint64_t)usage.ru_nivcsw;
}

static uint64_t larger_batch(uint64_t n, uint64_t took_ns, uint64_t want_ns)
{
	if (took_ns < want_ns / GROWTH_MAX)
		return n * GROWTH_MAX;
	return (uint64_t)((double)n * (double)want_ns / (double)took_ns) + 1;
}

/* Grows the batch until it is long enough, for as long as warming up takes; 0: wrong result. */
static uint64_t warm_up(struct crew *crew, void *state)
{
	uint64_t begun_ns = clock_ns(), n = 1;

	for (;;) {
		uint64_t before_ns = clock_ns(), after_ns;

		if (!crew->order->kernel->run(state, n))
			return 0;
		after_ns = clock_ns();
		if (atomic_load(&crew->stop))
			return n;
		if (after_ns - before_ns < crew->batch_ns)
			n = larger_batch(n, after_ns - before_ns, crew->batch_ns);
		else if (after_ns - begun_ns >= crew->warm_ns)
			return n;
	}
}

static void take_note(struct member *m, uint64_t done)
{
	uint32_t n = atomic_load_explicit(&m->note_n, memory_order_relaxed);

	m->note[n] = (struct cpu_crew_note){ .at_ns = clock_ns(), .done = done };
	atomic_store_explicit(&m->note_n, n + 1, memory_order_release);
}

/* Works until told to stop; false: a result was wrong. */
static bool work(struct member *m, void *state, uint64_t batch)
{
	struct crew *crew = m->crew;
	uint64_t done = 0, cpu_ns, switches;

	while (!atomic_load(&crew->go) && !atomic_load(&crew->stop))
		if (!crew->order->kernel->run(state, batch))
			return false;
	cpu_ns = thread_ns();
	switches = thread_switches();
	take_note(m, 0);
	atomic_store(&m->state, MEMBER_NOTES);
	while (!atomic_load(&crew->stop) && atomic_load(&m->note_n) < crew->room) {
		if (!crew->order->kernel->run(state, batch))
			return false;
		done += batch;
		take_note(m, done);
	}
	m->cpu_ns = thread_ns() - cpu_ns;
	m->switches = thread_switches() - switches;
	return true;
}

static int fail(struct member *m, const char *what, int err)
{
	m->what = what;
	return err;
}

static int live(struct member *m, void **state)
{
	struct crew *crew = m->crew;
	const struct cpu_kernel *kernel = crew->order->kernel;
	uint64_t batch;
	int err = place_keep_to(&m->cpu, 1);

	if (err)
		return fail(m, "it cannot be kept to that CPU", err);
	err = kernel->begin(crew->order->input, crew->order->n, state);
	if (err)
		return fail(m, "it cannot begin", err);
	batch = warm_up(crew, *state);
	if (!batch)
		return fail(m, "", -EBADMSG);
	atomic_store(&m->state, MEMBER_READY);
	if (!work(m, *state, batch) || (kernel->check && !kernel->check(*state)))
		return fail(m, "", -EBADMSG);
	if (kernel->parts)
		kernel->parts(*state, m->part);
	return 0;
}

static void *live_and_end(void *arg)
{
	struct member *m = arg;
	void *state = NULL;

	m->err = live(m, &state);
	if (state)
		m->crew->order->kernel->end(state);
	atomic_store(&m->state, MEMBER_ENDED);
	return NULL;
}

/* ---- the one that supervises ---- */

static void sleep_ns(uint64_t ns)
{
	const struct timespec t = { .tv_sec = (time_t)(ns / NS_PER_S),
				    .tv_nsec = (long)(ns % NS_PER_S) };

	nanosleep(&t, NULL);
}

static void tick(const struct crew *crew, bool begun)
{
	if (crew->order->tick)
		crew->order->tick(crew->order->tick_context, clock_ns(), begun);
}

static int start_all(struct crew *crew)
{
	const struct cpu_crew_order *o = crew->order;
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		o->create ? o->create : pthread_create;
	pthread_attr_t attr;
	int err = pthread_attr_init(&attr);

	if (err)
		return -err;
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (unsigned i = 0; i < o->n && !err; i++) {
		struct member *m = &crew->member[i];

		m->crew = crew;
		m->cpu = o->cpu[i];
		m->note = malloc(crew->room * sizeof(*m->note));
		if (!m->note) {
			err = ENOMEM;
			break;
		}
		err = create(&m->thread, &attr, live_and_end, m);
		if (!err)
			crew->started++;
	}
	pthread_attr_destroy(&attr);
	if (err)
		snprintf(crew->out->why, sizeof(crew->out->why),
			 "thread %u of %u could not be started: %s", crew->started + 1, o->n,
			 strerror(err));
	return -err;
}

/* True once all members are in this state or beyond; `ended`: one of them is at its end. */
static bool all_are(const struct crew *crew, int state, bool *ended)
{
	bool all = true;

	*ended = false;
	for (unsigned i = 0; i < crew->started; i++) {
		int now = atomic_load(&crew->member[i].state);

		*ended |= now == MEMBER_ENDED;
		all = all && now >= state;
	}
	return all && !*ended;
}

/* Waits until all are in this state. False: one ended before, or `until_ns` is over. */
static bool wait_for(struct crew *crew, int state, uint64_t until_ns)
{
	uint64_t tick_ns = clock_ns();
	bool ended;

	while (!all_are(crew, state, &ended)) {
		uint64_t now_ns = clock_ns();

		if (ended || now_ns >= until_ns)
			return false;
		if (now_ns - tick_ns >= TICK_NS) {
			tick(crew, false);
			tick_ns = now_ns;
		}
		sleep_ns(NS_PER_MS);
	}
	return true;
}

/* The window: from the latest first note to the earliest last one. */
static uint64_t window(const struct crew *crew, uint64_t *end_ns)
{
	uint64_t begin_ns = 0;

	*end_ns = UINT64_MAX;
	for (unsigned i = 0; i < crew->started; i++) {
		const struct member *m = &crew->member[i];
		uint32_t n = atomic_load_explicit(&m->note_n, memory_order_acquire);

		if (!n)
			return *end_ns = 0;
		if (m->note[0].at_ns > begin_ns)
			begin_ns = m->note[0].at_ns;
		if (m->note[n - 1].at_ns < *end_ns)
			*end_ns = m->note[n - 1].at_ns;
	}
	return begin_ns;
}

double cpu_crew_done_between(const struct cpu_crew_note *note, size_t n, uint64_t from_ns,
			     uint64_t to_ns)
{
	double done[2];
	const uint64_t at_ns[2] = { from_ns, to_ns };

	for (int k = 0; k < 2; k++) {
		size_t low = 0, high = n;	/* the first note later than at_ns */

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (note[middle].at_ns <= at_ns[k])
				low = middle + 1;
			else
				high = middle;
		}
		if (low == 0 || low == n) {
			done[k] = (double)note[low ? n - 1 : 0].done;
			continue;
		}
		done[k] = (double)note[low - 1].done +
			  (double)(note[low].done - note[low - 1].done) *
			  (double)(at_ns[k] - note[low - 1].at_ns) /
			  (double)(note[low].at_ns - note[low - 1].at_ns);
	}
	return done[1] - done[0];
}

static double slice_rate(const struct crew *crew, const struct member *m, unsigned slice)
{
	uint64_t slice_ns = crew->order->slice_ns;
	uint64_t from_ns = crew->out->begin_ns + slice * slice_ns;
	uint32_t n = atomic_load_explicit(&m->note_n, memory_order_acquire);

	return cpu_crew_done_between(m->note, n, from_ns, from_ns + slice_ns) *
	       crew->order->kernel->work / ((double)slice_ns / NS_PER_S);
}

/* Adds the slices that all members have behind them by now. */
static void add_slices(struct crew *crew)
{
	struct cpu_crew_outcome *out = crew->out;
	uint64_t end_ns, slice_ns = crew->order->slice_ns;

	out->begin_ns = window(crew, &end_ns);
	while (out->slice_n < CPU_CREW_SLICES_MAX &&
	       out->begin_ns + (out->slice_n + 1) * slice_ns <= end_ns) {
		double sum = 0;

		for (unsigned i = 0; i < crew->started; i++)
			sum += slice_rate(crew, &crew->member[i], out->slice_n);
		out->slice[out->slice_n++] = sum;
	}
}

double cpu_crew_variation(const double *value, unsigned n)
{
	double mean = stats_mean(value, n), sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += (value[i] - mean) * (value[i] - mean);
	return n > 1 && mean > 0 ? sqrt(sum / (n - 1)) / mean : (double)NAN;
}

static bool is_enough(const struct crew *crew, uint64_t now_ns)
{
	const struct cpu_crew_order *o = crew->order;

	return o->enough_cv > 0 && crew->out->slice_n >= CPU_CREW_SLICES_MIN &&
	       now_ns - crew->start_ns >= o->time_ns / 2 &&
	       cpu_crew_variation(crew->out->slice, crew->out->slice_n) <= o->enough_cv;
}

static void measure(struct crew *crew)
{
	const struct cpu_crew_order *o = crew->order;
	uint64_t end_ns = crew->start_ns + o->time_ns, tick_ns = 0, now_ns;
	bool ended;

	atomic_store(&crew->go, true);
	if (!wait_for(crew, MEMBER_NOTES, end_ns))
		return;
	while ((now_ns = clock_ns()) < end_ns) {
		uint64_t pause_ns = o->slice_ns < TICK_NS ? o->slice_ns : TICK_NS;

		if (now_ns - tick_ns >= TICK_NS) {
			tick(crew, true);
			tick_ns = now_ns;
		}
		add_slices(crew);
		(void)all_are(crew, MEMBER_NOTES, &ended);
		if (ended || is_enough(crew, now_ns) || crew->out->slice_n == CPU_CREW_SLICES_MAX)
			return;
		sleep_ns(pause_ns < end_ns - now_ns ? pause_ns : end_ns - now_ns);
	}
}

/* Why nothing was measured, by the first member that can tell. */
static void explain(struct crew *crew)
{
	struct cpu_crew_outcome *out = crew->out;

	for (unsigned i = 0; i < crew->started; i++) {
		const struct member *m = &crew->member[i];

		if (!m->err || out->is_wrong)
			continue;
		out->is_wrong = m->err == -EBADMSG;
		if (out->is_wrong)
			snprintf(out->why, sizeof(out->why), "CPU %u computed a wrong result",
				 m->cpu);
		else if (!out->why[0])
			snprintf(out->why, sizeof(out->why), "thread for CPU %u: %s: %s", m->cpu,
				 m->what, strerror(-m->err));
	}
	out->is_busy = !out->why[0] && !out->slice_n;
	if (out->is_busy)
		snprintf(out->why, sizeof(out->why), "the threads did not get to measure in "
			 "%.1f s: the CPUs are too busy or too slow",
			 (double)crew->order->time_ns / NS_PER_S);
}

static void sum_up(struct crew *crew)
{
	struct cpu_crew_outcome *out = crew->out;
	double share = 0, switches = 0, rate[CPU_CREW_SLICES_MAX];

	add_slices(crew);
	explain(crew);
	if (out->why[0])
		return;
	for (unsigned i = 0; i < crew->started; i++) {
		const struct member *m = &crew->member[i];
		uint32_t n = atomic_load(&m->note_n);
		double ns = (double)(m->note[n - 1].at_ns - m->note[0].at_ns);

		share += (double)m->cpu_ns / ns;
		switches += (double)m->switches / (ns / NS_PER_S);
		for (unsigned k = 0; k < out->slice_n; k++)
			rate[k] = slice_rate(crew, m, k);
		out->member[i] = stats_median(rate, out->slice_n);
	}
	out->cpu_share = share / crew->started;
	out->switches_per_s = switches / crew->started;
	out->measured_ns = out->slice_n * crew->order->slice_ns;
	memcpy(out->part, crew->member[0].part, sizeof(out->part));
}

static uint32_t notes_room(const struct crew *crew)
{
	/* a processor does not become four times as fast after it has warmed up */
	uint64_t n = crew->order->time_ns / (crew->batch_ns / 4) + 64;

	return n < NOTES_MAX ? (uint32_t)n : NOTES_MAX;
}

int cpu_crew_run(const struct cpu_crew_order *order, struct cpu_crew_outcome *out)
{
	struct crew crew = { .order = order, .out = out, .start_ns = clock_ns() };

	memset(out, 0, sizeof(*out));
	crew.warm_ns = order->time_ns / WARM_SHARE;
	if (crew.warm_ns > WARM_MAX_NS)
		crew.warm_ns = WARM_MAX_NS;
	crew.batch_ns = order->slice_ns / BATCHES_PER_SLICE;
	if (crew.batch_ns < BATCH_MIN_NS)
		crew.batch_ns = BATCH_MIN_NS;
	crew.room = notes_room(&crew);
	out->member = calloc(order->n, sizeof(*out->member));
	crew.member = calloc(order->n, sizeof(*crew.member));
	if (!out->member || !crew.member) {
		free(crew.member);
		return -ENOMEM;
	}
	/* three quarters: with less left there is nothing to measure */
	if (start_all(&crew) == 0 &&
	    wait_for(&crew, MEMBER_READY, crew.start_ns + order->time_ns / 4 * 3))
		measure(&crew);
	atomic_store(&crew.stop, true);
	for (unsigned i = 0; i < crew.started; i++)
		(void)pthread_join(crew.member[i].thread, NULL);
	if (crew.started == order->n)
		sum_up(&crew);
	for (unsigned i = 0; i < order->n; i++)
		free(crew.member[i].note);
	free(crew.member);
	return 0;
}

void cpu_crew_free(struct cpu_crew_outcome *out)
{
	free(out->member);
	out->member = NULL;
}
