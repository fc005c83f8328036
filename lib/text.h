/* SPDX-License-Identifier: MIT */
/* Untrusted bytes become safe text at the border. */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies `len` bytes of `from` into `to` (at most size - 1 bytes and a NUL) as valid UTF-8 on one
 * line: control characters (also C1, U+2028/9) and invalid bytes become U+FFFD or, where they stand
 * for white space, one space; blanks at both ends go and runs of blanks shrink to one. Never cuts
 * inside a character. Returns the bytes written. `to` and `from` may not overlap.
 */
size_t text_clean(char *to, size_t size, const void *from, size_t len);
/* The same for a NUL-terminated text. */
size_t text_clean_str(char *to, size_t size, const char *from);
/* True where every byte belongs to valid UTF-8 (RFC 3629: no surrogates, no overlong forms). */
bool text_is_utf8(const char *text, size_t len);
/*
 * Copies, cut at `size` (never inside a UTF-8 character), always terminated. Returns the length of
 * `from`.
 */
size_t text_copy(char *to, size_t size, const char *from);
/* True where `a` and `b` are equal but for ASCII case. */
bool text_same(const char *a, const char *b);

#endif
