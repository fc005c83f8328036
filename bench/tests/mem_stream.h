/* SPDX-License-Identifier: MIT */
/* Memory bandwidth: a variant of the STREAM kernels, and copying. */
#ifndef BENCH_TESTS_MEM_STREAM_H
#define BENCH_TESTS_MEM_STREAM_H

#include "bench/tests/test.h"

extern const struct test test_mem_stream, test_mem_copy;

#endif
