/* SPDX-License-Identifier: MIT */
/* Caches as a CPU sees them, and the size of all last levels: shared ones count once. */
#include "bench/sys/cpu_cache.h"

#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define CACHE(cpu, index) "@sys/devices/system/cpu/cpu" #cpu "/cache/index" #index "\n"

static void one(void)
{
	struct cpu_cache_view c;
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, CACHE(7, 0) "level=1\ntype=Instruction\nsize=32K\n"
			   "shared_cpu_list=3,7\ncoherency_line_size=64\n"
			   CACHE(7, 1) "level=9\ntype=\nsize=[K]\n"
			   CACHE(7, 3) "level=3\n");
	ok(cpu_cache_look(f.root, 7, 0, &c), "a cache");
	is_uint(c.level, 1, "level");
	is_str(c.type, "instruction", "type");
	is_uint(c.size_bytes, 32 << 10, "size");
	is_uint(c.line_bytes, 64, "line");
	is_uint(c.shared_threads, 2, "two threads share it");
	is_uint(c.first_cpu, 3, "of which CPU 3 is the first");
	ok(cpu_cache_look(f.root, 7, 1, &c), "one that tells nothing of use");
	ok(!c.level && !c.type[0] && !c.size_bytes && !c.line_bytes && !c.shared_threads &&
	   c.first_cpu == 7, "nothing of it is known");
	ok(!cpu_cache_look(f.root, 7, 2, &c), "none");
	ok(!cpu_cache_look(f.root, 8, 0, &c), "none of another CPU");
	sysfs_fixture_remove(&f);
}

static void last_levels(void)
{
	static const unsigned cpu[] = { 0, 1, 2, 3 };
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, CACHE(0, 0) "level=1\nsize=32K\n"
			   CACHE(0, 1) "level=3\nsize=16M\nshared_cpu_list=0-1\n"
			   CACHE(1, 0) "level=1\nsize=32K\n"
			   CACHE(1, 1) "level=3\nsize=16M\nshared_cpu_list=0-1\n"
			   CACHE(2, 0) "level=2\nsize=1024K\nshared_cpu_list=2\n"
			   CACHE(2, 1) "level=3\ntype=Instruction\nsize=8M\n"
			   CACHE(3, 0) "level=2\nsize=[K]\n");
	is_uint(cpu_cache_last_bytes(f.root, cpu, 4), (16 << 20) + (1 << 20),
		"a shared cache counts once, the last level for data only");
	is_uint(cpu_cache_last_bytes(f.root, cpu + 1, 1), 16 << 20,
		"also where the first of those that share it is not among them");
	is_uint(cpu_cache_last_bytes(f.root, cpu + 3, 1), 0, "a size that is none");
	is_uint(cpu_cache_last_bytes("/nonexistent", cpu, 4), 0, "without sysfs");
	is_uint(cpu_cache_last_bytes(f.root, NULL, 0), 0, "of no CPU");
	sysfs_fixture_remove(&f);
}

int main(void)
{
	one();
	last_levels();
	return tap_done();
}
