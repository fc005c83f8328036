/* SPDX-License-Identifier: MIT */
/*
 * What one test found on one target. No pointers: a worker process writes it into a pipe as it is.
 */
#ifndef BENCH_MODEL_RESULT_H
#define BENCH_MODEL_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/io/job.h"
#include "bench/sys/disk.h"
#include "bench/sys/disk_stat.h"

#define RESULT_METRICS_MAX 24
#define RESULT_REASON_BYTES 240
#define RESULT_MARKS_MAX 6
#define RESULT_SERIES_MAX 4
#define SERIES_POINTS_MAX 1024
#define METRIC_SAMPLES_MAX 64	/* kept in order; a longer run keeps intervals merged evenly */

/* Absence is a value: each of these but OK comes with a reason. */
enum result_status {
	RESULT_PLANNED,		/* not reached yet (a report written while the run goes on) */
	RESULT_RUNNING,
	RESULT_OK,
	RESULT_FAILED,		/* ran and met what makes its number worthless; or crashed */
	RESULT_SKIPPED,		/* was not to run here, by choice or option */
	RESULT_TIMEOUT,		/* did not end by its deadline */
	RESULT_UNSUPPORTED,	/* cannot run on this target (sector size, size, kernel) */
	RESULT_STATUS_COUNT
};
extern const char *const result_status_words[RESULT_STATUS_COUNT];

enum metric_unit {
	UNIT_BYTES_PER_S, UNIT_IOPS, UNIT_NS, UNIT_BYTES, UNIT_COUNT, UNIT_PERCENT, UNIT_CELSIUS,
	UNIT_PER_S, UNIT_HERTZ, UNIT_WATTS, UNIT_VOLTS, UNIT_AMPERES, UNIT_RPM,
	UNIT_UNITS
};
extern const char *const metric_unit_words[UNIT_UNITS];	/* "bytes_per_s", "iops", "ns" ... */

/*
 * One number with its spread. value is what the test reports; where samples exist they show how it
 * varied over time (median, MAD = median absolute deviation, both of the samples as kept; min and
 * max of all values, before any were merged).
 */
struct metric {
	char name[40];		/* "throughput", "iops", "lat_mean", "lat_p99" ... */
	enum metric_unit unit;
	double value;
	uint32_t sample_n;	/* 0: a single number without samples */
	double median, mad, min, max;
	double sample[METRIC_SAMPLES_MAX];
};

/*
 * Something over something else: a transfer curve (x: offset in bytes, y: bytes/s), access times, a
 * queue-depth sweep (x: count), runs of a tool (x: ns it took, y: bytes it moved), a temperature
 * over time. In the order it was measured.
 */
struct series {
	char name[24];		/* "transfer", "access", "runs", "sweep", "temperature" ... */
	enum metric_unit x_unit, y_unit;
	uint32_t point_n;
	uint64_t points_lost;	/* that found no room */
	struct point {
		double x, y;
	} point[SERIES_POINTS_MAX];
};

/*
 * Why the number may not be what it seems: put on the result itself, whatever its status. `word` is
 * stable, one of those docs/measuring.md lists.
 */
struct mark {
	char word[24];		/* "all-zero", "cached", "above-link", "throttled", "paused" ... */
	char text[RESULT_REASON_BYTES];	/* one clause with the evidence, valid UTF-8 */
};

struct result {
	char test[40];			/* name of a row of the test table */
	char family[16];		/* of the test, "" for our own */
	char phase[16];			/* "alone", "together", "machine" or "network" */
	char target[DISK_NAME_BYTES];	/* kernel name of the disk, "" for the machine */
	char target_identity[DISK_TEXT_BYTES];
	enum result_status status;
	char reason[RESULT_REASON_BYTES];	/* valid UTF-8 */
	uint64_t start_ns;		/* monotonic, since the run began */
	uint64_t elapsed_ns;
	uint64_t budget_ns;		/* what the plan gave it */
	/* parameters, as used */
	char engine[16];		/* "" where the test does no I/O through an engine */
	char access[16];		/* "read", "write", "mixed" */
	char data[16];			/* of what was written: "zeros", "random"; "" for reads */
	char via[16];			/* "device", "page-cache", "file" */
	char path[128];			/* the file or folder, where it was no device */
	char order[16];			/* "sequential", "random" */
	uint32_t block_bytes, depth, depth_asked, jobs;
	uint64_t area_offset_bytes, area_bytes, ramp_ns, seed;
	/* of a result that was read from pasted text: its words, and what stood before them */
	char as_read[RESULT_REASON_BYTES], context[RESULT_REASON_BYTES];
	uint32_t metric_n;
	struct metric metric[RESULT_METRICS_MAX];
	bool has_io;			/* `io` is filled */
	struct io_outcome io;
	uint64_t series_ns;		/* interval of io.series_bytes */
	uint32_t mark_n;
	struct mark mark[RESULT_MARKS_MAX];
	uint32_t series_n;
	struct series series[RESULT_SERIES_MAX];
	bool area_written;		/* on an area this run had written with random data */
	bool has_disk_stat;
	/* what the kernel counted on the device while the test ran */
	struct disk_stat disk_stat;
};

/* Empties `r` and sets test, target and status RESULT_PLANNED. */
void result_init(struct result *r, const char *test, const char *target);
/*
 * Appends a metric without samples; returns it, or NULL when the result is full (a bug: see unit
 * test) or the value is not finite: such a metric is absent.
 */
struct metric *result_metric(struct result *r, const char *name, enum metric_unit unit,
			     double value);
/*
 * Fills the sample fields of `m` from `n` finite values, merged evenly by mean to
 * METRIC_SAMPLES_MAX. `m` may be NULL (result_metric refused it): then nothing happens.
 */
void metric_samples(struct metric *m, const double *value, uint32_t n);
/* Marks the result (printf form, cleaned to UTF-8); the same word twice keeps the first. */
void result_mark(struct result *r, const char *word, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Finds a mark by its word or returns NULL. */
const struct mark *result_find_mark(const struct result *r, const char *word);
/* True where the result has that mark. */
bool result_has_mark(const struct result *r, const char *word);
/* Marks say that the number may be of no disk: of zeros, of a cache, or above what its link can. */
bool result_is_doubtful(const struct result *r);
/* By its phase: of a disk while others were busy too, of processors or memory, of the network. */
bool result_is_together(const struct result *r);
bool result_is_of_machine(const struct result *r);
bool result_is_of_network(const struct result *r);
/* Appends an empty series; returns it, or NULL when the result is full (a bug: see unit test). */
struct series *result_series(struct result *r, const char *name, enum metric_unit x_unit,
			     enum metric_unit y_unit);
/* Appends a point of two finite values; others are left out. `s` may be NULL. */
void series_add(struct series *s, double x, double y);
/* Finds a series by name or returns NULL. */
const struct series *result_find_series(const struct result *r, const char *name);
/* Finds a metric by name or returns NULL. */
const struct metric *result_find(const struct result *r, const char *name);
/* Sets status and reason (printf form, cleaned to UTF-8). */
void result_end(struct result *r, enum result_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
