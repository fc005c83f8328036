/* SPDX-License-Identifier: MIT */
/* The kernel's lists of CPU numbers; see cpu_list.h. */
#include "lib/cpu_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 1048575u	/* far above any NR_CPUS; bounds what a strange list may cost */

static int by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static bool take_number(const char **s, unsigned *value)
{
	char *end;
	unsigned long v;

	if (**s < '0' || **s > '9')
		return false;
	v = strtoul(*s, &end, 10);
	*s = end;
	*value = (unsigned)v;
	return v <= NUMBER_MAX;
}

static bool add_range(unsigned **list, size_t *n, unsigned first, unsigned last)
{
	size_t count = (size_t)(last - first) + 1;
	unsigned *more;

	if (*n + count > (size_t)NUMBER_MAX + 1)
		return false;
	more = reallocarray(*list, *n + count, sizeof(**list));
	if (!more)
		return false;
	*list = more;
	for (size_t i = 0; i < count; i++)
		more[(*n)++] = first + (unsigned)i;
	return true;
}

/* Sorts, and drops numbers that stand there twice. */
static void make_set(unsigned *list, size_t *n)
{
	size_t kept = 0;

	qsort(list, *n, sizeof(*list), by_number);
	for (size_t i = 0; i < *n; i++)
		if (i == 0 || list[i] != list[i - 1])
			list[kept++] = list[i];
	*n = kept;
}

unsigned *cpu_list_parse(const char *text, size_t *n)
{
	unsigned *list = NULL, first, last;

	*n = 0;
	for (const char *s = text;; s++) {
		if (!take_number(&s, &first))
			break;
		last = first;
		if (*s == '-' && (s++, !take_number(&s, &last)))
			break;
		if (last < first || !add_range(&list, n, first, last))
			break;
		if (*s == '\n' || *s == '\0') {
			make_set(list, n);
			return list;
		}
		if (*s != ',')
			break;
	}
	free(list);
	*n = 0;
	return NULL;
}

/* Prints the range that begins at list[i], behind a comma. Returns its length. */
static size_t print_range(const unsigned *list, size_t n, size_t *i, char range[32])
{
	size_t first = *i, last = *i;

	while (last + 1 < n && list[last + 1] == list[last] + 1)
		last++;
	*i = last + 1;
	return (size_t)snprintf(range, 32, last > first ? "%s%u-%u" : "%s%u", first ? "," : "",
				list[first], list[last]);
}

void cpu_list_print(const unsigned *list, size_t n, char *to, size_t size)
{
	static const char more[] = ",...";
	size_t used = 0, whole = 0, kept;
	char range[32];

	to[0] = '\0';
	for (size_t i = 0; i < n;)
		whole += print_range(list, n, &i, range);
	kept = whole < size ? 0 : sizeof(more) - 1;
	for (size_t i = 0; i < n;) {
		size_t len = print_range(list, n, &i, range);

		if (used + len + kept >= size) {
			if (used + sizeof(more) <= size)
				memcpy(to + used, more, sizeof(more));
			return;
		}
		memcpy(to + used, range, len + 1);
		used += len;
	}
}
