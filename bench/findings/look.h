/* SPDX-License-Identifier: MIT */
/* What several finding rules look up in a report: names for disks, main numbers, health. */
#ifndef BENCH_FINDINGS_LOOK_H
#define BENCH_FINDINGS_LOOK_H

#include "bench/model/report.h"

#define LOOK_LABEL_BYTES 112
/* Room for a label to the end of the enclosing block: `look_label(r, name, LABEL_BUF)`. */
#define LABEL_BUF (char[LOOK_LABEL_BYTES]){ 0 }

/* A kind of trouble that a result has or has not. */
typedef bool look_met(const struct result *t);
/*
 * True where result `i` is its disk's first with that trouble; others of the disk are summed up
 * with it.
 */
bool look_first(const struct report *r, size_t i, look_met *trouble);

/* The number a test is known by: IOPS where the order is random, else throughput. NULL: none. */
const struct metric *look_speed(const struct result *t);
/*
 * The same where it is the disk's own, by which disks are compared: measured while no other was
 * busy, and not of zeros or of a cache. NULL: none.
 */
const struct metric *look_own_speed(const struct result *t);
/* A value of that metric with its unit. Writes at most `size` bytes and returns `buf`. */
const char *look_speed_text(char *buf, size_t size, const struct metric *m, double value);

/* Whole intervals of io.series_bytes: one that the end of the job cut short does not count. */
uint32_t look_intervals(const struct result *t);

/*
 * Median of their own speeds over the disks of the model and size of result `t`'s, itself included;
 * `n` counts them, 0 where the model is not known.
 */
double look_siblings(const struct report *r, const struct result *t, size_t *n);

/* True where nothing says that this is a virtual machine. */
bool look_is_metal(const struct report *r);
/*
 * A disk that a host or a file stands for. NVMe of a virtual machine is none: it may be passed
 * through, as fast as it is, and tells its health.
 */
bool look_is_virtual(const struct report *r, const char *disk);
/* A test of memory that found errors in it. */
bool look_memory_errors(const struct result *t);

/* "sda (ST4000NM0033-9ZM170)"; without a known model "sda". `buf` has LOOK_LABEL_BYTES. */
const char *look_label(const struct report *r, const char *disk, char *buf);
/* The same inside of a rule, to the end of the enclosing block. */
#define LABEL(disk) look_label(r, disk, LABEL_BUF)
/* The same of a health record, also of a disk behind a controller: "megaraid,8 (ST4000...)". */
const char *look_health_label(const struct report *r, const struct health *h, char *buf);

/* A doubt stands on that value: no finding is built on it. */
bool look_doubted(const struct health *h, const char *key);

#endif
