/* SPDX-License-Identifier: MIT */
/* Frequency, temperature, power, throttling and stolen time, from trees of several machines. */
#include "bench/sys/cpu_watch.h"

#include "lib/clock.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static const unsigned cpus[] = { 0, 1, 3 };
static struct cpu_watch watch;

static struct cpu_watch_look look_at(struct sysfs_fixture *f)
{
	struct cpu_watch_look look;

	cpu_watch_start(&watch, f->root, cpus, 3, NS_PER_S);
	cpu_watch_look(&watch, 3 * NS_PER_S, &look);
	return look;
}

static void nothing(void)
{
	struct sysfs_fixture f;
	struct cpu_watch_look look;
	struct cpu_watch_ticks t;
	uint64_t sum;

	sysfs_fixture_make(&f, "");
	look = look_at(&f);
	ok(!look.has_hertz && !look.has_celsius && !look.has_watts, "nothing there is absent");
	ok(!cpu_watch_throttles(f.root, &sum), "no throttle counter");
	ok(!cpu_watch_ticks(f.root, cpus, 3, &t), "no time");
	cpu_watch_start(&watch, f.root, cpus, 0, 0);
	is_uint(watch.cpu_n, 0, "no CPU at all");
	sysfs_fixture_remove(&f);
}

static void frequency(void)
{
	struct sysfs_fixture f;
	struct cpu_watch_look look;

	sysfs_fixture_make(&f, "@sys/devices/system/cpu/cpu0/cpufreq\nscaling_cur_freq=3000000\n"
			   "@sys/devices/system/cpu/cpu1/cpufreq\nscaling_cur_freq=[<unknown>]\n"
			   "@sys/devices/system/cpu/cpu2/cpufreq\nscaling_cur_freq=800000\n"
			   "@sys/devices/system/cpu/cpu3/cpufreq\nscaling_cur_freq=2000000\n"
			   "@proc\ncpuinfo=[cpu MHz\t: 1000\\nflags\t: fpu aperfmperf]\n");
	look = look_at(&f);
	is_near(look.hertz, 2.5e9, 1, "the mean of the CPUs asked for that tell");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "@proc\ncpuinfo=[processor\t: 0\\ncpu MHz\t\t: 2400.5\\n"
			   "flags\t\t: fpu aperfmperf sse\\n\\nprocessor\t: 1\\n"
			   "cpu MHz\t\t: 2600.5\\nprocessor\t: 2\\ncpu MHz\t\t: 800]\n");
	look = look_at(&f);
	is_near(look.hertz, 2500.5e6, 1, "without cpufreq, their lines of /proc/cpuinfo");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "@proc\ncpuinfo=[cpu MHz\t: 2400.5\\nflags\t: fpu sse]\n");
	ok(!look_at(&f).has_hertz, "a constant is no measurement");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "@sys/devices/system/cpu/cpu0/cpufreq\n"
			   "scaling_cur_freq=99999999999\n");
	ok(!look_at(&f).has_hertz, "nor is what no processor reaches");
	sysfs_fixture_remove(&f);
}

static void temperature(void)
{
	struct sysfs_fixture f;
	struct cpu_watch_look look;

	sysfs_fixture_make(&f, "@sys/class/hwmon/hwmon0\nname=nvme\ntemp1_input=95000\n"
			   "@sys/class/hwmon/hwmon1\nname=coretemp\n"
			   "temp1_label=Package id 0\ntemp1_input=61000\n"
			   "temp2_label=Core 0\ntemp2_input=72000\n"
			   "@sys/class/hwmon/hwmon2\nname=coretemp\n"
			   "temp1_label=Package id 1\ntemp1_input=64500\n");
	look = look_at(&f);
	is_near(look.celsius, 64.5, 0, "the hottest package, neither a core nor a disk");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "@sys/class/hwmon/hwmon0\nname=k10temp\ntemp1_label=Tctl\n"
			   "temp1_input=82000\ntemp2_label=Tdie\ntemp2_input=55000\n");
	is_near(look_at(&f).celsius, 55, 0, "Tctl holds an offset where there is Tdie");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "@sys/class/hwmon/hwmon0\nname=k10temp\ntemp1_label=Tctl\n"
			   "temp1_input=48000\ntemp3_label=Tccd1\ntemp3_input=70000\n");
	is_near(look_at(&f).celsius, 48, 0, "else it is what there is");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "@sys/class/hwmon/hwmon0\nname=coretemp\ntemp1_input=0\n"
			   "temp2_input=300000\ntemp3_input=[garbage]\n");
	ok(!look_at(&f).has_celsius, "odd values are absent");
	sysfs_fixture_add(&f, "@sys/class/hwmon/hwmon0\ntemp4_input=39000\n");
	is_near(look_at(&f).celsius, 39, 0, "without labels all inputs count");
	sysfs_fixture_remove(&f);
}

static void power(void)
{
	struct sysfs_fixture f;
	struct cpu_watch_look look;

	sysfs_fixture_make(&f, "@sys/class/powercap/intel-rapl:0\nname=package-0\n"
			   "energy_uj=1000000\nmax_energy_range_uj=262143328850\n"
			   "@sys/class/powercap/intel-rapl:1\nname=package-1\n"
			   "energy_uj=262143328850\nmax_energy_range_uj=262143328850\n"
			   "@sys/class/powercap/intel-rapl:2\nname=psys\nenergy_uj=5\n"
			   "@sys/class/powercap/intel-rapl:0:0\nname=core\nenergy_uj=5\n"
			   "@sys/class/powercap/intel-rapl-mmio:0\nname=package-0\nenergy_uj=5\n");
	cpu_watch_start(&watch, f.root, cpus, 3, NS_PER_S);
	is_uint(watch.domain_n, 2, "packages only, each once");
	sysfs_fixture_add(&f, "@sys/class/powercap/intel-rapl:0\nenergy_uj=201000000\n"
			  "@sys/class/powercap/intel-rapl:1\nenergy_uj=100000000\n");
	cpu_watch_look(&watch, 3 * NS_PER_S, &look);
	is_near(look.watts, 150, 1e-9, "200 J and, over the counter's end, 100 J in 2 s");
	cpu_watch_look(&watch, 3 * NS_PER_S, &look);
	ok(!look.has_watts, "no time, no power");
	sysfs_fixture_add(&f, "@sys/class/powercap/intel-rapl:0\nenergy_uj=401000000\n");
	cpu_watch_look(&watch, 4 * NS_PER_S, &look);
	ok(!look.has_watts, "one package alone is not all of them");
	sysfs_fixture_add(&f, "@sys/class/powercap/intel-rapl:1\nenergy_uj=300000000\n"
			  "@sys/class/powercap/intel-rapl:0\nenergy_uj=501000000\n");
	cpu_watch_look(&watch, 5 * NS_PER_S, &look);
	is_near(look.watts, 300, 1e-9, "from the reading before");
	cpu_watch_look(&watch, 6 * NS_PER_S, &look);
	ok(!look.has_watts, "a counter that stands still measures nothing");
	sysfs_fixture_remove(&f);
}

#define CPU(n) "@sys/devices/system/cpu/cpu" #n "\ntopology/physical_package_id=0\n"

static void throttles(void)
{
	struct sysfs_fixture f;
	uint64_t sum = 0;

	/* 0 and 1 are threads of a core */
	sysfs_fixture_make(&f, "@sys/devices/system/cpu\nonline=0-2\n"
			   CPU(0) "topology/core_id=0\nthermal_throttle/core_throttle_count=3\n"
			   "thermal_throttle/package_throttle_count=4\n"
			   CPU(1) "topology/core_id=0\nthermal_throttle/core_throttle_count=3\n"
			   "thermal_throttle/package_throttle_count=4\n"
			   CPU(2) "topology/core_id=1\nthermal_throttle/core_throttle_count=5\n"
			   "thermal_throttle/package_throttle_count=4\n");
	ok(cpu_watch_throttles(f.root, &sum), "there are counters");
	is_uint(sum, 3 + 5 + 4, "each event counts once");
	sysfs_fixture_remove(&f);
}

static void ticks(void)
{
	static const char stat[] =
		"cpu  3 0 0 0 0 0 0 900 0 0\n"	/* of all, soon after boot */
		"cpu0 10 1 2 80 3 1 1 2 7 0\n"
		"cpu1 20 0 0 70 0 0 0 10 0 0\n"
		"cpu2 0 0 0 0 0 0 0 1000 0 0\n"
		"cpu3 50 0 0\n"		/* an old kernel's, cut */
		"cpu13 9 9 9 9 9 9 9 9\n"
		"intr 1 2 3\ncpu1 99 99 99 99 99 99 99 99\n";
	struct sysfs_fixture f;
	struct cpu_watch_ticks t;

	sysfs_fixture_make(&f, "");
	sysfs_fixture_write(&f, "proc/stat", stat, sizeof(stat) - 1);
	ok(cpu_watch_ticks(f.root, cpus, 3, &t), "time is told");
	is_uint(t.all, 100 + 100 + 50, "of the CPUs asked for; a guest's time is in user's");
	is_uint(t.steal, 12, "of which was stolen");
	ok(!cpu_watch_ticks(f.root, cpus, 0, &t), "no CPU asked for");
	sysfs_fixture_remove(&f);
}

int main(void)
{
	nothing();
	frequency();
	temperature();
	power();
	throttles();
	ticks();
	return tap_done();
}
