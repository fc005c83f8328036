/* SPDX-License-Identifier: MIT */
/*
 * The folder of a run: one run at a time, and no report of an earlier run is lost in it.
 */
#ifndef BENCH_RUN_FOLDER_H
#define BENCH_RUN_FOLDER_H

#include <stddef.h>

#define FOLDER_LOCK "run.lock"

/*
 * Makes `dir` and its parents and locks it for this process, with `id` (the run's) as the lock's
 * content. Returns a descriptor that holds the lock until it is closed, or -errno with the reason
 * in `why`; -EBUSY: another run works there, and `why` names it.
 */
int folder_open(const char *dir, const char *id, char *why, size_t why_bytes);

/*
 * Renames report.json, report.txt and upload.json of an earlier run to report.ID.json and so on.
 * Returns 1 where there was a report, with its new name in `kept`, 0 where there was none, or
 * -errno.
 */
int folder_keep_older(const char *dir, char *kept, size_t kept_bytes);

#endif
