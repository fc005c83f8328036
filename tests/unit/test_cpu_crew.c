/* SPDX-License-Identifier: MIT */
/* Threads side by side: what is counted, and what happens where one cannot do its part. */
#include "bench/tests/cpu_crew.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "bench/io/place.h"
#include "bench/tests/cpu.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

static const struct crew_case {
	uint64_t from_ns, to_ns;
	double done;
} cases[] = {
	{ 100, 300, 40 }, { 100, 150, 10 }, { 150, 250, 20 }, { 290, 310, 7 },
	{ 0, 100, 0 }, { 0, 1000, 90 }, { 500, 900, 0 }, { 300, 300, 0 },
};

static void done_between(void)
{
	/* 0.2 per ns, then 0.5 */
	static const struct cpu_crew_note note[] = {
		{ 100, 0 }, { 200, 20 }, { 300, 40 }, { 400, 90 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_near(cpu_crew_done_between(note, 4, cases[i].from_ns, cases[i].to_ns),
			cases[i].done, 1e-9, "from %llu to %llu",
			(unsigned long long)cases[i].from_ns,
			(unsigned long long)cases[i].to_ns);
	is_near(cpu_crew_done_between(note, 1, 0, 1000), 0, 0, "a single note");
}

static void variation(void)
{
	static const double even[] = { 5, 5, 5 }, two[] = { 9, 11 };

	is_near(cpu_crew_variation(even, 3), 0, 0, "none");
	is_near(cpu_crew_variation(two, 2), sqrt(2) / 10, 1e-12, "of a sample");
	ok(isnan(cpu_crew_variation(two, 1)), "one value has none");
	ok(isnan(cpu_crew_variation(even, 0)), "nor has nothing");
}

/* ---- kernels of this test's own: they sleep, so that they do not depend on a free CPU ---- */

static atomic_int begun, ended;
static atomic_uint wrong_after;		/* iterations; 0: never */
static atomic_bool wrong_at_end;

static int begin(const struct cpu_input *in, unsigned members, void **state)
{
	(void)in;
	(void)members;
	*state = calloc(1, sizeof(unsigned));
	atomic_fetch_add(&begun, 1);
	return *state ? 0 : -ENOMEM;
}

static bool run(void *state, uint64_t n)
{
	const struct timespec ms = { .tv_nsec = (long)NS_PER_MS };
	unsigned *done = state;

	for (uint64_t i = 0; i < n; i++) {
		nanosleep(&ms, NULL);
		if (++*done == atomic_load(&wrong_after))
			return false;
	}
	return true;
}

static bool check(void *state)
{
	(void)state;
	return !atomic_load(&wrong_at_end);
}

static void parts(const void *state, double *value)
{
	value[0] = *(const unsigned *)state;
}

static void end(void *state)
{
	atomic_fetch_add(&ended, 1);
	free(state);
}

static int cannot_begin(const struct cpu_input *in, unsigned members, void **state)
{
	(void)in;
	(void)members;
	*state = NULL;
	return -ENOMEM;
}

static const struct cpu_kernel sleeper = {
	.unit = UNIT_PER_S, .work = 10, .begin = begin, .run = run, .check = check,
	.parts = parts, .end = end,
};

static unsigned looks, early_looks;

static void tick(void *context, uint64_t now_ns, bool is_open)
{
	(void)context;
	(void)now_ns;
	looks += is_open;
	early_looks += !is_open;
}

static int second_fails(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
			void *arg)
{
	if (atomic_load(&begun) || looks++)
		return EAGAIN;
	return pthread_create(thread, attr, start, arg);
}

static struct cpu_input input;
static struct cpu_crew_outcome out;
static unsigned two_cpus[2];

static struct cpu_crew_order order_of(const struct cpu_kernel *kernel)
{
	atomic_store(&begun, 0);
	atomic_store(&ended, 0);
	atomic_store(&wrong_after, 0);
	atomic_store(&wrong_at_end, false);
	looks = early_looks = 0;
	return (struct cpu_crew_order) {
		.kernel = kernel, .input = &input, .cpu = two_cpus, .n = 2,
		.time_ns = 1500 * NS_PER_MS, .slice_ns = 100 * NS_PER_MS, .tick = tick,
	};
}

static void sum_of_both(void)
{
	struct cpu_crew_order o = order_of(&sleeper);
	double both;

	is_int(cpu_crew_run(&o, &out), 0, "two threads");
	is_str(out.why, "", "and nothing went wrong");
	ok(out.slice_n >= CPU_CREW_SLICES_MIN && out.measured_ns == out.slice_n * o.slice_ns,
	   "%u whole slices", out.slice_n);
	ok(atomic_load(&begun) == 2 && atomic_load(&ended) == 2, "each state is made and freed");
	/* an iteration takes 1 ms and more and counts as 10 */
	ok(out.member[0] > 0 && out.member[0] <= 10000 && out.member[1] <= 10000,
	   "each did up to 10,000 per second: %.0f, %.0f", out.member[0], out.member[1]);
	both = out.member[0] + out.member[1];
	is_near(out.slice[out.slice_n / 2], both, both / 2, "a slice holds about their sum");
	ok(looks >= 3, "there was time to look around: %u times", looks);
	ok(out.cpu_share < 0.5, "who sleeps has no CPU");
	ok(out.part[0] > 0, "the first thread's own number");
	cpu_crew_free(&out);
}

static void ends_early(void)
{
	struct cpu_crew_order o = order_of(&sleeper);

	o.enough_cv = 1e9;
	is_int(cpu_crew_run(&o, &out), 0, "with any variation enough");
	ok(!out.why[0] && out.measured_ns <= o.time_ns * 3 / 4, "half of the time will do");
	cpu_crew_free(&out);
	o = order_of(&sleeper);
	o.enough_cv = 1e-12;
	is_int(cpu_crew_run(&o, &out), 0, "with none enough");
	ok(!out.why[0] && out.measured_ns >= o.time_ns / 2, "it takes its time: %.2f s",
	   (double)out.measured_ns / NS_PER_S);
	cpu_crew_free(&out);
}

static void wrong_results(void)
{
	struct cpu_crew_order o = order_of(&sleeper);

	atomic_store(&wrong_after, 1);
	is_int(cpu_crew_run(&o, &out), 0, "a wrong result at once");
	ok(out.is_wrong && strstr(out.why, "computed a wrong result"), "is told: %s", out.why);
	cpu_crew_free(&out);
	o = order_of(&sleeper);
	atomic_store(&wrong_after, 400);
	is_int(cpu_crew_run(&o, &out), 0, "a wrong result while measuring");
	ok(out.is_wrong, "is told: %s", out.why);
	cpu_crew_free(&out);
	o = order_of(&sleeper);
	atomic_store(&wrong_at_end, true);
	is_int(cpu_crew_run(&o, &out), 0, "a state that is wrong in the end");
	ok(out.is_wrong, "is told: %s", out.why);
	is_int(atomic_load(&ended), 2, "all was freed");
	cpu_crew_free(&out);
}

static void cannot(void)
{
	static const struct cpu_kernel empty = {
		.unit = UNIT_PER_S, .work = 1, .begin = cannot_begin, .run = run, .end = end,
	};
	struct cpu_crew_order o = order_of(&sleeper);
	unsigned far[2] = { two_cpus[0], 1u << 16 };

	o.create = second_fails;
	is_int(cpu_crew_run(&o, &out), 0, "a thread that cannot be created");
	ok(strstr(out.why, "thread 2 of 2 could not be started: ") && !out.is_wrong,
	   "is a reason: %s", out.why);
	is_int(atomic_load(&begun), atomic_load(&ended), "the other one ended");
	cpu_crew_free(&out);
	o = order_of(&sleeper);
	o.cpu = far;
	is_int(cpu_crew_run(&o, &out), 0, "a CPU that is not there");
	ok(strstr(out.why, "thread for CPU 65536: it cannot be kept to that CPU"),
	   "is a reason: %s", out.why);
	cpu_crew_free(&out);
	o = order_of(&empty);
	is_int(cpu_crew_run(&o, &out), 0, "no memory");
	ok(strstr(out.why, "it cannot begin"), "is a reason: %s", out.why);
	cpu_crew_free(&out);
	o = order_of(&sleeper);
	o.time_ns = 3 * NS_PER_MS;
	is_int(cpu_crew_run(&o, &out), 0, "no time");
	ok(strstr(out.why, "did not get to measure"), "is a reason: %s", out.why);
	cpu_crew_free(&out);
}

/* Of what this process may use, and no more. */
static void restricted(void)
{
	struct cpu_set_of set;
	unsigned *allowed, *again;
	int n = place_allowed(&allowed);

	if (n < 1)
		tap_bail("no CPU may be used");
	two_cpus[0] = allowed[0];
	two_cpus[1] = allowed[n - 1];
	is_int(cpu_set_take("", &set), 0, "the CPUs of this process");
	ok(set.n[CPU_ALL] == (unsigned)n && set.n[CPU_SINGLE] == 1 && set.n[CPU_PER_CORE] >= 1 &&
	   set.n[CPU_PER_CORE] <= set.n[CPU_ALL], "all, one, and one per core");
	cpu_set_free(&set);
	is_int(place_keep_to(allowed + n - 1, 1), 0, "kept to the last one");
	is_int(cpu_set_take("", &set), 0, "there is one left");
	ok(set.n[CPU_ALL] == 1 && set.n[CPU_PER_CORE] == 1 &&
	   set.cpu[CPU_SINGLE][0] == allowed[n - 1], "and that one is taken");
	cpu_set_free(&set);
	is_int(place_keep_to(allowed, (size_t)n), 0, "all again");
	is_int(place_allowed(&again), n, "as before");
	free(again);
	free(allowed);
}

int main(void)
{
	done_between();
	variation();
	restricted();
	sum_of_both();
	ends_early();
	wrong_results();
	cannot();
	return tap_done();
}
