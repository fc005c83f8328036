/* SPDX-License-Identifier: MIT */
/* Steady state: random writes until their rate no longer changes. */
#ifndef BENCH_TESTS_STEADY_STATE_H
#define BENCH_TESTS_STEADY_STATE_H

#include <stdint.h>

#include "bench/io/engine.h"
#include "bench/tests/test.h"

struct steady_state_param {
	uint64_t round_min_ns, round_max_ns;
	uint32_t rounds_max;		/* at most IO_SERIES_MAX */
	const struct io_engine *engine;	/* NULL: the usual one; else what a unit test brings */
};

extern const struct test test_steady_state;

#endif
