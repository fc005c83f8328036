/* SPDX-License-Identifier: MIT */
/* Whether the mean rate of a job is known well enough; see steady.h. */
#include "bench/io/steady.h"

#include "bench/stats/ci.h"

static struct ci ci_of(const uint64_t *series_bytes, uint32_t n)
{
	double bytes[IO_SERIES_MAX];

	for (uint32_t i = 0; i < n; i++)
		bytes[i] = (double)series_bytes[i];
	return ci_mean(bytes, n);
}

bool io_steady_reached(struct io_steady_state *s, const struct io_job *job,
		       const uint64_t *series_bytes, uint32_t n, uint64_t elapsed_ns,
		       uint64_t bytes)
{
	const struct io_steady *want = &job->steady;
	double planned;
	struct ci ci;

	if (n < IO_STEADY_MIN || n < s->next || elapsed_ns < want->min_ns ||
	    bytes < want->min_bytes)
		return false;
	s->next = n + n / 4;
	ci = ci_of(series_bytes, n);
	planned = (double)job->runtime_ns / (double)job->series_ns;
	return ci.batches && ci.mean > 0 && ci.half <= want->share * ci.mean &&
	       ci.drift * planned / 2 <= IO_STEADY_DRIFT * want->share * ci.mean;
}

void io_steady_note(struct io_outcome *out)
{
	struct ci ci = ci_of(out->series_bytes, out->series_n);

	out->has_rate_ci = ci.batches && ci.mean > 0;
	if (out->has_rate_ci)
		out->rate_ci_share = ci.half / ci.mean;
}
