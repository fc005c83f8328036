/* SPDX-License-Identifier: MIT */
/* The processors' tests: what their rows share. */
#ifndef BENCH_TESTS_CPU_H
#define BENCH_TESTS_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/sys/cpu_seat.h"
#include "bench/sys/cpu_watch.h"
#include "bench/tests/cpu_crew.h"
#include "bench/tests/test.h"

extern const struct test test_cpu_prime, test_cpu_prime_20000, test_cpu_int, test_cpu_float;
extern const struct test test_cpu_aes_gcm, test_cpu_sha256, test_cpu_zstd, test_cpu_lz4;
extern const struct test test_cpu_hash, test_cpu_burst;

#define CPU_ENOUGH_CV 0.025	/* what samples may vary by (Phoronix Test Suite's limit) */
#define CPU_TAKEN_PERCENT 2.0	/* of the time, by the hypervisor or by other programs */

/* The ways to measure, in this order. */
enum cpu_way { CPU_SINGLE, CPU_PER_CORE, CPU_ALL, CPU_WAYS };
extern const char *const cpu_way_words[CPU_WAYS];	/* names of their metrics */

/* The CPUs of a test. */
struct cpu_set_of {
	struct cpu_seats seats;
	unsigned *cpu[CPU_WAYS];	/* ascending; owned */
	unsigned n[CPU_WAYS];
};
/* Takes the CPUs this process may use. Returns 0 or -errno; cpu_set_free() in any case. */
int cpu_set_take(const char *root, struct cpu_set_of *set);
void cpu_set_free(struct cpu_set_of *set);

/* What was seen beside the work: sums over looks. */
struct cpu_beside {
	struct cpu_watch watch;
	bool opened;			/* a look in this window has been taken */
	double hertz_sum, watts_sum, celsius_max;
	unsigned hertz_n, watts_n, celsius_n;
};
/* A tick of a crew: looks once, into the struct cpu_beside that is its context. */
void cpu_beside_tick(void *beside, uint64_t now_ns, bool begun);

/* What a test has to be judged by. */
struct cpu_facts {
	double variation[CPU_WAYS];	/* of the samples; NAN: not measured */
	uint64_t all_ticks, steal_ticks;	/* of the CPUs at work; 0: not known */
	double threads_ns, lost_ns;	/* threads' time in windows, and without a CPU */
	/* how often per second a thread lost its CPU, sum over so many ways */
	double switches, switch_n;
	bool has_throttles;
	uint64_t throttles;		/* events while it ran */
};
/* Adds the metrics that follow from the facts, and marks what makes the numbers doubtful. */
void cpu_judge(const struct cpu_facts *f, struct result *r);
/* all / (single x threads) in percent; NAN where that says nothing. */
double cpu_efficiency(double single, double all, unsigned threads);

/* Takes the facts of one crew; `before` and `after`: ticks of its CPUs. */
void cpu_facts_add(struct cpu_facts *f, const struct cpu_crew_outcome *out, unsigned threads,
		   const struct cpu_watch_ticks *before, const struct cpu_watch_ticks *after);

/* Hooks of the rows. */
void cpu_run(const struct test_context *c, struct result *r);
void cpu_burst_run(const struct test_context *c, struct result *r);

/* What of a burst test's windows (rates per second of `n` equal windows) is burst and sustained. */
struct cpu_burst {
	double burst, sustained, drop_percent;
};
/* False where there are too few windows to tell. */
bool cpu_burst_of(const double *rate, unsigned n, struct cpu_burst *burst);

#endif
