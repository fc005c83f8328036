/* SPDX-License-Identifier: MIT */
/* The order in which people count devices. */
#ifndef BENCH_SYS_ORDER_H
#define BENCH_SYS_ORDER_H

#include <stddef.h>

/*
 * Compares kernel names: numbers by value (nvme2n1 before nvme10n1), runs of letters first by
 * length (sdz before sdaa). Less than, equal to or greater than 0, as strcmp.
 */
int order_names(const char *a, const char *b);
/* Sorts `n` names so; `name` may be NULL where there are none. */
void order_sort(char **name, size_t n);
/*
 * Compares bus addresses: the shorter before the longer (PCI domain 0000 before 10000); none comes
 * last.
 */
int order_addresses(const char *a, const char *b);

#endif
