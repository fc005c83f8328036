/* SPDX-License-Identifier: MIT */
/* Buffers for direct I/O; see buffers.h. */
#include "bench/io/buffers.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_BYTES ((size_t)2 << 20)
#define FILL 0x5a
#define LOOKS 8

static size_t round_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

int io_buffers_map(struct io_buffers *b, uint32_t n, uint32_t bytes)
{
	size_t stride = round_up(bytes, (size_t)sysconf(_SC_PAGESIZE)), whole = stride * n;
	size_t lead;
	unsigned char *p;

	/* less than a huge page is not rounded up to one: the smallest machines run this as well */
	b->mapped_bytes = whole < HUGE_BYTES ? whole : round_up(whole, HUGE_BYTES) + HUGE_BYTES;
	p = mmap(NULL, b->mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return -errno;
	if (whole >= HUGE_BYTES) {
		/* keep the aligned part alone */
		lead = round_up((size_t)(uintptr_t)p, HUGE_BYTES) - (size_t)(uintptr_t)p;
		if (lead)
			munmap(p, lead);
		munmap(p + b->mapped_bytes - (HUGE_BYTES - lead), HUGE_BYTES - lead);
		b->mapped_bytes -= HUGE_BYTES;
		p += lead;
		/* a wish: without transparent huge pages it fails and small pages do as well */
		(void)madvise(p, b->mapped_bytes, MADV_HUGEPAGE);
	}
	memset(p, FILL, whole);
	b->start = p;
	b->stride = stride;
	return 0;
}

void io_buffers_unmap(struct io_buffers *b)
{
	munmap(b->start, b->mapped_bytes);
}

bool io_buffer_is_zero(const void *p, size_t bytes)
{
	const uint64_t *word = p;
	size_t words = bytes / sizeof(*word);

	for (size_t i = 0; i < LOOKS; i++)
		if (word[i * (words / LOOKS)])
			return false;
	for (size_t i = 0; i < words; i += 8)
		if (word[i] | word[i + 1] | word[i + 2] | word[i + 3] |
		    word[i + 4] | word[i + 5] | word[i + 6] | word[i + 7])
			return false;
	return true;
}
