/* SPDX-License-Identifier: MIT */
/*
 * How long one load takes, by the amount of data it is out of: one thread follows a random chain
 * through 4 KiB, then through more and more, up to four times the last-level cache. Where the time
 * ends first, so do the sizes.
 */
#include "bench/tests/mem_latency.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/units.h"
#include "bench/stats/summary.h"
#include "bench/tests/crew.h"
#include "bench/tests/mem_chain.h"
#include "bench/tests/mem_map.h"
#include "bench/tests/mem_site.h"
#include "lib/clock.h"

#define MIB (UINT64_C(1) << 20)
#define FIRST_BYTES 4096
#define LEAST_BYTES (64 * MIB)	/* the largest size, where caches are small or not known */
#define TIMES_CACHE 4
#define SEED UINT64_C(0x6d656d6c6174)
#define HUGE_PERCENT_MIN 90

struct work {
	struct mem_levels levels;
	struct mem_map map;
	uint64_t end_ns;
	uint64_t size[MEM_LATENCY_SIZES_MAX];
	unsigned size_n;
	/* filled */
	unsigned done_n;
	size_t batch_n[MEM_LATENCY_SIZES_MAX];
	double ns[MEM_LATENCY_SIZES_MAX][MEM_CHAIN_BATCHES];
	bool has_huge;
	uint64_t huge_bytes;
};

unsigned mem_latency_sizes(uint64_t most_bytes, uint64_t room_bytes,
			   uint64_t size[MEM_LATENCY_SIZES_MAX])
{
	unsigned n = 0;

	for (uint64_t power = FIRST_BYTES; n + 2 <= MEM_LATENCY_SIZES_MAX; power *= 2) {
		const uint64_t two[] = { power, power + power / 2 };

		for (int i = 0; i < 2; i++) {
			if (two[i] > room_bytes)
				return n;
			size[n++] = two[i];
			if (two[i] >= most_bytes)
				return n;
		}
	}
	return n;
}

/*
 * Each size gets the same share of what time is left; making the chain longer is paid out of it,
 * and a chain that cannot be made in time ends the test.
 */
static int work(struct crew_member *m)
{
	struct work *w = m->context;
	struct mem_chain chain;

	mem_chain_init(&chain, w->map.at, w->levels.line_bytes, SEED);
	for (unsigned i = 0; i < w->size_n; i++) {
		size_t lines = w->size[i] / w->levels.line_bytes;
		uint64_t now_ns = clock_ns(), slot_ns;

		if (now_ns >= w->end_ns)
			break;
		mem_chain_grow(&chain, lines, w->end_ns);
		mem_chain_warm(&chain);
		now_ns = clock_ns();
		if (chain.lines < lines || now_ns >= w->end_ns)
			break;
		/* half: the longest chains take the most time to be made, and come last */
		slot_ns = (w->end_ns - now_ns) / (w->size_n - i) / 2;
		w->batch_n[i] = mem_chain_time(&chain, slot_ns, w->ns[i]);
		w->done_n = i + 1;
	}
	w->has_huge = mem_map_huge_bytes("", &w->map, &w->huge_bytes);
	return 0;
}

static double median_of(const struct work *w, size_t at)
{
	double sorted[MEM_CHAIN_BATCHES];

	memcpy(sorted, w->ns[at], sizeof(sorted));
	return stats_median(sorted, w->batch_n[at]);
}

static void put_level(const struct work *w, struct result *r, const char *name, size_t at)
{
	if (at < w->done_n)
		metric_samples(result_metric(r, name, UNIT_NS, median_of(w, at)), w->ns[at],
			       (uint32_t)w->batch_n[at]);
}

static void put(const struct work *w, const struct mem_site *s, struct result *r)
{
	struct series *curve = result_series(r, "latency", UNIT_BYTES, UNIT_NS);
	uint64_t last_bytes = w->size[w->done_n - 1];
	/* not finite where it is not known: then there is no such metric, and no mark */
	double huge = w->has_huge ? (double)w->huge_bytes / (double)last_bytes * 100 : (double)NAN;

	for (unsigned i = 0; i < w->done_n; i++)
		series_add(curve, (double)w->size[i], median_of(w, i));
	put_level(w, r, "dram", mem_levels_beyond(&w->levels, w->size, w->done_n));
	for (unsigned level = 0; level < MEM_LEVELS_MAX; level++) {
		char name[8];

		snprintf(name, sizeof(name), "l%u", level + 1);
		put_level(w, r, name, mem_levels_inside(&w->levels, level, w->size, w->done_n));
	}
	result_metric(r, "largest_bytes", UNIT_BYTES, (double)last_bytes);
	result_metric(r, "huge_pages", UNIT_PERCENT, huge > 100 ? 100 : huge);
	mem_site_mark_small(r, last_bytes, TIMES_CACHE, w->levels.last_bytes, "",
			    w->done_n == w->size_n && s->most_bytes <
			    TIMES_CACHE * w->levels.last_bytes);
	if (huge < HUGE_PERCENT_MIN && last_bytes > 4 * MEM_MAP_HUGE_BYTES)
		result_mark(r, "small-pages", "only %.0f %% of the data lie in huge pages: beyond "
			    "some MiB the figures hold the walk through page tables too",
			    huge);
}

static void run(const struct test_context *c, struct result *r)
{
	struct work *w = calloc(1, sizeof(*w));
	struct mem_site s = { .cpu = NULL };
	struct crew_order order = {
		.n = 1, .work = work, .context = w, .bound_ns = c->budget_ns + c->stall_ns,
		.tick = mem_site_tick, .tick_context = (void *)c,
	};
	uint64_t most;
	int err = -ENOMEM;

	if (w && !mem_site_read(c, &s, r)) {
		free(w);
		return;
	}
	if (w) {
		w->levels = s.levels;
		w->end_ns = clock_ns() + c->budget_ns;
		most = TIMES_CACHE * s.levels.last_bytes;
		w->size_n = mem_latency_sizes(most > LEAST_BYTES ? most : LEAST_BYTES,
					      s.most_bytes, w->size);
		order.cpu = s.cpu;
		err = mem_map_new(&w->map, w->size[w->size_n - 1], true);
		if (!err)
			err = crew_run(&order);
	}
	r->seed = SEED;
	if (err) {
		mem_site_end(r, err);
	} else if (w->done_n == 0) {
		result_end(r, RESULT_FAILED, "no size was measured in the time there was");
	} else {
		put(w, &s, r);
		r->status = RESULT_OK;
	}
	mem_site_free(&s);
	if (w && err != -ETIMEDOUT) {	/* else its thread still works on it */
		mem_map_free(&w->map);
		free(w);
	}
}

const struct test test_mem_latency = {
	.name = "mem-latency", .family = "memory", .phase = PHASE_MACHINE,
	.title = "memory latency",
	.help = "Time of a load that waits for the one before it, along a random cycle with one "
		"load per cache line, in huge pages where there are any: through 4 KiB up to four "
		"times the last-level cache. l1 to l4 are figures of sizes well inside these "
		"caches, dram of one well beyond the last.",
	.access = TEST_READS, .rank = 10,
	.time = { { 2000, 2000 }, { 6000, 6000 }, { 12000, 12000 } },
	.fits = test_fits_anywhere, .run = run,
};
