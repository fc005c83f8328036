/* SPDX-License-Identifier: MIT */
/* Tests of the network: the way to the collector and to other servers, and the links themselves. */
#ifndef BENCH_TESTS_NET_H
#define BENCH_TESTS_NET_H

#include "bench/tests/test.h"

extern const struct test test_net_collector;
extern const struct test test_net_node;
extern const struct test test_net_link;

#endif
