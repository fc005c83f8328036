/* SPDX-License-Identifier: MIT */
/* The comparison with LVM where it cannot be made; tests/boot/lvm.t makes it. */
#include "bench/tests/lvm.h"

#include <sys/mman.h>
#include <unistd.h>

#include "lib/clock.h"
#include "tests/unit/tap.h"

static struct result r;

static void fits_one(uint64_t bytes, uint32_t logical, enum result_status want, const char *reason)
{
	struct disk d = { .name = "fake", .size_bytes = bytes, .logical_block_bytes = logical };
	char why[RESULT_REASON_BYTES];

	is_int(test_lvm_compare.fits(&test_lvm_compare, &d, why, sizeof(why)), want,
	       "%llu bytes in %u", (unsigned long long)bytes, logical);
	is_str(why, reason, "why");
}

int main(void)
{
	struct disk d = { .name = "no-such-disk", .size_bytes = 64 << 20,
			  .logical_block_bytes = 512, .numa_node = -1 };
	struct test_context c = { .test = &test_lvm_compare, .disk = &d, .write_fd = -1,
				  .fd = memfd_create("disk", MFD_CLOEXEC),
				  .budget_ns = NS_PER_S, .stall_ns = NS_PER_S };

	fits_one(UINT64_C(1) << 40, 512, RESULT_OK, "");
	fits_one(UINT64_C(1) << 40, 4096, RESULT_OK, "");
	fits_one(UINT64_C(1) << 40, 8192, RESULT_UNSUPPORTED,
		 "reads of 4 KiB do not fit its logical blocks of 8192 bytes");
	fits_one(1 << 20, 512, RESULT_UNSUPPORTED,
		 "a disk of 1048576 bytes is smaller than the 35651584 this test needs");
	if (c.fd < 0 || ftruncate(c.fd, 64 << 20))
		tap_bail("no memory file");
	result_init(&r, c.test->name, d.name);
	c.test->run(&c, &r);
	is_int(r.status, RESULT_UNSUPPORTED, "what is no disk gets no volume: %s", r.reason);
	ok(r.reason[0], "with a reason");
	is_uint(r.metric_n, 0, "and no number");
	close(c.fd);
	return tap_done();
}
