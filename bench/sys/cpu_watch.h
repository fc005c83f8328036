/* SPDX-License-Identifier: MIT */
/*
 * What processors do while they are measured: frequency, temperature, power, throttling, and how
 * much of their time the hypervisor kept. Only files of the kernel are read, below `root`; what a
 * machine does not tell is absent.
 *
 * A look costs some tens of microseconds, more on machines with many CPUs: it belongs to whoever
 * supervises the measuring threads, a few times per second.
 */
#ifndef BENCH_SYS_CPU_WATCH_H
#define BENCH_SYS_CPU_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/sys/sysfs.h"

#define CPU_WATCH_CPUS_MAX 64	/* whose frequency is read; of more, as many spread evenly */
#define CPU_WATCH_SENSORS_MAX 16
#define CPU_WATCH_DOMAINS_MAX 16

struct cpu_watch {
	char root[SYSFS_PATH_BYTES];
	unsigned cpu[CPU_WATCH_CPUS_MAX];
	size_t cpu_n;
	bool has_cpufreq;	/* else /proc/cpuinfo, where that measures */
	bool has_cpuinfo_mhz;
	/* inputs of the processors' own sensors */
	char sensor[CPU_WATCH_SENSORS_MAX][SYSFS_PATH_BYTES];
	size_t sensor_n;
	/* packages whose energy is counted */
	char domain[CPU_WATCH_DOMAINS_MAX][SYSFS_PATH_BYTES];
	uint64_t energy_uj[CPU_WATCH_DOMAINS_MAX];
	bool has_energy[CPU_WATCH_DOMAINS_MAX];
	size_t domain_n;
	uint64_t energy_at_ns;
};

struct cpu_watch_look {
	bool has_hertz, has_celsius, has_watts;
	double hertz;		/* mean of the CPUs looked at */
	double celsius;		/* the hottest sensor */
	double watts;		/* of all packages, mean since the look before */
};

/* Finds what there is to read for these `n` CPUs, ascending, and begins to count energy. */
void cpu_watch_start(struct cpu_watch *w, const char *root, const unsigned *cpu, size_t n,
		     uint64_t now_ns);
/* Looks once, at the time `now_ns`. */
void cpu_watch_look(struct cpu_watch *w, uint64_t now_ns, struct cpu_watch_look *look);

/*
 * Thermal throttle events of all cores and packages since boot, each counted once. False where
 * there is no such counter.
 */
bool cpu_watch_throttles(const char *root, uint64_t *sum);

/* Time of CPUs, in the kernel's ticks. */
struct cpu_watch_ticks {
	uint64_t all;	/* busy, idle and stolen */
	uint64_t steal;	/* the hypervisor gave to others what these CPUs could have used */
};

/*
 * Sums up /proc/stat for the `n` CPUs of the ascending list `cpu`. False where it tells of none of
 * them.
 */
bool cpu_watch_ticks(const char *root, const unsigned *cpu, size_t n, struct cpu_watch_ticks *t);

#endif
