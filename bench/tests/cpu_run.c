/* SPDX-License-Identifier: MIT */
/*
 * The processors' tests: one thread on the fastest CPU, one thread per core, and all threads, in
 * this order. Two ways that would use the same CPUs are measured once.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/io/place.h"
#include "bench/stats/summary.h"
#include "bench/sys/cpu_cache.h"
#include "bench/tests/cpu.h"
#include "lib/clock.h"
#include "lib/text.h"

#define SLICES 12		/* of a way's time, aimed at */
#define SLICE_MIN_NS (10 * NS_PER_MS)
#define SLICE_MAX_NS (500 * NS_PER_MS)
#define USED_PERCENT 96		/* of what is left: ending takes time, too */

struct ways {
	const struct test_context *c;
	struct result *r;
	const struct cpu_param *param;
	struct cpu_input input;
	struct cpu_set_of set;
	struct cpu_facts facts;
	struct cpu_beside beside;
	uint64_t start_ns;
	bool measured[CPU_WAYS];
	double value[CPU_WAYS];
	char note[2 * RESULT_REASON_BYTES];
};

int cpu_set_take(const char *root, struct cpu_set_of *set)
{
	unsigned *allowed;
	int n = place_allowed(&allowed), err;

	memset(set, 0, sizeof(*set));
	if (n <= 0) {
		free(allowed);
		return n < 0 ? n : -ENOENT;
	}
	set->cpu[CPU_ALL] = allowed;
	set->n[CPU_ALL] = (unsigned)n;
	set->cpu[CPU_SINGLE] = calloc(1, sizeof(unsigned));
	set->cpu[CPU_PER_CORE] = calloc((size_t)n + 1, sizeof(unsigned));
	if (!set->cpu[CPU_SINGLE] || !set->cpu[CPU_PER_CORE])
		return -ENOMEM;
	err = cpu_seat_read(root, allowed, (size_t)n, &set->seats);
	if (err)
		return err;
	set->cpu[CPU_SINGLE][0] = cpu_seat_fastest(&set->seats);
	set->n[CPU_SINGLE] = 1;
	set->n[CPU_PER_CORE] = (unsigned)cpu_seat_cores(&set->seats, set->cpu[CPU_PER_CORE]);
	return 0;
}

void cpu_set_free(struct cpu_set_of *set)
{
	for (int way = 0; way < CPU_WAYS; way++)
		free(set->cpu[way]);
	cpu_seat_free(&set->seats);
	memset(set, 0, sizeof(*set));
}

void cpu_beside_tick(void *beside, uint64_t now_ns, bool begun)
{
	struct cpu_beside *b = beside;
	struct cpu_watch_look look;

	cpu_watch_look(&b->watch, now_ns, &look);
	if (!begun)
		return;
	if (look.has_hertz) {
		b->hertz_sum += look.hertz;
		b->hertz_n++;
	}
	/* the first look's power is in part of what was before the window */
	if (look.has_watts && b->opened) {
		b->watts_sum += look.watts;
		b->watts_n++;
	}
	if (look.has_celsius && (!b->celsius_n || look.celsius > b->celsius_max))
		b->celsius_max = look.celsius;
	b->celsius_n += look.has_celsius;
	b->opened = true;
}

static void tick(void *context, uint64_t now_ns, bool begun)
{
	struct ways *w = context;

	cpu_beside_tick(&w->beside, now_ns, begun);
	if (w->c->progress)
		w->c->progress(w->c->progress_context, now_ns - w->start_ns, 0);
}

static void note(struct ways *w, const char *text)
{
	size_t used = strlen(w->note);

	if (*text)
		snprintf(w->note + used, sizeof(w->note) - used, "%s%s", used ? "; " : "", text);
}

/* What the sensors showed in this way's window. */
static void put_beside(struct ways *w, enum cpu_way way)
{
	const struct cpu_beside *b = &w->beside;

	if (b->hertz_n && way != CPU_PER_CORE)
		(void)result_metric(w->r, way == CPU_SINGLE ? "frequency_single" : "frequency",
				    UNIT_HERTZ, b->hertz_sum / b->hertz_n);
	if (b->watts_n && way == CPU_ALL)
		(void)result_metric(w->r, "power", UNIT_WATTS, b->watts_sum / b->watts_n);
}

static void put_per_cpu(struct ways *w, enum cpu_way way, const struct cpu_crew_outcome *out)
{
	struct series *s = result_series(w->r, "per-cpu", UNIT_COUNT, w->param->kernel->unit);

	for (unsigned i = 0; i < w->set.n[way]; i++)
		series_add(s, w->set.cpu[way][i], out->member[i]);
}

static void keep(struct ways *w, enum cpu_way way, const struct cpu_crew_outcome *out)
{
	const struct cpu_kernel *kernel = w->param->kernel;
	double sorted[CPU_CREW_SLICES_MAX];
	struct metric *m;

	memcpy(sorted, out->slice, out->slice_n * sizeof(*sorted));
	w->measured[way] = true;
	w->value[way] = stats_median(sorted, out->slice_n);
	w->facts.variation[way] = cpu_crew_variation(out->slice, out->slice_n);
	m = result_metric(w->r, cpu_way_words[way], kernel->unit, w->value[way]);
	metric_samples(m, out->slice, out->slice_n);
	for (int i = 0; i < CPU_PARTS_MAX && way == CPU_SINGLE; i++)
		if (kernel->part[i].name)
			(void)result_metric(w->r, kernel->part[i].name, kernel->part[i].unit,
					    out->part[i]);
	put_beside(w, way);
	if (way == CPU_PER_CORE)
		put_per_cpu(w, way, out);
}

/* A way that uses as many CPUs as the one before it is that one. */
static bool is_same(const struct ways *w, enum cpu_way way)
{
	return way != CPU_SINGLE && w->set.n[way] == w->set.n[way - 1];
}

static unsigned ways_left(const struct ways *w, enum cpu_way from)
{
	unsigned n = 0;

	for (int way = from; way < CPU_WAYS; way++)
		n += !is_same(w, (enum cpu_way)way);
	return n;
}

static bool has_memory(struct ways *w, enum cpu_way way)
{
	const struct cpu_kernel *kernel = w->param->kernel;
	unsigned n = w->set.n[way];
	uint64_t need = kernel->need_bytes ? kernel->need_bytes(&w->input, n) * n : 0;
	char text[160];

	if (!w->input.memory_bytes || need <= w->input.memory_bytes)
		return true;
	snprintf(text, sizeof(text), "%s: %u thread%s would take %llu MiB of memory, there may be "
		 "%llu MiB", cpu_way_words[way], n, n == 1 ? "" : "s",
		 (unsigned long long)(need >> 20),
		 (unsigned long long)(w->input.memory_bytes >> 20));
	note(w, text);
	return false;
}

static uint64_t time_for(const struct ways *w, enum cpu_way way)
{
	uint64_t spent_ns = clock_ns() - w->start_ns;
	uint64_t left_ns = w->c->budget_ns > spent_ns ? w->c->budget_ns - spent_ns : 0;

	return left_ns / 100 * USED_PERCENT / ways_left(w, way);
}

static void begin_watch(struct ways *w, enum cpu_way way)
{
	double celsius_max = w->beside.celsius_max;
	unsigned celsius_n = w->beside.celsius_n;

	memset(&w->beside, 0, sizeof(w->beside));
	cpu_watch_start(&w->beside.watch, "", w->set.cpu[way], w->set.n[way], clock_ns());
	w->beside.celsius_max = celsius_max;	/* of all ways */
	w->beside.celsius_n = celsius_n;
}

/* Measures one way. False: a processor computed something wrong, and nothing else matters. */
static bool measure(struct ways *w, enum cpu_way way)
{
	struct cpu_crew_outcome out;
	struct cpu_crew_order order = {
		.kernel = w->param->kernel, .input = &w->input, .cpu = w->set.cpu[way],
		.n = w->set.n[way], .time_ns = time_for(w, way),
		.enough_cv = w->c->may_end_early ? CPU_ENOUGH_CV : 0,
		.tick = tick, .tick_context = w,
	};
	struct cpu_watch_ticks before, after;
	char text[CPU_CREW_WHY_BYTES + 16];
	int err;

	if (!has_memory(w, way))
		return true;
	order.slice_ns = order.time_ns / SLICES;
	if (order.slice_ns < SLICE_MIN_NS)
		order.slice_ns = SLICE_MIN_NS;
	if (order.slice_ns > SLICE_MAX_NS)
		order.slice_ns = SLICE_MAX_NS;
	begin_watch(w, way);
	(void)cpu_watch_ticks("", order.cpu, order.n, &before);
	err = cpu_crew_run(&order, &out);
	(void)cpu_watch_ticks("", order.cpu, order.n, &after);
	if (err)
		snprintf(out.why, sizeof(out.why), "%s", strerror(-err));
	if (out.why[0]) {
		snprintf(text, sizeof(text), "%s: %s", cpu_way_words[way], out.why);
		note(w, text);
		if (out.is_busy)
			result_mark(w->r, "disturbed", "%s", text);
	} else {
		keep(w, way, &out);
		cpu_facts_add(&w->facts, &out, order.n, &before, &after);
	}
	cpu_crew_free(&out);
	return !out.is_wrong;
}

/* A way that is the one before it. */
static void repeat(struct ways *w, enum cpu_way way)
{
	const struct metric *before = result_find(w->r, cpu_way_words[way - 1]);
	struct metric *m;

	if (!w->measured[way - 1])
		return;
	w->measured[way] = true;
	w->value[way] = w->value[way - 1];
	m = result_metric(w->r, cpu_way_words[way], before->unit, before->value);
	if (m) {
		*m = *before;
		text_copy(m->name, sizeof(m->name), cpu_way_words[way]);
	}
	if (way == CPU_PER_CORE) {
		struct series *s = result_series(w->r, "per-cpu", UNIT_COUNT, before->unit);

		series_add(s, w->set.cpu[CPU_SINGLE][0], w->value[way]);
	} else {
		put_beside(w, way);
	}
}

static bool measure_all(struct ways *w)
{
	for (int i = 0; i < CPU_WAYS; i++) {
		enum cpu_way way = (enum cpu_way)i;

		if (is_same(w, way))
			repeat(w, way);
		else if (!measure(w, way))
			return false;
	}
	return true;
}

static void describe(struct ways *w)
{
	struct result *r = w->r;
	char text[120];

	(void)result_metric(r, "efficiency", UNIT_PERCENT, !w->measured[CPU_ALL] ? (double)NAN :
			    cpu_efficiency(w->value[CPU_SINGLE], w->value[CPU_ALL],
					   w->set.n[CPU_ALL]));
	(void)result_metric(r, "single_cpu", UNIT_COUNT, w->set.cpu[CPU_SINGLE][0]);
	(void)result_metric(r, "cores", UNIT_COUNT, w->set.n[CPU_PER_CORE]);
	(void)result_metric(r, "threads", UNIT_COUNT, w->set.n[CPU_ALL]);
	if (w->beside.celsius_n)
		(void)result_metric(r, "temperature", UNIT_CELSIUS, w->beside.celsius_max);
	r->jobs = w->set.n[CPU_ALL];
	r->block_bytes = w->param->kernel->block_bytes;
	if (cpu_seat_kinds(&w->set.seats) > 1) {
		snprintf(text, sizeof(text), "%u kinds of cores: single is CPU %u, one of the "
			 "fastest", cpu_seat_kinds(&w->set.seats), w->set.cpu[CPU_SINGLE][0]);
		note(w, text);
	}
}

static void run_ways(struct ways *w)
{
	uint64_t throttles_before = 0, throttles_after = 0;
	bool had = cpu_watch_throttles("", &throttles_before);
	bool is_sound;
	int err = 0;

	w->input.cache_bytes = cpu_cache_last_bytes("", w->set.cpu[CPU_ALL], w->set.n[CPU_ALL]);
	if (w->param->kernel->prepare)
		err = w->param->kernel->prepare(&w->input);
	if (err) {
		result_end(w->r, RESULT_FAILED, "its data could not be made: %s", strerror(-err));
		return;
	}
	note(w, w->input.note);
	is_sound = measure_all(w);
	if (!is_sound)
		w->r->mark_n = 0;	/* that others had the CPUs excuses no wrong result */
	if (!is_sound || !w->measured[CPU_SINGLE]) {
		w->r->metric_n = w->r->series_n = 0;
		result_end(w->r, RESULT_FAILED, "%s", w->note);
		return;
	}
	w->facts.has_throttles = had && cpu_watch_throttles("", &throttles_after);
	if (w->facts.has_throttles && throttles_after > throttles_before)
		w->facts.throttles = throttles_after - throttles_before;
	describe(w);
	cpu_judge(&w->facts, w->r);
	result_end(w->r, RESULT_OK, "%s", w->note);
}

void cpu_run(const struct test_context *c, struct result *r)
{
	const struct cpu_param *param = c->test->param;
	struct ways w = {
		.c = c, .r = r, .param = param, .start_ns = clock_ns(),
		.input = { .number = param->number, .budget_ns = c->budget_ns,
			   .memory_bytes = c->memory_bytes },
		.facts = { .variation = { (double)NAN, (double)NAN, (double)NAN } },
	};
	int err = cpu_set_take("", &w.set);

	if (err)
		result_end(r, RESULT_FAILED, "which CPUs may be used is not known: %s",
			   strerror(-err));
	else
		run_ways(&w);
	free(w.input.corpus);
	cpu_set_free(&w.set);
}
