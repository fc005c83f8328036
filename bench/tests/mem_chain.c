/* SPDX-License-Identifier: MIT */
/* A chain through memory; see mem_chain.h. */
#include "bench/tests/mem_chain.h"

#include <sys/resource.h>

#include "bench/io/offsets.h"
#include "lib/clock.h"

#define LINES_BETWEEN_LOOKS 16384	/* at the clock, a power of two */
#define FIRST_LOADS 1024		/* of finding out how long a load takes */
#define BATCH_MAX_NS (2 * NS_PER_MS)	/* shorter than what a scheduler gives to each in turn */

static void **line(const struct mem_chain *c, size_t number)
{
	return (void **)(c->at + number * c->line_bytes);
}

void mem_chain_init(struct mem_chain *c, void *at, size_t line_bytes, uint64_t seed)
{
	*c = (struct mem_chain){ .at = at, .line_bytes = line_bytes, .random = seed };
}

void mem_chain_grow(struct mem_chain *c, size_t lines, uint64_t until_ns)
{
	if (c->lines == 0 && lines > 0) {
		*line(c, 0) = line(c, 0);
		c->lines = 1;
	}
	for (size_t n = c->lines; n < lines; c->lines = ++n) {
		/* below n: the high half of a product (unbiased enough: n is far below 2^64) */
		uint64_t drawn = io_offsets_draw(&c->random);
		size_t before = (size_t)(((unsigned __int128)drawn * n) >> 64);

		if (n % LINES_BETWEEN_LOOKS == 0 && clock_ns() >= until_ns)
			return;
		*line(c, n) = *line(c, before);
		*line(c, before) = line(c, n);
	}
}

void mem_chain_warm(const struct mem_chain *c)
{
	for (size_t i = 0; i < c->lines; i++)
		(void)*(void *volatile *)line(c, i);
}

#define LOAD p = *(void **)p;
#define LOADS4 LOAD LOAD LOAD LOAD
#define LOADS16 LOADS4 LOADS4 LOADS4 LOADS4

void *mem_chain_walk(void *from, uint64_t loads)
{
	void *p = from;

	for (uint64_t i = 0; i < loads; i += MEM_CHAIN_UNROLL) {
		LOADS16
		LOADS16
		/* the compiler must take each of these addresses for one that is needed */
		__asm__ volatile("" : "+r"(p) : : "memory");
	}
	return p;
}

/* How often the calling thread had to leave its CPU to another. */
static long times_preempted(void)
{
	struct rusage u;

	return getrusage(RUSAGE_THREAD, &u) ? 0 : u.ru_nivcsw;
}

/* How many loads take about `each_ns`; `at` moves along. */
static uint64_t loads_for(void **at, uint64_t each_ns)
{
	uint64_t loads = FIRST_LOADS, took_ns, start_ns;

	/* until it takes a quarter, and is known well enough */
	for (;;) {
		start_ns = clock_ns();
		*at = mem_chain_walk(*at, loads);
		took_ns = clock_ns() - start_ns;
		if (took_ns >= each_ns / 4 || loads >= UINT64_C(1) << 40)
			break;
		loads *= 2;
	}
	if (took_ns > 0)
		loads = (uint64_t)((double)loads * (double)each_ns / (double)took_ns);
	loads = loads / MEM_CHAIN_UNROLL * MEM_CHAIN_UNROLL;
	return loads < MEM_CHAIN_UNROLL ? MEM_CHAIN_UNROLL : loads;
}

size_t mem_chain_time(const struct mem_chain *c, uint64_t slot_ns, double ns[MEM_CHAIN_BATCHES])
{
	uint64_t end_ns = clock_ns() + slot_ns, start_ns, loads;
	uint64_t each_ns = slot_ns / (MEM_CHAIN_BATCHES + 1);
	double disturbed = 0;
	size_t n = 0;
	void *at = c->at;

	loads = loads_for(&at, each_ns < BATCH_MAX_NS ? each_ns : BATCH_MAX_NS);
	do {
		long before = times_preempted();
		double one;

		start_ns = clock_ns();
		at = mem_chain_walk(at, loads);
		one = (double)(clock_ns() - start_ns) / (double)loads;
		if (times_preempted() == before)
			ns[n++] = one;
		else if (disturbed == 0 || one < disturbed)
			disturbed = one;
	} while (n < MEM_CHAIN_BATCHES && clock_ns() < end_ns);
	if (n == 0)
		ns[n++] = disturbed;
	return n;
}
