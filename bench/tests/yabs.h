/* SPDX-License-Identifier: MIT */
/* YABS's four mixes of reads and writes. */
#ifndef BENCH_TESTS_YABS_H
#define BENCH_TESTS_YABS_H

#include "bench/tests/test.h"

extern const struct test test_yabs_4k, test_yabs_64k, test_yabs_512k, test_yabs_1m;

#endif
