/* SPDX-License-Identifier: MIT */
/* Untrusted bytes become safe text, whatever they are. */
#include "lib/text.h"
#include "tests/unit/tap.h"

#define BAD "\xEF\xBF\xBD"

static void test_clean(void)
{
	static const struct {
		const char *from;
		size_t len;
		const char *want;
		const char *what;
	} row[] = {
		{ "", 0, "", "nothing" },
		{ "  QEMU   HARDDISK  ", 19, "QEMU HARDDISK", "padding goes, runs shrink" },
		{ "AB\xff\x01\"<b>", 8, "AB" BAD BAD "\"<b>", "invalid and control bytes" },
		{ "a\tb\r\nc", 6, "a b c", "white space becomes one blank" },
		{ "a\0b", 3, "a b", "NUL inside" },
		{ "S1\0\0\0", 5, "S1", "NUL padding" },
		{ "\xC3\xBC", 2, "\xC3\xBC", "two bytes" },
		{ "\xE2\x82\xAC", 3, "\xE2\x82\xAC", "three bytes" },
		{ "\xF0\x9F\x98\x80", 4, "\xF0\x9F\x98\x80", "four bytes" },
		{ "\xC0\xAF", 2, BAD BAD, "overlong slash" },
		{ "\xE0\x80\xAF", 3, BAD BAD BAD, "overlong in three" },
		{ "\xED\xA0\x80", 3, BAD BAD BAD, "surrogate" },
		{ "\xF4\x90\x80\x80", 4, BAD BAD BAD BAD, "above U+10FFFF" },
		{ "\xE2\x82", 2, BAD BAD, "cut character" },
		{ "\xC2\x85x", 3, "x", "C1 next line is white space" },
		{ "\xC2\x9B"
		  "31m",
		  5, BAD "31m", "C1 escape introducer" },
		{ "a\xE2\x80\xA8"
		  "b",
		  5, "a b", "line separator" },
		{ "a\xE2\x80\xAE"
		  "b",
		  5, "a" BAD "b", "right-to-left override" },
		{ "\xEF\xBF\xBE", 3, BAD, "noncharacter" },
		{ "\x7F", 1, BAD, "delete" },
	};
	char to[64];

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		text_clean(to, sizeof(to), row[i].from, row[i].len);
		is_str(to, row[i].want, "%s", row[i].what);
	}
	is_uint(text_clean(to, 4, "a\xE2\x82\xAC", 4), 1, "never cuts inside a character");
	is_uint(text_clean(to, 3, "a  b", 4), 1, "no blank at a cut end");
	is_uint(text_clean(to, 1, "abc", 3), 0, "room for the NUL only");
	is_uint(text_clean(to, 0, "abc", 3), 0, "no room at all");
}

static void test_any_bytes(void)
{
	unsigned char from[40];
	char to[128];
	bool clean = true;

	srand(1);
	for (int round = 0; round < 20000; round++) {
		size_t len = (size_t)rand() % sizeof(from), size = 1 + (size_t)rand() % sizeof(to);
		size_t used;

		for (size_t i = 0; i < len; i++)
			from[i] = (unsigned char)rand();
		used = text_clean(to, size, from, len);
		clean &= used < size && to[used] == '\0' && text_is_utf8(to, used);
		for (size_t i = 0; i < used; i++)
			clean &= (unsigned char)to[i] >= 0x20;
	}
	ok(clean, "20,000 random inputs come out as valid UTF-8 without controls");
}

static void test_copy(void)
{
	char to[4];

	is_uint(text_copy(to, sizeof(to), "abcdef"), 6, "the whole length is returned");
	is_str(to, "abc", "cut");
	text_copy(to, sizeof(to), "ab\xC3\xBC");
	is_str(to, "ab", "not inside a character");
	ok(text_same("To Be Filled", "to be filled"), "ASCII case does not matter");
	ok(!text_is_utf8("\xC3", 1) && text_is_utf8("\xC3\xBC", 2), "utf-8 check");
}

int main(void)
{
	test_clean();
	test_any_bytes();
	test_copy();
	return tap_done();
}
