/* SPDX-License-Identifier: MIT */
/* Addresses: which are taken, where the report goes, what is shown of them. */
#include <errno.h>
#include <string.h>

#include "bench/upload/trust.h"
#include "bench/upload/url.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

#define ID "89abcdef-0123-4567-89ab-cdef01234567"

static void test_check(void)
{
	static const char *const good[] = {
		"http://x",
		"https://x/",
		"HTTP://X:80/a?b#c",
		"https://[2001:db8::1]:8443/v1/reports",
		"https://user:pass@host/x",
		"http://127.0.0.1:1/%20",
		"https://a@b@c/",
	};
	static const char *const bad[] = {
		"",
		"x",
		"ftp://x",
		"http:/x",
		"http://",
		"https://",
		"https:///x",
		"http://:80/",
		"http://user@/x",
		"http://?x",
		"http://#",
		"http://a b/",
		"http://a/\n",
		"http://a/\r\nX: y",
		"http://a/\t",
		"http://a/\x7f",
		"http://a/\xc3\xa9",
		" http://a",
		"http://a\\@b/",
		"file:///etc/passwd",
		"javascript://x/%0a",
		"httpss://x",
	};
	char why[120], large[URL_BYTES + 100];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		is_int(url_check(good[i], why, sizeof(why)), 0, "good address %zu", i);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		why[0] = '\0';
		is_int(url_check(bad[i], why, sizeof(why)), -EINVAL, "bad address %zu", i);
		ok(strlen(why) > 10, "bad address %zu: says why", i);
	}
	memset(large, 'a', sizeof(large));
	memcpy(large, "http://", 7);
	large[sizeof(large) - 1] = '\0';
	is_int(url_check(large, why, sizeof(why)), -EINVAL, "an address that is too long");
	large[URL_BYTES - 65] = '\0';
	is_int(url_check(large, why, sizeof(why)), 0, "the longest address");
	ok(url_is_https("HTTPS://x") && !url_is_https("http://https://x"),
	   "https is told from http");
	ok(url_has_user("http://u@x/") && url_has_user("http://u:p@x") &&
		   url_has_user("http://@x/"),
	   "user and password are seen");
	ok(!url_has_user("http://x/@y") && !url_has_user("http://x?a@b") &&
		   !url_has_user("http://x#@"),
	   "an @ elsewhere is none");
}

static void test_target(void)
{
	static const struct {
		const char *url, *target;
		bool collector;
	} rows[] = {
		{ "http://x/v1/reports", "http://x/v1/reports/" ID, true },
		{ "http://x/v1/reports/", "http://x/v1/reports/" ID, true },
		{ "http://x/v1/reports//", "http://x/v1/reports/" ID, true },
		{ "http://x/a/v1/reports?k=v#f", "http://x/a/v1/reports/" ID "?k=v", true },
		{ "http://x/v1/reports#f", "http://x/v1/reports/" ID, true },
		{ "http://x/v1/reports/y", "http://x/v1/reports/y", false },
		{ "http://x/v1/report", "http://x/v1/report", false },
		{ "http://x/?u=/v1/reports", "http://x/?u=/v1/reports", false },
		{ "http://x/#/v1/reports", "http://x/", false },
		{ "http://x", "http://x", false },
		{ "http://x/a?b=c#d", "http://x/a?b=c", false },
	};
	char target[URL_BYTES];
	bool collector;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is_int(url_target(rows[i].url, ID, target, sizeof(target), &collector), 0, "%s",
		       rows[i].url);
		is_str(target, rows[i].target, "%s: where it goes", rows[i].url);
		ok(collector == rows[i].collector, "%s: whether it is a collector", rows[i].url);
	}
	is_int(url_target("http://x/v1/reports", ID, target, 30, &collector), -ENAMETOOLONG,
	       "no room");
}

static void test_shown(void)
{
	static const struct {
		const char *url, *shown;
	} rows[] = {
		{ "http://x/v1/reports", "http://x/v1/reports" },
		{ "https://user:secret@x:1/y", "https://x:1/y" },
		{ "https://a:secret@b:secret@x/y", "https://x/y" },
		{ "https://x/y?sig=secret", "https://x/y?***" },
		{ "https://x?sig=secret#secret", "https://x?***" },
		{ "https://x/y#secret", "https://x/y" },
		{ "https://x/a@b", "https://x/a@b" },
		{ "https://u:secret@x\\@y/", "https://x\\@y/" },
		{ "http://x/\n\x1b[31m", "http://x/ \xef\xbf\xbd[31m" },
		{ "ftp://user:secret@x/", "x/" },
		{ "http:/user:secret@x/y?secret", "x/y?***" },
		{ "user:secret@x", "x" },
		{ "gopher://x/y", "gopher://x/y" },
	};
	char shown[URL_BYTES], bytes[600];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is_str(url_shown(rows[i].url, shown, sizeof(shown)), rows[i].shown, "row %zu", i);
		ok(!strstr(shown, "secret"), "row %zu: no secret", i);
	}
	for (int byte = 1; byte < 256; byte++) {
		snprintf(bytes, sizeof(bytes), "http://u:secret@h%c/p%c?%c", byte, byte, byte);
		url_shown(bytes, shown, 24);
		if (!text_is_utf8(shown, strlen(shown)) || strlen(shown) > 23)
			ok(false, "byte %d: what is shown is UTF-8 and fits", byte);
	}
}

#define DIGEST "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

static void test_pin(void)
{
	ok(trust_check_pin("sha256//" DIGEST), "a pin");
	ok(trust_check_pin("sha256//" DIGEST ";sha256//" DIGEST), "two pins");
	ok(!trust_check_pin(""), "no pin");
	ok(!trust_check_pin(DIGEST), "no prefix");
	ok(!trust_check_pin("sha1//" DIGEST), "another hash");
	ok(!trust_check_pin("sha256//" DIGEST ";"), "a separator at the end");
	ok(!trust_check_pin("sha256//" DIGEST "sha256//" DIGEST), "no separator");
	ok(!trust_check_pin("sha256//" DIGEST ";/etc/passwd"), "a file name behind");
	ok(!trust_check_pin("/etc/ssl/key.pem"), "a file name");
	ok(!trust_check_pin("sha256//47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU="), "base64url");
	ok(!trust_check_pin("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF=="), "31 bytes");
	ok(trust_check_token("abc.DEF-123_~+/=") && !trust_check_token("") &&
		   !trust_check_token("a b") && !trust_check_token("a\r\nX: y") &&
		   !trust_check_token("\x7f") && !trust_check_token("\xc3\xa9"),
	   "tokens");
}

static const struct host_row {
	const char *url, *host;		/* NULL: refused */
	unsigned port;
} host_table[] = {
	{ "http://a.example", "a.example", 80 },
	{ "https://A.example/x:1", "A.example", 443 },
	{ "http://a.example:8080?q", "a.example", 8080 },
	{ "http://a.example:/", "a.example", 80 },
	{ "http://u:p@a.example:1/", "a.example", 1 },
	{ "http://u:p@b@a.example#f", "a.example", 80 },
	{ "http://[2001:db8::1]", "2001:db8::1", 80 },
	{ "https://[::ffff:192.0.2.1]:65535/", "::ffff:192.0.2.1", 65535 },
	{ "http://192.0.2.1/big", "192.0.2.1", 80 },
	{ "http://a:0/", NULL, 0 },
	{ "http://a:65536/", NULL, 0 },
	{ "http://a:123456/", NULL, 0 },
	{ "http://a:8x/", NULL, 0 },
	{ "http://a:-1/", NULL, 0 },
	{ "http://a%20b/", NULL, 0 },
	{ "http://$(id)/", NULL, 0 },
	{ "http://[::1/", NULL, 0 },
	{ "http://[::1]x/", NULL, 0 },
	{ "http://[fe80::1%25eth0]/", NULL, 0 },
	{ "http://[]/", NULL, 0 },
};

static void hosts(void)
{
	char host[64];
	unsigned port;

	for (size_t i = 0; i < sizeof(host_table) / sizeof(host_table[0]); i++) {
		const struct host_row *row = &host_table[i];
		int err = url_host(row->url, host, sizeof(host), &port);

		if (!row->host) {
			is_int(err, -EINVAL, "%s has no proper host or port", row->url);
			continue;
		}
		is_int(err, 0, "%s has a host", row->url);
		is_str(host, row->host, "its name");
		is_uint(port, row->port, "its port");
	}
	is_int(url_host("http://a.example/", host, 9, &port), -EINVAL, "no room for the name");
}

static void speed(void)
{
	char buf[64];

	is_int(url_speed("https://u:p@a/x/v1/reports/?k=v#f", buf, sizeof(buf)), 0,
	       "a collector has a speed test");
	is_str(buf, "https://u:p@a/x/v1/speed", "beside its reports");
	is_int(url_speed("http://a/v1/report", buf, sizeof(buf)), -ENOENT, "others have none");
	is_int(url_speed("http://a/?u=/v1/reports", buf, sizeof(buf)), -ENOENT,
	       "whatever their query says");
	is_int(url_speed("http://a/v1/reports", buf, 17), -ENAMETOOLONG, "no room");
	is_int(url_root("https://u:p@a.example:8443/x?sig=1#f", buf, sizeof(buf)), 0, "a root");
	is_str(buf, "https://a.example:8443/", "without user and query");
	is_int(url_root("http://a", buf, sizeof(buf)), 0, "of a bare host");
	is_str(buf, "http://a/", "as well");
	is_int(url_root("http://a", buf, 9), -ENAMETOOLONG, "no room for it");
}

int main(void)
{
	test_check();
	test_target();
	test_shown();
	test_pin();
	hosts();
	speed();
	return tap_done();
}
