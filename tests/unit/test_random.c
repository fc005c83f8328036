/* SPDX-License-Identifier: MIT */
/* Random bytes: as many as asked for, to the last, and others each time. */
#include "lib/random.h"

#include <stdlib.h>

#include "tests/unit/tap.h"

#define BYTES (4u << 20)	/* more than the kernel gives without a pause for signals */

int main(void)
{
	unsigned char *a = calloc(BYTES + 1, 1), *b = calloc(BYTES + 1, 1);
	unsigned zeros = 0;

	if (!a || !b)
		tap_bail("no memory");
	is_int(random_fill(a, BYTES), 0, "4 MiB");
	is_int(random_fill(b, BYTES), 0, "and once more");
	for (unsigned i = BYTES - 4096; i < BYTES; i++)
		zeros += a[i] == 0;
	ok(zeros < 200, "filled to the end: %u of the last 4096 bytes are 0", zeros);
	is_int(a[BYTES], 0, "and not beyond");
	ok(memcmp(a, b, 64) && memcmp(a, a + BYTES / 2, 64), "never the same twice");
	is_int(random_fill(a, 0), 0, "nothing is filled with nothing");
	free(a);
	free(b);
	return tap_done();
}
