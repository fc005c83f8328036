/* SPDX-License-Identifier: MIT */
/* Takes out of kernel messages and command lines what opens something. */
#ifndef BENCH_SYS_SECRETS_H
#define BENCH_SYS_SECRETS_H

#include <stddef.h>

/*
 * Puts *** in place of values whose name looks like a secret's (token=, password=, ...key=), of
 * USER:PASSWORD in URLs, and of all behind '?' in them, where presigned addresses carry their
 * signature. The text of `size` bytes never grows past its room: its end gives way.
 */
void secrets_mask(char *line, size_t size);

#endif
