/* SPDX-License-Identifier: MIT */
/* Whom a transfer may trust, and whether what was given for that can be used at all. */
#ifndef BENCH_UPLOAD_TRUST_H
#define BENCH_UPLOAD_TRUST_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#define TRUST_PINS_BYTES 1024

/*
 * The authorities this host trusts: the first of the usual places that can be read, or NULL.
 * `tried` (may be NULL) receives the list of places.
 */
const char *trust_find_roots(char *tried, size_t tried_bytes);

/*
 * Makes a transfer trust these: `roots` a PEM file of authorities or NULL, `pin` "" or public key
 * hashes that alone decide then. Both must live as long as the transfer.
 */
void trust_apply(CURL *curl, const char *roots, const char *pin);

/* True for one or more, separated by ';', of sha256// and 44 characters of base64. */
bool trust_check_pin(const char *pin);
/* True for what may stand in an Authorization header: visible ASCII without blanks, not empty. */
bool trust_check_token(const char *token);

#endif
