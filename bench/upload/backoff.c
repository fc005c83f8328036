/* SPDX-License-Identifier: MIT */
/* How long to wait before an upload is tried again: exponential with full jitter. */
#include "bench/upload/backoff.h"

#include "lib/clock.h"

uint64_t backoff_pause_ns(unsigned int round, uint32_t random)
{
	const uint64_t floor_ns = BACKOFF_FLOOR_MS * NS_PER_MS;
	/* the cap is reached long before a shift could overflow */
	uint64_t limit_s = round < 16 ? (uint64_t)BACKOFF_FIRST_S << round : BACKOFF_CAP_S;
	uint64_t limit_ns = (limit_s < BACKOFF_CAP_S ? limit_s : BACKOFF_CAP_S) * NS_PER_S;

	/* in two steps, for limit * 2^32 does not fit in 64 bits */
	return floor_ns + (limit_ns - floor_ns) / UINT32_MAX * random +
	       (limit_ns - floor_ns) % UINT32_MAX * random / UINT32_MAX;
}

uint64_t backoff_bounded_ns(unsigned int round, uint32_t random, uint32_t least_s,
			    uint32_t retry_after_s, uint64_t left_ns)
{
	uint64_t pause_ns = backoff_pause_ns(round, random);
	uint64_t least_ns = least_s * NS_PER_S;
	uint64_t server_s = retry_after_s;

	if (server_s > BACKOFF_SERVER_CAP_S)
		server_s = BACKOFF_SERVER_CAP_S;
	if (pause_ns < least_ns)
		pause_ns = least_ns;
	if (pause_ns < server_s * NS_PER_S)
		pause_ns = server_s * NS_PER_S;
	return pause_ns < left_ns ? pause_ns : left_ns;
}
