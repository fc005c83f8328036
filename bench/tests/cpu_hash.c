/* SPDX-License-Identifier: MIT */
/*
 * Hashing bound by memory: each update takes the next key, hashes it to a place of a table much
 * larger than the caches, and xors the key into what stands there. Updates do not wait for each
 * other, so it shows how many misses a core keeps under way, as RandomAccess (HPC Challenge) does.
 *
 * Each thread has its own part of the table, on its own NUMA node since it touches it first. The
 * xor of the whole part must in the end be that of all keys.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tests/cpu_kernel.h"
#include "bench/tests/mem_map.h"
#include "lib/clock.h"

#define TABLE_MIN_BYTES (UINT64_C(128) << 20)
#define TABLE_MAX_BYTES (UINT64_C(4) << 30)
#define CACHES 4		/* so many times the caches it should be */
/*
 * Each way of measuring gets a third of the time, and half of that for touching the table: what a
 * guest touches for the first time comes at less than 1 GB/s.
 */
#define TOUCH_SHARE 6
#define UPDATES 64		/* an iteration */

struct hash_state {
	uint64_t *table;
	uint64_t entries;
	struct mem_map map;
	uint64_t key, keys;	/* the next one, and the xor of all */
};

static int prepare(struct cpu_input *in)
{
	uint64_t want = in->cache_bytes * CACHES, bytes;
	uint64_t most = in->budget_ns / TOUCH_SHARE;	/* a byte takes a nanosecond */

	if (want < TABLE_MIN_BYTES)
		want = TABLE_MIN_BYTES;
	if (most > TABLE_MAX_BYTES)
		most = TABLE_MAX_BYTES;
	if (in->memory_bytes && most > in->memory_bytes)
		most = in->memory_bytes;
	bytes = (want < most ? want : most) / MEM_MAP_HUGE_BYTES * MEM_MAP_HUGE_BYTES;
	if (!bytes)
		return -ENOMEM;
	in->table_bytes = bytes;
	if (bytes < want && in->cache_bytes > bytes / 2)
		snprintf(in->note, sizeof(in->note), "the table of %llu MiB is small beside caches "
			 "of %llu MiB: some of it may stay in them",
			 (unsigned long long)(bytes >> 20),
			 (unsigned long long)(in->cache_bytes >> 20));
	return 0;
}

static uint64_t need_bytes(const struct cpu_input *in, unsigned members)
{
	return in->table_bytes / members;
}

static void end(void *state)
{
	struct hash_state *s = state;

	mem_map_free(&s->map);
	free(s);
}

/* Touches as much as there is time for, one huge page at least. Returns how much. */
static uint64_t touch(uint64_t *table, uint64_t bytes, uint64_t time_ns)
{
	uint64_t begun_ns = clock_ns(), done = 0;

	while (done < bytes && (!done || clock_ns() - begun_ns < time_ns)) {
		uint64_t n = bytes - done < MEM_MAP_HUGE_BYTES ? bytes - done : MEM_MAP_HUGE_BYTES;

		memset((unsigned char *)table + done, 0, n);
		done += n;
	}
	return done;
}

static int begin(const struct cpu_input *in, unsigned members, void **state)
{
	struct hash_state *s = cpu_state_new(sizeof(*s));
	uint64_t bytes = in->table_bytes / members / sizeof(uint64_t) * sizeof(uint64_t);
	int err;

	if (!s)
		return -ENOMEM;
	*state = s;
	/* without huge pages each update would wait for the page tables as well */
	err = mem_map_new(&s->map, bytes, false);
	if (err)
		return err;
	s->table = s->map.at;
	s->entries = touch(s->table, bytes, in->budget_ns / TOUCH_SHARE) / sizeof(uint64_t);
	return 0;
}

__attribute__((noinline)) static bool run(void *state, uint64_t n)
{
	struct hash_state *s = state;
	uint64_t *table = s->table;
	uint64_t key = s->key, keys = s->keys, entries = s->entries;

	for (uint64_t i = 0; i < n * UPDATES; i++) {
		uint64_t hash;

		key = key * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		hash = key ^ (key >> 31);
		hash *= UINT64_C(0x9e3779b97f4a7c15);
		table[(uint64_t)(((unsigned __int128)hash * entries) >> 64)] ^= key;
		keys ^= key;
	}
	s->key = key;
	s->keys = keys;
	return true;
}

static bool check(void *state)
{
	const struct hash_state *s = state;
	uint64_t all = 0;

	for (uint64_t i = 0; i < s->entries; i++)
		all ^= s->table[i];
	return all == s->keys;
}

static void parts(const void *state, double *value)
{
	const struct hash_state *s = state;

	value[0] = (double)(s->entries * sizeof(uint64_t));
}

const struct cpu_kernel cpu_hash_kernel = {
	.unit = UNIT_PER_S, .work = UPDATES, .part = { { "table", UNIT_BYTES } },
	.prepare = prepare, .need_bytes = need_bytes, .begin = begin, .run = run, .check = check,
	.parts = parts, .end = end,
};
