/* SPDX-License-Identifier: MIT */
/*
 * The four loops of the STREAM benchmark as a plain program, to put ours beside: static arrays of
 * ELEMENTS (given to the compiler), one thread, the best of all rounds after the first.
 *
 *	mem_stream SECONDS	prints NAME BYTES-PER-SECOND for each loop
 *
 * Results are based on a variant of the STREAM benchmark code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define HUGE_BYTES (2 << 20)
#define FACTOR 0.41421356237309503

static double a[ELEMENTS] __attribute__((aligned(HUGE_BYTES)));
static double b[ELEMENTS] __attribute__((aligned(HUGE_BYTES)));
static double c[ELEMENTS] __attribute__((aligned(HUGE_BYTES)));

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void note(double *best, double bytes, double start, int round)
{
	double rate = bytes * ELEMENTS / (seconds() - start);

	if (round > 0 && rate > *best)
		*best = rate;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "copy", "scale", "add", "triad" };
	double best[4] = { 0 }, end = seconds() + (argc > 1 ? atof(argv[1]) : 1), t;

	/* as ours: else the pages would be compared */
	madvise(a, sizeof(a), MADV_HUGEPAGE);
	madvise(b, sizeof(b), MADV_HUGEPAGE);
	madvise(c, sizeof(c), MADV_HUGEPAGE);
	for (size_t i = 0; i < ELEMENTS; i++) {
		a[i] = 1;
		b[i] = 2;
		c[i] = 0;
	}
	for (int round = 0; round < 2 || seconds() < end; round++) {
		t = seconds();
		for (size_t i = 0; i < ELEMENTS; i++)
			c[i] = a[i];
		note(&best[0], 16, t, round);
		t = seconds();
		for (size_t i = 0; i < ELEMENTS; i++)
			b[i] = FACTOR * c[i];
		note(&best[1], 16, t, round);
		t = seconds();
		for (size_t i = 0; i < ELEMENTS; i++)
			c[i] = a[i] + b[i];
		note(&best[2], 24, t, round);
		t = seconds();
		for (size_t i = 0; i < ELEMENTS; i++)
			a[i] = b[i] + FACTOR * c[i];
		note(&best[3], 24, t, round);
	}
	for (int i = 0; i < 4; i++)
		printf("%s %.9g\n", names[i], best[i]);
	printf("# a[0] is %.17g\n", a[0]);
	return 0;
}
