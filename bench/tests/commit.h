/* SPDX-License-Identifier: MIT */
/* What a database feels: small writes that must be on the medium before the next one. */
#ifndef BENCH_TESTS_COMMIT_H
#define BENCH_TESTS_COMMIT_H

#include "bench/tests/test.h"

extern const struct test test_commit_latency, test_commit_latency_file;

#define COMMIT_BLOCK_BYTES UINT32_C(4096)
/* The log that is written round and round, as databases keep theirs; or less, on a small disk. */
#define COMMIT_RING_BYTES (UINT64_C(64) << 20)

#endif
