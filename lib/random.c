/* SPDX-License-Identifier: MIT */
/* Random bytes of the kernel; see random.h. */
#include "lib/random.h"

#include <errno.h>
#include <sys/random.h>

int random_fill(void *to, size_t bytes)
{
	unsigned char *at = to;

	while (bytes > 0) {
		ssize_t n = getrandom(at, bytes, 0);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			at += n;
			bytes -= (size_t)n;
		}
	}
	return 0;
}
