/* SPDX-License-Identifier: MIT */
/* Numbers as fio states them; see fio_numbers.h. */
#include "bench/report/fio_numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define KIB 1024.0

const double fio_percents[FIO_PERCENTS] = {
	1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99,
};
const unsigned fio_band_ends[FIO_BANDS] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000 };
const double fio_step_ns[FIO_STEPS] = { 1, 1e3, 1e6 };

double fio_runtime_ms(const struct result *t)
{
	double ms = round((double)t->io.measured_ns / 1e6);

	return ms < 1 ? 1 : ms;
}

static struct fio_spread spread_of(const double *v, uint32_t n)
{
	struct fio_spread s = { .min = INFINITY, .max = -INFINITY };
	double square = 0;

	for (uint32_t i = 0; i < n; i++) {
		s.min = fmin(s.min, v[i]);
		s.max = fmax(s.max, v[i]);
		s.mean += v[i] / n;
	}
	for (uint32_t i = 0; i < n; i++)
		square += (v[i] - s.mean) * (v[i] - s.mean);
	s.stdev = n > 1 ? sqrt(square / (n - 1)) : 0;
	return s;
}

/* The series is the sum of all jobs and of both directions: a mix has none of its parts. */
struct fio_samples fio_samples(const struct result *t)
{
	const struct io_outcome *io = &t->io;
	double kib_per_s[IO_SERIES_MAX], iops[IO_SERIES_MAX], whole;
	double seconds = (double)t->series_ns / 1e9;
	struct fio_samples s = { .n = 0 };

	if (!strcmp(t->access, "mixed") || !io->series_n || io->series_n > IO_SERIES_MAX ||
	    seconds <= 0 || !t->block_bytes || !io->measured_ns)
		return s;
	s.n = io->series_n;
	for (uint32_t i = 0; i < s.n; i++) {
		kib_per_s[i] = (double)io->series_bytes[i] / seconds / KIB;
		iops[i] = kib_per_s[i] * KIB / t->block_bytes;
	}
	s.kib_per_s = spread_of(kib_per_s, s.n);
	s.iops = spread_of(iops, s.n);
	whole = (double)io->bytes * 1e9 / (double)io->measured_ns / KIB;
	s.percent_of_whole = whole > 0 ? fmin(100, s.kib_per_s.mean * 100 / whole) : 100;
	return s;
}

void fio_percentiles(const struct hist *clat, uint64_t ns[FIO_PERCENTS])
{
	for (size_t i = 0; i < FIO_PERCENTS; i++) {
		ns[i] = hist_percentile(clat, fio_percents[i]);
		if (ns[i] == UINT64_MAX)	/* beyond the histogram: no more is known */
			ns[i] = clat->max_ns;
	}
}

static void count_bands(const struct hist *h, uint64_t band[FIO_STEPS][FIO_BANDS + 2])
{
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		/* by its middle: a bucket that straddles an end is 1.6 % wide */
		double ns = (double)(hist_bucket_low(i) + hist_bucket_end(i) - 1) / 2;
		int step = ns < 1e3 ? 0 : ns < 1e6 ? 1 : 2, k = 0;

		while (k < FIO_BANDS && ns / fio_step_ns[step] >= fio_band_ends[k])
			k++;
		if (k == FIO_BANDS && ns >= 2e9)
			k++;
		band[step][k] += h->bucket[i];
	}
	band[2][FIO_BANDS + 1] += h->over;
}

uint64_t fio_bands(const struct result *t, double percent[FIO_STEPS][FIO_BANDS + 2])
{
	uint64_t band[FIO_STEPS][FIO_BANDS + 2] = { { 0 } }, total = 0;

	for (int i = 0; i < IO_SIDES; i++) {
		count_bands(&t->io.side[i].clat, band);
		total += t->io.side[i].clat.count;
	}
	if (!total) {		/* without detail there is one histogram of all */
		count_bands(&t->io.lat, band);
		total = t->io.lat.count;
	}
	for (int step = 0; step < FIO_STEPS; step++)
		for (int k = 0; k < FIO_BANDS + 2; k++)
			percent[step][k] = !band[step][k] ? 0 :
				fmax(0.01, 100 * (double)band[step][k] / (double)total);
	return total;
}

void fio_map(const uint64_t map[IO_MAP_N], double percent[IO_MAP_N])
{
	uint64_t total = 0;

	for (int i = 0; i < IO_MAP_N; i++)
		total += map[i];
	for (int i = 0; i < IO_MAP_N; i++) {
		percent[i] = total ? 100 * (double)map[i] / (double)total : 0;
		if (map[i] && percent[i] < 0.1)
			percent[i] = 0.1;
	}
}

double fio_cpu_percent(const struct result *t, uint64_t cpu_ns)
{
	double all_ns = (double)t->io.measured_ns * (t->jobs ? t->jobs : 1);

	return all_ns > 0 ? 100 * (double)cpu_ns / all_ns : 0;
}

double fio_util_percent(const struct result *t)
{
	double elapsed_ms = (double)t->elapsed_ns / 1e6;

	return elapsed_ms > 0 ? fmin(100, 100 * (double)t->disk_stat.io_ticks_ms / elapsed_ms) : 0;
}

void fio_name_job(const struct result *t, char *name, size_t size)
{
	bool is_yabs = !strcmp(t->family, "yabs");
	const char *own = strchr(t->test, '-');

	snprintf(name, size, "%s%s", is_yabs ? "rand_rw_" : "", own ? own + 1 : t->test);
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
}

const char *fio_rw_word(const struct result *t)
{
	bool random = !strcmp(t->order, "random");

	if (!strcmp(t->access, "mixed"))
		return random ? "randrw" : "rw";
	if (!strcmp(t->access, "write"))
		return random ? "randwrite" : "write";
	return random ? "randread" : "read";
}
