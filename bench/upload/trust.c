/* SPDX-License-Identifier: MIT */
/* Whom a transfer may trust, and whether what was given for that can be used at all. */
#include "bench/upload/trust.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *trust_find_roots(char *tried, size_t tried_bytes)
{
	static const char *const places[] = {
		"/etc/ssl/certs/ca-certificates.crt",	/* the appliance; Debian, Ubuntu, Arch */
		"/etc/pki/tls/certs/ca-bundle.crt",	/* Fedora, RHEL */
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
		"/etc/ssl/ca-bundle.pem",		/* SUSE */
		"/etc/ssl/cert.pem",			/* Alpine, BSD */
	};
	const char *found = NULL;
	size_t used = 0;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!found && access(places[i], R_OK) == 0)
			found = places[i];
		if (tried && used < tried_bytes)
			used += (size_t)snprintf(tried + used, tried_bytes - used, "%s%s",
						 i ? ", " : "", places[i]);
	}
	return found;
}

void trust_apply(CURL *curl, const char *roots, const char *pin)
{
	if (roots) {
		curl_easy_setopt(curl, CURLOPT_CAINFO, roots);
		curl_easy_setopt(curl, CURLOPT_PROXY_CAINFO, roots);
	}
	if (!pin[0])
		return;		/* libcurl's default: authority, name and date are checked */
	/*
	 * The server proves that it holds the key in the handshake, and libcurl compares the key
	 * before it sends a byte of the request: whom nobody else may be needs no one to vouch for.
	 */
	curl_easy_setopt(curl, CURLOPT_PINNEDPUBLICKEY, pin);
	curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
	curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
}

bool trust_check_pin(const char *pin)
{
	static const char prefix[] = "sha256//";
	static const char base64[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	if (strlen(pin) >= TRUST_PINS_BYTES)
		return false;
	for (;;) {
		/* 32 bytes: 43 digits and one filler */
		if (strncmp(pin, prefix, sizeof(prefix) - 1) != 0)
			return false;
		pin += sizeof(prefix) - 1;
		if (strspn(pin, base64) != 43 || pin[43] != '=')
			return false;
		pin += 44;
		if (!*pin)
			return true;
		if (*pin++ != ';')
			return false;
	}
}

bool trust_check_token(const char *token)
{
	size_t i;

	for (i = 0; token[i]; i++)
		if (token[i] <= ' ' || token[i] > '~')
			return false;
	return i > 0;
}
