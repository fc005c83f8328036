/* SPDX-License-Identifier: MIT */
/* The collector's listening socket. */
#ifndef COLLECTOR_LISTEN_H
#define COLLECTOR_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

#define LISTEN_NAME_BYTES 80

/*
 * Opens a listening TCP socket at `where`: ADDRESS:PORT or [IPV6]:PORT, where port 0 takes a free
 * one. On success returns the descriptor (the caller closes it), and fills `name`
 * (LISTEN_NAME_BYTES) with the real ADDRESS:PORT as it stands in a URL and *loopback with whether
 * only this host reaches it. Else returns -EINVAL (no such form; `why` says so) or another -errno,
 * with `why` (size why_bytes) filled.
 */
int listen_open(const char *where, char *name, bool *loopback, char *why, size_t why_bytes);

#endif
