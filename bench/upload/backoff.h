/* SPDX-License-Identifier: MIT */
/* How long to wait before an upload is tried again: exponential with full jitter. */
#ifndef BENCH_UPLOAD_BACKOFF_H
#define BENCH_UPLOAD_BACKOFF_H

#include <stdint.h>

#define BACKOFF_FIRST_S 1	/* limit of the first pause; it doubles each round */
#define BACKOFF_CAP_S 60	/* largest limit */
#define BACKOFF_FLOOR_MS 250	/* shortest pause */
#define BACKOFF_SERVER_CAP_S 120	/* the most a server's Retry-After is believed */

/*
 * The pause after failed round number `round` (from 0) in nanoseconds: uniform between the floor
 * and min(BACKOFF_CAP_S, BACKOFF_FIRST_S * 2^round), chosen by `random` (all 32 bits used).
 * Hundreds of machines that lost the same server at the same moment so come back spread out ("full
 * jitter" in M. Brooker, Exponential Backoff And Jitter, 2015).
 */
uint64_t backoff_pause_ns(unsigned int round, uint32_t random);

/*
 * The same with what else bounds it: not below `least_s`, not below the server's Retry-After
 * (0: none; believed up to BACKOFF_SERVER_CAP_S), and never beyond `left_ns`, so that the last
 * try happens just as the time ends.
 */
uint64_t backoff_bounded_ns(unsigned int round, uint32_t random, uint32_t least_s,
			    uint32_t retry_after_s, uint64_t left_ns);

#endif
