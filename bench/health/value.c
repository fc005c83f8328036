/* SPDX-License-Identifier: MIT */
/* Values of a JSON text that may hold anything; see value.h. */
#include "bench/health/value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/health/plausible.h"
#include "lib/text.h"

#define WAY_BYTES 128

/* The one value of a key, or NULL. */
static yyjson_val *member(struct health *h, yyjson_val *object, const char *key, size_t len)
{
	yyjson_val *found = NULL, *k;
	yyjson_obj_iter it;

	if (!yyjson_obj_iter_init(object, &it))
		return NULL;
	while ((k = yyjson_obj_iter_next(&it))) {
		yyjson_val *v = yyjson_obj_iter_get_val(k);

		if (!yyjson_equals_strn(k, key, len))
			continue;
		if (found && !yyjson_equals(found, v)) {
			char name[64];

			text_clean(name, sizeof(name), key, len);
			if (h)
				plausible_doubt(h, "source", "\"%s\" stands twice in the "
						"answer, with different values: neither is taken",
						name);
			return NULL;
		}
		found = v;
	}
	return found;
}

yyjson_val *value_at(struct health *h, yyjson_val *root, const char *way)
{
	while (*way && root) {
		size_t len = strcspn(way, "/");

		root = member(h, root, way, len);
		way += len + (way[len] == '/');
	}
	return root;
}

uint64_t value_le(const uint8_t *p, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | p[bytes];
	return value;
}

int64_t value_times(int64_t a, int64_t b, bool *cut)
{
	int64_t product;

	if (!__builtin_mul_overflow(a, b, &product))
		return product;
	*cut = true;
	return INT64_MAX;
}

bool value_whole(struct health *h, yyjson_val *root, const char *way, int64_t *to)
{
	yyjson_val *v = value_at(h, root, way);

	if (yyjson_is_sint(v))
		*to = yyjson_get_sint(v);
	else if (yyjson_is_uint(v) && yyjson_get_uint(v) <= INT64_MAX)
		*to = (int64_t)yyjson_get_uint(v);
	else
		return false;
	return true;
}

/* Decimal digits as a number, at most INT64_MAX; false where it is anything else. */
static bool read_digits(yyjson_val *v, int64_t *to, bool *cut)
{
	const char *digits = yyjson_get_str(v);
	unsigned long long number;
	char *end;

	if (!digits || *digits < '0' || *digits > '9')
		return false;
	errno = 0;
	number = strtoull(digits, &end, 10);
	if ((size_t)(end - digits) != yyjson_get_len(v))
		return false;
	*cut |= errno || number > INT64_MAX;
	*to = *cut ? INT64_MAX : (int64_t)number;
	return true;
}

/* A number as it stands there; false where it is none. */
static bool read_number(yyjson_val *v, int64_t *to, bool *cut)
{
	double real = yyjson_get_real(v);

	if (yyjson_is_sint(v)) {
		*to = yyjson_get_sint(v);
	} else if (yyjson_is_uint(v)) {
		*cut = yyjson_get_uint(v) > INT64_MAX;
		*to = *cut ? INT64_MAX : (int64_t)yyjson_get_uint(v);
	} else if (yyjson_is_real(v) && real >= 0) {
		*cut = real >= 9.2e18;
		*to = *cut ? INT64_MAX : (int64_t)real;
	} else if (yyjson_is_real(v)) {
		*to = -1;
	} else {
		return false;
	}
	return true;
}

bool value_counter(struct health *h, yyjson_val *root, const char *way, int64_t unit,
		   const char *key, int64_t *to)
{
	yyjson_val *v = value_at(h, root, way);
	char exact[WAY_BYTES];
	int64_t number = 0;
	bool cut = false;

	snprintf(exact, sizeof(exact), "%s_s", way);
	if (!v || (!read_digits(value_at(h, root, exact), &number, &cut) &&
		   !read_number(v, &number, &cut)))
		return false;
	if (number < 0) {
		plausible_doubt(h, key, "the drive's counter was given as %lld: not taken",
				(long long)number);
		return false;
	}
	*to = value_times(number, unit, &cut);
	if (cut)
		plausible_doubt(h, key, "the drive's counter is larger than can be kept: "
				"it is at least this");
	return true;
}

bool value_i32(struct health *h, yyjson_val *root, const char *way, int32_t *to)
{
	int64_t number;

	if (!value_whole(h, root, way, &number) || number < INT32_MIN || number > INT32_MAX)
		return false;
	*to = (int32_t)number;
	return true;
}

bool value_bool(struct health *h, yyjson_val *root, const char *way, bool *to)
{
	yyjson_val *v = value_at(h, root, way);

	if (!yyjson_is_bool(v))
		return false;
	*to = yyjson_get_bool(v);
	return true;
}

bool value_text(struct health *h, yyjson_val *root, const char *way, char *to, size_t size)
{
	yyjson_val *v = value_at(h, root, way);

	*to = '\0';
	if (!yyjson_is_str(v))
		return false;
	return text_clean(to, size, yyjson_get_str(v), yyjson_get_len(v)) > 0;
}
