/* SPDX-License-Identifier: MIT */
/* Results in the JSON form of fio 3.33, for tools that read it, and in that of YABS. */
#ifndef BENCH_REPORT_FIO_JSON_H
#define BENCH_REPORT_FIO_JSON_H

#include "bench/model/report.h"

/*
 * Every test that did I/O with a latency for each, as a job of its own named DISK-TEST; "fio
 * version" names us. Numbers that were not measured are left out, where fio would put 0; a
 * direction that was not used has zeros, as fio's has. malloc'ed, caller frees; NULL: no memory.
 */
char *fio_json_write(const struct report *r, size_t *len_bytes);

/*
 * YABS's form, with its own units (its KBps are fio's, of 1024 bytes); of several disks the first
 * that has such results. malloc'ed, caller frees; NULL: no memory.
 */
char *yabs_json_write(const struct report *r, size_t *len_bytes);

#endif
