/* SPDX-License-Identifier: MIT */
/* What a logical volume costs: a partition and a device-mapper volume over it, in turn. */
#ifndef BENCH_TESTS_LVM_H
#define BENCH_TESTS_LVM_H

#include "bench/tests/test.h"

extern const struct test test_lvm_compare;

#define LVM_BYTES_MIN (UINT64_C(32) << 20)
#define LVM_PAIRS_MIN 5
#define LVM_PAIRS_MAX 15

#endif
