/* SPDX-License-Identifier: MIT */
/* Takes out of kernel messages and command lines what opens something; see secrets.h. */
#include "bench/sys/secrets.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Names of secrets: those that hold one of these, and those that end in one. */
static const char *const anywhere[] = {
	"token", "password", "passwd", "passphrase", "secret", "credential",
};
static const char *const at_end[] = { "key", "pass", "pwd", "psk", "pin-code" };

/* Removes `n` bytes at `at` and puts "***" there; the text never grows past its room. */
static char *mask(char *at, size_t n, size_t room)
{
	size_t rest = strlen(at + n), stars = room > 3 ? 3 : room - 1;

	if (stars + rest >= room)
		rest = room - 1 - stars;	/* the end gives way */
	memmove(at + stars, at + n, rest);
	memset(at, '*', stars);
	at[stars + rest] = '\0';
	return at + stars;
}

static bool names_secret(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(anywhere) / sizeof(*anywhere); i++) {
		size_t n = strlen(anywhere[i]);

		for (size_t at = 0; at + n <= len; at++)
			if (!strncasecmp(name + at, anywhere[i], n))
				return true;
	}
	for (size_t i = 0; i < sizeof(at_end) / sizeof(*at_end); i++) {
		size_t n = strlen(at_end[i]);

		if (n <= len && !strncasecmp(name + len - n, at_end[i], n))
			return true;
	}
	return false;
}

/* The values behind such names, quoted ("a b") or in a quoted word ("name=a b"). */
static void mask_values(char *line, size_t size)
{
	char *s = line;

	while ((s = strchr(s, '='))) {
		char *name = s;
		bool quoted_word, quoted;

		while (name > line && !strchr(" \t\"'=?&,;", name[-1]))
			name--;
		quoted_word = name > line && name[-1] == '"';
		s++;
		if (!names_secret(name, (size_t)(s - 1 - name)))
			continue;
		quoted = *s == '"';
		s += quoted;
		s = mask(s, strcspn(s, quoted || quoted_word ? "\"" : " \t\""),
			 size - (size_t)(s - line));
	}
}

void secrets_mask(char *line, size_t size)
{
	char *s = line;

	mask_values(line, size);
	while ((s = strstr(s, "://"))) {
		size_t n, host;

		s += 3;
		/* commas and apostrophes may be part of a password (RFC 3986, section 3.2.1) */
		n = strcspn(s, "/ \t\"");
		host = n;
		while (host > 0 && s[host - 1] != '@')
			host--;
		if (host > 1)
			s = mask(s, host - 1, size - (size_t)(s - line));
		n = strcspn(s, " \t\"");
		host = strcspn(s, "?");
		if (host < n) {
			s += host + 1;
			s = mask(s, strcspn(s, " \t\""), size - (size_t)(s - line));
		}
	}
}
