/* SPDX-License-Identifier: MIT */
/* Buffers for direct I/O: what is written from them, and the look at what a read left in them. */
#ifndef BENCH_IO_BUFFERS_H
#define BENCH_IO_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct io_buffers {
	unsigned char *start;	/* buffer n at start + n * stride */
	size_t stride;		/* whole pages: some drivers take only page-aligned buffers */
	size_t mapped_bytes;
	bool huge;		/* all of them lie on huge pages */
};

/*
 * Maps `n` buffers of `bytes`, in huge pages where there are some to be had (for less than one,
 * where memory is plenty), and fills them with
 * 0x5a: all pages are there before the clock runs, and a buffer that nothing was read into is not
 * taken for zeros. Returns 0 or -errno.
 */
int io_buffers_map(struct io_buffers *b, uint32_t n, uint32_t bytes);
void io_buffers_unmap(struct io_buffers *b);

/*
 * Fills all buffers with random bytes (splitmix64, see offsets.h): nothing compresses them, and the
 * same seed gives the same bytes.
 */
void io_buffers_fill(struct io_buffers *b, uint64_t seed);

/*
 * Makes a buffer of `bytes` (a multiple of 512) that was filled once differ from all that was
 * written from it before: the first word of each 512 bytes is drawn anew from `state`. A device
 * that stores equal blocks once has nothing to find, and it costs 1/64 of filling it again. What it
 * does not hide: the words between repeat, for a compressor that looks from one I/O to the next.
 */
void io_buffer_refresh(unsigned char *start, uint32_t bytes, uint64_t *state);

/*
 * True where all bytes are 0. Looks at eight words first. `p` is 8-byte aligned, `bytes` a multiple
 * of 64.
 */
bool io_buffer_is_zero(const void *p, size_t bytes);

#endif
