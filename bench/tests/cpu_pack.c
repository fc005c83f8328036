/* SPDX-License-Identifier: MIT */
/*
 * zstd (level 3) and lz4: the corpus is compressed in chunks of 1 MiB, and each chunk is
 * decompressed again at once and compared. The rate counts the bytes that went in; the two halves
 * are timed apart as well.
 */
#include <errno.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "bench/tests/cpu_kernel.h"
#include "lib/clock.h"

#define CHUNK_BYTES (1u << 20)
#define CHUNKS 4u
#define LEVEL 3			/* zstd's own default */
#define ZSTD_STATE_BYTES (4u << 20)	/* both contexts at this level and size, rounded up */

struct pack_state {
	const unsigned char *corpus;
	ZSTD_CCtx *compressor;
	ZSTD_DCtx *decompressor;
	unsigned char *packed, *back;
	size_t room;
	unsigned next;
	uint64_t in_bytes, packed_bytes, compress_ns, decompress_ns;
};

static int prepare(struct cpu_input *in)
{
	in->corpus = malloc(CHUNKS * CHUNK_BYTES);
	if (!in->corpus)
		return -ENOMEM;
	cpu_corpus_fill(in->corpus, CHUNKS * CHUNK_BYTES);
	return 0;
}

static uint64_t need_lz4(const struct cpu_input *in, unsigned members)
{
	(void)in;
	(void)members;
	return (uint64_t)LZ4_COMPRESSBOUND(CHUNK_BYTES) + CHUNK_BYTES;
}

static uint64_t need_zstd(const struct cpu_input *in, unsigned members)
{
	return need_lz4(in, members) + ZSTD_STATE_BYTES;
}

static void end(void *state)
{
	struct pack_state *s = state;

	ZSTD_freeCCtx(s->compressor);
	ZSTD_freeDCtx(s->decompressor);
	free(s->packed);
	free(s->back);
	free(s);
}

/*
 * Whether two buffers of whole words are equal: musl's memcmp looks at byte after byte, which would
 * be a quarter of lz4's time.
 */
static bool is_same(const unsigned char *a, const unsigned char *b, size_t bytes)
{
	uint64_t differ = 0, x, y;

	for (size_t i = 0; i < bytes; i += sizeof(x)) {
		memcpy(&x, a + i, sizeof(x));
		memcpy(&y, b + i, sizeof(y));
		differ |= x ^ y;
	}
	return differ == 0;
}

static size_t compress(struct pack_state *s, const unsigned char *chunk)
{
	size_t n;

	if (!s->compressor)
		return (size_t)LZ4_compress_default((const char *)chunk, (char *)s->packed,
						    CHUNK_BYTES, (int)s->room);
	n = ZSTD_compressCCtx(s->compressor, s->packed, s->room, chunk, CHUNK_BYTES, LEVEL);
	return ZSTD_isError(n) ? 0 : n;
}

static bool decompress(struct pack_state *s, size_t bytes)
{
	if (!s->decompressor)
		return LZ4_decompress_safe((const char *)s->packed, (char *)s->back, (int)bytes,
					   CHUNK_BYTES) == CHUNK_BYTES;
	return ZSTD_decompressDCtx(s->decompressor, s->back, CHUNK_BYTES, s->packed, bytes) ==
	       CHUNK_BYTES;
}

static bool run(void *state, uint64_t n)
{
	struct pack_state *s = state;

	for (uint64_t i = 0; i < n; i++) {
		const unsigned char *chunk = s->corpus + s->next * CHUNK_BYTES;
		uint64_t begun_ns = clock_ns(), packed_ns, done_ns;
		size_t bytes = compress(s, chunk);
		bool good;

		packed_ns = clock_ns();
		good = bytes && decompress(s, bytes);
		done_ns = clock_ns();
		if (!good || !is_same(s->back, chunk, CHUNK_BYTES))
			return false;
		s->compress_ns += packed_ns - begun_ns;
		s->decompress_ns += done_ns - packed_ns;
		s->in_bytes += CHUNK_BYTES;
		s->packed_bytes += bytes;
		s->next = (s->next + 1) % CHUNKS;
	}
	return true;
}

static int begin(const struct cpu_input *in, bool zstd, void **state)
{
	struct pack_state *s = cpu_state_new(sizeof(*s));

	if (!s)
		return -ENOMEM;
	*state = s;
	s->corpus = in->corpus;
	s->room = zstd ? ZSTD_COMPRESSBOUND(CHUNK_BYTES) : LZ4_COMPRESSBOUND(CHUNK_BYTES);
	s->packed = malloc(s->room);
	s->back = malloc(CHUNK_BYTES);
	if (zstd) {
		s->compressor = ZSTD_createCCtx();
		s->decompressor = ZSTD_createDCtx();
	}
	if (!s->packed || !s->back || (zstd && (!s->compressor || !s->decompressor)))
		return -ENOMEM;
	/* the compressor takes its memory with the first block: that may fail */
	if (!compress(s, s->corpus))
		return -ENOMEM;
	if (!run(s, 1))		/* memory is touched, tables are there */
		return -EBADMSG;
	s->in_bytes = s->packed_bytes = s->compress_ns = s->decompress_ns = 0;
	return 0;
}

static int begin_zstd(const struct cpu_input *in, unsigned members, void **state)
{
	(void)members;
	return begin(in, true, state);
}

static int begin_lz4(const struct cpu_input *in, unsigned members, void **state)
{
	(void)members;
	return begin(in, false, state);
}

static void parts(const void *state, double *value)
{
	const struct pack_state *s = state;
	double in = (double)s->in_bytes;

	value[0] = in / ((double)s->compress_ns / NS_PER_S);
	value[1] = in / ((double)s->decompress_ns / NS_PER_S);
	value[2] = (double)s->packed_bytes / in * 100;
}

#define PARTS { { "compress", UNIT_BYTES_PER_S }, { "decompress", UNIT_BYTES_PER_S }, \
		{ "packed", UNIT_PERCENT } }

const struct cpu_kernel cpu_zstd_kernel = {
	.unit = UNIT_BYTES_PER_S, .work = CHUNK_BYTES, .block_bytes = CHUNK_BYTES, .part = PARTS,
	.prepare = prepare, .need_bytes = need_zstd, .begin = begin_zstd, .run = run,
	.parts = parts, .end = end,
};

const struct cpu_kernel cpu_lz4_kernel = {
	.unit = UNIT_BYTES_PER_S, .work = CHUNK_BYTES, .block_bytes = CHUNK_BYTES, .part = PARTS,
	.prepare = prepare, .need_bytes = need_lz4, .begin = begin_lz4, .run = run,
	.parts = parts, .end = end,
};
