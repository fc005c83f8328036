/* SPDX-License-Identifier: MIT */
/* Where a memory test runs; see mem_site.h. */
#include "bench/tests/mem_site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/io/place.h"
#include "bench/report/units.h"

#define LEAST_BYTES (UINT64_C(2) << 20)

bool mem_site_read(const struct test_context *c, struct mem_site *s, struct result *r)
{
	int n;

	memset(s, 0, sizeof(*s));
	if (mem_space_read("", &s->space)) {
		result_end(r, RESULT_UNSUPPORTED, "the kernel does not say how much memory there "
			   "is (/proc/meminfo)");
		return false;
	}
	s->most_bytes = mem_space_half(&s->space, c->memory_bytes ? c->memory_bytes : UINT64_MAX);
	if (s->most_bytes < LEAST_BYTES) {
		result_end(r, RESULT_SKIPPED, "%s of memory may be used: too little to measure "
			   "with", units_bytes_binary(UNITS_BUF, s->most_bytes));
		return false;
	}
	n = place_allowed(&s->cpu);
	if (n <= 0) {
		result_end(r, RESULT_FAILED, "the CPUs to run on cannot be read: %s",
			   strerror(-n));
		return false;
	}
	s->cpu_n = (size_t)n;
	mem_levels_read("", s->cpu[0], &s->levels);
	return true;
}

void mem_site_free(struct mem_site *s)
{
	free(s->cpu);
	memset(s, 0, sizeof(*s));
}

void mem_site_end(struct result *r, int err)
{
	if (err == -ETIMEDOUT)
		result_end(r, RESULT_TIMEOUT, "its threads did not end in time");
	else if (err == -ENOMEM || err == -EAGAIN)
		result_end(r, RESULT_SKIPPED, "too little memory is free for its threads or data");
	else if (err == -EINVAL)
		result_end(r, RESULT_FAILED, "a CPU it was to use went away");
	else
		result_end(r, RESULT_FAILED, "%s", strerror(-err));
}

void mem_site_mark_small(struct result *r, uint64_t bytes, unsigned times, uint64_t cache_bytes,
			 const char *whose, bool no_memory)
{
	if (cache_bytes == 0)
		result_mark(r, "unknown-cache", "the kernel states no sizes of caches: whether %s "
			    "are larger is not known", units_bytes_binary(UNITS_BUF, bytes));
	else if (bytes < times * cache_bytes)
		result_mark(r, "small-arrays", "%s of data%s are less than %u times the %s of "
			    "cache, as there was no %s for more: the caches help",
			    units_bytes_binary(UNITS_BUF, bytes), whose, times,
			    units_bytes_binary(UNITS_BUF, cache_bytes),
			    no_memory ? "memory" : "time");
}

void mem_site_tick(void *context, uint64_t elapsed_ns)
{
	const struct test_context *c = context;

	if (c->progress)
		c->progress(c->progress_context, elapsed_ns, 0);
}
