/* SPDX-License-Identifier: MIT */
/* The steady state of known rounds. */
#include "bench/stats/steady_rounds.h"

#include "tests/unit/tap.h"

/* Is the state steady after these rounds? */
#define IS_STEADY(s, ...) steady_rounds((const double[]){ __VA_ARGS__ }, \
		sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), (s))

int main(void)
{
	struct steady_rounds s;
	double none = 1;

	ok(IS_STEADY(&s, 100, 100, 100, 100, 100), "five equal rounds are steady");
	is_near(s.mean, 100, 1e-9, "their mean");
	is_near(s.range_share, 0, 1e-9, "no range");
	is_near(s.slope_share, 0, 1e-9, "no slope");
	ok(!IS_STEADY(&s, 100, 100, 100, 100), "four are too few");
	is_near(s.mean, 100, 1e-9, "but have a mean");
	ok(!IS_STEADY(&s, 100) && s.range_share == 0, "one is too few");
	ok(!steady_rounds(&none, 0, &s) && isnan(s.mean) && isnan(s.range_share), "none has none");
	ok(!IS_STEADY(&s, 0, 0, 0, 0, 0), "a disk that does nothing is not steady");

	ok(IS_STEADY(&s, 100, 110, 90, 110, 90), "a range of 20 %% is within it");
	is_near(s.range_share, 0.2, 1e-9, "as it says");
	ok(!IS_STEADY(&s, 100, 110.6, 89.4, 110.6, 89.4), "more is not");
	ok(IS_STEADY(&s, 105, 102.5, 100, 97.5, 95), "a fall by 10 %% is within it");
	is_near(s.slope_share, 0.1, 1e-9, "as it says");
	ok(!IS_STEADY(&s, 106, 103, 100, 97, 94), "12 %% is not, though the range is 12 %% only");
	ok(!IS_STEADY(&s, 94, 97, 100, 103, 106), "nor is a rise");
	/* least squares: (-2 * 0 + -1 * 10 + 1 * -10 + 2 * 0) / 10 * 4 = -8 */
	(void)IS_STEADY(&s, 100, 110, 100, 90, 100);
	is_near(s.slope_share, 0.08, 1e-9, "the slope is that of least squares");

	ok(IS_STEADY(&s, 900, 500, 200, 100, 101, 99, 100, 100), "earlier rounds do not matter");
	ok(!IS_STEADY(&s, 900, 500, 200, 150, 120, 105, 100), "a disk on its way is not steady");
	return tap_done();
}
