/* SPDX-License-Identifier: MIT */
/* Drops in throughput are found where they are, and nothing else is called one. */
#include "bench/stats/changepoint.h"

#include <stdint.h>

#include "tests/unit/tap.h"

#define N 600
#define MB 1e6

static const struct changepoint_rule rule = { .segment_min = 10, .share_min = 0.15 };

static double series[CHANGEPOINT_VALUES_MAX + 10];
static struct changepoint drop[4];

/* xorshift: the same noise on every machine */
static double noise(uint64_t *state)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		*state ^= *state << 13;
		*state ^= *state >> 7;
		*state ^= *state << 17;
		sum += (double)(*state >> 11) / 9007199254740992.0;
	}
	return sum - 6;		/* about normal, deviation 1 */
}

/* value[i] *= 1 + share * noise */
static void add_noise(size_t n, double share, uint64_t seed)
{
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

	for (size_t i = 0; i < n; i++) {
		series[i] *= 1 + share * noise(&state);
		series[i] = series[i] < 0 ? 0 : series[i];
	}
}

static void level(size_t from, size_t to, double value)
{
	for (size_t i = from; i < to; i++)
		series[i] = value;
}

static size_t drops(size_t n)
{
	memset(drop, 0, sizeof(drop));
	return changepoint_drops(series, n, &rule, drop, 4);
}

static void clean_steps(void)
{
	level(0, 200, 460 * MB);
	level(200, N, 200 * MB);
	is_int((long long)drops(N), 1, "460 to 200 MB/s is a drop");
	is_int((long long)drop[0].index, 200, "at its value");
	is_near(drop[0].position, 200, 1e-9, "between two whole values");
	is_near(drop[0].before, 460 * MB, 1, "level before");
	is_near(drop[0].after, 200 * MB, 1, "level after");

	series[200] = 330 * MB;
	(void)drops(N);
	is_near(drop[0].position, 200.5, 0.01, "a value half way is half before");
	series[200] = 200 * MB;
	series[199] = 330 * MB;
	(void)drops(N);
	is_near(drop[0].position, 199.5, 0.01, "on the other side too");

	level(0, 590, 460 * MB);
	level(590, N, 200 * MB);
	is_int((long long)drops(N), 1, "a late drop of 10 values");
	is_int((long long)drop[0].index, 590, "in its place");
	is_int((long long)drops(599), 0, "9 are too few");
	level(0, 10, 460 * MB);
	level(10, N, 200 * MB);
	is_int((long long)drops(N), 1, "an early one");
	is_int((long long)drop[0].index, 10, "in its place");
	level(100, N, 0);
	is_int((long long)drops(N), 2, "down to nothing");
	is_near(drop[1].after, 0, 0, "is a level too");
}

static void more_than_one(void)
{
	level(0, 100, 2000 * MB);
	level(100, 300, 900 * MB);
	level(300, N, 400 * MB);
	add_noise(N, 0.05, 3);
	is_int((long long)drops(N), 2, "cache, then flash, then folding: two drops");
	is_int((long long)drop[0].index, 100, "the first");
	is_int((long long)drop[1].index, 300, "the second");
	is_near(drop[0].after, 900 * MB, 20 * MB, "the first ends at the second");
	is_near(drop[1].before, 900 * MB, 20 * MB, "where that begins");
	is_int((long long)changepoint_drops(series, N, &rule, drop, 1), 1, "as many as have room");

	level(0, 60, 300 * MB);
	level(60, 200, 460 * MB);
	level(200, N, 200 * MB);
	is_int((long long)drops(N), 1, "rises are not given");
	is_int((long long)drop[0].index, 200, "but separate levels");
	is_near(drop[0].before, 460 * MB, 1, "before");
	is_near(drop[0].after, 200 * MB, 1, "and after");
}

static void noisy_steps(void)
{
	size_t found = 0, exact = 0, alone = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		level(0, 250, 460 * MB);
		level(250, N, 200 * MB);
		add_noise(N, 0.05, seed);
		alone += drops(N) == 1;
		found += drop[0].index > 0;
		exact += drop[0].position > 249 && drop[0].position < 251;
	}
	is_int((long long)found, 200, "with 5 %% of noise the drop is found every time");
	is_int((long long)exact, 200, "to one value");
	is_int((long long)alone, 200, "and no other");
}

static void not_a_drop(void)
{
	size_t wrong = 0;

	level(0, N, 460 * MB);
	is_int((long long)drops(N), 0, "steady");
	level(0, N, 0);
	is_int((long long)drops(N), 0, "nothing at all");
	is_int((long long)drops(0), 0, "no values");
	level(0, 10, 460 * MB);
	level(10, 15, 200 * MB);
	is_int((long long)drops(15), 0, "too few values");
	for (uint64_t seed = 1; seed <= 200; seed++) {
		size_t n = 30 + seed * 2;

		level(0, N, 460 * MB);
		add_noise(N, seed % 2 ? 0.05 : 0.3, seed);
		wrong += drops(n) > 0;
	}
	is_int((long long)wrong, 0, "noise of 5 and of 30 %%, of 32 to 430 values");
	wrong = 0;
	for (uint64_t seed = 1; seed <= 2000; seed++) {
		level(0, N, 460 * MB);
		add_noise(N, 0.3, seed);
		wrong += drops(20 + seed % 20) > 0;
	}
	ok(wrong <= 5, "30 %% of noise in 20 to 39 values: %zu of 2000 taken for a drop", wrong);

	level(0, N, 460 * MB);
	series[300] = 20 * MB;
	is_int((long long)drops(N), 0, "a single spike down");
	series[300] = 4600 * MB;
	is_int((long long)drops(N), 0, "or up");
	series[0] = 9000 * MB;
	series[N - 1] = 0;
	is_int((long long)drops(N), 0, "at the ends");

	level(0, N, 460 * MB);
	for (size_t i = 30; i + 4 < N; i += 30)
		level(i, i + 4, 60 * MB);
	add_noise(N, 0.05, 9);
	wrong = 0;
	for (size_t n = 20; n <= N; n++)
		wrong += drops(n) > 0;
	is_int((long long)wrong, 0, "dips that come again, wherever the series ends");
	level(0, N, 460 * MB);
	level(280, 320, 200 * MB);
	is_int((long long)drops(N), 0, "a long dip that is over");
	level(0, N, 460 * MB);
	level(N - 8, N, 0);
	is_int((long long)drops(N), 0, "what has just begun");
	level(0, N, 200 * MB);
	level(0, 8, 460 * MB);
	is_int((long long)drops(N), 0, "a start that is too short");
	for (size_t i = 0; i < N; i++)
		series[i] = (i < 400 ? 400 : i < 440 ? 450 : 380) * MB;
	series[439] = series[438] = 460 * MB;
	is_int((long long)drops(N), 0, "back to about what it was after a short rise");

	/* uneven all the time: two slow values in five, then three */
	for (size_t i = 0; i < N; i++)
		series[i] = (i * 2 % 5 < (i < 300 ? 2 : 3) ? 100 : 460) * MB;
	is_int((long long)drops(N), 0, "a disk that is uneven before and after");
}

static void slopes(void)
{
	size_t wrong = 0;

	for (uint64_t seed = 1; seed <= 50; seed++) {
		size_t n = 40 + seed * 11;

		/* a whole disk from its outer to its inner tracks: 20 zones, 270 to 130 MB/s */
		for (size_t i = 0; i < n; i++)
			series[i] = (270 - 140.0 / 19 * (double)(i * 20 / n)) * MB;
		add_noise(n, 0.03, seed);
		wrong += drops(n) > 0;
		for (size_t i = 0; i < n; i++)
			series[i] = (460 - 60 * (double)i / (double)n) * MB;
		add_noise(n, 0.05, seed);
		wrong += drops(n) > 0;
	}
	is_int((long long)wrong, 0, "zones of a rotating disk, and a slow drift, are no drop");
	for (size_t i = 0; i < 40; i++)
		series[i] = (200 - 3.5 * (double)i) * MB;
	is_int((long long)drops(40), 0, "a steep slope of few values neither");
	for (size_t i = 0; i < N; i++)
		series[i] = (i < 300 ? 200 : 200 - (double)(i - 300) / 3) * MB;
	is_int((long long)drops(N), 0, "nor one that begins half way");

	for (size_t i = 0; i < N; i++)
		series[i] = i < 300 ? (200 - (double)i / 10) * MB : 40 * MB;
	add_noise(N, 0.05, 4);
	is_int((long long)drops(N), 1, "a rotating disk whose cache area is full drops");
	is_near(drop[0].position, 300, 1, "in its place");

	/* it heats up, and slows down within a tenth of the time */
	level(0, N, 250 * MB);
	for (size_t i = 0; i < 260; i++)
		series[i] = i < 200 ? 500 * MB : (500 - 250 * (double)(i - 200) / 60) * MB;
	add_noise(N, 0.05, 5);
	ok(drops(N) >= 1, "a drop need not be sudden");
	is_near(drop[0].position, 230, 30, "it is somewhere on the way down");
}

/* "The SSD drops to 200 MB/s and takes long to come back to 460", with what a SATA disk does. */
static void seeds_shape(void)
{
	level(0, 260, 460 * MB);
	level(260, N, 200 * MB);
	for (size_t i = 260; i < N; i += 25)
		level(i, i + 3 < N ? i + 3 : N, 450 * MB);	/* a little comes free */
	for (size_t i = 17; i < 260; i += 40)
		series[i] = 380 * MB;
	add_noise(N, 0.05, 6);
	is_int((long long)drops(N), 1, "the seeds' shape: one drop");
	is_near(drop[0].position, 260, 3.5, "where it fell");
	is_near(drop[0].before, 460 * MB, 10 * MB, "from 460");
	is_near(drop[0].after, 200 * MB, 10 * MB, "to 200");

	/* a little below the smallest that counts, and a little above */
	level(0, 300, 460 * MB);
	level(300, N, 460 * 0.88 * MB);
	is_int((long long)drops(N), 0, "12 %% less is no drop");
	level(300, N, 460 * 0.82 * MB);
	is_int((long long)drops(N), 1, "18 %% less is one");

	level(0, CHANGEPOINT_VALUES_MAX, 460 * MB);
	level(CHANGEPOINT_VALUES_MAX, CHANGEPOINT_VALUES_MAX + 10, 0);
	is_int((long long)drops(CHANGEPOINT_VALUES_MAX + 10), 0, "what is too long is cut");
}

int main(void)
{
	clean_steps();
	more_than_one();
	noisy_steps();
	not_a_drop();
	slopes();
	seeds_shape();
	return tap_done();
}
