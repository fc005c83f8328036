/* SPDX-License-Identifier: MIT */
/* What JSON writer and reader agree on beyond the map of fields. */
#ifndef BENCH_REPORT_JSON_H
#define BENCH_REPORT_JSON_H

#include <stdint.h>

/*
 * Whole numbers from here on are not exact in a double: they are also written as text under
 * KEY_str.
 */
#define JSON_EXACT_LIMIT (UINT64_C(1) << 53)
#define JSON_EXACT_SUFFIX "_str"
/* Largest report that is read. */
#define JSON_READ_LIMIT_BYTES (64u << 20)

struct yyjson_mut_doc;
struct yyjson_mut_val;
/*
 * Adds a text to an object, cleaned and cut at REPORT_TEXT_BYTES; one that is then empty is left
 * out.
 */
void json_put_text(struct yyjson_mut_doc *doc, struct yyjson_mut_val *object, const char *key,
		   const char *text);

#endif
