/* SPDX-License-Identifier: MIT */
/*
 * The loops whose speed is measured; see mem_kernels.h. The Makefile compiles this file with flags
 * of its own: the loops are to be vectorised, and the one that copies is to stay a loop.
 */
#include "bench/tests/mem_kernels.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static void copy(double *const array[MEM_ARRAYS], size_t n)
{
	const double *restrict a = array[MEM_A];
	double *restrict c = array[MEM_C];

	for (size_t i = 0; i < n; i++)
		c[i] = a[i];
}

static void copy_step(double v[MEM_ARRAYS])
{
	v[MEM_C] = v[MEM_A];
}

const struct mem_kernel mem_kernel_copy = { "copy", 16, copy, copy_step };

static void scale(double *const array[MEM_ARRAYS], size_t n)
{
	const double *restrict c = array[MEM_C];
	double *restrict b = array[MEM_B];

	for (size_t i = 0; i < n; i++)
		b[i] = MEM_KERNEL_FACTOR * c[i];
}

static void scale_step(double v[MEM_ARRAYS])
{
	v[MEM_B] = MEM_KERNEL_FACTOR * v[MEM_C];
}

const struct mem_kernel mem_kernel_scale = { "scale", 16, scale, scale_step };

static void add(double *const array[MEM_ARRAYS], size_t n)
{
	const double *restrict a = array[MEM_A], *restrict b = array[MEM_B];
	double *restrict c = array[MEM_C];

	for (size_t i = 0; i < n; i++)
		c[i] = a[i] + b[i];
}

static void add_step(double v[MEM_ARRAYS])
{
	v[MEM_C] = v[MEM_A] + v[MEM_B];
}

const struct mem_kernel mem_kernel_add = { "add", 24, add, add_step };

static void triad(double *const array[MEM_ARRAYS], size_t n)
{
	const double *restrict b = array[MEM_B], *restrict c = array[MEM_C];
	double *restrict a = array[MEM_A];

	for (size_t i = 0; i < n; i++)
		a[i] = b[i] + MEM_KERNEL_FACTOR * c[i];
}

static void triad_step(double v[MEM_ARRAYS])
{
	v[MEM_A] = v[MEM_B] + MEM_KERNEL_FACTOR * v[MEM_C];
}

const struct mem_kernel mem_kernel_triad = { "triad", 24, triad, triad_step };

static void libc_copy(double *const array[MEM_ARRAYS], size_t n)
{
	memcpy(array[MEM_B], array[MEM_A], n * sizeof(double));
}

static void libc_copy_step(double v[MEM_ARRAYS])
{
	v[MEM_B] = v[MEM_A];
}

const struct mem_kernel mem_kernel_memcpy = { "memcpy", 8, libc_copy, libc_copy_step };

#if defined(__SSE2__)
/* A whole cache line at a time: only then does none of it have to be read. */
static void past(double *const array[MEM_ARRAYS], size_t n)
{
	const double *restrict a = array[MEM_A];
	double *restrict c = array[MEM_C];
	size_t i = 0;

	for (; i < n && (size_t)(c + i) % 64 != 0; i++)
		c[i] = a[i];
	for (; i + 8 <= n; i += 8) {
		__m128d x0 = _mm_loadu_pd(a + i), x1 = _mm_loadu_pd(a + i + 2);
		__m128d x2 = _mm_loadu_pd(a + i + 4), x3 = _mm_loadu_pd(a + i + 6);

		_mm_stream_pd(c + i, x0);
		_mm_stream_pd(c + i + 2, x1);
		_mm_stream_pd(c + i + 4, x2);
		_mm_stream_pd(c + i + 6, x3);
	}
	for (; i < n; i++)
		c[i] = a[i];
	_mm_sfence();
}
#else
#define past NULL
#endif

const struct mem_kernel mem_kernel_past = { "nontemporal", 8, past, copy_step };
