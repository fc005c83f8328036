/* SPDX-License-Identifier: MIT */
/* Buffers for direct I/O, and the look at what a read left in them. */
#ifndef BENCH_IO_BUFFERS_H
#define BENCH_IO_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct io_buffers {
	unsigned char *start;	/* buffer n at start + n * stride */
	size_t stride;		/* whole pages: some drivers take only page-aligned buffers */
	size_t mapped_bytes;
};

/*
 * Maps `n` buffers of `bytes`, in huge pages where there are some to be had, and fills them with
 * 0x5a: all pages are there before the clock runs, and a buffer that nothing was read into is not
 * taken for zeros. Returns 0 or -errno.
 */
int io_buffers_map(struct io_buffers *b, uint32_t n, uint32_t bytes);
void io_buffers_unmap(struct io_buffers *b);

/*
 * True where all bytes are 0. Looks at eight words first. `p` is 8-byte aligned, `bytes` a multiple
 * of 64.
 */
bool io_buffer_is_zero(const void *p, size_t bytes);

#endif
