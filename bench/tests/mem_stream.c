/* SPDX-License-Identifier: MIT */
/*
 * Memory bandwidth of one thread and of all: the kernels of a variant of the STREAM benchmark, and
 * copying.
 *
 * By STREAM's rules the arrays are four times the last-level caches in total, the best round after
 * the first counts, and a megabyte is 10^6 bytes. One thread needs four times the cache that it
 * reaches; all threads four times all of them.
 */
#include "bench/tests/mem_stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/tests/mem_loops.h"
#include "bench/tests/mem_site.h"

#define MIB (UINT64_C(1) << 20)
#define FAMILY "memory"
#define LEAST_BYTES (64 * MIB)	/* where caches are small: less is over too soon to be timed */

/* What tells the two tests apart: the loops, and how often the caches the arrays should hold. */
struct stream_param {
	const struct mem_kernel *kernel[MEM_LOOPS_MAX];
	size_t kernel_n;
	unsigned times;
	/* the loops in the order in which they are reported: what tells most comes first */
	size_t order[MEM_LOOPS_MAX];
};

struct turn {
	const char *name;	/* "single" or "all" */
	const char *whose;
	size_t cpu_n;
	uint64_t cache_bytes;
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t bytes_wanted(const struct stream_param *p, uint64_t cache_bytes)
{
	uint64_t want = p->times * cache_bytes;

	return want > LEAST_BYTES ? want : LEAST_BYTES;
}

static void put(const struct stream_param *p, const struct turn *t, struct mem_loops_outcome *out,
		struct result *r)
{
	char name[40];

	for (size_t i = 0; i < p->kernel_n; i++) {
		size_t k = p->order[i];

		if (!p->kernel[k]->run)
			continue;
		snprintf(name, sizeof(name), "%s_%s", p->kernel[k]->name, t->name);
		metric_samples(result_metric(r, name, UNIT_BYTES_PER_S, out->best[k]),
			       out->rate[k], out->rounds - 1);
	}
	snprintf(name, sizeof(name), "array_bytes_%s", t->name);
	result_metric(r, name, UNIT_BYTES, (double)out->bytes);
}

/* One thread, or all. False: `r` has ended. */
static bool measure(const struct test_context *c, const struct mem_site *s, const struct turn *t,
		    struct result *r)
{
	const struct stream_param *p = c->test->param;
	struct mem_loops_outcome *out = calloc(1, sizeof(*out));
	struct mem_loops l = {
		.kernel = p->kernel, .kernel_n = p->kernel_n, .cpu = s->cpu, .cpu_n = t->cpu_n,
		.bytes = smaller(bytes_wanted(p, t->cache_bytes), s->most_bytes),
		.budget_ns = c->budget_ns / 2, .bound_ns = c->budget_ns + c->stall_ns,
		.tick = mem_site_tick, .tick_context = (void *)c,
	};
	bool whole;
	int err;

	/* the last one may be nothing that this processor has */
	if (!l.kernel[l.kernel_n - 1]->run)
		l.kernel_n--;
	err = out ? mem_loops_run(&l, out) : -ENOMEM;
	whole = out && out->bytes + MIB * t->cpu_n >= l.bytes;
	if (err) {
		mem_site_end(r, err);
	} else if (out->wrong) {
		result_end(r, RESULT_FAILED, "%llu elements are wrong after %u rounds, the first "
			   "is number %llu: %.17g instead of %.17g: memory or processor fail",
			   (unsigned long long)out->wrong, out->rounds,
			   (unsigned long long)out->wrong_at, out->wrong_value, out->right_value);
		err = -EIO;
	} else {
		put(p, t, out, r);
		mem_site_mark_small(r, out->bytes, p->times, t->cache_bytes, t->whose, whole);
	}
	free(out);
	return !err;
}

static void run(const struct test_context *c, struct result *r)
{
	struct mem_site s;

	if (!mem_site_read(c, &s, r))
		return;
	const struct turn single = { "single", " of one thread", 1, s.levels.last_bytes };
	const struct turn all = { "all", "", s.cpu_n, s.levels.all_bytes };

	if (measure(c, &s, &all, r) && measure(c, &s, &single, r)) {
		result_metric(r, "threads", UNIT_COUNT, (double)s.cpu_n);
		r->status = RESULT_OK;
	}
	mem_site_free(&s);
}

static const struct stream_param stream_param = {
	.kernel = { &mem_kernel_copy, &mem_kernel_scale, &mem_kernel_add, &mem_kernel_triad },
	.kernel_n = 4, .times = 4, .order = { 3, 0, 1, 2 },
};

const struct test test_mem_stream = {
	.name = "mem-stream", .family = FAMILY, .phase = PHASE_MACHINE,
	.title = "memory bandwidth (STREAM variant)",
	.help = "Copy, Scale, Add and Triad over arrays four times as large as the last-level "
		"caches, by all threads and by one: the best round after the first. The results "
		"are based on a variant of the STREAM benchmark code.",
	.access = TEST_READS, .rank = 10, .param = &stream_param,
	.time = { { 2000, 2000 }, { 6000, 6000 }, { 12000, 12000 } },
	.fits = test_fits_anywhere, .run = run,
};

/* Of the three arrays a copy uses two: six times the caches, so that these are four times. */
static const struct stream_param copy_param = {
	.kernel = { &mem_kernel_memcpy, &mem_kernel_past },
	.kernel_n = 2, .times = 6, .order = { 0, 1 },
};

const struct test test_mem_copy = {
	.name = "mem-copy", .family = FAMILY, .phase = PHASE_MACHINE,
	.title = "memory copies per second",
	.help = "Copies between arrays four times as large as the last-level caches, by the C "
		"library's memcpy and by stores that go past the caches, by all threads and by "
		"one. Bytes copied count once.",
	.access = TEST_READS, .rank = 30, .param = &copy_param,
	.time = { { 1000, 1000 }, { 3000, 3000 }, { 6000, 6000 } },
	.fits = test_fits_anywhere, .run = run,
};
