/* SPDX-License-Identifier: MIT */
/*
 * Values of a JSON text that may hold anything, for struct health: a wrong type is "not there", a
 * number out of range is kept at the end of the range with a doubt. And numbers of a drive's bytes.
 */
#ifndef BENCH_HEALTH_VALUE_H
#define BENCH_HEALTH_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "bench/model/health.h"

/*
 * The value at a way of keys, "temperature/current"; NULL where it is not there, or where a key of
 * the way stands there twice with different values: which of them counts would be a guess, and `h`
 * gets a doubt (`h` may be NULL).
 */
yyjson_val *value_at(struct health *h, yyjson_val *root, const char *way);
/* A whole number of any sign; false where it is none or does not fit. `to` is then kept. */
bool value_whole(struct health *h, yyjson_val *root, const char *way, int64_t *to);
/*
 * A counter, times `unit`. smartctl writes numbers of more than 53 bits also as text below KEY_s,
 * and 128-bit ones as a rounded number: the text counts. What is larger than INT64_MAX becomes
 * INT64_MAX with a doubt on `key`; a negative one is absent with a doubt.
 */
bool value_counter(struct health *h, yyjson_val *root, const char *way, int64_t unit,
		   const char *key, int64_t *to);
/* A number that fits an int32_t; else absent. */
bool value_i32(struct health *h, yyjson_val *root, const char *way, int32_t *to);
bool value_bool(struct health *h, yyjson_val *root, const char *way, bool *to);
/* A text, cleaned; false and an empty one where there is none. */
bool value_text(struct health *h, yyjson_val *root, const char *way, char *to, size_t size);
/* A number of at most 8 bytes, the lowest first. */
uint64_t value_le(const uint8_t *p, unsigned bytes);
/* `a` times `b`, at most INT64_MAX; *cut is set where that was less. Neither is negative. */
int64_t value_times(int64_t a, int64_t b, bool *cut);

#endif
