/* SPDX-License-Identifier: MIT */
/* The rows of the processors' tests. */
#include "bench/tests/cpu.h"

#define TIMES { { 1200, 1750 }, { 4000, 6000 }, { 12000, 12000 } }
#define FAMILY .family = "cpu", .phase = PHASE_MACHINE, .fits = test_fits_anywhere
#define ROW FAMILY, .run = cpu_run, .time = TIMES

static const struct cpu_param prime = { &cpu_prime_kernel, 10000 };
static const struct cpu_param prime_20000 = { &cpu_prime_kernel, 20000 };
static const struct cpu_param integers = { &cpu_int_kernel, 0 };
static const struct cpu_param floats = { &cpu_float_kernel, 0 };
static const struct cpu_param aes = { &cpu_aes_kernel, 0 };
static const struct cpu_param sha = { &cpu_sha_kernel, 0 };
static const struct cpu_param zstd = { &cpu_zstd_kernel, 0 };
static const struct cpu_param lz4 = { &cpu_lz4_kernel, 0 };
static const struct cpu_param hash = { &cpu_hash_kernel, 0 };

const struct test test_cpu_prime = {
	ROW, .name = "cpu-prime", .rank = 15, .param = &prime,
	.title = "primes below 10,000 (sysbench)",
	.help = "sysbench's cpu test: all primes below 10,000 by trial division are one event. "
		"Events per second of one thread, of one per core, and of all threads.",
};

const struct test test_cpu_prime_20000 = {
	FAMILY, .run = cpu_run,
	.time = { { 0, 0 }, { 0, 0 }, { 12000, 12000 } },
	.name = "cpu-prime-20000", .rank = 50, .param = &prime_20000,
	.title = "primes below 20,000 (sysbench)",
	.help = "The same with primes below 20,000, as some people run it.",
};

const struct test test_cpu_int = {
	ROW, .name = "cpu-int", .rank = 15, .param = &integers,
	.title = "integer mix",
	.help = "Sorting, CRC-32, divisors, branches and 64-bit multiplications within the first "
		"caches; every result is checked.",
};

const struct test test_cpu_float = {
	ROW, .name = "cpu-float", .rank = 15, .param = &floats,
	.title = "floating point mix",
	.help = "A Mandelbrot patch, five bodies under gravity and products of matrices in double "
		"precision; every result is checked to the last bit.",
};

const struct test test_cpu_aes_gcm = {
	ROW, .name = "cpu-aes-gcm", .rank = 20, .param = &aes,
	.title = "AES-256-GCM, 16 KiB blocks",
	.help = "Encrypts blocks of 16 KiB with their tag through mbedTLS, with the processor's "
		"AES instructions. OpenSSL is several times as fast on processors of today.",
};

const struct test test_cpu_sha256 = {
	ROW, .name = "cpu-sha256", .rank = 20, .param = &sha,
	.title = "SHA-256, 16 KiB blocks",
	.help = "Hashes blocks of 16 KiB through mbedTLS, which uses no SHA instructions of x86.",
};

const struct test test_cpu_zstd = {
	ROW, .name = "cpu-zstd", .rank = 25, .param = &zstd,
	.title = "zstd level 3, there and back",
	.help = "Compresses chunks of 1 MiB of made text, records and noise with zstd, level 3, "
		"and decompresses each at once. Compressing and decompressing are given apart, "
		"too.",
};

const struct test test_cpu_lz4 = {
	ROW, .name = "cpu-lz4", .rank = 25, .param = &lz4,
	.title = "lz4, there and back",
	.help = "The same data with lz4.",
};

const struct test test_cpu_hash = {
	ROW, .name = "cpu-hash", .rank = 25, .param = &hash,
	.title = "random updates of a large table",
	.help = "Hashes keys to seats of a table much larger than the caches and changes what "
		"stands there: updates per second, bound by memory.",
};

const struct test test_cpu_burst = {
	FAMILY, .run = cpu_burst_run,
	.time = { { 0, 0 }, { 20000, 30000 }, { 120000, 120000 } },
	.name = "cpu-burst", .rank = 40, .param = &floats,
	.title = "burst against sustained",
	.help = "All threads do the floating point mix after a short rest: the first seconds "
		"beside the last ones, with frequency, temperature and power over time.",
};
