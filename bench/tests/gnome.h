/* SPDX-License-Identifier: MIT */
/* The benchmark of GNOME Disks: transfer rates over the disk, write-back, access times. */
#ifndef BENCH_TESTS_GNOME_H
#define BENCH_TESTS_GNOME_H

#include <stdint.h>

#include "bench/tests/gnome_rand.h"
#include "bench/tests/test.h"

extern const struct test test_gnome_curve, test_gnome_access, test_gnome_write;

#define GNOME_SAMPLES 100
#define GNOME_SAMPLE_BYTES (UINT32_C(10) << 20)
#define GNOME_SAMPLE_BYTES_MIN (UINT32_C(64) << 10)	/* smaller ones say nothing about rates */
#define GNOME_ACCESSES 1000
#define GNOME_SEED 42

/* Where sample n of GNOME_SAMPLES lies in `size_bytes`, rounded down to a page. */
uint64_t gnome_sample_offset(uint32_t n, uint64_t size_bytes, uint32_t page_bytes);
/* Where the next access goes. */
uint64_t gnome_access_offset(struct gnome_rand *r, uint64_t size_bytes, uint32_t page_bytes);
#endif
