/* SPDX-License-Identifier: MIT */
/* Processors beyond their names: what is offline or forbidden, frequencies, heat, caches, nodes. */
#include <stdint.h>

#include "bench/sys/machine.h"
#include "bench/sys/machine_parts.h"
#include "lib/cpu_list.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define CPU "@sys/devices/system/cpu\n"

static struct machine_info m;

static const struct cpu_info *read_tree(const char *tree)
{
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, tree);
	machine_read(f.root, &m);
	sysfs_fixture_remove(&f);
	return &m.cpu;
}

static void counts(void)
{
	static const struct {
		const char *what, *tree;
		unsigned threads, offline, allowed;
	} rows[] = {
		{ "all", CPU "online=0-7\npresent=0-7\n@proc/self\n"
			"status=[A:\t1\\nCpus_allowed_list:\t0-7\\nB:\t2]\n", 8, 0, 8 },
		{ "SMT off", CPU "online=0,2,4,6\npresent=0-7\n", 4, 4, 0 },
		{ "may be plugged in", CPU "online=0-3\npresent=0-3\npossible=0-127\n", 4, 0, 0 },
		{ "pinned", CPU "online=0-191\npresent=0-191\n@proc/self\n"
			"status=[A:\t1\\nCpus_allowed_list:\t0-11,96-107]\n", 192, 0, 24 },
		{ "allowed ones that do not exist", CPU "online=0-15\n@proc/self\n"
			"status=[A:\t1\\nCpus_allowed_list:\t0-31]\n", 16, 0, 16 },
		{ "allowed past 1,024", CPU "online=0-1279\npresent=0-1535\n@proc/self\n"
			"status=[A:\t1\\nCpus_allowed_list:\t1000-1279]\n", 1280, 256, 280 },
		{ "another line's end", CPU "online=0-3\n@proc/self\n"
			"status=[A:\t1\\nXCpus_allowed_list:\t0-3]\n", 4, 0, 0 },
		{ "no lists", CPU "present=none\nonline=0-1\n@proc/self\nstatus=[A: 1\\n"
			"Cpus_allowed_list:\tall]\n", 2, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct cpu_info *c = read_tree(rows[i].tree);

		is_uint(c->threads, rows[i].threads, "%s: threads", rows[i].what);
		is_uint(c->threads_offline, rows[i].offline, "%s: offline", rows[i].what);
		is_uint(c->threads_allowed, rows[i].allowed, "%s: allowed", rows[i].what);
	}
}

/* Numbers of cores that begin again in each cluster of a package, as device trees have them. */
static void clusters(void)
{
	is_uint(read_tree(CPU "online=0-3\ncpu0/topology/physical_package_id=0\n"
			  "cpu0/topology/core_id=0\ncpu0/topology/core_cpus_list=0\n"
			  "cpu1/topology/physical_package_id=0\ncpu1/topology/core_id=1\n"
			  "cpu1/topology/core_cpus_list=1\n"
			  "cpu2/topology/physical_package_id=0\ncpu2/topology/core_id=0\n"
			  "cpu2/topology/core_cpus_list=2-3\n"
			  "cpu3/topology/physical_package_id=0\ncpu3/topology/core_id=0\n"
			  "cpu3/topology/core_cpus_list=2-3\n")->cores, 3,
		"what the kernel takes for one core is one");
}

static void frequencies(void)
{
	const struct cpu_info *c = read_tree(CPU "online=0-1\nintel_pstate/no_turbo=1\n"
		"cpufreq/boost=1\ncpu0/cpufreq/cpuinfo_min_freq=800000\n"
		"cpu0/cpufreq/cpuinfo_max_freq=3600000\ncpu0/cpufreq/base_frequency=2000000\n"
		"cpu0/acpi_cppc/nominal_freq=2500\ncpu0/cpufreq/scaling_governor=powersave\n"
		"cpu1/cpufreq/cpuinfo_min_freq=900000\ncpu1/cpufreq/cpuinfo_max_freq=3700000\n"
		"cpu1/cpufreq/scaling_governor=power\ncpu1/cpufreq/scaling_driver=x\n");

	is_uint(c->min_hz, 800000000, "lowest frequency");
	is_uint(c->max_hz, 3700000000, "highest frequency");
	is_uint(c->base_hz, 2000000000, "guaranteed frequency");
	is_str(c->governor, "powersave power", "both governors, of which one begins the other");
	is_str(c->driver, "x", "driver");
	is_int(c->boost, TRI_NO, "no turbo: Intel's word comes first");
	is_int(read_tree(CPU "online=0\ncpufreq/boost=1\n")->boost, TRI_YES, "boost");
	is_int(read_tree(CPU "online=0\n")->boost, TRI_UNKNOWN, "nobody says");
	c = read_tree(CPU "online=0\ncpu0/cpufreq/cpuinfo_max_freq=4294967295000\n"
		      "cpu0/cpufreq/cpuinfo_min_freq=0\n");
	ok(!c->max_hz && !c->min_hz && !c->base_hz, "numbers that are no frequencies");
	is_uint(read_tree(CPU "online=0\ncpu0/acpi_cppc/nominal_freq=2500\n")->base_hz, 2500000000,
		"ACPI's frequency in MHz");
}

static void names(void)
{
	static const struct {
		const char *name;
		unsigned long long hz;
	} rows[] = {
		{ "Intel(R) Xeon(R) CPU E3-1230 v3 @ 3.30GHz", 3300000000 },
		{ "Intel(R) Xeon(R) CPU X7550  @ 2.00GHz", 2000000000 },
		{ "Intel(R) Atom(TM) CPU @ 800MHz", 800000000 },
		{ "ACME  CPU: \"9000\"  @ <b>3GHz", 0 }, { "AMD EPYC 7451", 0 }, { "@", 0 },
		{ "a @ nanGHz", 0 }, { "a @ 1e300GHz", 0 }, { "a @ -3GHz", 0 },
		{ "a @ 3.1GHzzz", 0 },
	};
	char tree[200];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(tree, sizeof(tree), "@proc\ncpuinfo=[model name: %s]\n", rows[i].name);
		is_uint(read_tree(tree)->base_hz, rows[i].hz, "frequency in the name %s",
			rows[i].name);
	}
}

static void heat(void)
{
	static const char cpu[] = "topology/physical_package_id=%d\ntopology/core_id=%d\n"
		"thermal_throttle/core_throttle_count=%d\n"
		"thermal_throttle/package_throttle_count=%d\n";
	struct sysfs_fixture f;
	char text[400];

	sysfs_fixture_make(&f, CPU "online=0-7\n");
	for (int i = 0; i < 8; i++) {
		int n = snprintf(text, sizeof(text), "@sys/devices/system/cpu/cpu%d\n", i);

		/* CPU i and i + 4 are threads of a core; packages take turns */
		snprintf(text + n, sizeof(text) - (size_t)n, cpu, i % 2, i % 4 / 2, i,
			 10 * (i % 2) + i);
		sysfs_fixture_add(&f, text);
	}
	machine_read(f.root, &m);
	is_int(m.cpu.core_throttles, 4 + 5 + 6 + 7, "each core's events count once");
	is_int(m.cpu.package_throttles, 6 + 17, "and each package's");
	sysfs_fixture_remove(&f);
	is_int(read_tree(CPU "online=0\ncpu0/topology/physical_package_id=0\n"
			 "cpu0/topology/core_id=0\n")->core_throttles, -1, "no counter is not 0");
}

static void caches(void)
{
	const struct cpu_info *c = read_tree(CPU "online=1,3\n"
		"cpu1/cache/index0/level=1\ncpu1/cache/index0/type=Data\n"
		"cpu1/cache/index0/size=32K\ncpu1/cache/index0/shared_cpu_list=1,3\n"
		"cpu1/cache/index1/level=2\ncpu1/cache/index1/type=Unified\n"
		"cpu1/cache/index1/size=1M\ncpu1/cache/index1/shared_cpu_list=1\n"
		"cpu3/cache/index0/level=1\ncpu3/cache/index0/type=Data\n"
		"cpu3/cache/index0/size=32K\ncpu3/cache/index0/shared_cpu_list=1,3\n"
		"cpu3/cache/index1/level=2\ncpu3/cache/index1/type=Unified\n"
		"cpu3/cache/index1/size=1M\ncpu3/cache/index1/shared_cpu_list=3\n"
		"cpu3/cache/index2/level=3\ncpu3/cache/index2/type=Unified\n"
		"cpu3/cache/index2/size=0K\n"
		"cpu3/cache/index4/level=4\n");

	is_uint(c->caches_n, 3, "kinds of caches, up to the first that is missing");
	ok(c->caches[0].count == 1 && c->caches[0].shared_threads == 2, "one that two share");
	ok(c->caches[1].count == 2 && c->caches[1].shared_threads == 1 &&
	   c->caches[1].size_bytes == 1 << 20, "two of their own");
	ok(c->caches[2].level == 3 && !c->caches[2].size_bytes && !c->caches[2].shared_threads &&
	   !c->caches[2].count, "of one that does not say who shares it the number is not known");
}

static void kinds(void)
{
	const struct cpu_info *c = read_tree("@sys/devices\ncpu_core/cpus=0-3\ncpu_atom/cpus=4-7\n"
		"cpu_lowpower/cpus=8,9\n" CPU "online=0-9\n"
		"cpu5/cpufreq/cpuinfo_max_freq=2000000\n");

	is_uint(c->kinds_n, 3, "three kinds");
	is_str(c->kinds[1].name, "efficiency", "by name");
	is_str(c->kinds[1].cpus, "4-7", "with their CPUs");
	is_uint(c->kinds[1].max_hz, 2000000000, "and frequency");
	is_str(c->kinds[2].name, "low power", "the third");
	is_uint(read_tree("@sys/devices\ncpu_core/cpus=0-3\ncpu_atom/cpus=\n" CPU
			  "online=0-3\n")->kinds_n, 0, "one kind that is left is none");
	is_uint(read_tree(CPU "online=0-1\ncpu0/cpu_capacity=1024\n"
			  "cpu1/cpu_capacity=1024\n")->kinds_n, 0, "equal capacities are one kind");
	is_uint(read_tree(CPU "online=0-1\ncpu0/cpu_capacity=1024\n")->kinds_n, 0,
		"not all capacities known: none");
}

static void nodes(void)
{
	const struct cpu_info *c = read_tree("@sys/devices/system/node\n"
		"node10/cpulist=4-7\nnode2/cpulist=0-3\n"
		"node2/meminfo=[Node 2 MemTotal:  2048 kB\\nNode 2 MemFree: 1 kB]\n"
		"node3x/cpulist=9\npower/x=1\n");

	is_uint(c->nodes_n, 2, "nodes");
	ok(c->nodes[0].node == 2 && c->nodes[1].node == 10, "in the order of their numbers");
	is_str(c->nodes[0].cpus, "0-3", "CPUs of one");
	is_uint(c->nodes[0].memory_bytes, 2048 * 1024, "memory of one");
	is_uint(c->nodes[1].memory_bytes, 0, "which may not be known");
}

static void printed_lists(void)
{
	static const struct {
		const char *list, *want;
		size_t size;
	} rows[] = {
		{ "0", "0", 32 }, { "0-3,8", "0-3,8", 32 }, { "0,2,4,6", "0,2,4,6", 32 },
		{ "1-2", "1-2", 32 }, { "0,2,4,6,8", "0,2,4,6,8", 10 },
		{ "0,2,4,6,8", "0,2,...", 9 }, { "0,2,4", ",...", 5 }, { "0,2,4", "", 4 },
		{ "100-200", "100-200", 8 },
		{ "100-200", ",...", 7 },
	};
	char to[32];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t n;
		unsigned *list = cpu_list_parse(rows[i].list, &n);

		cpu_list_print(list, n, to, rows[i].size);
		is_str(to, rows[i].want, "%s in %zu bytes", rows[i].list, rows[i].size);
		free(list);
	}
	cpu_list_print(NULL, 0, to, sizeof(to));
	is_str(to, "", "an empty list");
}

int main(void)
{
	counts();
	clusters();
	frequencies();
	names();
	heat();
	caches();
	kinds();
	nodes();
	printed_lists();
	return tap_done();
}
