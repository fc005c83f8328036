/* SPDX-License-Identifier: MIT */
/* Pasted text as one kind of text; see import.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/import/import.h"
#include "lib/text.h"

struct swap {
	const char *from, *to;
};

/* The mess of web pages, by its bytes in UTF-8. */
static const struct swap swaps[] = {
	{ "\xc2\xa0", " " },		/* no-break space */
	{ "\xe2\x80\xaf", " " }, { "\xe2\x80\x89", " " }, { "\xe3\x80\x80", " " },
	{ "\xe2\x80\x8b", "" }, { "\xef\xbb\xbf", "" },	/* zero width */
	{ "\xe2\x80\x9c", "\"" }, { "\xe2\x80\x9d", "\"" }, { "\xe2\x80\x9e", "\"" },
	{ "\xe2\x80\x98", "'" }, { "\xe2\x80\x99", "'" },
	{ "\xe2\x80\x93", "-" }, { "\xe2\x80\x94", "-" }, { "\xe2\x88\x92", "-" },
	{ "\xef\xbc\x9a", ":" }, { "\xef\xbc\x8c", ", " }, { "\xe3\x80\x81", ", " },
	{ "\xef\xbc\x88", " (" }, { "\xef\xbc\x89", ")" },
	{ "&nbsp;", " " }, { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" },
	{ "&#39;", "'" }, { "\r\n", "\n" }, { "\r", "\n" }, { "\t", " " },
};

static const struct swap *find_swap(const char *at, size_t left)
{
	for (size_t i = 0; i < sizeof(swaps) / sizeof(*swaps); i++) {
		size_t n = strlen(swaps[i].from);

		if (n <= left && !memcmp(at, swaps[i].from, n))
			return &swaps[i];
	}
	return NULL;
}

/* Bytes of the character at `at`; 0: it is none, or a control character. */
static size_t character(const char *at, size_t left)
{
	unsigned char c = (unsigned char)*at;
	size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

	if (n == 1)
		return c >= ' ' && c != 0x7f;
	return n <= left && text_is_utf8(at, n) ? n : 0;
}

char *import_clean(const char *text, size_t len)
{
	char *clean = malloc(len * 2 + 1);	/* no swap grows more than that */
	size_t used = 0;

	if (!clean)
		return NULL;
	for (size_t i = 0; i < len;) {
		const struct swap *s = find_swap(text + i, len - i);
		size_t n;

		if (s) {
			memcpy(clean + used, s->to, strlen(s->to));
			used += strlen(s->to);
			i += strlen(s->from);
			continue;
		}
		n = text[i] == '\n' ? 1 : character(text + i, len - i);
		memcpy(clean + used, text + i, n);
		used += n;
		i += n ? n : 1;
	}
	clean[used] = '\0';
	return clean;
}
