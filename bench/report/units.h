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

#define UNITS_BYTES 32	/* room enough for any of them */

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

#endif
