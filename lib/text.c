/* SPDX-License-Identifier: MIT */
/* Untrusted bytes become safe text at the border. */
#include "lib/text.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#define REPLACEMENT 0xFFFD

/*
 * Decodes one character of RFC 3629 UTF-8 at `s` (`len` >= 1). Returns its length and sets *cp, or
 * returns 0 where the bytes are no valid character.
 */
static size_t decode(const unsigned char *s, size_t len, uint32_t *cp)
{
	static const uint32_t lowest[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;

	if (n == 1) {
		*cp = s[0];
		return 1;
	}
	if (s[0] < 0xC2 || s[0] > 0xF4 || n > len)
		return 0;
	*cp = s[0] & (0x7Fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3F);
	}
	if (*cp < lowest[n] || *cp > 0x10FFFF || (*cp >= 0xD800 && *cp <= 0xDFFF))
		return 0;
	return n;
}

static size_t encode(char out[4], uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (char)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (char)(0x80 | (cp & 0x3F));
	return 4;
}

static bool is_blank(uint32_t cp)
{
	return cp == ' ' || (cp >= '\t' && cp <= '\r') || cp == 0 || cp == 0x85 || cp == 0xA0 ||
	       cp == 0x2028 || cp == 0x2029;
}

/* Controls, and the marks that turn the direction of a line around or cannot be seen. */
static bool is_unsafe(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || (cp >= 0x200B && cp <= 0x200F) ||
	       (cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF ||
	       (cp >= 0xFFF9 && cp <= 0xFFFB) || (cp & 0xFFFE) == 0xFFFE;
}

size_t text_clean(char *to, size_t size, const void *from, size_t len)
{
	const unsigned char *s = from;
	size_t used = 0;
	bool blank = false;

	if (size == 0)
		return 0;
	while (len > 0) {
		char piece[4];
		uint32_t cp;
		size_t n = decode(s, len, &cp);

		if (n == 0) {
			cp = REPLACEMENT;
			n = 1;
		}
		s += n;
		len -= n;
		if (is_blank(cp)) {
			blank = used > 0;
			continue;
		}
		n = encode(piece, is_unsafe(cp) ? REPLACEMENT : cp);
		if (used + blank + n + 1 > size)
			break;
		if (blank)
			to[used++] = ' ';
		blank = false;
		memcpy(to + used, piece, n);
		used += n;
	}
	to[used] = '\0';
	return used;
}

size_t text_clean_str(char *to, size_t size, const char *from)
{
	return text_clean(to, size, from, strlen(from));
}

bool text_is_utf8(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;

	while (len > 0) {
		uint32_t cp;
		size_t n = decode(s, len, &cp);

		if (n == 0)
			return false;
		s += n;
		len -= n;
	}
	return true;
}

size_t text_copy(char *to, size_t size, const char *from)
{
	size_t len = strlen(from);
	size_t n = len;

	if (size == 0)
		return len;
	if (n >= size) {
		n = size - 1;
		/* never cut inside a character: step back over continuation bytes */
		while (n > 0 && ((unsigned char)from[n] & 0xC0) == 0x80)
			n--;
	}
	memcpy(to, from, n);
	to[n] = '\0';
	return len;
}

bool text_same(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}
