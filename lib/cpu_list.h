/* SPDX-License-Identifier: MIT */
/* The kernel's lists of CPU numbers, "0-3,8": of any length, with holes (no fixed cpu_set_t). */
#ifndef LIB_CPU_LIST_H
#define LIB_CPU_LIST_H

#include <stddef.h>

/*
 * Takes a list such as "0-3,8,10-11\n". Returns its CPU numbers, ascending, in malloc'ed memory
 * (caller frees), and their count; NULL where it is no such list.
 */
unsigned *cpu_list_parse(const char *text, size_t *n);
/*
 * The other way round: ascending numbers as "0-3,8". What does not fit is cut behind a whole range
 * and ends in ",...".
 */
void cpu_list_print(const unsigned *list, size_t n, char *to, size_t size);

#endif
