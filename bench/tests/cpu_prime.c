/* SPDX-License-Identifier: MIT */
/*
 * The prime test with the definition of sysbench's `cpu` test (1.0): for each c from 3 to N - 1
 * trial division by 2, 3, 4 ... up to the square root, in 64-bit integers with the limit as a
 * double. All of it is one event. A prime costs all divisions, any other number those up to its
 * smallest factor. What counts in the end is the speed of 64-bit division.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "bench/tests/cpu_kernel.h"

struct prime_state {
	unsigned long long below;
	unsigned long long primes;	/* there must be so many */
};

/* How many primes there are from 3 on below N; as known from tables, less one for 2. */
static const struct {
	uint32_t below;
	uint32_t primes;
} known[] = { { 10000, 1228 }, { 20000, 2261 } };

__attribute__((noinline)) static unsigned long long count_primes(unsigned long long below)
{
	unsigned long long n = 0;

	for (unsigned long long c = 3; c < below; c++) {
		double limit = sqrt((double)c);
		unsigned long long d = 2;

		while ((double)d <= limit && c % d != 0)
			d++;
		n += (double)d > limit;
	}
	return n;
}

static int begin(const struct cpu_input *in, unsigned members, void **state)
{
	struct prime_state *s = cpu_state_new(sizeof(*s));

	(void)members;
	if (!s)
		return -ENOMEM;
	*state = s;
	s->below = in->number;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].below == in->number)
			s->primes = known[i].primes;
	return s->primes ? 0 : -EINVAL;
}

static bool run(void *state, uint64_t n)
{
	const struct prime_state *s = state;

	for (uint64_t i = 0; i < n; i++)
		if (count_primes(s->below) != s->primes)
			return false;
	return true;
}

const struct cpu_kernel cpu_prime_kernel = {
	.unit = UNIT_PER_S, .work = 1, .begin = begin, .run = run, .end = free,
};
