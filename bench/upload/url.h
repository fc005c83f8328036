/* SPDX-License-Identifier: MIT */
/* Addresses of servers: which are taken, where a report goes, how they may be shown. */
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
 * Host (an IPv6 address without its brackets) and port of a URL (checked). Returns 0, or -EINVAL:
 * the host has letters no name has, or the port is no number from 1 to 65535.
 */
int url_host(const char *url, char *host, size_t size, unsigned *port);
/*
 * Where a collector's speed test is: the path /v1/reports becomes /v1/speed; query and fragment go.
 * Returns 0, -ENOENT where the URL (checked) is no collector's, or -ENAMETOOLONG.
 */
int url_speed(const char *url, char *buf, size_t size);
/* The root of the same server, without user, query and fragment. Returns 0 or -ENAMETOOLONG. */
int url_root(const char *url, char *buf, size_t size);

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
