/* SPDX-License-Identifier: MIT */
/* The results of fio's jobs in the words of fio itself, for who compares with stored outputs. */
#ifndef BENCH_REPORT_TEXT_FIO_H
#define BENCH_REPORT_TEXT_FIO_H

#include <stddef.h>

#include "bench/model/report.h"

/*
 * Every result of family "fio" or "yabs" as fio 3.33 prints a group of jobs, each below two comment
 * lines ("# ...") with the disk and the command it equals; of one that has no numbers the reason.
 * Malloc'ed, the caller frees; NULL: out of memory.
 */
char *fio_text_write(const struct report *r, size_t *len_bytes);

#endif
