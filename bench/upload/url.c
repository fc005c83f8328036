/* SPDX-License-Identifier: MIT */
/* Addresses of servers: which are taken, where a report goes, how they may be shown. */
#include "bench/upload/url.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/text.h"

#define COLLECTOR_PATH "/v1/reports"
#define SPEED_PATH "/v1/speed"

/* Length of "http://" or "https://" at the start, or 0. */
static size_t scheme_len(const char *url)
{
	if (strncasecmp(url, "http://", 7) == 0)
		return 7;
	return strncasecmp(url, "https://", 8) == 0 ? 8 : 0;
}

/*
 * Where the host begins: behind the last '@' of the authority, which ends at the first of / ? #
 * (RFC 3986, section 3.2). A backslash ends it too, as browsers and some servers read it.
 */
static const char *host_start(const char *url, size_t *host_len)
{
	const char *authority = url + scheme_len(url);
	size_t len = strcspn(authority, "/?#\\");
	const char *host = authority;

	for (size_t i = 0; i < len; i++)
		if (authority[i] == '@')
			host = authority + i + 1;
	*host_len = len - (size_t)(host - authority);
	return host;
}

int url_check(const char *url, char *why, size_t why_bytes)
{
	size_t host_len;
	const char *host;

	if (!scheme_len(url)) {
		snprintf(why, why_bytes, "an address begins with http:// or https://");
		return -EINVAL;
	}
	for (const char *p = url; *p; p++) {
		if (*p <= ' ' || *p > '~' || *p == '\\') {
			snprintf(why, why_bytes,
				 "byte 0x%02x at position %zu must be percent-encoded",
				 (unsigned char)*p, (size_t)(p - url));
			return -EINVAL;
		}
	}
	host = host_start(url, &host_len);
	if (host_len == 0 || *host == ':') {
		snprintf(why, why_bytes, "the address has no host");
		return -EINVAL;
	}
	if (strlen(url) >= URL_BYTES - 64) {
		snprintf(why, why_bytes, "the address is longer than %d bytes", URL_BYTES - 65);
		return -EINVAL;
	}
	return 0;
}

bool url_has_user(const char *url)
{
	size_t host_len;

	return host_start(url, &host_len) != url + scheme_len(url);
}

bool url_is_https(const char *url)
{
	return scheme_len(url) == 8;
}

/* Letters of names, and of addresses in brackets; "%" is for zones and encodings, which we lack. */
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_~"
#define ADDRESS_LETTERS "0123456789abcdefABCDEF:."

int url_host(const char *url, char *host, size_t size, unsigned *port)
{
	size_t len, name_len, digits;
	const char *at = host_start(url, &len), *end = at + len;
	bool bracket = len > 0 && *at == '[';

	at += bracket;
	name_len = strspn(at, bracket ? ADDRESS_LETTERS : NAME_LETTERS);
	if (name_len == 0 || name_len >= size || (bracket && at[name_len] != ']'))
		return -EINVAL;
	memcpy(host, at, name_len);
	host[name_len] = '\0';
	at += name_len + bracket;
	*port = url_is_https(url) ? 443 : 80;
	if (at < end && *at++ != ':')
		return -EINVAL;
	digits = strspn(at, "0123456789");
	if (at + digits != end || digits > 5)
		return -EINVAL;
	if (digits)
		*port = (unsigned)strtoul(at, NULL, 10);
	return *port >= 1 && *port <= 65535 ? 0 : -EINVAL;
}

/* Length of the URL up to the collector's path, or 0 where that is not its end. */
static size_t collector_len(const char *url)
{
	const size_t suffix_len = sizeof(COLLECTOR_PATH) - 1;
	size_t end = strcspn(url, "?#");

	while (end > 0 && url[end - 1] == '/')
		end--;	/* .../v1/reports/ means the same */
	if (end < suffix_len || strncmp(url + end - suffix_len, COLLECTOR_PATH, suffix_len))
		return 0;
	return end - suffix_len;
}

int url_speed(const char *url, char *buf, size_t size)
{
	size_t len = collector_len(url);

	if (len == 0)
		return -ENOENT;
	return snprintf(buf, size, "%.*s" SPEED_PATH, (int)len, url) < (int)size ? 0
									: -ENAMETOOLONG;
}

int url_root(const char *url, char *buf, size_t size)
{
	size_t host_len;
	const char *host = host_start(url, &host_len);

	return snprintf(buf, size, "%.*s%.*s/", (int)scheme_len(url), url, (int)host_len, host) <
	       (int)size ? 0 : -ENAMETOOLONG;
}

int url_target(const char *url, const char *run_id, char *buf, size_t size, bool *collector)
{
	size_t path_end = strcspn(url, "?#");
	size_t query_len = strcspn(url + path_end, "#");
	size_t start_len = collector_len(url);
	int n;

	*collector = start_len > 0;
	if (*collector)
		n = snprintf(buf, size, "%.*s" COLLECTOR_PATH "/%s%.*s", (int)start_len, url,
			     run_id, (int)query_len, url + path_end);
	else
		n = snprintf(buf, size, "%.*s%.*s", (int)path_end, url, (int)query_len,
			     url + path_end);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

const char *url_shown(const char *url, char *buf, size_t size)
{
	char whole[URL_BYTES + 8];
	size_t scheme = scheme_len(url), host_len;
	const char *host = host_start(url, &host_len);
	size_t len;

	/* no address of ours: where its password might be is not known, so nothing before an @ */
	for (const char *p = url; scheme == 0 && *p && *p != '?' && *p != '#'; p++)
		if (*p == '@')
			host = p + 1;
	len = strcspn(host, "?#");
	snprintf(whole, sizeof(whole), "%.*s%.*s%s", (int)scheme, url, (int)len, host,
		 host[len] == '?' ? "?***" : "");
	text_clean_str(buf, size, whole);
	return buf;
}
