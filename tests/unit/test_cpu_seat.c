/* SPDX-License-Identifier: MIT */
/* Where CPUs sit: holes, more than 1,024 of them, several kinds. */
#include "bench/sys/cpu_seat.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define BIG 1280

static void two_threads_per_core(void)
{
	static const unsigned cpu[] = { 0, 2, 5, 7 };
	struct sysfs_fixture f;
	struct cpu_seats s;
	unsigned core[4];

	/* 0 and 5 are one core; core 0 of package 1 is another one than that of package 0 */
	sysfs_fixture_make(&f,
			   "@sys/devices/system/cpu/cpu0\ntopology/physical_package_id=0\n"
			   "topology/core_id=0\n"
			   "@sys/devices/system/cpu/cpu2\ntopology/physical_package_id=1\n"
			   "topology/core_id=0\n"
			   "@sys/devices/system/cpu/cpu5\ntopology/physical_package_id=0\n"
			   "topology/core_id=0\n"
			   "@sys/devices/system/cpu/cpu7\ntopology/physical_package_id=0\n"
			   "topology/core_id=9\n");
	is_int(cpu_seat_read(f.root, cpu, 4, &s), 0, "four CPUs with holes");
	is_uint(cpu_seat_cores(&s, core), 3, "on three cores");
	ok(core[0] == 0 && core[1] == 2 && core[2] == 7, "one CPU of each");
	is_uint(s.seat[2].core_first, 0, "CPU 5 sits where CPU 0 does");
	is_uint(cpu_seat_fastest(&s), 0, "all are alike: the first");
	is_uint(cpu_seat_kinds(&s), 1, "of one kind");
	cpu_seat_free(&s);
	/* what may be used is a part: its cores are those of the part */
	is_int(cpu_seat_read(f.root, cpu + 2, 1, &s), 0, "only CPU 5");
	ok(cpu_seat_cores(&s, core) == 1 && core[0] == 5, "stands for its core then");
	cpu_seat_free(&s);
	sysfs_fixture_remove(&f);
}

/* Two packages with one core each, both called core 0; and two dies of one package. */
static void equal_numbers(void)
{
	static const unsigned cpu[] = { 0, 1, 2 };
	struct sysfs_fixture f;
	struct cpu_seats s;
	unsigned core[3];

	sysfs_fixture_make(&f, "@sys/devices/system/cpu/cpu0/topology\nphysical_package_id=0\n"
			   "core_id=0\ndie_id=0\n@sys/devices/system/cpu/cpu1/topology\n"
			   "physical_package_id=1\ncore_id=0\ndie_id=0\n"
			   "@sys/devices/system/cpu/cpu2/topology\nphysical_package_id=1\n"
			   "core_id=0\ndie_id=1\n");
	is_int(cpu_seat_read(f.root, cpu, 3, &s), 0, "cores of one number");
	is_uint(cpu_seat_cores(&s, core), 3, "are told apart by package and die");
	cpu_seat_free(&s);
	sysfs_fixture_remove(&f);
}

/* A device tree with two clusters of two cores: core 0 and 1 of each, all of one package. */
static void clusters(void)
{
	static const unsigned cpu[] = { 0, 1, 2, 3 };
	struct sysfs_fixture f;
	struct cpu_seats s;
	unsigned core[4];

	sysfs_fixture_make(&f,
			   "@sys/devices/system/cpu/cpu0/topology\nphysical_package_id=0\n"
			   "core_id=0\ncore_cpus_list=0\n"
			   "@sys/devices/system/cpu/cpu1/topology\nphysical_package_id=0\n"
			   "core_id=1\ncore_cpus_list=1\n"
			   "@sys/devices/system/cpu/cpu2/topology\nphysical_package_id=0\n"
			   "core_id=0\nthread_siblings_list=2\n"
			   "@sys/devices/system/cpu/cpu3/topology\nphysical_package_id=0\n"
			   "core_id=1\nthread_siblings_list=3\n");
	is_int(cpu_seat_read(f.root, cpu, 4, &s), 0, "cores whose numbers begin again");
	is_uint(cpu_seat_cores(&s, core), 4, "are told apart by their threads");
	cpu_seat_free(&s);
	sysfs_fixture_remove(&f);
}

static void nothing_is_told(void)
{
	static const unsigned cpu[] = { 3, 4 };
	struct sysfs_fixture f;
	struct cpu_seats s;
	unsigned core[2];

	sysfs_fixture_make(&f, "@sys/devices/system/cpu/cpu3\ntopology/core_id=-1\n"
			   "@sys/devices/system/cpu/cpu4\ntopology/core_id=[no number]\n");
	is_int(cpu_seat_read(f.root, cpu, 2, &s), 0, "without topology");
	is_uint(cpu_seat_cores(&s, core), 2, "each CPU is a core of its own");
	cpu_seat_free(&s);
	is_int(cpu_seat_read("/nonexistent", cpu, 2, &s), 0, "without sysfs");
	is_uint(cpu_seat_cores(&s, core), 2, "the same");
	is_uint(cpu_seat_fastest(&s), 3, "the first");
	cpu_seat_free(&s);
	sysfs_fixture_remove(&f);
}

static void kinds(void)
{
	static const unsigned cpu[] = { 0, 1, 2, 3, 4, 5 };
	struct sysfs_fixture f;
	struct cpu_seats s;

	sysfs_fixture_make(&f, "@sys/devices/cpu_core\ncpus=2-3\n@sys/devices/cpu_atom\n"
			   "cpus=0-1,4-5\n@sys/devices/system/cpu/cpu3\n"
			   "cpufreq/cpuinfo_max_freq=5800000\n@sys/devices/system/cpu/cpu2\n"
			   "cpufreq/cpuinfo_max_freq=5700000\n@sys/devices/system/cpu/cpu0\n"
			   "cpufreq/cpuinfo_max_freq=9900000\n");
	is_int(cpu_seat_read(f.root, cpu, 6, &s), 0, "performance and efficiency cores");
	is_uint(cpu_seat_kinds(&s), 2, "two kinds");
	is_uint(cpu_seat_fastest(&s), 3, "the fastest of the performance cores");
	cpu_seat_free(&s);
	sysfs_fixture_add(&f, "@sys/devices/system/cpu/cpu5\ncpu_capacity=1024\n"
			  "@sys/devices/system/cpu/cpu4\ncpu_capacity=446\n");
	is_int(cpu_seat_read(f.root, cpu, 6, &s), 0, "the kernel's own capacity");
	is_uint(cpu_seat_fastest(&s), 5, "comes first");
	cpu_seat_free(&s);
	sysfs_fixture_remove(&f);
}

/* Two packages of 320 cores with two threads each; every second number is missing. */
static void more_than_a_fixed_mask(void)
{
	static char text[BIG * 128];
	unsigned cpu[BIG], core[BIG], twice = 0;
	struct sysfs_fixture f;
	struct cpu_seats s;
	size_t used = 0, n;

	for (unsigned i = 0; i < BIG; i++) {
		cpu[i] = 2 * i;
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "@sys/devices/system/cpu/cpu%u/topology\n"
					 "physical_package_id=%u\ncore_id=%u\n", 2 * i,
					 i / 320 % 2, i % 320 * 3);
	}
	sysfs_fixture_make(&f, text);
	is_int(cpu_seat_read(f.root, cpu, BIG, &s), 0, "1,280 CPUs, numbered up to 2,558");
	n = cpu_seat_cores(&s, core);
	is_uint(n, BIG / 2, "640 cores");
	for (size_t i = 1; i < n; i++)
		twice += core[i] <= core[i - 1];
	is_uint(twice, 0, "ascending, each once");
	is_uint(core[n - 1], 2 * 639, "the first threads of all");
	is_uint(s.seat[BIG - 1].core_first, 2 * 639, "the last CPU is the last core's second");
	cpu_seat_free(&s);
	sysfs_fixture_remove(&f);
}

int main(void)
{
	two_threads_per_core();
	equal_numbers();
	clusters();
	nothing_is_told();
	kinds();
	more_than_a_fixed_mask();
	return tap_done();
}
