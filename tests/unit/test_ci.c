/* SPDX-License-Identifier: MIT */
/*
 * The interval around a mean holds the mean, also where neighbours resemble each other. Expected
 * values were calculated apart, in Python, from the formulas that ci.h cites; the first is the
 * textbook's mean and standard deviation times t over the root of n.
 */
#include "bench/stats/ci.h"

#include "tests/unit/tap.h"

static double v[1000];

/* C's classic example generator: the same numbers anywhere. 0 .. 1. */
static double next_random(unsigned long *state)
{
	*state = (*state * 1103515245 + 12345) % 2147483648;
	return (double)*state / 2147483648;
}

/* Around `mean`, each value drawn toward the one before it by `r`. */
static void wander(size_t n, double r, double mean, double step, unsigned long *state)
{
	double x = 0;

	for (size_t i = 0; i < n; i++) {
		x = r * x + step * (next_random(state) - 0.5);
		v[i] = mean + x;
	}
}

static void known(void)
{
	static const double plain[] = {
		101, 98, 103, 97, 102, 99, 100, 104, 96, 103, 98, 99,
	};
	unsigned long state = 12345;
	struct ci ci = ci_mean(plain, 12);

	is_uint(ci.batches, 12, "twelve values are twelve batches");
	is_near(ci.mean, 100, 1e-9, "their mean");
	is_near(ci.half, 1.647957, 1e-4, "neighbours that differ: the textbook's interval");
	is_near(ci.drift, 0.5743919, 1e-4, "the steepest line");
	wander(50, 0.6, 100, 1, &state);
	ci = ci_mean(v, 50);
	is_near(ci.mean, 100.0502928979, 1e-9, "50 values that resemble each other: mean");
	is_near(ci.half, 0.1990044292, 2e-5, "a wider interval");
	is_near(ci.drift, 0.0088999755, 1e-6, "drift");
	state = 12345;
	wander(300, 0.6, 100, 1, &state);
	ci = ci_mean(v, 300);
	is_uint(ci.batches, 37, "300 values in batches of 8");
	is_near(ci.mean, 99.9968420380, 1e-9, "mean");
	is_near(ci.half, 0.1097745533, 2e-5, "interval");
	is_near(ci.drift, 0.00092875, 1e-7, "drift per value, not per batch");
	for (int i = 0; i < 40; i++)
		v[i] = 100 + i * 0.1;
	ci = ci_mean(v, 40);
	is_near(ci.half, 5.85, 1e-9, "a straight line is no sample: three times its reach");
	is_near(ci.drift, 0.1, 1e-6, "and its slope");
}

static void edges(void)
{
	for (size_t i = 0; i < 1000; i++)
		v[i] = 7;
	is_uint(ci_mean(v, 9).batches, 0, "too few values");
	ok(isnan(ci_mean(v, 9).half) && isnan(ci_mean(v, 0).mean), "are no interval");
	is_uint(ci_mean(v, 10).batches, 10, "ten are one");
	is_uint(ci_mean(v, 63).batches, 63, "batches of one");
	is_uint(ci_mean(v, 64).batches, 32, "of two");
	is_uint(ci_mean(v, 1000).batches, 62, "of 16");
	is_near(ci_mean(v, 1000).half, 0, 0, "equal values leave no doubt");
	is_near(ci_mean(v, 1000).drift, 0, 0, "nor drift");
	v[0] = 1000;
	is_near(ci_mean(v, 65).mean, 7, 0, "the oldest that fills no batch is left out");
}

/* From a table of Student's t, two-sided 5 %. */
static void student(void)
{
	static const struct { double freedom, t; } row[] = {
		{ 1, 12.706 }, { 1.9, 12.706 }, { 2, 4.303 }, { 5, 2.571 }, { 10, 2.228 },
		{ 30, 2.042 }, { 40, 2.021 }, { 60, 2.000 }, { 120, 1.980 }, { 1e9, 1.960 },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		is_near(ci_student(row[i].freedom), row[i].t, 0.0015, "t for %g degrees",
			row[i].freedom);
	ok(isnan(ci_student(0.9)), "none for less than one");
}

/* In how many of 1000 series the interval holds the mean they were drawn around. */
static unsigned held(size_t n, double r)
{
	unsigned long state = 1;
	unsigned held = 0;

	for (int i = 0; i < 1000; i++) {
		struct ci ci;

		wander(n + 100, r, 100, 1, &state);	/* the first 100 forget the start */
		ci = ci_mean(v + 100, n);
		held += fabs(ci.mean - 100) <= ci.half;
	}
	return held;
}

static void coverage(void)
{
	static const double r[] = { 0, 0.3, 0.6, 0.8, 0.9 };
	static const size_t n[] = { 50, 200, 500 };

	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 3; j++) {
			unsigned got = held(n[j], r[i]);

			ok(got >= 915 && got <= 995,
			   "%zu values, neighbours correlate by %.1f: right in %u of 1000", n[j],
			   r[i], got);
		}
}

int main(void)
{
	known();
	edges();
	student();
	coverage();
	return tap_done();
}
