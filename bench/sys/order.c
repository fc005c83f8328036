/* SPDX-License-Identifier: MIT */
/* The order in which people count devices. */
#include "bench/sys/order.h"

#include <stdlib.h>
#include <string.h>

static size_t run_len(const char *s)
{
	size_t digits = strspn(s, "0123456789");

	return digits ? digits : strcspn(s, "0123456789");
}

static const char *skip_zeros(const char *s, size_t *n)
{
	for (; *n > 1 && *s == '0'; s++)
		--*n;
	return s;
}

int order_names(const char *a, const char *b)
{
	const char *whole_a = a, *whole_b = b;

	while (*a && *b) {
		size_t la = run_len(a), lb = run_len(b), na = la, nb = lb;
		const char *ra = skip_zeros(a, &na), *rb = skip_zeros(b, &nb);
		int differ;

		if (na != nb)
			return na < nb ? -1 : 1;
		differ = memcmp(ra, rb, na);
		if (differ)
			return differ;
		a += la;
		b += lb;
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return strcmp(whole_a, whole_b);	/* "a01" and "a1" are not the same */
}

static int by_name(const void *a, const void *b)
{
	return order_names(*(char *const *)a, *(char *const *)b);
}

void order_sort(char **name, size_t n)
{
	if (n)
		qsort(name, n, sizeof(*name), by_name);
}

int order_addresses(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b);

	if (!la != !lb)
		return la ? -1 : 1;
	if (la != lb)
		return la < lb ? -1 : 1;
	return strcmp(a, b);
}
