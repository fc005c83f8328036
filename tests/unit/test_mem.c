/* SPDX-License-Identifier: MIT */
/* What the memory tests are made of: loops and their check, chains, caches, nodes, what is free. */
#include <errno.h>
#include <stdlib.h>

#include "bench/io/place.h"
#include "bench/sys/mem_space.h"
#include "bench/tests/mem_chain.h"
#include "bench/tests/mem_latency.h"
#include "bench/tests/mem_levels.h"
#include "bench/tests/mem_loops.h"
#include "bench/tests/mem_map.h"
#include "bench/tests/mem_nodes.h"
#include "lib/clock.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define KIB UINT64_C(1024)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* ---- loops ---- */

#define N 37	/* elements: no multiple of any vector */

static double a[N + 1], b[N + 1], c[N + 1];

static void fill_arrays(void)
{
	for (int i = 0; i <= N; i++) {
		a[i] = i + 1;
		b[i] = 100 + i;
		c[i] = 10000 + i;
	}
}

/* Whether each element is `x`*a + `y`*b + `z`*c as they were, and the one behind was kept. */
static bool holds(const double *array, double x, double y, double z, double behind)
{
	for (int i = 0; i < N; i++)
		if (fabs(array[i] - (x * (i + 1) + y * (100 + i) + z * (10000 + i))) > 1e-9)
			return false;
	return array[N] == behind;
}

static void kernels(void)
{
	double *const array[MEM_ARRAYS] = { a, b, c };
	static const struct mem_kernel *const all[] = {
		&mem_kernel_copy, &mem_kernel_scale, &mem_kernel_add, &mem_kernel_triad,
		&mem_kernel_memcpy, &mem_kernel_past,
	};
	const double f = MEM_KERNEL_FACTOR;

	fill_arrays();
	mem_kernel_copy.run(array, N);
	ok(holds(c, 1, 0, 0, 10000 + N) && holds(a, 1, 0, 0, N + 1), "copy: c = a");
	fill_arrays();
	mem_kernel_scale.run(array, N);
	ok(holds(b, 0, 0, f, 100 + N), "scale: b = factor c");
	fill_arrays();
	mem_kernel_add.run(array, N);
	ok(holds(c, 1, 1, 0, 10000 + N), "add: c = a + b");
	fill_arrays();
	mem_kernel_triad.run(array, N);
	ok(holds(a, 0, 1, f, N + 1), "triad: a = b + factor c");
	fill_arrays();
	mem_kernel_memcpy.run(array, N);
	ok(holds(b, 1, 0, 0, 100 + N), "memcpy: b = a");
	fill_arrays();
	if (mem_kernel_past.run)
		mem_kernel_past.run(array, N);
	ok(holds(c, 1, 0, 0, 10000 + N), "past the caches: c = a, to the last element");
	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
		double one[MEM_ARRAYS] = { 5, 7, 11 };

		for (int i = 0; i <= N; i++) {
			a[i] = 5;
			b[i] = 7;
			c[i] = 11;
		}
		all[k]->run(array, N);
		all[k]->step(one);
		ok(a[3] == one[MEM_A] && b[3] == one[MEM_B] && c[3] == one[MEM_C],
		   "%s: its step is the same for one element", all[k]->name);
	}
	is_uint(mem_kernel_copy.bytes + mem_kernel_scale.bytes, 32, "Copy and Scale count 16 each");
	is_uint(mem_kernel_add.bytes + mem_kernel_triad.bytes, 48, "Add and Triad 24");
}

/* A triad that is wrong in one element of a part once. */
static void wrong_run(double *const array[MEM_ARRAYS], size_t n)
{
	mem_kernel_triad.run(array, n);
	array[MEM_A][n / 2] += 1e-9;
}

static void wrong_step(double v[MEM_ARRAYS])
{
	mem_kernel_triad.step(v);
}

static int placed(void *context, void *at, uint64_t bytes)
{
	uint64_t *sum = context;

	*sum += bytes;
	return at ? 0 : -EFAULT;
}

static int refused(void *context, void *at, uint64_t bytes)
{
	(void)context;
	(void)at;
	(void)bytes;
	return -EPERM;
}

static void loops(const unsigned *cpu, size_t cpus)
{
	static const struct mem_kernel wrong = { "wrong", 24, wrong_run, wrong_step };
	static const struct mem_kernel *const four[] = {
		&mem_kernel_copy, &mem_kernel_scale, &mem_kernel_add, &mem_kernel_triad,
	}, *const bad[] = { &wrong };
	static struct mem_loops_outcome out;
	uint64_t bytes = 0;
	struct mem_loops l = {
		.kernel = four, .kernel_n = 4, .cpu = cpu, .cpu_n = cpus, .bytes = 3 * MIB,
		.budget_ns = 200 * NS_PER_MS, .bound_ns = 60 * NS_PER_S, .place = placed,
		.place_context = &bytes,
	};

	is_int(mem_loops_run(&l, &out), 0, "four loops on all CPUs");
	ok(out.rounds >= 2 && out.wrong == 0, "some rounds, and all elements are right");
	ok(out.bytes <= 3 * MIB && out.bytes > 3 * MIB - 3 * 64 * cpus, "of the size asked for");
	ok(bytes >= out.bytes, "which was placed before");
	for (size_t k = 0; k < 4; k++) {
		double best = 0;

		for (uint32_t i = 0; i + 1 < out.rounds; i++)
			best = out.rate[k][i] > best ? out.rate[k][i] : best;
		ok(best > 0 && out.best[k] == best, "loop %zu: the best after the first counts", k);
	}
	l.kernel = bad;
	l.kernel_n = 1;
	is_int(mem_loops_run(&l, &out), 0, "a loop that is wrong runs");
	is_uint(out.wrong, cpus, "and each wrong element is found");
	is_uint(out.wrong_at, out.bytes / 24 / cpus / 2, "where it is");
	ok(out.wrong_value != out.right_value, "with both values");
	l.place = refused;
	is_int(mem_loops_run(&l, &out), -EPERM, "memory that cannot be placed");
	l.place = NULL;
	l.bytes = 1000;
	is_int(mem_loops_run(&l, &out), -ENOMEM, "too little to measure with");
	l.cpu_n = 0;
	is_int(mem_loops_run(&l, &out), -EINVAL, "no CPU");
}

/* ---- chains ---- */

static void **line(const struct mem_chain *chain, size_t i)
{
	return (void **)(chain->at + i * chain->line_bytes);
}

/* Lines that are reached from the first one before it comes again. */
static size_t cycle(const struct mem_chain *chain)
{
	void *p = chain->at;
	size_t n = 0;

	do {
		p = *(void **)p;
		n++;
	} while (p != chain->at && n <= chain->lines);
	return n;
}

static void chains(void)
{
	static const size_t lengths[] = { 1, 2, 3, 64, 1000, 4096, 40000 };
	struct mem_chain chain;
	double ns[MEM_CHAIN_BATCHES];
	size_t near = 0, n, line_bytes = 64;
	char *at = aligned_alloc(4096, 40000 * 64);

	if (!at)
		tap_bail("no memory");
	mem_chain_init(&chain, at, line_bytes, 7);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		mem_chain_grow(&chain, lengths[i], UINT64_MAX);
		is_uint(chain.lines, lengths[i], "grown to %zu lines", lengths[i]);
		is_uint(cycle(&chain), lengths[i], "it is one cycle through all of them");
	}
	for (size_t i = 0; i < 40000; i++) {
		size_t to = (size_t)((char *)*line(&chain, i) - at) / line_bytes;

		near += to > i ? to - i <= 8 : i - to <= 8;
	}
	ok(near < 40, "its order is random: %zu of 40000 steps go to a neighbour", near);
	mem_chain_warm(&chain);
	ok(mem_chain_walk(at, 40000) == at, "40000 loads lead back to the start");
	ok(mem_chain_walk(at, 20000 - 20000 % MEM_CHAIN_UNROLL) != at, "fewer do not");
	n = mem_chain_time(&chain, 20 * NS_PER_MS, ns);
	ok(n >= 1 && n <= MEM_CHAIN_BATCHES, "batches are timed");
	ok(ns[0] > 0.05 && ns[0] < 1e6, "%g ns per load", ns[0]);
	n = mem_chain_time(&chain, 0, ns);
	ok(n == 1 && ns[0] > 0, "one at least, however short the time");
	mem_chain_init(&chain, at, line_bytes, 7);
	mem_chain_grow(&chain, 40000, 0);
	ok(chain.lines > 0 && chain.lines < 40000, "it stops when its time is over");
	is_uint(cycle(&chain), chain.lines, "and is a cycle then, too");
	free(at);
}

static void sizes(void)
{
	uint64_t size[MEM_LATENCY_SIZES_MAX];
	unsigned n = mem_latency_sizes(64 * MIB, UINT64_MAX, size);

	ok(size[0] == 4 * KIB && size[1] == 6 * KIB && size[2] == 8 * KIB && size[3] == 12 * KIB,
	   "powers of two and half-way");
	is_uint(size[n - 1], 64 * MIB, "up to what is wanted");
	n = mem_latency_sizes(65 * MIB, UINT64_MAX, size);
	is_uint(size[n - 1], 96 * MIB, "or the next");
	n = mem_latency_sizes(64 * MIB, 20 * MIB, size);
	is_uint(size[n - 1], 16 * MIB, "within what may be taken");
	n = mem_latency_sizes(UINT64_MAX, UINT64_MAX, size);
	ok(n == MEM_LATENCY_SIZES_MAX, "never more than there is room for");
}

/* ---- caches ---- */

#define CACHE(cpu, index, level, type, size, shared) \
	"@sys/devices/system/cpu/cpu" #cpu "/cache/index" #index "\nlevel=" #level "\ntype=" type \
	"\nsize=" size "\nshared_cpu_list=" shared "\ncoherency_line_size=64\n"
#define CORE(cpu, l3, shared) \
	CACHE(cpu, 0, 1, "Data", "32K", #cpu) CACHE(cpu, 1, 1, "Instruction", "64K", #cpu) \
	CACHE(cpu, 2, 2, "Unified", "512K", #cpu) CACHE(cpu, 3, 3, "Unified", l3, shared)

static uint64_t inside(const struct mem_levels *l, unsigned level)
{
	uint64_t size[MEM_LATENCY_SIZES_MAX];
	unsigned n = mem_latency_sizes(4 * l->last_bytes, UINT64_MAX, size);
	size_t at = mem_levels_inside(l, level, size, n);

	return at < n ? size[at] : 0;
}

static void levels(void)
{
	struct sysfs_fixture f;
	struct mem_levels l;
	uint64_t few[] = { 4 * KIB, 64 * KIB, 40 * MIB };

	/* two chiplets of two cores each */
	sysfs_fixture_make(&f, "@sys/devices/system/cpu\nonline=0-3\n"
			   CORE(0, "16384K", "0-1") CORE(1, "16384K", "0-1")
			   CORE(2, "16384K", "2-3") CORE(3, "16384K", "2-3"));
	mem_levels_read(f.root, 0, &l);
	ok(l.size_bytes[0] == 32 * KIB && l.size_bytes[1] == 512 * KIB &&
	   l.size_bytes[2] == 16 * MIB && l.size_bytes[3] == 0, "three levels, for data");
	is_uint(l.last_bytes, 16 * MIB, "one core reaches one last level");
	is_uint(l.all_bytes, 32 * MIB, "all of them two: a shared cache counts once");
	is_uint(l.line_bytes, 64, "lines of 64 bytes");
	is_uint(inside(&l, 0), 16 * KIB, "inside level 1: a half of it");
	is_uint(inside(&l, 1), 128 * KIB, "inside level 2: between the two");
	is_uint(inside(&l, 2), 3 * MIB, "inside level 3");
	is_uint(inside(&l, 3), 0, "there is no level 4");
	is_uint(inside(&l, 9), 0, "nor a level 10");
	is_uint(mem_levels_beyond(&l, few, 3), 2, "40 MiB are beyond 16");
	is_uint(mem_levels_beyond(&l, few, 2), 2, "64 KiB are not");
	is_uint(mem_levels_inside(&l, 2, few, 3), 3, "no size of a few is inside level 3");
	sysfs_fixture_remove(&f);

	/* no level 3; level 2 shared by all; a size that is none */
	sysfs_fixture_make(&f, "@sys/devices/system/cpu\nonline=0,2\n"
			   CACHE(0, 0, 1, "Data", "48K", "0") CACHE(0, 1, 2, "Unified", "1M", "0,2")
			   CACHE(2, 0, 1, "Data", "48K", "2") CACHE(2, 1, 2, "Unified", "1M", "0,2")
			   CACHE(0, 2, 3, "Unified", "lots", "0,2")
			   CACHE(0, 3, 7, "Unified", "1G", "0"));
	mem_levels_read(f.root, 2, &l);
	ok(l.last_bytes == MIB && l.all_bytes == MIB, "level 2 is the last");
	is_uint(inside(&l, 2), 0, "no level 3, no name for it");
	sysfs_fixture_remove(&f);

	/* a level 4, and a level 2 hardly larger than level 1 */
	sysfs_fixture_make(&f, "@sys/devices/system/cpu\nonline=0\n"
			   CACHE(0, 0, 1, "Data", "32K", "0") CACHE(0, 1, 2, "Unified", "48K", "0")
			   CACHE(0, 2, 3, "Unified", "6144K", "0")
			   CACHE(0, 3, 4, "Unified", "128M", "0"));
	mem_levels_read(f.root, 0, &l);
	is_uint(l.last_bytes, 128 * MIB, "level 4 is the last");
	ok(inside(&l, 3) > 8 * MIB && inside(&l, 3) < 96 * MIB, "and has a size inside");
	is_uint(inside(&l, 1), 0, "nothing is well inside a level 2 of 48 KiB over one of 32 KiB");
	sysfs_fixture_remove(&f);

	sysfs_fixture_make(&f, "");
	mem_levels_read(f.root, 0, &l);
	ok(l.last_bytes == 0 && l.all_bytes == 0 && l.line_bytes == 64, "nothing stated");
	is_uint(mem_levels_beyond(&l, few, 3), 3, "then nothing is known to be beyond it");
	sysfs_fixture_remove(&f);
}

/* ---- what is free ---- */

static void space_of(const char *text, struct mem_space *s)
{
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, text);
	is_int(mem_space_read(f.root, s), 0, "read");
	sysfs_fixture_remove(&f);
}

static void space(void)
{
	struct sysfs_fixture f;
	struct mem_space s;

	space_of("@proc\nmeminfo=MemTotal: 71680 kB\\nMemFree: 40000 kB\\n"
		 "MemAvailable: 38912 kB\n", &s);
	is_uint(mem_space_reserve(&s), 24 * MIB, "a machine of 96 MiB: 24 MiB stay free");
	is_uint(mem_space_room(&s), 14 * MIB, "of 38 free ones");
	is_uint(mem_space_half(&s, UINT64_MAX), 19 * MIB, "half of it for the other tests");
	is_uint(mem_space_half(&s, MIB), MIB, "or what they are given");
	s.free_bytes = 20 * MIB;
	is_uint(mem_space_room(&s), 0, "no room below the reserve");
	space_of("@proc\nmeminfo=MemTotal: 25165824 kB\\nMemFree: 3 kB\\n"
		 "MemAvailable: 20971520 kB\n", &s);
	is_uint(mem_space_reserve(&s), 3 * GIB / 2, "24 GiB: a sixteenth");
	is_uint(mem_space_room(&s), 37 * GIB / 2, "the rest is room");
	space_of("@proc\nmeminfo=MemTotal: 1610612736 kB\\nMemAvailable: 1073741824 kB\n", &s);
	is_uint(mem_space_reserve(&s), 2 * GIB, "1.5 TiB: never more than 2 GiB");
	space_of("@proc\nmeminfo=MemTotal: 71680 kB\\nMemFree: 40960 kB\n", &s);
	is_uint(s.free_bytes, 40 * MIB, "an old kernel: MemFree");
	space_of("@proc\nmeminfo=MemTotal: 25165824 kB\\nMemAvailable: 20971520 kB\n"
		 "self/cgroup=0::/a/b\n"
		 "@sys/fs/cgroup/a\nmemory.max=1073741824\nmemory.current=73741824\n"
		 "@sys/fs/cgroup/a/b\nmemory.max=max\nmemory.current=4096\n", &s);
	is_uint(s.free_bytes, 1000000000, "the limit of a group above counts");
	space_of("@proc\nmeminfo=MemTotal: 25165824 kB\\nMemAvailable: 20971520 kB\n"
		 "self/cgroup=5:cpu:/x\\n4:memory:/x\\n0::/\n"
		 "@sys/fs/cgroup/memory/x\nmemory.limit_in_bytes=1000\n"
		 "memory.usage_in_bytes=2000\n", &s);
	is_uint(s.free_bytes, 0, "and one of version 1 that is exceeded");
	sysfs_fixture_make(&f, "");
	is_int(mem_space_read(f.root, &s), -ENODATA, "no /proc/meminfo");
	sysfs_fixture_remove(&f);
}

/* ---- nodes ---- */

/* On the machine at hand: memory can be bound to its first node, and not to one it has not. */
static void bind_here(void)
{
	static const unsigned allowed[] = { 0 };
	struct mem_nodes n;
	struct mem_map m;

	if (mem_nodes_read("", allowed, 1, &n)) {
		tap_skip("memory is bound to a node", "the kernel knows of no NUMA nodes");
		return;
	}
	if (mem_map_new(&m, MIB, false))
		tap_bail("no memory");
	is_int(mem_nodes_bind(n.node[0].id, m.at, m.bytes), 0, "memory is bound to a node");
	is_int(mem_nodes_bind(1000, m.at, m.bytes), -EINVAL, "not to one that is not there");
	mem_map_free(&m);
	mem_nodes_free(&n);
}

static void nodes(void)
{
	static const unsigned allowed[] = { 0, 2, 5, 1100 };
	struct sysfs_fixture f;
	struct mem_nodes n;

	sysfs_fixture_make(&f, "@sys/devices/system/node\nonline=0-1,4\n"
			   "@sys/devices/system/node/node0\ncpulist=0-3\n"
			   "meminfo=\\nNode 0 MemTotal: 1048576 kB\\nNode 0 MemFree: 524288 kB\n"
			   "@sys/devices/system/node/node1\ncpulist=4-7,1100\n"
			   "meminfo=Node 1 MemTotal: 0 kB\\nNode 1 MemFree: 0 kB\n"
			   "@sys/devices/system/node/node4\ncpulist=\n"
			   "meminfo=Node 4 MemTotal: 2048 kB\\nNode 4 MemFree: 1024 kB\n");
	is_int(mem_nodes_read(f.root, allowed, 4, &n), 0, "nodes with holes");
	is_uint(n.n, 3, "three of them");
	ok(n.node[0].cpu_n == 2 && n.node[0].cpu[1] == 2 && n.node[0].free_bytes == 512 * MIB,
	   "the CPUs that may be used, and what is free");
	ok(n.node[1].cpu_n == 2 && n.node[1].cpu[1] == 1100 && n.node[1].total_bytes == 0,
	   "one without memory, with a CPU beyond 1024");
	ok(n.node[2].id == 4 && n.node[2].cpu_n == 0 && n.node[2].free_bytes == MIB,
	   "one without CPUs");
	is_uint(mem_nodes_with_memory(&n), 2, "two have memory");
	mem_nodes_free(&n);
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "");
	is_int(mem_nodes_read(f.root, allowed, 4, &n), -ENOENT, "a kernel without nodes");
	sysfs_fixture_remove(&f);
	is_int(mem_nodes_bind(5000, &n, 1), -EINVAL, "no such node");
	bind_here();
}

static void maps(void)
{
	struct sysfs_fixture f;
	struct mem_map m;
	uint64_t huge;
	char smaps[256];

	is_int(mem_map_new(&m, 3 * MIB, false), 0, "3 MiB are mapped");
	ok(m.bytes == 4 * MIB && (uintptr_t)m.at % MEM_MAP_HUGE_BYTES == 0, "as two huge pages");
	memset(m.at, 1, m.bytes);
	ok(!mem_map_huge_bytes("", &m, &huge) || huge <= m.bytes,
	   "no more of it is huge than there is");
	ok(!mem_map_huge_bytes("/nowhere", &m, &huge), "the kernel may not say");
	snprintf(smaps, sizeof(smaps), "%lx-%lx rw-p 00000000 00:00 0\nRss: 4096 kB\n"
		 "AnonHugePages: 2048 kB\n1000-2000 rw-p 00000000 00:00 0\n"
		 "AnonHugePages: 2048 kB\n", (unsigned long)(uintptr_t)m.at,
		 (unsigned long)((uintptr_t)m.at + m.bytes));
	sysfs_fixture_make(&f, "");
	sysfs_fixture_write(&f, "proc/self/smaps", smaps, strlen(smaps));
	ok(mem_map_huge_bytes(f.root, &m, &huge) && huge == 2 * MIB, "one of two pages is huge");
	*strchr(smaps, 'A') = 'X';
	sysfs_fixture_write(&f, "proc/self/smaps", smaps, strlen(smaps));
	ok(!mem_map_huge_bytes(f.root, &m, &huge), "nothing said of it is not nothing huge");
	sysfs_fixture_remove(&f);
	mem_map_free(&m);
	is_int(mem_map_new(&m, 0, true), -EINVAL, "nothing is not mapped");
	is_int(mem_map_new(&m, UINT64_MAX / 2, true) < 0, 1, "nor more than there can be");
}

int main(void)
{
	unsigned *cpu;
	int n = place_allowed(&cpu);

	if (n <= 0)
		tap_bail("no CPU to run on");
	kernels();
	loops(cpu, (size_t)n);
	chains();
	sizes();
	levels();
	space();
	nodes();
	maps();
	free(cpu);
	return tap_done();
}
