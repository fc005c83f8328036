/* SPDX-License-Identifier: MIT */
/* The four fio jobs that people publish, with fio's full statistics. */
#ifndef BENCH_TESTS_FIO_JOBS_H
#define BENCH_TESTS_FIO_JOBS_H

#include "bench/tests/test.h"

extern const struct test test_fio_read_throughput, test_fio_read_iops;
extern const struct test test_fio_write_throughput, test_fio_write_iops;

#endif
