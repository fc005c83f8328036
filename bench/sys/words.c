/* SPDX-License-Identifier: MIT */
/* Texts that are lists of words; see words.h. */
#include "bench/sys/words.h"

#include <stdio.h>
#include <string.h>

bool words_hold(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = text; n && (s = strstr(s, word)); s += n)
		if ((s == text || s[-1] == ' ') && (s[n] == ' ' || !s[n]))
			return true;
	return false;
}

void words_append(char *to, size_t size, const char *separator, const char *word)
{
	size_t n = strlen(to), more = strlen(word) + (n ? strlen(separator) : 0);

	if (word[0] && n + more < size)
		snprintf(to + n, size - n, "%s%s", n ? separator : "", word);
}
