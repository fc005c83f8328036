/* SPDX-License-Identifier: MIT */
/*
 * Burst against sustained: all threads work without a pause after a short rest, in windows of a
 * second. Processors may run above their rated power for some seconds to a minute, and all the
 * longer the cooler they were; what is left behind that is what a server delivers.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/tests/cpu.h"
#include "lib/clock.h"

#define WINDOW_NS NS_PER_S
#define WINDOWS_MIN 12u		/* shorter ones where there is little time */
#define REST_SHARE 10
#define REST_MAX_NS (5 * NS_PER_S)

struct burst {
	const struct test_context *c;
	struct result *r;
	uint64_t start_ns, window_ns;	/* of the test, and of its first tick in the window */
	struct cpu_watch watch;
	struct series *hertz, *celsius, *watts;
	double celsius_max, hertz_last;
};

/* A series that is made with its first point: a machine without a sensor has none. */
static void add(struct burst *b, struct series **s, const char *name, enum metric_unit unit,
		uint64_t at_ns, double value)
{
	if (!*s)
		*s = result_series(b->r, name, UNIT_NS, unit);
	series_add(*s, (double)at_ns, value);
}

static void tick(void *context, uint64_t now_ns, bool begun)
{
	struct burst *b = context;
	struct cpu_watch_look look;
	bool first = begun && !b->window_ns;

	cpu_watch_look(&b->watch, now_ns, &look);
	if (b->c->progress)
		b->c->progress(b->c->progress_context, now_ns - b->start_ns, 0);
	if (!begun)
		return;
	if (first)
		b->window_ns = now_ns;
	if (look.has_hertz)
		add(b, &b->hertz, "frequency", UNIT_HERTZ, now_ns - b->window_ns, look.hertz);
	if (look.has_celsius) {
		add(b, &b->celsius, "temperature", UNIT_CELSIUS, now_ns - b->window_ns,
		    look.celsius);
		if (look.celsius > b->celsius_max)
			b->celsius_max = look.celsius;
	}
	if (look.has_watts && !first)
		add(b, &b->watts, "power", UNIT_WATTS, now_ns - b->window_ns, look.watts);
}

static double mean_y(const struct series *s)
{
	double sum = 0;

	for (uint32_t i = 0; s && i < s->point_n; i++)
		sum += s->point[i].y;
	return s && s->point_n ? sum / s->point_n : (double)NAN;
}

static void put_numbers(struct burst *b, const struct cpu_crew_order *order,
			const struct cpu_crew_outcome *out, const struct cpu_burst *found)
{
	enum metric_unit unit = order->kernel->unit;
	struct series *s = result_series(b->r, "throughput", UNIT_NS, unit);

	for (unsigned i = 0; i < out->slice_n; i++)
		series_add(s, (double)((i + 1) * order->slice_ns), out->slice[i]);
	(void)result_metric(b->r, "burst", unit, found->burst);
	metric_samples(result_metric(b->r, "sustained", unit, found->sustained), out->slice,
		       out->slice_n);
	(void)result_metric(b->r, "drop_percent", UNIT_PERCENT, found->drop_percent);
	(void)result_metric(b->r, "threads", UNIT_COUNT, order->n);
	(void)result_metric(b->r, "frequency", UNIT_HERTZ, mean_y(b->hertz));
	(void)result_metric(b->r, "temperature", UNIT_CELSIUS,
			    b->celsius ? b->celsius_max : (double)NAN);
	(void)result_metric(b->r, "power", UNIT_WATTS, mean_y(b->watts));
	b->r->jobs = order->n;
}

static void run_burst(struct burst *b, const struct cpu_set_of *set)
{
	struct cpu_crew_outcome out;
	const struct cpu_param *param = b->c->test->param;
	struct cpu_input input = { .budget_ns = b->c->budget_ns };
	uint64_t rest_ns = b->c->budget_ns / REST_SHARE, before_n = 0, after_n = 0;
	struct cpu_crew_order order = {
		.kernel = param->kernel, .input = &input, .cpu = set->cpu[CPU_ALL],
		.n = set->n[CPU_ALL], .slice_ns = WINDOW_NS, .tick = tick, .tick_context = b,
	};
	struct cpu_facts facts = { .variation = { (double)NAN, (double)NAN, (double)NAN } };
	struct cpu_watch_ticks before, after;
	struct cpu_burst found;
	struct timespec rest;
	int err;

	if (rest_ns > REST_MAX_NS)
		rest_ns = REST_MAX_NS;
	rest = (struct timespec){ .tv_sec = (time_t)(rest_ns / NS_PER_S),
				  .tv_nsec = (long)(rest_ns % NS_PER_S) };
	nanosleep(&rest, NULL);
	order.time_ns = (b->c->budget_ns - rest_ns) / 100 * 98;
	if (order.slice_ns > order.time_ns / WINDOWS_MIN)
		order.slice_ns = order.time_ns / WINDOWS_MIN;
	if (order.slice_ns < order.time_ns / (CPU_CREW_SLICES_MAX - 2))
		order.slice_ns = order.time_ns / (CPU_CREW_SLICES_MAX - 2);
	facts.has_throttles = cpu_watch_throttles("", &before_n);
	(void)cpu_watch_ticks("", order.cpu, order.n, &before);
	cpu_watch_start(&b->watch, "", order.cpu, order.n, clock_ns());
	err = cpu_crew_run(&order, &out);
	(void)cpu_watch_ticks("", order.cpu, order.n, &after);
	if (facts.has_throttles && cpu_watch_throttles("", &after_n) && after_n > before_n)
		facts.throttles = after_n - before_n;
	if (err || out.why[0]) {
		result_end(b->r, RESULT_FAILED, "%s", err ? strerror(-err) : out.why);
		if (!err && out.is_busy)
			result_mark(b->r, "disturbed", "%s", out.why);
	} else if (!cpu_burst_of(out.slice, out.slice_n, &found)) {
		result_end(b->r, RESULT_FAILED, "only %u windows could be measured: too few to "
			   "tell a burst", out.slice_n);
	} else {
		put_numbers(b, &order, &out, &found);
		cpu_facts_add(&facts, &out, order.n, &before, &after);
		cpu_judge(&facts, b->r);
		result_end(b->r, RESULT_OK, "%s", "");
	}
	cpu_crew_free(&out);
}

void cpu_burst_run(const struct test_context *c, struct result *r)
{
	struct burst b = { .c = c, .r = r, .start_ns = clock_ns() };
	struct cpu_set_of set;
	int err = cpu_set_take("", &set);

	if (err)
		result_end(r, RESULT_FAILED, "which CPUs may be used is not known: %s",
			   strerror(-err));
	else
		run_burst(&b, &set);
	cpu_set_free(&set);
}
