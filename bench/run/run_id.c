/* SPDX-License-Identifier: MIT */
/* The name of a run. */
#include "bench/run/run_id.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>

int run_id_new(char id[RUN_ID_BYTES])
{
	unsigned char r[16];

	if (getrandom(r, sizeof(r), 0) != sizeof(r))
		return errno ? -errno : -EIO;
	r[6] = (unsigned char)((r[6] & 0x0F) | 0x40);
	r[8] = (unsigned char)((r[8] & 0x3F) | 0x80);
	snprintf(id, RUN_ID_BYTES,
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", r[0], r[1],
		 r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12], r[13], r[14],
		 r[15]);
	return 0;
}
