/* SPDX-License-Identifier: MIT */
/*
 * How fast each NUMA node reaches its own memory (the Triad loop on all its processors), and how
 * long one load takes from each node to each (a random chain in the other's memory).
 */
#include "bench/tests/mem_node.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/io/place.h"
#include "bench/stats/summary.h"
#include "bench/tests/crew.h"
#include "bench/tests/mem_chain.h"
#include "bench/tests/mem_loops.h"
#include "bench/tests/mem_map.h"
#include "bench/tests/mem_nodes.h"
#include "bench/tests/mem_site.h"
#include "lib/clock.h"

#define MIB (UINT64_C(1) << 20)
#define LEAST_BYTES (64 * MIB)
#define TIMES_CACHE 4
#define SEED UINT64_C(0x6e6f646573)
#define MATRIX_BUDGET_NS (3 * NS_PER_S)	/* below there are only the nodes' own figures */
#define PAIR_MIN_NS (20 * NS_PER_MS)	/* in less a chain would not leave the caches */

struct measurement {
	const struct test_context *c;
	const struct mem_node_param *param;
	struct mem_site site;
	struct mem_nodes nodes;
	uint64_t end_ns;
	struct result *r;
};

/* Where memory is to lie. */
struct at_node {
	unsigned id;
	bool unbound;
};

static int place(void *context, void *at, uint64_t bytes)
{
	const struct at_node *n = context;

	return n->unbound ? 0 : mem_nodes_bind(n->id, at, bytes);
}

/* Four times the caches of one node, within half of what the node and the test may give. */
static uint64_t bytes_on(const struct measurement *m, const struct mem_node *node,
			 uint64_t cache_bytes)
{
	uint64_t bytes = TIMES_CACHE * cache_bytes;

	if (bytes < LEAST_BYTES)
		bytes = LEAST_BYTES;
	if (bytes > node->free_bytes / 2)
		bytes = node->free_bytes / 2;
	return bytes < m->site.most_bytes ? bytes : m->site.most_bytes;
}

static void leave_out(struct measurement *m, const struct mem_node *node, int err)
{
	result_mark(m->r, "node-left-out", "node %u was not measured: %s", node->id,
		    err == -ENOMEM ? "too little of its memory is free" :
		    err == -EINVAL ? "this process may not use it" : strerror(-err));
}

/* ---- each node's own memory ---- */

/* Returns the rate, NAN where there is none. */
static double measure_local(struct measurement *m, const struct mem_node *node, uint64_t budget_ns)
{
	static const struct mem_kernel *const kernel[] = { &mem_kernel_triad };
	struct mem_loops_outcome *out = calloc(1, sizeof(*out));
	struct at_node at = { node->id, m->param->unbound };
	uint64_t cache_bytes = m->site.levels.all_bytes / mem_nodes_with_memory(&m->nodes);
	struct mem_loops l = {
		.kernel = kernel, .kernel_n = 1, .cpu = node->cpu, .cpu_n = node->cpu_n,
		.bytes = bytes_on(m, node, cache_bytes), .budget_ns = budget_ns,
		.bound_ns = budget_ns + m->c->stall_ns, .place = place, .place_context = &at,
		.tick = mem_site_tick, .tick_context = (void *)m->c,
	};
	int err = out ? mem_loops_run(&l, out) : -ENOMEM;
	double rate = (double)NAN;

	if (err == -ETIMEDOUT || (!err && out->wrong)) {
		if (err)
			mem_site_end(m->r, err);
		else
			result_end(m->r, RESULT_FAILED, "%llu elements on node %u are wrong: "
				   "memory or processor fail", (unsigned long long)out->wrong,
				   node->id);
	} else if (err) {
		leave_out(m, node, err);
	} else {
		rate = out->best[0];
		mem_site_mark_small(m->r, out->bytes, TIMES_CACHE, cache_bytes, " of a node",
				    out->bytes + MIB * node->cpu_n >= l.bytes);
	}
	free(out);
	return rate;
}

static bool is_over(const struct measurement *m)
{
	return m->r->status != RESULT_PLANNED;
}

static void measure_locals(struct measurement *m, uint64_t budget_ns)
{
	struct series *s = result_series(m->r, "per-node", UNIT_COUNT, UNIT_BYTES_PER_S);
	double rate, slowest = INFINITY, fastest = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->nodes.n; i++)
		n += m->nodes.node[i].cpu_n > 0 && m->nodes.node[i].total_bytes > 0;
	for (size_t i = 0; i < m->nodes.n && !is_over(m); i++) {
		const struct mem_node *node = &m->nodes.node[i];

		if (!node->cpu_n || !node->total_bytes)
			continue;
		rate = measure_local(m, node, budget_ns / n);
		series_add(s, node->id, rate);
		if (rate < slowest)
			slowest = rate;
		if (rate > fastest)
			fastest = rate;
	}
	if (fastest > 0) {
		result_metric(m->r, "triad_slowest", UNIT_BYTES_PER_S, slowest);
		result_metric(m->r, "triad_fastest", UNIT_BYTES_PER_S, fastest);
	}
}

/* ---- from each node to each ---- */

struct pair {
	struct mem_map map;
	uint64_t end_ns;
	size_t line_bytes;
	double ns[MEM_CHAIN_BATCHES];
	size_t batch_n;
	uint64_t bytes;		/* of the chain */
};

static int walk(struct crew_member *m)
{
	struct pair *p = m->context;
	uint64_t now_ns = clock_ns(), slot_ns = p->end_ns > now_ns ? p->end_ns - now_ns : 0;
	struct mem_chain chain;

	mem_chain_init(&chain, p->map.at, p->line_bytes, SEED);
	mem_chain_grow(&chain, p->map.bytes / p->line_bytes, now_ns + slot_ns / 2);
	p->bytes = chain.lines * p->line_bytes;
	p->batch_n = mem_chain_time(&chain, slot_ns / 2, p->ns);
	return 0;
}

/* Nanoseconds per load, NAN where it could not be measured. */
static double measure_pair(struct measurement *m, const struct mem_node *from,
			   const struct mem_node *to, uint64_t budget_ns)
{
	struct pair *p = calloc(1, sizeof(*p));
	struct at_node at = { to->id, m->param->unbound };
	struct crew_order order = {
		.cpu = from->cpu, .n = 1, .work = walk, .context = p,
		.bound_ns = budget_ns + m->c->stall_ns, .tick = mem_site_tick,
		.tick_context = (void *)m->c,
	};
	uint64_t cache_bytes = m->site.levels.last_bytes;
	double ns = (double)NAN;
	int err = p ? mem_map_new(&p->map, bytes_on(m, to, cache_bytes), false) : -ENOMEM;

	if (!err)
		err = place(&at, p->map.at, p->map.bytes);
	if (!err) {
		p->end_ns = clock_ns() + budget_ns;
		p->line_bytes = m->site.levels.line_bytes;
		err = crew_run(&order);
	}
	if (err == -ETIMEDOUT) {
		mem_site_end(m->r, err);
		return ns;	/* its thread still works on it */
	}
	if (err) {
		leave_out(m, to, err);
	} else {
		ns = stats_median(p->ns, p->batch_n);
		mem_site_mark_small(m->r, p->bytes, TIMES_CACHE, cache_bytes, " of a chain",
				    p->bytes + MIB >= p->map.bytes);
	}
	if (p)
		mem_map_free(&p->map);
	free(p);
	return ns;
}

static void measure_matrix(struct measurement *m)
{
	const struct mem_nodes *n = &m->nodes;
	struct series *s = result_series(m->r, "latency-matrix", UNIT_COUNT, UNIT_NS);
	size_t left = n->n * n->n, local_n = 0, remote_n = 0;
	size_t late = 0;
	double local = 0, remote = 0, farthest = 0;

	for (size_t from = 0; from < n->n; from++)
		for (size_t to = 0; to < n->n && !is_over(m); to++, left--) {
			uint64_t now_ns = clock_ns();
			double ns;

			if (!n->node[from].cpu_n || !n->node[to].total_bytes)
				continue;
			if (now_ns >= m->end_ns) {
				late++;
				continue;
			}
			ns = measure_pair(m, &n->node[from], &n->node[to],
					  (m->end_ns - now_ns) / left);
			series_add(s, (double)(from * n->n + to), ns);
			if (!isfinite(ns))
				continue;
			if (from == to)
				local += ns, local_n++;
			else
				remote += ns, remote_n++;
			if (from != to && ns > farthest)
				farthest = ns;
		}
	if (late)
		result_mark(m->r, "node-left-out", "the latency of %zu pairs of nodes was not "
			    "measured: the time was over", late);
	if (local_n)
		result_metric(m->r, "latency_local", UNIT_NS, local / (double)local_n);
	if (remote_n) {
		result_metric(m->r, "latency_remote", UNIT_NS, remote / (double)remote_n);
		result_metric(m->r, "latency_farthest", UNIT_NS, farthest);
	}
}

static void run(const struct test_context *c, struct result *r)
{
	struct measurement m = {
		.c = c, .param = c->test->param, .r = r, .end_ns = clock_ns() + c->budget_ns,
	};
	size_t pairs;
	bool matrix;

	if (!mem_site_read(c, &m.site, r))
		return;
	if (mem_nodes_read(m.param->root, m.site.cpu, m.site.cpu_n, &m.nodes)) {
		result_end(r, RESULT_UNSUPPORTED, "the NUMA nodes cannot be read");
		mem_site_free(&m.site);
		return;
	}
	pairs = m.nodes.n * m.nodes.n;
	matrix = c->budget_ns >= MATRIX_BUDGET_NS && pairs <= SERIES_POINTS_MAX &&
		 c->budget_ns / 2 >= pairs * PAIR_MIN_NS;
	result_metric(r, "nodes", UNIT_COUNT, (double)m.nodes.n);
	measure_locals(&m, matrix ? c->budget_ns / 2 : c->budget_ns);
	if (matrix && !is_over(&m))
		measure_matrix(&m);
	r->seed = SEED;
	if (!is_over(&m) && result_find(r, "triad_fastest"))
		r->status = RESULT_OK;
	else if (!is_over(&m))
		result_end(r, RESULT_SKIPPED, "no node could be measured");
	mem_nodes_free(&m.nodes);
	mem_site_free(&m.site);
}

static enum result_status fits(const struct test *t, const struct disk *d, char *why,
			       size_t why_bytes)
{
	const struct mem_node_param *p = t->param;
	struct mem_nodes nodes;
	unsigned *allowed = NULL;
	int allowed_n = place_allowed(&allowed);
	enum result_status status = RESULT_OK;

	(void)d;
	snprintf(why, why_bytes, "%s", "");
	if (allowed_n < 0 || mem_nodes_read(p->root, allowed, (size_t)allowed_n, &nodes)) {
		status = RESULT_SKIPPED;
		snprintf(why, why_bytes, "the kernel knows of no NUMA nodes");
	} else {
		if (mem_nodes_with_memory(&nodes) < 2) {
			status = RESULT_SKIPPED;
			snprintf(why, why_bytes, "there is one NUMA node: mem-stream and "
				 "mem-latency tell of it");
		}
		mem_nodes_free(&nodes);
	}
	free(allowed);
	return status;
}

static const struct mem_node_param plain = { .root = "" };

const struct test test_mem_node = {
	.name = "mem-node", .family = "memory", .phase = PHASE_MACHINE,
	.title = "memory of each NUMA node",
	.help = "Triad on the processors and the memory of each NUMA node (per-node); with 3 s or "
		"more also the latency from each node to each (latency-matrix: x counts the pairs "
		"row by row, a row for each node that loads).",
	.access = TEST_READS, .rank = 30, .param = &plain,
	.time = { { 1500, 2000 }, { 6000, 6000 }, { 12000, 15000 } },
	.fits = fits, .run = run,
};
