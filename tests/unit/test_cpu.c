/* SPDX-License-Identifier: MIT */
/* The processors' tests as a whole: their numbers, units, marks, and what is no number. */
#include "bench/tests/cpu.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/io/place.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

static struct result r;

static const char *mark_text(const char *word)
{
	for (uint32_t i = 0; i < r.mark_n; i++)
		if (!strcmp(r.mark[i].word, word))
			return r.mark[i].text;
	return "";
}

static double value(const char *name)
{
	const struct metric *m = result_find(&r, name);

	return m ? m->value : (double)NAN;
}

static struct cpu_facts calm(void)
{
	return (struct cpu_facts) {
		.variation = { 0.01, 0.025, (double)NAN }, .all_ticks = 1000, .steal_ticks = 20,
		.threads_ns = 1e9, .lost_ns = 3e7, .switches = 12, .switch_n = 3,
		.has_throttles = true,
	};
}

static void judged(void)
{
	struct cpu_facts f = calm();

	result_init(&r, "cpu-int", "");
	cpu_judge(&f, &r);
	is_uint(r.mark_n, 0, "a calm run has no marks");
	is_near(value("steal_percent"), 2, 1e-9, "stolen");
	is_near(value("taken_percent"), 1, 1e-9, "what was stolen is not counted twice");
	is_near(value("switches"), 4, 1e-9, "the mean of the ways");
	is_near(value("throttle_events"), 0, 0, "counted, and none");
	f.variation[CPU_ALL] = 0.1234;
	f.variation[CPU_SINGLE] = 0.026;
	f.steal_ticks = 21;
	f.lost_ns = 5e7;
	f.throttles = 3;
	result_init(&r, "cpu-int", "");
	cpu_judge(&f, &r);
	is_str(mark_text("unsteady"), "its samples vary: single by 2.6 %, all by 12.3 % "
	       "(coefficient of variation, at most 2.5 % is steady)", "which, and by how much");
	is_str(mark_text("steal"), "the hypervisor gave 2.1 % of these processors' time to others",
	       "stolen");
	is_str(mark_text("disturbed"), "other programs had 2.9 % of the time; a thread lost its "
	       "processor 4 times per second", "disturbed");
	is_str(mark_text("throttled"), "processors were slowed for heat 3 times while it ran",
	       "throttled");
	result_init(&r, "cpu-int", "");
	f = (struct cpu_facts){ .variation = { (double)NAN, (double)NAN, (double)NAN } };
	cpu_judge(&f, &r);
	ok(r.metric_n == 0 && r.mark_n == 0, "what is not known is absent");
}

static void facts(void)
{
	struct cpu_facts f = { .all_ticks = 0 };
	const struct cpu_crew_outcome out = { .measured_ns = NS_PER_S, .cpu_share = 0.9,
					      .switches_per_s = 6 };
	const struct cpu_crew_outcome more = { .measured_ns = NS_PER_S, .cpu_share = 1.01 };
	const struct cpu_watch_ticks before = { 100, 10 }, after = { 300, 14 }, none = { 0, 0 };

	cpu_facts_add(&f, &out, 4, &before, &after);
	ok(f.all_ticks == 200 && f.steal_ticks == 4, "ticks between");
	is_near(f.threads_ns, 4e9, 1, "four threads for a second");
	is_near(f.lost_ns, 4e8, 1, "a tenth was lost");
	cpu_facts_add(&f, &more, 1, &after, &none);
	ok(f.all_ticks == 200, "counters that go back say nothing");
	is_near(f.lost_ns, 4e8, 1, "nothing is gained by rounding");
	ok(f.switch_n == 2 && f.switches == 6, "switches");
}

static void efficiency(void)
{
	is_near(cpu_efficiency(100, 640, 8), 80, 1e-9, "all / (single x threads)");
	is_near(cpu_efficiency(100, 100, 1), 100, 1e-9, "one thread");
	ok(isnan(cpu_efficiency(0, 100, 1)) && isnan(cpu_efficiency(100, 100, 0)), "no number");
}

static void bursts(void)
{
	double rate[40], few[5] = { 9, 9, 9, 9, 9 };
	struct cpu_burst b;

	for (int i = 0; i < 40; i++)
		rate[i] = i < 10 ? 100 : 80;
	rate[0] = 60;	/* the clock was still rising */
	rate[39] = 20;	/* and something came between */
	ok(cpu_burst_of(rate, 40, &b), "forty windows");
	is_near(b.burst, 100, 0, "the best of the first three");
	is_near(b.sustained, 80, 0, "the median of the last quarter");
	is_near(b.drop_percent, 20, 1e-9, "a fifth is lost");
	ok(!cpu_burst_of(few, 5, &b), "too few tell nothing");
	memset(rate, 0, sizeof(rate));
	ok(!cpu_burst_of(rate, 40, &b), "nor does nothing");
}

/* ---- the rows, run on this machine ---- */

static const struct test *const rows[] = {
	&test_cpu_prime, &test_cpu_prime_20000, &test_cpu_int, &test_cpu_float, &test_cpu_aes_gcm,
	&test_cpu_sha256, &test_cpu_zstd, &test_cpu_lz4, &test_cpu_hash,
};

static const struct {
	const char *name;
	enum metric_unit unit;
} units[] = {
	{ "efficiency", UNIT_PERCENT }, { "single_cpu", UNIT_COUNT }, { "cores", UNIT_COUNT },
	{ "threads", UNIT_COUNT }, { "steal_percent", UNIT_PERCENT },
	{ "taken_percent", UNIT_PERCENT }, { "switches", UNIT_PER_S },
	{ "throttle_events", UNIT_COUNT }, { "frequency", UNIT_HERTZ },
	{ "frequency_single", UNIT_HERTZ }, { "temperature", UNIT_CELSIUS },
	{ "power", UNIT_WATTS }, { "compress", UNIT_BYTES_PER_S },
	{ "decompress", UNIT_BYTES_PER_S }, { "packed", UNIT_PERCENT }, { "table", UNIT_BYTES },
};

static unsigned told;

static void progress(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	(void)context;
	(void)elapsed_ns;
	(void)bytes;
	told++;
}

/* A busy machine may not let all threads run within so little time: then once more. */
static uint64_t run_row(const struct test *t, uint64_t budget_ns, uint64_t memory_bytes, bool early)
{
	const struct test_context c = {
		.test = t, .fd = -1, .write_fd = -1, .budget_ns = budget_ns, .may_end_early = early,
		.stall_ns = NS_PER_S, .memory_bytes = memory_bytes, .progress = progress,
	};

	uint64_t start_ns = 0;

	for (int i = 0; i < 4; i++) {
		start_ns = clock_ns();
		result_init(&r, t->name, "");
		t->run(&c, &r);
		if (r.status == RESULT_OK && !strstr(r.reason, "did not get to measure"))
			break;
		tap_diag("%s: %s", t->name, r.reason);
	}
	return clock_ns() - start_ns;
}

static void check_units(const struct test *t, enum metric_unit unit)
{
	for (uint32_t i = 0; i < r.metric_n; i++) {
		size_t k = 0;

		if (!strcmp(r.metric[i].name, "single") || !strcmp(r.metric[i].name, "per_core") ||
		    !strcmp(r.metric[i].name, "all")) {
			ok(r.metric[i].unit == unit && r.metric[i].sample_n > 0 &&
			   r.metric[i].value > 0, "%s: %s is a rate with samples", t->name,
			   r.metric[i].name);
			continue;
		}
		while (k < sizeof(units) / sizeof(units[0]) &&
		       strcmp(units[k].name, r.metric[i].name))
			k++;
		ok(k < sizeof(units) / sizeof(units[0]) && units[k].unit == r.metric[i].unit,
		   "%s: %s has its unit", t->name, r.metric[i].name);
		for (uint32_t n = 0; n < i; n++)
			ok(strcmp(r.metric[n].name, r.metric[i].name), "and is there once");
	}
}

static void all_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct cpu_param *param = rows[i]->param;
		const struct series *s;
		char why[8] = "x";

		is_int(rows[i]->fits(rows[i], NULL, why, sizeof(why)), RESULT_OK, "%s: runs on any "
		       "machine", rows[i]->name);
		is_str(why, "", "without a reason");
		told = 0;
		run_row(rows[i], 800 * NS_PER_MS, 256 << 20, true);
		is_int(r.status, RESULT_OK, "%s: ok", rows[i]->name);
		ok(told > 0, "and tells of its progress");
		check_units(rows[i], param->kernel->unit);
		ok(value("single") > 0 && value("per_core") > 0 && value("all") > 0,
		   "%s: all three ways", rows[i]->name);
		is_near(value("efficiency"), value("all") / value("single") / value("threads") *
			100, 1e-6, "efficiency");
		s = result_find_series(&r, "per-cpu");
		ok(s && s->x_unit == UNIT_COUNT && s->y_unit == param->kernel->unit &&
		   s->point_n == value("cores"), "%s: one point per core", rows[i]->name);
	}
}

static void burst_row(void)
{
	char why[8];

	is_int(test_cpu_burst.fits(&test_cpu_burst, NULL, why, sizeof(why)), RESULT_OK, "burst");
	run_row(&test_cpu_burst, 2 * NS_PER_S, 0, true);
	is_int(r.status, RESULT_OK, "burst: ok: %s", r.reason);
	ok(value("burst") > 0 && value("sustained") > 0, "two numbers");
	is_near(value("drop_percent"), (1 - value("sustained") / value("burst")) * 100, 1e-6,
		"and what lies between");
	ok(result_find(&r, "burst")->unit == UNIT_PER_S && result_find(&r, "sustained")->sample_n,
	   "rates");
	ok(result_find_series(&r, "throughput") && r.series[0].point_n, "over time");
}

/* One CPU: three ways that are one. Memory that does not do: a reason. */
static void small(void)
{
	unsigned *allowed;
	int n = place_allowed(&allowed);
	uint64_t took_ns;

	if (n < 1 || place_keep_to(allowed, 1))
		tap_bail("no CPU may be used");
	took_ns = run_row(&test_cpu_int, 400 * NS_PER_MS, 0, false);
	ok(took_ns >= 350 * NS_PER_MS, "where it may not end early it takes its time");
	is_int(r.status, RESULT_OK, "on one CPU");
	ok(value("single") == value("per_core") && value("single") == value("all"),
	   "measured once");
	is_near(value("efficiency"), 100, 1e-9, "nothing is lost");
	is_uint(r.series_n, 1, "one series");
	check_units(&test_cpu_int, UNIT_PER_S);
	run_row(&test_cpu_zstd, 400 * NS_PER_MS, 1 << 20, true);
	is_int(r.status, RESULT_FAILED, "too little memory");
	is_str(r.reason, "single: 1 thread would take 6 MiB of memory, there may be 1 MiB",
	       "is the reason");
	is_uint(r.metric_n + r.series_n, 0, "and no number");
	place_keep_to(allowed, (size_t)n);
	free(allowed);
}

/* ---- a kernel of this test's own: alone it begins too late, with others it is wrong ---- */

static int begin_late(const struct cpu_input *in, unsigned members, void **state)
{
	const struct timespec late = { .tv_nsec = (long)(300 * NS_PER_MS) };
	unsigned *n = malloc(sizeof(*n));

	(void)in;
	*state = n;
	if (!n)
		return -ENOMEM;
	*n = members;
	if (members == 1)
		nanosleep(&late, NULL);
	return 0;
}

static bool run_late(void *state, uint64_t n)
{
	(void)n;
	return *(const unsigned *)state == 1;
}

static void busy_and_wrong(void)
{
	static const struct cpu_kernel kernel = {
		.unit = UNIT_PER_S, .work = 1, .begin = begin_late, .run = run_late, .end = free,
	};
	static const struct cpu_param param = { &kernel, 0 };
	static const struct test row = { .name = "cpu-late", .run = cpu_run, .param = &param };
	const struct test_context c = { .test = &row, .budget_ns = 600 * NS_PER_MS };
	unsigned *allowed;
	int n = place_allowed(&allowed);

	free(allowed);
	result_init(&r, row.name, "");
	cpu_run(&c, &r);
	is_int(r.status, RESULT_FAILED, "a thread that did not get to measure: failed");
	if (n < 2) {
		ok(mark_text("disturbed")[0] != '\0', "and marked: others may have had the CPU");
		return;
	}
	ok(strstr(r.reason, "did not get to measure") && strstr(r.reason, "a wrong result"),
	   "one thread was late, and more computed something wrong: %s", r.reason);
	is_uint(r.mark_n, 0, "which no other program's work excuses");
}

int main(void)
{
	judged();
	facts();
	efficiency();
	bursts();
	all_rows();
	burst_row();
	small();
	busy_and_wrong();
	return tap_done();
}
