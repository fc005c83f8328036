/* SPDX-License-Identifier: MIT */
/* Upload addresses: which are taken, where a report goes, how they are shown without secrets. */
#ifndef BENCH_UPLOAD_URL_H
#define BENCH_UPLOAD_URL_H

#include <stdbool.h>
#include <stddef.h>

#define URL_BYTES 2048

/*
 * Returns 0 for an http:// or https:// URL with a host, else -EINVAL with the reason in `why`.
 * Blanks, control characters and bytes above 0x7e are refused everywhere: they must be
 * percent-encoded (RFC 3986, section 2), and a line break would let an address write headers.
 */
int url_check(const char *url, char *why, size_t why_bytes);

/* True where the URL (checked) brings its own user and password. */
bool url_has_user(const char *url);
/* True where the URL (checked) is https. */
bool url_is_https(const char *url);

/*
 * Where the report of `run_id` goes: a path that ends in /v1/reports gets /run_id and *collector is
 * true, any other URL stays as it is. The fragment goes. Returns 0 or -ENAMETOOLONG.
 */
int url_target(const char *url, const char *run_id, char *buf, size_t size, bool *collector);

/*
 * The URL as it may be shown: without user and password, and with *** for the query, which may hold
 * a signature. Any bytes are safe; the result is clean. Returns buf.
 */
const char *url_shown(const char *url, char *buf, size_t size);

#endif
