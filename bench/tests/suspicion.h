/* SPDX-License-Identifier: MIT */
/*
 * Marks on a result whose number may not be what it seems. Each stands on evidence that is in its
 * text; docs/measuring.md lists the words.
 *
 * suspicion_before() and suspicion_after() look at the machine around a test, suspicion_judge()
 * decides from what they saw and from the result alone.
 */
#ifndef BENCH_TESTS_SUSPICION_H
#define BENCH_TESTS_SUSPICION_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/model/result.h"
#include "bench/sys/disk.h"
#include "bench/sys/sysfs.h"
#include "bench/tests/test.h"

/* What was seen of the machine while a test ran. All 0: nothing. */
struct suspicion_facts {
	uint64_t cpu_throttles;		/* times that a processor was slowed for heat */
	bool has_celsius;		/* the disk's temperature at the end, and its own warning */
	double celsius, warn_celsius;
	/*
	 * Median latency of single reads right after the test, with the processors as they are and
	 * kept from sleeping. 0: not measured.
	 */
	uint64_t idle_ns, awake_ns;
};

/* Puts the marks on `r`, the result of a test on `d`. */
void suspicion_judge(const struct disk *d, const struct suspicion_facts *f, struct result *r);

/* suspicion_look.c */
struct suspicion_start {
	bool has_throttles;
	uint64_t throttles;
	char sensor[SYSFS_PATH_BYTES];	/* the disk's temperature; "": none */
};

/* Looks at the machine below `root` ("" for the running one) before a test on `d`. */
void suspicion_before(const char *root, const struct disk *d, struct suspicion_start *s);
/*
 * Looks again after the test, whose result is `r`. After a test of single random reads that went
 * well it reads on for at most SUSPICION_READ_NS to learn what idle processors cost.
 */
#define SUSPICION_READ_NS UINT64_C(240000000)
void suspicion_after(const char *root, const struct test_context *c, const struct result *r,
		     const struct suspicion_start *s, struct suspicion_facts *f);

#endif
