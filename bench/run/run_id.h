/* SPDX-License-Identifier: MIT */
/* The name of a run: a random UUID (RFC 9562, version 4), so that no two reports share one. */
#ifndef BENCH_RUN_RUN_ID_H
#define BENCH_RUN_RUN_ID_H

#define RUN_ID_BYTES 37

/* Fills `id` with a new UUID, lower case. Returns 0 or -errno of getrandom. */
int run_id_new(char id[RUN_ID_BYTES]);

#endif
