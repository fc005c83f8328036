/* SPDX-License-Identifier: MIT */
/*
 * Reads what people paste: sessions of bench.sh, hdparm, dd and fio, from terminals, forums and web
 * pages, into the report model.
 *
 * The text is data: nothing of it is run, and whatever it holds ends as clean text or as a number.
 * Line breaks may be lost, so nothing here counts on them: patterns (struct import_pattern) are
 * looked for in the whole text, the earliest match is taken, and the search goes on behind it. Each
 * result keeps the words it was read from (as_read) and what stood before them (context).
 */
#ifndef BENCH_IMPORT_IMPORT_H
#define BENCH_IMPORT_IMPORT_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/model/report.h"

#define IMPORT_LIMIT_BYTES (16u << 20)
#define IMPORT_GROUPS 16	/* subexpressions of a pattern, the whole included */
/* Name of a note on a line with a figure that no pattern took. */
#define IMPORT_NOTE_UNREAD "not read"

/* What the patterns know from one match to the next. */
struct import {
	struct report *report;
	const char *text;		/* the whole, cleaned */
	char device[DISK_NAME_BYTES];	/* that was named last: "sda"; "" none */
	char prose[RESULT_REASON_BYTES / 2];	/* the last line of it; "" once it was used */
	char context[RESULT_REASON_BYTES];	/* of the results to come */
	/* the last dd command seen, for the one line it prints */
	struct import_command {
		uint64_t block_bytes, count;	/* 0: not known */
		bool is_read, fdatasync, dsync, direct, sync;
		bool known;		/* the command stood before the line */
		char data[16];		/* that it wrote: "zeros", "random"; "" not known */
	} dd;
	char fio_command[1024];		/* the last one seen */
	size_t last;			/* index of the result that grows; SIZE_MAX: none */
	uint32_t machine_n;		/* heads of machines seen */
};

struct import_pattern {
	const char *name;
	const char *regex;	/* POSIX extended; text[m[0].rm_so] .. is what it took */
	/* Returns 0, or -ENOMEM. `m` has IMPORT_GROUPS entries, offsets in im->text. */
	int (*take)(struct import *im, const regmatch_t *m);
};

/* One table each; the first pattern of several that match at the same place is taken. */
extern const struct import_pattern import_hdparm[], import_dd[], import_benchsh[], import_fio[];
extern const size_t import_hdparm_n, import_dd_n, import_benchsh_n, import_fio_n;

/*
 * Adds all that `text` holds to `r` (initialised by the caller) as ended results, and a note for
 * each line that looks like a figure and was not read. `source` is kept as a note. Returns the
 * number of results or -errno.
 */
int import_text(struct report *r, const char *text, size_t len, const char *source);

/*
 * clean.c: a copy with one kind of blank, quote and line end, entities of HTML decoded, control
 * characters and invalid UTF-8 gone; malloc'ed, or NULL (no memory).
 */
char *import_clean(const char *text, size_t len);

/* values.c: what patterns share. `m` is a group; an absent one gives 0 or "". */
/* A number with a point or a comma before its decimals: "2,65959", "404", "1e-05". NAN: none. */
double import_number(const struct import *im, regmatch_t m);
/* The factor of a unit: "MB/s" 1e6, "MiB/s" 2^20, "k" 1000, "GB/s" 1e9, "" 1. */
double import_factor(const struct import *im, regmatch_t m);
/* Copies a group, cleaned. */
void import_copy(const struct import *im, regmatch_t m, char *to, size_t size);
bool import_has(regmatch_t m);
/* Adds a result that is OK, of that test and family, with the match as as_read; NULL: no memory. */
struct result *import_add(struct import *im, const char *test, const char *family,
			  const regmatch_t *m);
/* The result that grows, where it is of that test and has the device at hand; else NULL. */
struct result *import_same(struct import *im, const char *test);
/* A whole number from 0 to UINT32_MAX; 0 where the group or text is none. */
uint32_t import_count(const struct import *im, regmatch_t m);
uint32_t import_count_text(const char *text);
/* Adds a run of so many bytes in so many ns; `metric` becomes the median of all runs' rates. */
void import_run(struct result *r, const char *metric, double ns, double bytes);

#endif
