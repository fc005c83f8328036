/* SPDX-License-Identifier: MIT */
/* Which world-wide names can be trusted, and their one spelling. */
#ifndef BENCH_SYS_IDENTITY_H
#define BENCH_SYS_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

/* True where `wwid` is of a kind that names one thing in the world, and not an obvious filler. */
bool identity_wwid_is_good(const char *wwid);
/* `wwid` without its prefix, lower case. */
void identity_plain_wwid(const char *wwid, char *to, size_t size);

#endif
