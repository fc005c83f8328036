/* SPDX-License-Identifier: MIT */
/*
 * Data to compress, made and not shipped: pieces of 64 KiB, each half text (words of a made
 * vocabulary, the frequent ones short, in sentences that come back in part), seven sixteenths
 * records of a table (counters, small numbers, flags) and one sixteenth random bytes.
 * docs/measuring.md states how far it compresses; a unit test keeps that.
 */
#include "bench/tests/cpu_kernel.h"

#define PIECE_BYTES 65536
#define TEXT_BYTES 32768
#define RECORD_BYTES 28672
#define WORDS 4096
#define WORD_BYTES 16

static uint32_t draw(uint64_t *x)
{
	*x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*x >> 32);
}

/* Word number n: two to seven letters and more, always the same for the same n. */
static size_t put_word(char word[WORD_BYTES], unsigned n)
{
	static const char consonants[] = "tnshrdlcmwfgypbvk", vowels[] = "eaoiu";
	uint64_t x = n * UINT64_C(0x9e3779b97f4a7c15) + 1;
	size_t letters = 2 + draw(&x) % 3 + (n > 64 ? draw(&x) % 4 : 0) + (n > 1024) * 2;

	for (size_t i = 0; i < letters; i++)
		word[i] = i % 2 ? vowels[draw(&x) % 5] : consonants[draw(&x) % 17];
	return letters;
}

/* Repeats up to 64 of the last 4096 bytes, as phrases do. Returns how many. */
static size_t put_again(unsigned char *to, size_t at, size_t bytes, uint64_t *x)
{
	size_t n = 16 + draw(x) % 48, back = 64 + draw(x) % 4032;

	if (n > bytes - at)
		n = bytes - at;
	for (size_t i = 0; i < n; i++)
		to[at + i] = to[at + i - back];
	return n;
}

/* Words whose frequency falls about as 1 / rank: a rank is drawn evenly on a logarithmic scale. */
static void put_text(unsigned char *to, size_t bytes, uint64_t *x)
{
	size_t at = 0, in_sentence = 0;

	while (at < bytes) {
		unsigned octave = draw(x) % 12;
		unsigned rank = (1u << octave) + draw(x) % (1u << octave);
		char word[WORD_BYTES];
		size_t n = put_word(word, rank % WORDS);

		if (at > 4096 && draw(x) % 8 == 0) {
			at += put_again(to, at, bytes, x);
			continue;
		}
		if (!in_sentence)
			word[0] = (char)(word[0] - 'a' + 'A');
		for (size_t i = 0; i < n && at < bytes; i++)
			to[at++] = (unsigned char)word[i];
		in_sentence = in_sentence < 12 && draw(x) % 9 ? in_sentence + 1 : 0;
		if (!in_sentence && at < bytes)
			to[at++] = '.';
		if (at < bytes)
			to[at++] = in_sentence || draw(x) % 6 ? ' ' : '\n';
	}
}

static void put_number(unsigned char *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

/* Records of 24 bytes: number, time, size, two measured values, flags. */
static void put_records(unsigned char *to, size_t bytes, uint64_t *x)
{
	uint32_t number = draw(x) & 0xffff, time = draw(x);

	for (size_t at = 0; at + 24 <= bytes; at += 24) {
		time += draw(x) % 250;
		put_number(to + at, number++);
		put_number(to + at + 4, time);
		put_number(to + at + 8, (draw(x) % 16) * 512);
		put_number(to + at + 12, 20000 + draw(x) % 256);
		put_number(to + at + 16, draw(x) % 8 ? 0 : draw(x) & 0xffffff);
		put_number(to + at + 20, 1u << draw(x) % 4);
	}
}

void cpu_corpus_fill(unsigned char *to, size_t bytes)
{
	uint64_t x = 42;

	for (size_t at = 0; at < bytes; at += PIECE_BYTES) {
		static const size_t part[] = { TEXT_BYTES, RECORD_BYTES,
					       PIECE_BYTES - TEXT_BYTES - RECORD_BYTES };
		size_t from = at;

		for (int k = 0; k < 3 && from < bytes; k++) {
			size_t n = part[k] < bytes - from ? part[k] : bytes - from;

			if (k == 0)
				put_text(to + from, n, &x);
			else if (k == 1)
				put_records(to + from, n, &x);
			for (size_t i = 0; k == 2 && i < n; i++)
				to[from + i] = (unsigned char)(draw(&x) >> 11);
			from += n;
		}
	}
}
