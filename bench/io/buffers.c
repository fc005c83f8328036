/* SPDX-License-Identifier: MIT */
/* Buffers for direct I/O; see buffers.h. */
#include "bench/io/buffers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "bench/io/offsets.h"

#define HUGE_BYTES ((size_t)2 << 20)
#define HUGE_2MB (21 << 26)	/* MAP_HUGE_2MB of linux/mman.h: log2 of the size, MAP_HUGE_SHIFT */
#define HUGE_SHARE 8		/* of a huge page: less than that is not worth one */
#define ROOMY_BYTES (UINT64_C(1) << 30)	/* of free memory: then a part of a huge page is, too */
#define FILL 0x5a
#define REFRESH_BYTES 512	/* the smallest block there is: two that differ are never equal */
#define LOOKS 8

static size_t round_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* From the administrator's pool of huge pages, which is empty unless somebody filled it. */
static unsigned char *map_from_pool(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | HUGE_2MB, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Aligned to a huge page; asks for transparent ones. NULL with errno set. */
static unsigned char *map_aligned(size_t bytes)
{
	unsigned char *p = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t lead;

	if (p == MAP_FAILED)
		return NULL;
	lead = round_up((size_t)(uintptr_t)p, HUGE_BYTES) - (size_t)(uintptr_t)p;
	if (lead)
		munmap(p, lead);
	munmap(p + lead + bytes, HUGE_BYTES - lead);
	/* a wish: without transparent huge pages it fails and small pages do as well */
	(void)madvise(p + lead, bytes, MADV_HUGEPAGE);
	return p + lead;
}

/* True where /proc/self/smaps says that the mapping which holds `p` is of huge pages alone. */
static bool is_transparent_huge(const unsigned char *p, size_t bytes)
{
	FILE *maps = fopen("/proc/self/smaps", "re");
	/* of the mapping that holds `p`, once found */
	unsigned long mapping_bytes = 0;
	unsigned long first, end, kib;
	bool huge = false;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps)) {
		/* a line of a mapping, "7f00-7f01 rw-p ..."; those of its numbers have a colon */
		if (sscanf(line, "%lx-%lx ", &first, &end) == 2) {
			if (mapping_bytes)
				break;
			if (first <= (uintptr_t)p && (uintptr_t)p < end)
				mapping_bytes = end - first;
		} else if (mapping_bytes && sscanf(line, "AnonHugePages: %lu kB", &kib) == 1) {
			/* the kernel joins neighbours: the mapping may be larger than ours */
			huge = kib >= bytes / 1024 && kib * 1024 >= mapping_bytes;
			break;
		}
	}
	if (maps)
		fclose(maps);
	return huge;
}

/* What is less than a huge page is rounded up to one, but not on the smallest of machines. */
static bool deserves_huge(size_t bytes)
{
	struct sysinfo info;

	if (bytes >= HUGE_BYTES)
		return true;
	return bytes >= HUGE_BYTES / HUGE_SHARE && !sysinfo(&info) &&
	       (uint64_t)info.freeram * info.mem_unit >= ROOMY_BYTES;
}

int io_buffers_map(struct io_buffers *b, uint32_t n, uint32_t bytes)
{
	size_t stride = round_up(bytes, (size_t)sysconf(_SC_PAGESIZE)), whole = stride * n;
	bool huge = deserves_huge(whole);
	unsigned char *p = NULL;

	b->stride = stride;
	b->huge = false;
	if (!huge) {
		b->mapped_bytes = whole;
		p = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		p = p == MAP_FAILED ? NULL : p;
	} else {
		b->mapped_bytes = round_up(whole, HUGE_BYTES);
		p = map_from_pool(b->mapped_bytes);
		b->huge = p;
		if (!p)
			p = map_aligned(b->mapped_bytes);
	}
	if (!p)
		return -errno;
	b->start = p;
	memset(p, FILL, whole);
	if (huge && !b->huge)
		b->huge = is_transparent_huge(p, whole);
	return 0;
}

void io_buffers_fill(struct io_buffers *b, uint64_t seed)
{
	uint64_t *word = (uint64_t *)(void *)b->start;

	for (size_t i = 0; i < b->mapped_bytes / sizeof(*word); i++)
		word[i] = io_offsets_draw(&seed);
}

void io_buffer_refresh(unsigned char *start, uint32_t bytes, uint64_t *state)
{
	uint64_t *word = (uint64_t *)(void *)start;

	for (size_t i = 0; i < bytes / sizeof(*word); i += REFRESH_BYTES / sizeof(*word))
		word[i] = io_offsets_draw(state);
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
