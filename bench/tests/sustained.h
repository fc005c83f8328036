/* SPDX-License-Identifier: MIT */
/* The sustained write: what a disk writes when its cache is full, and how long it needs after. */
#ifndef BENCH_TESTS_SUSTAINED_H
#define BENCH_TESTS_SUSTAINED_H

#include <stdint.h>

#include "bench/io/engine.h"
#include "bench/tests/test.h"

#define SUSTAINED_PAUSES 5

struct sustained_param {
	uint64_t interval_ns;		/* of the pace that is looked at */
	uint64_t pause_ns[SUSTAINED_PAUSES];
	const struct io_engine *engine;	/* NULL: the usual one; else what a unit test brings */
};

extern const struct test test_sustained_write;

#endif
