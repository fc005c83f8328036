/* SPDX-License-Identifier: MIT */
/*
 * What a processor is given to do: a kernel is a piece of work of which each iteration is as large
 * as any other and has a result that is known. A processor that computes something else is found.
 */
#ifndef BENCH_TESTS_CPU_KERNEL_H
#define BENCH_TESTS_CPU_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/model/result.h"

#define CPU_PARTS_MAX 3

/* What all threads of a test share, read only. */
struct cpu_input {
	uint32_t number;	/* of the row: see struct cpu_param */
	uint64_t budget_ns, memory_bytes;	/* of the test; memory 0: no limit */
	uint64_t cache_bytes;	/* last-level caches of the machine; 0: not known */
	unsigned char *corpus;	/* data to compress; owned */
	uint64_t table_bytes;	/* to update at random, of all threads together */
	char note[RESULT_REASON_BYTES];	/* what is not as it should be; "" */
};

/* A number beside the rate, of one thread. */
struct cpu_part {
	const char *name;
	enum metric_unit unit;
};

struct cpu_kernel {
	enum metric_unit unit;	/* of the rate: UNIT_PER_S or UNIT_BYTES_PER_S */
	double work;		/* events or bytes of one iteration */
	uint32_t block_bytes;	/* it works on; 0: on none */
	struct cpu_part part[CPU_PARTS_MAX];	/* names NULL: there is none */
	/* Makes what threads share. 0 or -errno. NULL: nothing. */
	int (*prepare)(struct cpu_input *in);
	/* Memory that one of `members` threads takes. NULL: next to nothing. */
	uint64_t (*need_bytes)(const struct cpu_input *in, unsigned members);
	/*
	 * Makes the state of one of `members` threads, in that thread. 0 or -errno; -EBADMSG: a
	 * known result came out wrong.
	 */
	int (*begin)(const struct cpu_input *in, unsigned members, void **state);
	/* Does `n` iterations. False: one of them gave a wrong result. */
	bool (*run)(void *state, uint64_t n);
	/* After the last iteration: is what they left as it must be? NULL: run() knows. */
	bool (*check)(void *state);
	/* Fills the parts. NULL where there are none. */
	void (*parts)(const void *state, double *value);
	void (*end)(void *state);
};

extern const struct cpu_kernel cpu_prime_kernel, cpu_int_kernel, cpu_float_kernel;
extern const struct cpu_kernel cpu_aes_kernel, cpu_sha_kernel;
extern const struct cpu_kernel cpu_zstd_kernel, cpu_lz4_kernel;
extern const struct cpu_kernel cpu_hash_kernel;

/*
 * Zeroed memory for a state that shares no cache line with that of another thread; free() returns
 * it. NULL: out of memory.
 */
void *cpu_state_new(size_t bytes);
/* The data that cpu-zstd and cpu-lz4 compress: the same bytes on every machine. */
void cpu_corpus_fill(unsigned char *to, size_t bytes);

/* What makes a row of this family. */
struct cpu_param {
	const struct cpu_kernel *kernel;
	uint32_t number;	/* primes below it; 0 elsewhere */
};

#endif
