/* SPDX-License-Identifier: MIT */
/* Loops over three arrays; see mem_loops.h. */
#include "bench/tests/mem_loops.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tests/crew.h"
#include "bench/tests/mem_map.h"
#include "lib/clock.h"

#define TOUCH_PART 4		/* of the time, at most, is for making the arrays */
#define TOUCH_ELEMENTS (MEM_MAP_HUGE_BYTES / sizeof(double))	/* between looks at the clock */
#define ELEMENTS_MIN 512	/* of a thread */
#define ERROR_MAX 1e-13		/* of the value: what the STREAM benchmark allows on average */

static const double first_value[MEM_ARRAYS] = { 1, 2, 0 };

/* One thread's own; a cache line of its own. */
struct part {
	_Alignas(64) size_t touched;	/* elements of each array */
	size_t wrong, wrong_at;
	double wrong_value, right_value;
};

struct work {
	struct mem_loops loops;
	struct mem_loops_outcome out;
	struct mem_map map;
	size_t elements;		/* of each thread's part of an array, as mapped */
	uint64_t start_ns;
	struct part part[];
};

static void array_of(const struct work *w, unsigned number, double *array[MEM_ARRAYS])
{
	size_t each = w->elements * w->loops.cpu_n;

	for (int i = 0; i < MEM_ARRAYS; i++)
		array[i] = (double *)w->map.at + each * (size_t)i + w->elements * number;
}

/* First touch decides on which node a page lies. */
static void touch(struct work *w, unsigned number, double *const array[MEM_ARRAYS])
{
	uint64_t until_ns = w->start_ns + w->loops.budget_ns / TOUCH_PART;
	size_t n = 0;

	while (n < w->elements && (n == 0 || clock_ns() < until_ns)) {
		size_t end = n + TOUCH_ELEMENTS < w->elements ? n + TOUCH_ELEMENTS : w->elements;

		for (int i = 0; i < MEM_ARRAYS; i++)
			for (size_t k = n; k < end; k++)
				array[i][k] = first_value[i];
		n = end;
	}
	w->part[number].touched = n;
}

/* All parts are as long as the shortest. */
static size_t shortest(const struct work *w)
{
	size_t n = w->elements;

	for (size_t i = 0; i < w->loops.cpu_n; i++)
		if (w->part[i].touched < n)
			n = w->part[i].touched;
	return n;
}

static void note_rate(struct work *w, size_t kernel, uint32_t round, size_t n, uint64_t ns)
{
	const struct mem_loops *l = &w->loops;
	double bytes = (double)l->kernel[kernel]->bytes * (double)n * (double)l->cpu_n;
	double rate = bytes * 1e9 / (double)(ns ? ns : 1);

	if (round == 0)
		return;
	w->out.rate[kernel][round - 1] = rate;
	if (rate > w->out.best[kernel])
		w->out.best[kernel] = rate;
}

static void check(struct work *w, unsigned number, double *const array[MEM_ARRAYS], size_t n,
		  const double want[MEM_ARRAYS])
{
	struct part *p = &w->part[number];

	for (int i = 0; i < MEM_ARRAYS; i++) {
		double most = fabs(want[i]) * ERROR_MAX;

		for (size_t k = 0; k < n; k++) {
			/* a NaN is wrong too */
			if (fabs(array[i][k] - want[i]) <= most)
				continue;
			if (p->wrong++ == 0) {
				p->wrong_at = k;
				p->wrong_value = array[i][k];
				p->right_value = want[i];
			}
		}
	}
}

/*
 * Rounds, two at least, until the next one and the check would not fit; how many, all threads agree
 * upon. Returns their number, 0: leave.
 */
static uint32_t run_rounds(struct crew_member *m, double *const array[MEM_ARRAYS], size_t n,
		      double want[MEM_ARRAYS])
{
	struct work *w = m->context;
	const struct mem_loops *l = &w->loops;
	uint64_t begin_ns, last_ns, round_ns;
	uint32_t round = 0;

	do {
		begin_ns = last_ns = crew_meet(m);
		for (size_t k = 0; last_ns && k < l->kernel_n; k++) {
			uint64_t start_ns = k ? crew_meet(m) : begin_ns;

			if (!start_ns)
				return 0;
			l->kernel[k]->run(array, n);
			l->kernel[k]->step(want);
			last_ns = crew_meet(m);
			if (m->number == 0 && last_ns)
				note_rate(w, k, round, n, last_ns - start_ns);
		}
		if (!last_ns)
			return 0;
		round++;
		round_ns = last_ns - begin_ns;
	} while (round < 2 || (round < MEM_LOOPS_ROUNDS_MAX &&
			       last_ns + 2 * round_ns < w->start_ns + l->budget_ns));
	if (m->number == 0)
		w->out.rounds = round;
	return round;
}

static int work(struct crew_member *m)
{
	struct work *w = m->context;
	double *array[MEM_ARRAYS], want[MEM_ARRAYS];
	size_t n;

	array_of(w, m->number, array);
	memcpy(want, first_value, sizeof(want));
	touch(w, m->number, array);
	if (!crew_meet(m))
		return 0;
	n = shortest(w);
	if (m->number == 0)
		w->out.bytes = n * w->loops.cpu_n * MEM_ARRAYS * sizeof(double);
	if (run_rounds(m, array, n, want))
		check(w, m->number, array, n, want);
	return 0;
}

/* A part begins with a huge page where it is long enough for that not to matter. */
static size_t elements_of(const struct mem_loops *l)
{
	size_t n = l->bytes / MEM_ARRAYS / sizeof(double) / l->cpu_n;

	if (n >= 8 * TOUCH_ELEMENTS)
		return n / TOUCH_ELEMENTS * TOUCH_ELEMENTS;
	return n / 8 * 8;
}

static struct work *work_new(const struct mem_loops *l)
{
	size_t bytes = (sizeof(struct work) + l->cpu_n * sizeof(struct part) + 63) / 64 * 64;
	struct work *w = aligned_alloc(64, bytes);

	if (!w)
		return NULL;
	memset(w, 0, bytes);
	w->loops = *l;
	w->elements = elements_of(l);
	return w;
}

static void sum_up(struct work *w)
{
	struct mem_loops_outcome *out = &w->out;

	for (size_t i = 0; i < w->loops.cpu_n; i++) {
		const struct part *p = &w->part[i];

		if (p->wrong && out->wrong == 0) {
			out->wrong_value = p->wrong_value;
			out->right_value = p->right_value;
			out->wrong_at = i * w->elements + p->wrong_at;
		}
		out->wrong += p->wrong;
	}
}

int mem_loops_run(const struct mem_loops *l, struct mem_loops_outcome *out)
{
	struct crew_order order = {
		.cpu = l->cpu, .n = l->cpu_n, .work = work, .bound_ns = l->bound_ns,
		.tick = l->tick, .tick_context = l->tick_context,
	};
	struct work *w;
	int err;

	memset(out, 0, sizeof(*out));
	if (l->cpu_n == 0 || l->kernel_n > MEM_LOOPS_MAX)
		return -EINVAL;
	w = work_new(l);
	if (!w)
		return -ENOMEM;
	if (w->elements < ELEMENTS_MIN) {
		free(w);
		return -ENOMEM;
	}
	err = mem_map_new(&w->map, w->elements * l->cpu_n * MEM_ARRAYS * sizeof(double), false);
	if (!err && l->place)
		err = l->place(l->place_context, w->map.at, w->map.bytes);
	if (!err) {
		order.context = w;
		w->start_ns = clock_ns();
		err = crew_run(&order);
	}
	if (err == -ETIMEDOUT)
		return err;	/* a thread still works on it */
	if (!err) {
		sum_up(w);
		*out = w->out;
	}
	mem_map_free(&w->map);
	free(w);
	return err;
}
