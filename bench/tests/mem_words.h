/* SPDX-License-Identifier: MIT */
/*
 * Patterns that memory is filled with and checked against, and what is told of a word that does not
 * hold what was written.
 *
 * Every word of a pattern follows from its number alone, so that nothing has to be remembered.
 */
#ifndef BENCH_TESTS_MEM_WORDS_H
#define BENCH_TESTS_MEM_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mem_words_kind {
	MEM_WORDS_ADDRESS,	/* its own number of bytes: finds lines of addresses that stick */
	MEM_WORDS_WALKING_ONE,	/* one bit, another in each word and each pass */
	MEM_WORDS_WALKING_ZERO,
	MEM_WORDS_RANDOM,	/* by a seed */
	MEM_WORDS_KINDS
};
extern const char *const mem_words_names[MEM_WORDS_KINDS];

struct mem_words {
	enum mem_words_kind kind;
	uint64_t seed;
};

/* The word of that number, before any inversion. */
uint64_t mem_words_at(const struct mem_words *w, uint64_t number);

struct mem_fault {
	const uint64_t *at;
	uint64_t number;	/* of the word */
	uint64_t expected, found;
	uint64_t again;		/* read once more, past the caches */
	uint64_t physical;	/* address of it; 0: it may not be known */
};

#define MEM_FAULTS_MAX 64

struct mem_faults {
	uint64_t n;		/* all; the first MEM_FAULTS_MAX are kept */
	struct mem_fault fault[MEM_FAULTS_MAX];
};

/* Writes the words number `first` .. first + n - 1. */
void mem_words_fill(const struct mem_words *w, uint64_t *at, size_t n, uint64_t first);
/*
 * Checks them, and in the same step inverts them where `invert`: what a moving inversion is.
 * `inverted`: they are inverted now. `down`: from the last to the first.
 */
void mem_words_check(const struct mem_words *w, uint64_t *at, size_t n, uint64_t first,
		     bool inverted, bool invert, bool down, struct mem_faults *faults);
/* Writes what the caches hold of it to memory and empties them of it, where the CPU has a way. */
void mem_words_flush(const void *at, size_t bytes);
/* The physical address behind `at`, by /proc/self/pagemap. 0: it may not be known. */
uint64_t mem_words_physical(const void *at);

#endif
