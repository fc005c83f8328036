/* SPDX-License-Identifier: MIT */
/* The memory tests as they run: what they report, what they find, and when they say why not. */
#include <stdlib.h>
#include <unistd.h>

#include "bench/io/place.h"
#include "bench/tests/mem_kernels.h"
#include "bench/tests/mem_latency.h"
#include "bench/tests/mem_node.h"
#include "bench/tests/mem_pattern.h"
#include "bench/tests/mem_stream.h"
#include "bench/tests/mem_words.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)

static struct result r;

/* Runs `t` with little time and memory; with other parameters where `param` is given. */
static void run(const struct test *t, const void *param, uint64_t budget_ms, uint64_t memory_bytes)
{
	struct test copy = *t;
	struct test_context c = {
		.test = &copy, .fd = -1, .write_fd = -1, .budget_ns = budget_ms * NS_PER_MS,
		.stall_ns = 120 * NS_PER_S, .memory_bytes = memory_bytes,
	};

	if (param)
		copy.param = param;
	result_init(&r, t->name, "");
	t->run(&c, &r);
}

static double value(const char *name)
{
	const struct metric *m = result_find(&r, name);

	return m ? m->value : -1;
}

static void bandwidth(void)
{
	static const char *const names[] = {
		"triad_all", "copy_all", "scale_all", "add_all", "triad_single", "copy_single",
		"scale_single", "add_single",
	};

	run(&test_mem_stream, NULL, 600, 16 * MIB);
	is_int(r.status, RESULT_OK, "mem-stream: %s", r.reason);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct metric *m = result_find(&r, names[i]);

		ok(m && m->unit == UNIT_BYTES_PER_S && m->sample_n > 0 && m->value == m->max &&
		   m->value > 1e6, "%s is the best of its samples", names[i]);
	}
	ok(value("array_bytes_all") <= 16.0 * MIB, "within the memory it was given");
	ok(result_has_mark(&r, "small-arrays") || result_has_mark(&r, "unknown-cache"),
	   "marked: 16 MiB are less than any processor's caches times four, or these not known");
	run(&test_mem_copy, NULL, 400, 16 * MIB);
	is_int(r.status, RESULT_OK, "mem-copy: %s", r.reason);
	ok(value("memcpy_all") > 1e6 && value("memcpy_single") > 1e6, "memcpy has its figures");
	ok((value("nontemporal_all") > 1e6) == (mem_kernel_past.run != NULL),
	   "copying past the caches too, where the processor can");
	run(&test_mem_stream, NULL, 600, MIB);
	is_int(r.status, RESULT_SKIPPED, "no memory to measure with: %s", r.reason);
}

static void latency(void)
{
	const struct series *s;

	run(&test_mem_latency, NULL, 800, 24 * MIB);
	is_int(r.status, RESULT_OK, "mem-latency: %s", r.reason);
	s = result_find_series(&r, "latency");
	ok(s && s->point_n > 3 && s->point[0].x == 4096 && s->point[1].x == 6144, "a curve");
	for (uint32_t i = 1; s && i < s->point_n; i++)
		ok(s->point[i].x > s->point[i - 1].x && s->point[i].y > 0, "point %u", i);
	ok(value("largest_bytes") <= 24.0 * MIB, "within the memory it was given");
	ok(!result_find(&r, "huge_pages") ||
	   (value("huge_pages") >= 0 && value("huge_pages") <= 100), "the share of huge pages");
}

/* ---- nodes ---- */

static void nodes(void)
{
	struct mem_node_param param = { .unbound = true };
	struct test two = test_mem_node;
	struct sysfs_fixture f;
	const struct series *s;
	char why[RESULT_REASON_BYTES], text[512];
	unsigned *cpu;
	int n = place_allowed(&cpu);

	if (n <= 0)
		tap_bail("no CPU to run on");
	snprintf(text, sizeof(text), "@sys/devices/system/node\nonline=0,3\n"
		 "@sys/devices/system/node/node0\ncpulist=%u\n"
		 "meminfo=Node 0 MemTotal: 65536 kB\\nNode 0 MemFree: 32768 kB\n"
		 "@sys/devices/system/node/node3\ncpulist=%u\n"
		 "meminfo=Node 3 MemTotal: 65536 kB\\nNode 3 MemFree: 32768 kB\n", cpu[0],
		 cpu[n - 1]);
	sysfs_fixture_make(&f, text);
	param.root = f.root;
	two.param = &param;
	is_int(two.fits(&two, NULL, why, sizeof(why)), RESULT_OK, "two nodes: it fits");
	run(&test_mem_node, &param, 500, 64 * MIB);
	is_int(r.status, RESULT_OK, "little time: %s", r.reason);
	s = result_find_series(&r, "per-node");
	ok(s && s->point_n == 2 && s->point[1].x == 3 && s->point[1].y > 1e6, "a point per node");
	ok(value("triad_slowest") <= value("triad_fastest") && value("triad_slowest") > 0,
	   "the slowest and the fastest");
	ok(!result_find_series(&r, "latency-matrix"), "no matrix in little time");
	run(&test_mem_node, &param, 3000, 64 * MIB);
	s = result_find_series(&r, "latency-matrix");
	ok(s && s->point_n == 4 && s->point[2].x == 2 && s->point[2].y > 0, "two nodes: 4 pairs");
	ok(value("latency_local") > 0 && value("latency_remote") > 0, "near and far");
	ok(!result_has_mark(&r, "node-left-out"), "all of them");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "@sys/devices/system/node\nonline=0-9\n");
	for (int i = 0; i < 10; i++) {
		snprintf(text, sizeof(text), "@sys/devices/system/node/node%d\ncpulist=%u\n"
			 "meminfo=Node %d MemTotal: 8192 kB\\nNode %d MemFree: 8192 kB\n", i,
			 cpu[0], i, i);
		sysfs_fixture_add(&f, text);
	}
	param.root = f.root;
	run(&test_mem_node, &param, 3000, 64 * MIB);
	is_int(r.status, RESULT_OK, "ten nodes: %s", r.reason);
	ok(!result_find_series(&r, "latency-matrix") && result_find_series(&r, "per-node")->point_n
	   == 10, "100 pairs take more time than there is");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "@sys/devices/system/node\nonline=0\n"
			   "@sys/devices/system/node/node0\ncpulist=0\n"
			   "meminfo=Node 0 MemTotal: 65536 kB\\nNode 0 MemFree: 32768 kB\n");
	is_int(two.fits(&two, NULL, why, sizeof(why)), RESULT_SKIPPED, "one node: %s", why);
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "");
	is_int(two.fits(&two, NULL, why, sizeof(why)), RESULT_SKIPPED, "none: %s", why);
	sysfs_fixture_remove(&f);
	free(cpu);
}

/* ---- patterns ---- */

static void words(void)
{
	static uint64_t at[1024];
	static struct mem_faults faults;

	for (int kind = 0; kind < MEM_WORDS_KINDS; kind++) {
		const struct mem_words w = { .kind = (enum mem_words_kind)kind, .seed = 5 };
		const char *name = mem_words_names[kind];

		memset(&faults, 0, sizeof(faults));
		mem_words_fill(&w, at, 1024, 4096);
		ok(at[0] == mem_words_at(&w, 4096) && at[1023] == mem_words_at(&w, 5119),
		   "%s: a word follows from its number", name);
		mem_words_check(&w, at, 1024, 4096, false, true, false, &faults);
		ok(faults.n == 0 && at[7] == ~mem_words_at(&w, 4103), "%s: inverted", name);
		mem_words_check(&w, at, 1024, 4096, true, false, true, &faults);
		is_uint(faults.n, 0, "%s: the inverse is right", name);
		at[700] ^= UINT64_C(1) << 63;
		at[3] ^= 1;
		mem_words_check(&w, at, 1024, 4096, true, false, true, &faults);
		is_uint(faults.n, 2, "%s: two flipped bits are found", name);
		ok(faults.fault[0].number == 4796 && faults.fault[1].number == 4099,
		   "%s: downwards", name);
		ok(faults.fault[1].found == (faults.fault[1].expected ^ 1) &&
		   faults.fault[1].again == faults.fault[1].found, "%s: what was there", name);
		mem_words_check(&w, at, 1024, 4096, true, true, false, &faults);
		mem_words_check(&w, at, 1024, 4096, false, true, false, &faults);
		is_uint(faults.n, 4, "%s: inverting writes what should be there", name);
	}
}

struct flip {
	unsigned step;
	size_t word;
	uint64_t bits;
	unsigned times;		/* that it is still to be done */
};

static void flip(void *context, unsigned step, uint64_t *word, size_t words)
{
	struct flip *f = context;

	if (step == f->step && f->times > 0 && f->word < words) {
		word[f->word] ^= f->bits;
		f->times--;
	}
}

static const char meminfo_large[] = "@proc\nmeminfo=MemTotal: 25165824 kB\\nMemAvailable: "
				    "20971520 kB\n";

static void patterns(void)
{
	struct flip once = { .step = 0, .word = 4242, .bits = UINT64_C(1) << 17, .times = 1 };
	struct mem_pattern_param p = { .most_bytes = 12 * MIB };
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, meminfo_large);
	p.root = f.root;
	run(&test_mem_pattern, &p, 2000, 0);
	is_int(r.status, RESULT_OK, "good memory: %s", r.reason);
	is_near(value("tested_bytes"), 12.0 * MIB, 0, "all that it may have is tested");
	ok(value("passes") >= 4, "in %g passes", value("passes"));
	is_near(value("errors"), 0, 0, "without errors");
	is_near(value("coverage_percent"), 12.0 / 24576 * 100, 1e-9, "of all memory");
	is_near(value("reserve_bytes"), 1536.0 * MIB, 0, "the reserve is stated");

	p.meddle = flip;
	p.meddle_context = &once;
	run(&test_mem_pattern, &p, 1000, 0);
	is_int(r.status, RESULT_FAILED, "a bit that flips between writing and checking");
	/* the number of the block is not known, but that of the word in it */
	ok(strstr(r.reason, "8490 of the tested") && strstr(r.reason, "28490 instead of 0x") &&
	   strstr(r.reason, "08490, read again 0x"), "is told: %s", r.reason);
	is_near(value("errors"), 1, 0, "one error");
	ok(value("tested_bytes") > 0, "and the figures stay");
	if (geteuid() == 0) {
		const struct series *s = result_find_series(&r, "errors");

		ok(s && s->point_n == 1 && s->point[0].x > 0 && s->point[0].y == 1 &&
		   (uint64_t)s->point[0].x % 4096 == 4242 * 8 % 4096, "with its physical address");
	} else {
		ok(strstr(r.reason, "needs root") != NULL, "without its physical address");
	}
	once = (struct flip){ .step = 1, .word = 0, .bits = 3, .times = 1 };
	run(&test_mem_pattern, &p, 1000, 0);
	is_int(r.status, RESULT_FAILED, "one that flips after the inversion: %s", r.reason);
	sysfs_fixture_remove(&f);
}

/* Others take memory while the test runs. */
static void take_memory(void *context, unsigned step, uint64_t *word, size_t words)
{
	static const char less[] = "MemTotal: 25165824 kB\nMemAvailable: 780000 kB\n";

	(void)word;
	(void)words;
	if (step != 2)
		sysfs_fixture_write(context, "proc/meminfo", less, sizeof(less) - 1);
}

/* Others take all but the reserve of 1536 MiB as soon as one block was taken. */
static void take_early(void *context, unsigned step, uint64_t *word, size_t words)
{
	static const char less[] = "MemTotal: 25165824 kB\nMemAvailable: 1573000 kB\n";

	(void)step;
	(void)word;
	(void)words;
	sysfs_fixture_write(context, "proc/meminfo", less, sizeof(less) - 1);
}

static void reserves(void)
{
	static const char little[] = "MemTotal: 71680 kB\nMemAvailable: 26624 kB\n";
	struct mem_pattern_param p = { .most_bytes = 64 * MIB };
	struct sysfs_fixture f;
	unsigned *cpu;

	/* 30 MiB free, of which 24 must stay: 6 MiB are three blocks */
	sysfs_fixture_make(&f, "@proc\nmeminfo=MemTotal: 71680 kB\\nMemAvailable: 30720 kB\n");
	p.root = f.root;
	run(&test_mem_pattern, &p, 400, 0);
	is_int(r.status, RESULT_OK, "a machine of 96 MiB: %s", r.reason);
	is_near(value("tested_bytes"), 6.0 * MIB, 0, "no more than its room is taken");
	sysfs_fixture_write(&f, "proc/meminfo", little, sizeof(little) - 1);
	run(&test_mem_pattern, &p, 400, 0);
	is_int(r.status, RESULT_SKIPPED, "with 26 MiB free: %s", r.reason);
	ok(strstr(r.reason, "26.0 MiB") && strstr(r.reason, "24.0 MiB"), "with its numbers");
	sysfs_fixture_remove(&f);

	sysfs_fixture_make(&f, meminfo_large);
	p = (struct mem_pattern_param){ .root = f.root, .most_bytes = 600 * MIB,
					.meddle = take_memory, .meddle_context = &f };
	run(&test_mem_pattern, &p, 3000, 0);
	ok(result_has_mark(&r, "memory-short"), "memory that others need is given back: %s",
	   r.mark_n ? r.mark[0].text : r.reason);
	sysfs_fixture_remove(&f);

	/* by one thread: then it is known which block is the first */
	if (place_allowed(&cpu) <= 0 || place_keep_to(cpu, 1))
		tap_bail("cannot be kept to one CPU");
	free(cpu);
	sysfs_fixture_make(&f, meminfo_large);
	p = (struct mem_pattern_param){ .root = f.root, .most_bytes = 64 * MIB,
					.meddle = take_early, .meddle_context = &f };
	run(&test_mem_pattern, &p, 1000, 0);
	is_near(value("tested_bytes"), 2.0 * MIB, 0, "the reserve is looked at before each block");
	ok(!result_has_mark(&r, "memory-short"), "what was taken before is kept");
	sysfs_fixture_remove(&f);
}

static void oom_score(void)
{
	char before[32] = "", after[32] = "";

	file_read("/proc/self/oom_score_adj", before, sizeof(before));
	patterns();
	file_read("/proc/self/oom_score_adj", after, sizeof(after));
	is_str(after, before, "the process is as likely to be ended as it was before");
}

int main(void)
{
	bandwidth();
	latency();
	nodes();
	words();
	oom_score();
	reserves();
	return tap_done();
}
