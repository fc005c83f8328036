/* SPDX-License-Identifier: MIT */
/*
 * Two mixes of work that fit into the first caches, so that they show the cores and nothing else:
 *
 *	integer		sorting 1024 numbers, a CRC-32 of them, greatest common divisors of
 *			neighbours, Collatz steps, and 64-bit multiplications
 *	floating point	a Mandelbrot patch, five bodies under gravity, products of 32 x 32 matrices,
 *			in double precision, one operation after the other (no fused multiply-add)
 *
 * One event is all of it once, with one of VARIANTS inputs in turn, so that no predictor of
 * branches learns it by heart. Each variant has its digest, and all digests together are a constant
 * below: the arithmetic is exact (IEEE 754), so they are the same on every machine.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tests/cpu_kernel.h"

#define VARIANTS 32
#define NUMBERS 1024
#define PAIRS 256
#define COLLATZ 64
#define PATCH 24		/* of the Mandelbrot set, points per side */
#define PATCH_STEPS 96
#define BODIES 5
#define BODY_STEPS 100
#define SIDE 32			/* of a matrix */

#define INT_DIGEST UINT64_C(0x0c7803f068426578)
#define FLOAT_DIGEST UINT64_C(0x455d28b2f310bfd2)

struct mix_state {
	uint64_t (*event)(struct mix_state *s, unsigned variant);
	uint64_t digest[VARIANTS];
	unsigned next;
	uint32_t crc[256];
	uint32_t number[NUMBERS];
	double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
};

static uint64_t fold(uint64_t digest, uint64_t value)
{
	digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ (digest >> 29);
}

/* xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016) */
static uint64_t draw(uint64_t *x)
{
	*x ^= *x >> 12;
	*x ^= *x << 25;
	*x ^= *x >> 27;
	return *x * UINT64_C(0x2545f4914f6cdd1d);
}

/* ---- integers ---- */

static void sift(uint32_t *v, unsigned from, unsigned n)
{
	uint32_t value = v[from];
	unsigned child;

	while ((child = 2 * from + 1) < n) {
		if (child + 1 < n && v[child + 1] > v[child])
			child++;
		if (v[child] <= value)
			break;
		v[from] = v[child];
		from = child;
	}
	v[from] = value;
}

static void heap_sort(uint32_t *v, unsigned n)
{
	for (unsigned i = n / 2; i-- > 0;)
		sift(v, i, n);
	for (unsigned i = n - 1; i > 0; i--) {
		uint32_t last = v[i];

		v[i] = v[0];
		v[0] = last;
		sift(v, 0, i);
	}
}

static uint32_t crc32_of(const uint32_t *table, const uint32_t *v, unsigned n)
{
	uint32_t crc = UINT32_MAX;

	for (unsigned i = 0; i < n; i++)
		for (unsigned shift = 0; shift < 32; shift += 8)
			crc = table[(crc ^ (v[i] >> shift)) & 0xff] ^ (crc >> 8);
	return ~crc;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static unsigned collatz_steps(uint64_t n)
{
	unsigned steps = 0;

	for (; n > 1; steps++)
		n = n & 1 ? 3 * n + 1 : n / 2;
	return steps;
}

__attribute__((noinline)) static uint64_t int_event(struct mix_state *s, unsigned variant)
{
	uint64_t x = UINT64_C(0x853c49e6748fea9b) + variant, digest = variant;

	for (unsigned i = 0; i < NUMBERS; i++)
		s->number[i] = (uint32_t)(draw(&x) >> 32);
	heap_sort(s->number, NUMBERS);
	digest = fold(digest, crc32_of(s->crc, s->number, NUMBERS));
	for (unsigned i = 0; i < PAIRS; i++)
		digest = fold(digest, common_divisor(draw(&x) >> 16, s->number[i] | 1));
	for (unsigned i = 0; i < COLLATZ; i++)
		digest = fold(digest, collatz_steps((s->number[i * 16] >> 12) + 1));
	for (unsigned i = 0; i < NUMBERS; i++)
		digest = fold(digest, s->number[i]);
	return digest;
}

/* ---- floating point ---- */

static unsigned escape_steps(double re, double im)
{
	double x = 0, y = 0;
	unsigned n = 0;

	for (; n < PATCH_STEPS && x * x + y * y <= 4; n++) {
		double next = x * x - y * y + re;

		y = 2 * x * y + im;
		x = next;
	}
	return n;
}

static unsigned mandelbrot(double shift)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < PATCH; i++)
		for (unsigned k = 0; k < PATCH; k++)
			sum = sum * 3 + escape_steps(-0.8 + shift + 0.02 * k, 0.02 * i);
	return sum;
}

struct body {
	double at[3], speed[3], mass;
};

static void attract(struct body *a, struct body *b, double step)
{
	double d[3], square = 0.01, pull;

	for (int k = 0; k < 3; k++) {
		d[k] = a->at[k] - b->at[k];
		square += d[k] * d[k];
	}
	pull = step / (square * sqrt(square));
	for (int k = 0; k < 3; k++) {
		a->speed[k] -= d[k] * b->mass * pull;
		b->speed[k] += d[k] * a->mass * pull;
	}
}

static double gravity(double shift)
{
	struct body body[BODIES];
	const double step = 0.001;

	for (int i = 0; i < BODIES; i++)
		body[i] = (struct body){ .at = { i + shift, 0.5 * i * i, 1.0 - 0.3 * i },
					 .speed = { 0.1 * i, 0.2, -0.1 * i },
					 .mass = 1.0 / (i + 1) };
	for (int n = 0; n < BODY_STEPS; n++) {
		for (int i = 0; i < BODIES; i++)
			for (int k = i + 1; k < BODIES; k++)
				attract(&body[i], &body[k], step);
		for (int i = 0; i < BODIES; i++)
			for (int k = 0; k < 3; k++)
				body[i].at[k] += step * body[i].speed[k];
	}
	return body[0].at[0] + body[1].at[1] + body[2].at[2] + body[4].speed[0];
}

static double matrices(struct mix_state *s, double shift)
{
	double trace = 0;

	for (int i = 0; i < SIDE; i++)
		for (int k = 0; k < SIDE; k++) {
			s->a[i][k] = shift + (double)((i * 7 + k * 3) % 11) / 8;
			s->b[i][k] = shift - (double)((i * 5 + k * 2) % 13) / 16;
			s->c[i][k] = 0;
		}
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			for (int k = 0; k < SIDE; k++)
				s->c[i][k] += s->a[i][j] * s->b[j][k];
	for (int i = 0; i < SIDE; i++)
		trace += s->c[i][i] * s->c[i][SIDE - 1 - i];
	return trace;
}

static uint64_t bits(double value)
{
	uint64_t to;

	memcpy(&to, &value, sizeof(to));
	return to;
}

__attribute__((noinline)) static uint64_t float_event(struct mix_state *s, unsigned variant)
{
	double shift = (double)variant / 256;
	uint64_t digest = fold(variant, mandelbrot(shift));

	digest = fold(digest, bits(gravity(shift)));
	return fold(digest, bits(matrices(s, shift)));
}

/* ---- both ---- */

static void fill_crc(uint32_t *table)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int k = 0; k < 8; k++)
			c = c & 1 ? 0xedb88320U ^ (c >> 1) : c >> 1;
		table[i] = c;
	}
}

static int begin(uint64_t (*event)(struct mix_state *, unsigned), uint64_t known, void **state)
{
	struct mix_state *s = cpu_state_new(sizeof(*s));
	uint64_t all = 0;

	if (!s)
		return -ENOMEM;
	*state = s;
	s->event = event;
	fill_crc(s->crc);
	for (unsigned i = 0; i < VARIANTS; i++) {
		s->digest[i] = event(s, i);
		all = fold(all, s->digest[i]);
	}
	return all == known ? 0 : -EBADMSG;
}

static int begin_int(const struct cpu_input *in, unsigned members, void **state)
{
	(void)in;
	(void)members;
	return begin(int_event, INT_DIGEST, state);
}

static int begin_float(const struct cpu_input *in, unsigned members, void **state)
{
	(void)in;
	(void)members;
	return begin(float_event, FLOAT_DIGEST, state);
}

static bool run(void *state, uint64_t n)
{
	struct mix_state *s = state;

	for (uint64_t i = 0; i < n; i++) {
		if (s->event(s, s->next) != s->digest[s->next])
			return false;
		s->next = (s->next + 1) % VARIANTS;
	}
	return true;
}

const struct cpu_kernel cpu_int_kernel = {
	.unit = UNIT_PER_S, .work = 1, .begin = begin_int, .run = run, .end = free,
};

const struct cpu_kernel cpu_float_kernel = {
	.unit = UNIT_PER_S, .work = 1, .begin = begin_float, .run = run, .end = free,
};
