/* SPDX-License-Identifier: MIT */
/* Lists of words: whole ones are found, and appended whole or not at all. */
#include "bench/sys/words.h"

#include "tests/unit/tap.h"

int main(void)
{
	char text[12] = "";

	ok(words_hold("fpu avx2 sse", "avx2"), "a word in the middle");
	ok(words_hold("avx2", "avx2"), "the only one");
	ok(words_hold("avx avx2", "avx2"), "the last one");
	ok(words_hold("avxavx avx", "avx"), "behind one that begins with it twice");
	ok(!words_hold("avx2 xavx", "avx"), "no part of a word");
	ok(!words_hold("", "avx"), "none in no text");
	ok(!words_hold("avx", ""), "an empty word is none");
	words_append(text, sizeof(text), ", ", "");
	is_str(text, "", "no word");
	words_append(text, sizeof(text), ", ", "clean");
	is_str(text, "clean", "the first one has nothing before it");
	words_append(text, sizeof(text), ", ", "check");
	is_str(text, "clean", "one that does not fit with its NUL");
	words_append(text, sizeof(text), ", ", "idle");
	is_str(text, "clean, idle", "one that just fits");
	return tap_done();
}
