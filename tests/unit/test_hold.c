/* SPDX-License-Identifier: MIT */
/* A worker opens nothing for a test that writes more than its disk's consent covers. */
#include "bench/run/hold.h"

#include "tests/unit/tap.h"

/* What each kind of test (columns) may do with each consent (rows). */
static const bool covered[CONSENT_COUNT][TEST_WRITES_OR_FILE + 1] = {
	[CONSENT_NONE] = { [TEST_READS] = true },
	[CONSENT_FILE] = { [TEST_READS] = true, [TEST_FILES] = true, [TEST_WRITES_OR_FILE] = true },
	[CONSENT_WRITEBACK] = { [TEST_READS] = true, [TEST_WRITES_BACK] = true },
	[CONSENT_DESTROY] = { true, true, true, true, true },
};

int main(void)
{
	for (int consent = 0; consent < CONSENT_COUNT; consent++)
		for (int access = TEST_READS; access <= TEST_WRITES_OR_FILE; access++) {
			/* no such node: what is covered fails there, and later */
			struct disk d = { .name = "none", .node = "/dev/no-such-disk",
					  .consent = (enum disk_consent)consent };
			struct test t = { .access = (enum test_access)access };
			struct test_context c = { .test = &t, .disk = &d, .write_fd = 7 };
			static struct result r;
			struct hold h;

			result_init(&r, "test", d.name);
			hold_init(&h, &d);
			ok(!hold_for(&h, &c, &r) && c.write_fd == -1 && h.write_fd == -1 &&
			   !h.has_dir, "consent %s, access %d: nothing is open",
			   disk_consent_words[consent], access);
			is_int(r.status, covered[consent][access] ? RESULT_FAILED : RESULT_SKIPPED,
			       "and its end: %s", r.reason);
			hold_end(&h);
		}
	return tap_done();
}
