/* SPDX-License-Identifier: MIT */
/* Texts that are lists of words, separated by blanks. */
#ifndef BENCH_SYS_WORDS_H
#define BENCH_SYS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* True where `word` is one of the words of `text`; an empty one is none. */
bool words_hold(const char *text, const char *word);
/*
 * Appends `word` to the text of `size` bytes, behind `separator` where it is not the first; whole
 * or not at all, and nothing where it is empty.
 */
void words_append(char *to, size_t size, const char *separator, const char *word);

#endif
