/* SPDX-License-Identifier: MIT */
/* Where more requests in flight stop bringing more; see saturation.h. */
#include "bench/stats/saturation.h"

size_t saturation_find(const double *rate, size_t n, double gain)
{
	size_t at = n;

	for (size_t i = n; i-- > 1; at = i - 1)
		if (rate[i] > rate[i - 1] * (1 + gain))
			break;
	return at;
}
