/* SPDX-License-Identifier: MIT */
/* Pauses between tries: their bounds, their spread, and what else limits them. */
#include "bench/upload/backoff.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define FLOOR_NS (BACKOFF_FLOOR_MS * NS_PER_MS)

static void test_bounds(void)
{
	static const struct {
		unsigned int round;
		uint64_t limit_s;
	} rows[] = {
		{ 0, 1 }, { 1, 2 }, { 2, 4 }, { 3, 8 }, { 4, 16 }, { 5, 32 }, { 6, 60 }, { 7, 60 },
		{ 15, 60 }, { 16, 60 }, { 31, 60 }, { 32, 60 }, { 64, 60 }, { 4294967295u, 60 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is_uint(backoff_pause_ns(rows[i].round, 0), FLOOR_NS, "round %u: shortest",
			rows[i].round);
		is_uint(backoff_pause_ns(rows[i].round, UINT32_MAX), rows[i].limit_s * NS_PER_S,
			"round %u: longest", rows[i].round);
	}
}

/* Every value is as likely: quarters of the random range give quarters of the pause. */
static void test_spread(void)
{
	uint64_t span = 60 * NS_PER_S - FLOOR_NS, before = 0;
	bool grows = true;

	for (uint64_t part = 1; part < 4; part++)
		is_near((double)backoff_pause_ns(9, (uint32_t)(part << 30)),
			(double)(FLOOR_NS + span / 4 * part), 1000, "%d/4 of the range", (int)part);
	for (uint64_t random = 0; random <= UINT32_MAX; random += 1048576) {
		uint64_t pause = backoff_pause_ns(3, (uint32_t)random);

		grows = grows && pause >= before && pause <= 8 * NS_PER_S;
		before = pause;
	}
	ok(grows, "a larger number never gives a shorter pause");
}

static void test_limits(void)
{
	const uint64_t hour = 3600 * NS_PER_S;

	is_uint(backoff_bounded_ns(0, UINT32_MAX, 0, 0, hour), NS_PER_S, "nothing else");
	is_uint(backoff_bounded_ns(0, UINT32_MAX, 5, 0, hour), 5 * NS_PER_S, "a least pause");
	is_uint(backoff_bounded_ns(9, UINT32_MAX, 5, 0, hour), 60 * NS_PER_S, "below the pause");
	is_uint(backoff_bounded_ns(0, 0, 0, 30, hour), 30 * NS_PER_S, "Retry-After");
	is_uint(backoff_bounded_ns(9, UINT32_MAX, 0, 30, hour), 60 * NS_PER_S,
		"a Retry-After below the pause");
	is_uint(backoff_bounded_ns(0, 0, 0, UINT32_MAX, hour), BACKOFF_SERVER_CAP_S * NS_PER_S,
		"an absurd Retry-After");
	is_uint(backoff_bounded_ns(9, UINT32_MAX, 5, 100, 7), 7, "the time left wins");
	is_uint(backoff_bounded_ns(9, UINT32_MAX, 5, 100, 0), 0, "no time left");
}

int main(void)
{
	test_bounds();
	test_spread();
	test_limits();
	return tap_done();
}
