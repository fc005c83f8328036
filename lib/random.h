/* SPDX-License-Identifier: MIT */
/* Random bytes of the kernel. */
#ifndef LIB_RANDOM_H
#define LIB_RANDOM_H

#include <stddef.h>

/* Fills `to`, however much it is: over interrupts and short answers. Returns 0 or -errno. */
int random_fill(void *to, size_t bytes);

#endif
