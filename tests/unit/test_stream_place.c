/* SPDX-License-Identifier: MIT */
/* Streams of zeros stay off what later tests read, where the disk has room for both. */
#include "bench/tests/stream_test.h"

#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)

static void place(uint64_t disk, uint64_t offset, uint64_t area, uint64_t bytes, uint64_t want,
		  const char *what)
{
	struct disk d = { .size_bytes = disk };
	struct test_context c = { .disk = &d, .area_offset_bytes = offset, .area_bytes = area,
				  .area_written = area < disk };
	uint64_t at = 1, room = 1;

	stream_test_place(&c, bytes, &at, &room);
	is_uint(at, want, "%s", what);
	is_uint(room, disk - want, "%s: up to the end of the disk", what);
}

int main(void)
{
	place(10000 * MIB, 0, 4000 * MIB, 1024 * MIB, 4000 * MIB, "behind what was written");
	place(10000 * MIB, 0, 4000 * MIB + 512, 1024 * MIB, 4001 * MIB, "at a whole MiB");
	place(5024 * MIB, 0, 4000 * MIB, 1024 * MIB, 4000 * MIB, "where it just fits");
	place(5023 * MIB, 0, 4000 * MIB, 1024 * MIB, 2976 * MIB,
	      "over the end of it, where it does not");
	place(5023 * MIB, 8 * MIB, 4000 * MIB, 1024 * MIB + 512, 2983 * MIB, "at a whole MiB");
	place(5000 * MIB, 0, 5000 * MIB, 1024 * MIB, 0, "at the start of an empty disk");
	place(512 * MIB, 0, 100 * MIB, 1024 * MIB, 0, "what a small disk has");
	return tap_done();
}
