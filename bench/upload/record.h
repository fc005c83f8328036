/* SPDX-License-Identifier: MIT */
/* The record of an upload, kept as upload.json beside the report and renewed after every try. */
#ifndef BENCH_UPLOAD_RECORD_H
#define BENCH_UPLOAD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/upload/upload.h"

#define RECORD_SCHEMA "bootmark-upload/1"
#define RECORD_TRIES_MAX 200	/* the first and the last ones; those between are counted */

struct record_try {
	unsigned int number;
	char url[256];
	int64_t started_s;		/* wall clock, since 1970 UTC */
	uint64_t start_ns, elapsed_ns;	/* monotonic; start_ns since the first try */
	struct send_outcome outcome;
};

struct record {
	const char *run_id;
	size_t report_bytes;
	bool is_over, is_delivered;
	unsigned int try_n;	/* made; the first RECORD_TRIES_MAX / 2 and as many last are kept */
	struct record_try try[RECORD_TRIES_MAX];
};

void record_add(struct record *record, const struct upload_try *try);
/* The record as JSON text (malloc'ed, caller frees) or NULL (out of memory). */
char *record_json(const struct record *record, size_t *len_bytes);

#endif
