/* SPDX-License-Identifier: MIT */
/* Numbers as fio states them, from the model: what its text and its JSON form share. */
#ifndef BENCH_REPORT_FIO_NUMBERS_H
#define BENCH_REPORT_FIO_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/model/report.h"

#define FIO_PERCENTS 17
#define FIO_BANDS 10		/* of each of nanoseconds, microseconds, milliseconds */
#define FIO_STEPS 3		/* these three units */

/* The percentiles fio shows. */
extern const double fio_percents[FIO_PERCENTS];
/* The upper ends of its latency bands within each unit. */
extern const unsigned fio_band_ends[FIO_BANDS];
/* Nanoseconds in each unit. */
extern const double fio_step_ns[FIO_STEPS];

struct fio_spread {
	double min, max, mean, stdev;	/* of a sample (n - 1) */
};

/* The intervals of the time series; `n` 0: there are none, or they are of both directions. */
struct fio_samples {
	uint32_t n;
	struct fio_spread kib_per_s, iops;
	double percent_of_whole;	/* the samples' mean rate of the job's rate, at most 100 */
};

/* The measured time in whole milliseconds, at least 1: what fio divides by. */
double fio_runtime_ms(const struct result *t);
struct fio_samples fio_samples(const struct result *t);
/* Percentile `fio_percents[i]` of each; beyond the histogram its largest value. */
void fio_percentiles(const struct hist *clat, uint64_t ns[FIO_PERCENTS]);
/*
 * Share of all I/Os in each band, in percent; [.][FIO_BANDS] holds up to 2 s, the next those
 * beyond. Returns how many I/Os there are in all.
 */
uint64_t fio_bands(const struct result *t, double percent[FIO_STEPS][FIO_BANDS + 2]);
/* Shares of a map of struct io_outcome, in percent; what is there at all is at least 0.1. */
void fio_map(const uint64_t map[IO_MAP_N], double percent[IO_MAP_N]);
/* CPU time of all jobs, in percent of one each. */
double fio_cpu_percent(const struct result *t, uint64_t cpu_ns);
/* How much of the time the disk was busy, in percent; 0 where that is not known. */
double fio_util_percent(const struct result *t);
/* fio's word for what a job does: read, randwrite, rw ... */
const char *fio_rw_word(const struct result *t);
/* fio's name of a job: read_iops, rand_rw_4k. */
void fio_name_job(const struct result *t, char *name, size_t size);

#endif
