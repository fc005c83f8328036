/* SPDX-License-Identifier: MIT */
/*
 * Quantities as people read them: the unit is always named, disks and networks are decimal, memory
 * is binary, three or four significant digits. Every function writes at most `size` bytes and
 * returns `buf`.
 */
#ifndef BENCH_REPORT_UNITS_H
#define BENCH_REPORT_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "bench/model/result.h"

#define UNITS_BYTES 32	/* room enough for any of them */
/* Room for one of them, to the end of the enclosing block: `units_bytes(UNITS_BUF, n)`. */
#define UNITS_BUF (char[UNITS_BYTES]){ 0 }, UNITS_BYTES

/* "512 B", "1.02 TB": powers of 1000. */
const char *units_bytes(char *buf, size_t size, uint64_t bytes);
/* "512 B", "31.3 GiB": powers of 1024. */
const char *units_bytes_binary(char *buf, size_t size, uint64_t bytes);
/* "517 MB/s": powers of 1000. */
const char *units_rate(char *buf, size_t size, double bytes_per_s);
/* "98 IOPS", "12,345 IOPS", "1.23 M IOPS". */
const char *units_iops(char *buf, size_t size, double iops);
/* "850 ns", "12.3 us", "4.56 ms", "1.20 s", "2 min 5 s". */
const char *units_time(char *buf, size_t size, uint64_t ns);
/* "1,048,576". */
const char *units_count(char *buf, size_t size, uint64_t n);
/* "4 KiB"; in bytes where it is no whole number of a larger unit: "520 B". */
const char *units_block(char *buf, size_t size, uint64_t bytes);
/* "1 Gb/s", "2.5 Gb/s", "100 Mb/s". */
const char *units_link(char *buf, size_t size, uint32_t mbit_per_s);
/* Any of them, and what else tests measure: "1.13 ns", "3.41 GHz", "12.4 k/s", "98.2 %", "41 C". */
const char *units_metric(char *buf, size_t size, enum metric_unit unit, double value);

#endif
