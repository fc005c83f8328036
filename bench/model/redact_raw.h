/* SPDX-License-Identifier: MIT */
/*
 * What names a drive in the raw text of smartctl: serial numbers, but also its WWN as numbers
 * ("wwn":{"naa":5,"oui":3152,"id":...}), which a search for known texts does not find. So whatever
 * stands behind certain keys goes. The text may be cut anywhere, or be no JSON at all.
 */
#ifndef BENCH_MODEL_REDACT_RAW_H
#define BENCH_MODEL_REDACT_RAW_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A value is replaced by 12 bytes and stands with its key in 7 ("wwn":1) at least: a text grows to
 * less than this times its size.
 */
#define REDACT_RAW_GROWTH 3

/*
 * True where `text` begins with a key of such a value: `value` is the offset of the value, `len`
 * that of its end. Else both are kept.
 */
bool redact_raw_at(const char *text, size_t *value, size_t *len);

#endif
