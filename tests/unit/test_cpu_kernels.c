/* SPDX-License-Identifier: MIT */
/* The work itself: its definitions, and that a wrong result is seen. */
#include <errno.h>
#include <lz4.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "bench/tests/cpu.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

static const struct {
	const char *name;
	const struct cpu_kernel *kernel;
	uint32_t number;
	uint64_t n;
	enum metric_unit unit;
	double work;
} kernels[] = {
	{ "primes below 10,000", &cpu_prime_kernel, 10000, 2, UNIT_PER_S, 1 },
	{ "primes below 20,000", &cpu_prime_kernel, 20000, 2, UNIT_PER_S, 1 },
	{ "integers", &cpu_int_kernel, 0, 40, UNIT_PER_S, 1 },
	{ "floating point", &cpu_float_kernel, 0, 40, UNIT_PER_S, 1 },
	{ "AES-GCM", &cpu_aes_kernel, 0, 3, UNIT_BYTES_PER_S, 16384 },
	{ "SHA-256", &cpu_sha_kernel, 0, 3, UNIT_BYTES_PER_S, 16384 },
	{ "zstd", &cpu_zstd_kernel, 0, 5, UNIT_BYTES_PER_S, 1048576 },
	{ "lz4", &cpu_lz4_kernel, 0, 5, UNIT_BYTES_PER_S, 1048576 },
	{ "hash", &cpu_hash_kernel, 0, 1000, UNIT_PER_S, 64 },
};

static struct cpu_input input_of(uint32_t number)
{
	return (struct cpu_input) {
		.number = number, .budget_ns = NS_PER_S, .memory_bytes = 64 << 20,
		.cache_bytes = 1 << 20,
	};
}

static void all_run(void)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		const struct cpu_kernel *k = kernels[i].kernel;
		struct cpu_input in = input_of(kernels[i].number);
		double part[CPU_PARTS_MAX] = { 0 };
		void *state = NULL;

		is_int(k->prepare ? k->prepare(&in) : 0, 0, "%s: prepared", kernels[i].name);
		is_int(k->begin(&in, 3, &state), 0, "%s: known answers come out",
		       kernels[i].name);
		ok(k->run(state, kernels[i].n), "%s: runs", kernels[i].name);
		ok(!k->check || k->check(state), "%s: what is left is right", kernels[i].name);
		if (k->parts)
			k->parts(state, part);
		for (int p = 0; p < CPU_PARTS_MAX; p++)
			ok(!k->part[p].name || part[p] > 0, "%s: part %d", kernels[i].name, p);
		ok(k->unit == kernels[i].unit && k->work == kernels[i].work,
		   "%s: what an iteration counts", kernels[i].name);
		k->end(state);
		free(in.corpus);
	}
}

/*
 * sysbench counts n for c from 3 to max - 1 where no l from 2 to sqrt(c) divides c: 1229 primes lie
 * below 10,000, and 2 is not looked at. A number for which that is not known cannot be begun.
 */
static void primes(void)
{
	struct cpu_input in = input_of(12345);
	bool composite[20000] = { false };
	unsigned count[2] = { 0, 0 };
	void *state = NULL;

	for (unsigned i = 2; i < 20000; i++) {
		count[0] += !composite[i] && i > 2 && i < 10000;
		count[1] += !composite[i] && i > 2;
		for (unsigned k = 2 * i; k < 20000; k += i)
			composite[k] = true;
	}
	is_uint(count[0], 1229 - 1, "a sieve finds as many below 10,000");
	is_uint(count[1], 2262 - 1, "and below 20,000");
	is_int(cpu_prime_kernel.begin(&in, 1, &state), -EINVAL, "no other limit is known");
	cpu_prime_kernel.end(state);
	in.number = 10000;
	is_int(cpu_prime_kernel.begin(&in, 1, &state), 0, "1228 of them");
	/* the state begins with the limit: with another one the count is another */
	*(unsigned long long *)state = 10008;
	ok(!cpu_prime_kernel.run(state, 1), "another count is a wrong result (10007 is a prime)");
	cpu_prime_kernel.end(state);
}

/* Where a byte of a state is changed: of its input, or of a result that is known. */
static const struct {
	const char *name;
	const struct cpu_kernel *kernel;
	size_t at;
} changes[] = {
	/* behind the pointer to what is done */
	{ "integers", &cpu_int_kernel, sizeof(void *) },
	{ "floating point", &cpu_float_kernel, sizeof(void *) },
	{ "AES-GCM", &cpu_aes_kernel, sizeof(mbedtls_gcm_context) },
	{ "SHA-256", &cpu_sha_kernel, sizeof(mbedtls_md_context_t) },
};

static void changes_are_seen(void)
{
	struct cpu_input in = input_of(0);
	unsigned char *state;
	void *made;

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		const struct cpu_kernel *k = changes[i].kernel;

		is_int(k->begin(&in, 1, &made), 0, "%s: begun", changes[i].name);
		state = made;
		ok(k->run(made, 32), "%s: right", changes[i].name);
		state[changes[i].at] ^= 1;
		ok(!k->run(made, 32), "%s: one changed bit is seen", changes[i].name);
		k->end(made);
	}
	is_int(cpu_aes_kernel.begin(&in, 1, &made), 0, "AES-GCM: begun");
	ok(cpu_aes_kernel.run(made, 1) && cpu_aes_kernel.check(made), "there and back");
	state = made;
	state[sizeof(mbedtls_gcm_context) + 16384 + 100] ^= 1;
	ok(!cpu_aes_kernel.check(made), "a bit that changed in what was encrypted is seen");
	cpu_aes_kernel.end(made);
}

/* Each of these is broken in its data, and must say so. */
static void wrong_is_seen(void)
{
	struct cpu_input in = input_of(0);
	void *state, *compressor;

	if (cpu_zstd_kernel.prepare(&in))
		tap_bail("no memory");
	is_int(cpu_zstd_kernel.begin(&in, 1, &state), 0, "begun");
	/* the state begins with the corpus and zstd's contexts; without the first lz4 compresses */
	compressor = ((void **)state)[1];
	((void **)state)[1] = NULL;
	ok(!cpu_zstd_kernel.run(state, 1), "what does not decompress is seen");
	((void **)state)[1] = compressor;
	cpu_zstd_kernel.end(state);
	free(in.corpus);
	in = input_of(0);
	is_int(cpu_hash_kernel.prepare(&in), 0, "a table");
	is_int(cpu_hash_kernel.begin(&in, 1, &state), 0, "begun");
	ok(cpu_hash_kernel.run(state, 100) && cpu_hash_kernel.check(state), "as it must be");
	/* the state begins with where the table is */
	(**(uint64_t **)state)++;
	ok(!cpu_hash_kernel.check(state), "one changed bit is seen");
	cpu_hash_kernel.end(state);
}

static void tables(void)
{
	struct cpu_input in = input_of(0);

	is_int(cpu_hash_kernel.prepare(&in), 0, "little memory");
	is_uint(in.table_bytes, 64 << 20, "the table takes what may be taken");
	is_str(in.note, "", "which is enough beside a small cache");
	in = input_of(0);
	in.cache_bytes = 128 << 20;
	is_int(cpu_hash_kernel.prepare(&in), 0, "large caches");
	is_str(in.note, "the table of 64 MiB is small beside caches of 128 MiB: some of it may "
	       "stay in them", "are told");
	in = input_of(0);
	in.memory_bytes = 0;
	in.budget_ns = 60 * NS_PER_S;
	in.cache_bytes = 100 << 20;
	is_int(cpu_hash_kernel.prepare(&in), 0, "memory without limit");
	is_uint(in.table_bytes, 400 << 20, "four times the caches");
	is_uint(cpu_hash_kernel.need_bytes(&in, 4), 100 << 20, "shared by all threads");
	in = input_of(0);
	in.memory_bytes = 1 << 20;
	is_int(cpu_hash_kernel.prepare(&in), -ENOMEM, "too little for any table");
}

/* docs/measuring.md states the ratios. */
static void corpus(void)
{
	enum { BYTES = 4 << 20, CHUNK = 1 << 20 };
	unsigned char *a = malloc(BYTES), *b = malloc(BYTES);
	char *packed = malloc(LZ4_COMPRESSBOUND(CHUNK));
	double zstd = 0, lz4 = 0;

	if (!a || !b || !packed)
		tap_bail("no memory");
	cpu_corpus_fill(a, BYTES);
	cpu_corpus_fill(b, BYTES);
	ok(memcmp(a, b, BYTES) == 0, "the same bytes each time");
	cpu_corpus_fill(b, 100001);
	ok(memcmp(a, b, 100001) == 0, "of any length");
	for (size_t at = 0; at < BYTES; at += CHUNK) {
		double one = LZ4_compress_default((char *)a + at, packed, CHUNK,
						  LZ4_COMPRESSBOUND(CHUNK));

		lz4 += one;
		zstd += (double)ZSTD_compress(packed, (size_t)LZ4_COMPRESSBOUND(CHUNK), a + at,
					      CHUNK, 3);
		is_near(one / CHUNK, 0.60, 0.01, "each chunk is like the others");
	}
	is_near(zstd / BYTES, 0.43, 0.01, "zstd makes 43 %% of it");
	is_near(lz4 / BYTES, 0.60, 0.01, "lz4 60 %%");
	free(a);
	free(b);
	free(packed);
}

int main(void)
{
	all_run();
	primes();
	changes_are_seen();
	wrong_is_seen();
	tables();
	corpus();
	return tap_done();
}
