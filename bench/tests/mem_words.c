/* SPDX-License-Identifier: MIT */
/* Patterns for memory; see mem_words.h. */
#include "bench/tests/mem_words.h"

#include <fcntl.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "bench/io/offsets.h"

#define LINE_BYTES 64
/* an entry of /proc/self/pagemap (Documentation/admin-guide/mm/pagemap.rst) */
#define PAGEMAP_PRESENT (UINT64_C(1) << 63)
#define PAGEMAP_FRAME ((UINT64_C(1) << 55) - 1)

const char *const mem_words_names[MEM_WORDS_KINDS] = {
	[MEM_WORDS_ADDRESS] = "address",
	[MEM_WORDS_WALKING_ONE] = "walking one",
	[MEM_WORDS_WALKING_ZERO] = "walking zero",
	[MEM_WORDS_RANDOM] = "random",
};

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* `kind` is a constant wherever this is used in a loop. */
ALWAYS_INLINE uint64_t word(enum mem_words_kind kind, uint64_t seed, uint64_t number)
{
	uint64_t z = UINT64_C(1) << ((number + seed) & 63);

	if (kind == MEM_WORDS_ADDRESS)
		return number * sizeof(uint64_t);
	if (kind == MEM_WORDS_WALKING_ONE)
		return z;
	if (kind == MEM_WORDS_WALKING_ZERO)
		return ~z;
	/* of the stream that begins with the seed; each number adds one step to the state */
	z = seed + number * IO_OFFSETS_STEP;
	return io_offsets_draw(&z);
}

uint64_t mem_words_at(const struct mem_words *w, uint64_t number)
{
	return word(w->kind, w->seed, number);
}

ALWAYS_INLINE void fill(enum mem_words_kind kind, uint64_t seed, uint64_t *at, size_t n,
			uint64_t first)
{
	for (size_t i = 0; i < n; i++)
		at[i] = word(kind, seed, first + i);
}

void mem_words_fill(const struct mem_words *w, uint64_t *at, size_t n, uint64_t first)
{
	switch (w->kind) {
	case MEM_WORDS_ADDRESS:
		fill(MEM_WORDS_ADDRESS, w->seed, at, n, first);
		break;
	case MEM_WORDS_WALKING_ONE:
		fill(MEM_WORDS_WALKING_ONE, w->seed, at, n, first);
		break;
	case MEM_WORDS_WALKING_ZERO:
		fill(MEM_WORDS_WALKING_ZERO, w->seed, at, n, first);
		break;
	default:
		fill(MEM_WORDS_RANDOM, w->seed, at, n, first);
	}
}

static __attribute__((noinline, cold)) void note(struct mem_faults *f, const uint64_t *at,
						 uint64_t number, uint64_t expected, uint64_t found)
{
	if (f->n < MEM_FAULTS_MAX) {
		mem_words_flush(at, sizeof(*at));
		f->fault[f->n] = (struct mem_fault){
			.at = at, .number = number, .expected = expected, .found = found,
			.again = *(const volatile uint64_t *)at,
			.physical = mem_words_physical(at),
		};
	}
	f->n++;
}

ALWAYS_INLINE void check(enum mem_words_kind kind, const struct mem_words *w, uint64_t *at,
			 size_t n, uint64_t first, uint64_t mask, bool invert, bool down,
			 struct mem_faults *faults)
{
	for (size_t k = 0; k < n; k++) {
		size_t i = down ? n - 1 - k : k;
		uint64_t want = word(kind, w->seed, first + i) ^ mask, found = at[i];

		if (__builtin_expect(found != want, 0))
			note(faults, &at[i], first + i, want, found);
		if (invert)
			at[i] = ~want;
	}
}

/* The two that are used: up with inverting, down without. */
ALWAYS_INLINE void check_way(enum mem_words_kind kind, const struct mem_words *w, uint64_t *at,
			     size_t n, uint64_t first, uint64_t mask, bool invert, bool down,
			     struct mem_faults *faults)
{
	if (invert && !down)
		check(kind, w, at, n, first, mask, true, false, faults);
	else if (!invert && down)
		check(kind, w, at, n, first, mask, false, true, faults);
	else
		check(kind, w, at, n, first, mask, invert, down, faults);
}

void mem_words_check(const struct mem_words *w, uint64_t *at, size_t n, uint64_t first,
		     bool inverted, bool invert, bool down, struct mem_faults *faults)
{
	uint64_t mask = inverted ? UINT64_MAX : 0;

	switch (w->kind) {
	case MEM_WORDS_ADDRESS:
		check_way(MEM_WORDS_ADDRESS, w, at, n, first, mask, invert, down, faults);
		break;
	case MEM_WORDS_WALKING_ONE:
		check_way(MEM_WORDS_WALKING_ONE, w, at, n, first, mask, invert, down, faults);
		break;
	case MEM_WORDS_WALKING_ZERO:
		check_way(MEM_WORDS_WALKING_ZERO, w, at, n, first, mask, invert, down, faults);
		break;
	default:
		check_way(MEM_WORDS_RANDOM, w, at, n, first, mask, invert, down, faults);
	}
}

#if defined(__SSE2__)
/* The one that does not wait for the line before; any x86-64 of the last ten years has it. */
static __attribute__((target("clflushopt"))) void flush_fast(const char *line, const char *end)
{
	for (; line < end; line += LINE_BYTES)
		_mm_clflushopt((void *)(uintptr_t)line);
}

static bool has_fast(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_CLFLUSHOPT);
}
#endif

void mem_words_flush(const void *at, size_t bytes)
{
#if defined(__SSE2__)
	const char *line = (const char *)((uintptr_t)at & ~(uintptr_t)(LINE_BYTES - 1));
	const char *end = (const char *)at + bytes;

	if (has_fast())
		flush_fast(line, end);
	else
		for (; line < end; line += LINE_BYTES)
			_mm_clflush(line);
	_mm_mfence();
#else
	(void)at;
	(void)bytes;
#endif
}

uint64_t mem_words_physical(const void *at)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), entry = 0;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	bool whole;

	if (fd < 0)
		return 0;
	whole = pread(fd, &entry, sizeof(entry), (off_t)((uintptr_t)at / page * sizeof(entry))) ==
		(ssize_t)sizeof(entry);
	close(fd);
	/* who may not know it is given frame 0 */
	if (!whole || !(entry & PAGEMAP_PRESENT) || !(entry & PAGEMAP_FRAME))
		return 0;
	return (entry & PAGEMAP_FRAME) * page + (uintptr_t)at % page;
}
