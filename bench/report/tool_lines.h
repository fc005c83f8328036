/* SPDX-License-Identifier: MIT */
/*
 * The lines of hdparm, dd and bench.sh, character for character as these print them, from our own
 * measurements. Every function writes at most `size` bytes and returns `buf`.
 */
#ifndef BENCH_REPORT_TOOL_LINES_H
#define BENCH_REPORT_TOOL_LINES_H

#include <stddef.h>
#include <stdint.h>

#define TOOL_LINE_BYTES 160

/*
 * "64 MB in  0.22 seconds = 293.83 MB/sec", what hdparm 9.65 puts behind "Timing ... reads: ". Its
 * MB are 2^20 bytes, its kB 2^10; kB/sec below 1 MB/sec.
 */
const char *tool_line_hdparm(char *buf, size_t size, uint64_t bytes, uint64_t ns);

/*
 * "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.65959 s, 404 MB/s", as GNU dd (coreutils 9.1).
 */
const char *tool_line_dd(char *buf, size_t size, uint64_t bytes, uint64_t ns);

/* "404 MB/s": the last part of that line. Its units are powers of 1000. */
const char *tool_line_dd_rate(char *buf, size_t size, uint64_t bytes, uint64_t ns);

#endif
