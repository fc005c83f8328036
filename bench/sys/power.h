/* SPDX-License-Identifier: MIT */
/*
 * Mean power of processors from their energy counters (kernel: Documentation/power/powercap).
 *
 * Two readings with other work between them: nothing waits for the counters.
 */
#ifndef BENCH_SYS_POWER_H
#define BENCH_SYS_POWER_H

#include <stdint.h>

#include "bench/model/machine.h"

#define POWER_DOMAINS 16
#define POWER_LEAST_NS UINT64_C(50000000)	/* counters move about every millisecond */

struct power_meter {
	uint32_t n;
	uint64_t at_ns;		/* of clock_ns() */
	struct power_reading {
		char name[64];
		uint64_t energy_uj, range_uj;
	} reading[POWER_DOMAINS];
};

/* Takes the first reading below `root` ("" for the running machine). */
void power_begin(const char *root, struct power_meter *p);
/*
 * Takes the second one and sets the watts of domains that `m` lists already. Absent where a counter
 * cannot be read (only root may), stands still, or gives what no processor takes.
 */
void power_finish(const char *root, const struct power_meter *p, struct machine_info *m);

/*
 * Microjoules from one reading to the next of a counter that restarts from 0 behind `range_uj`; 0
 * where that cannot be told.
 */
uint64_t power_spent_uj(uint64_t before_uj, uint64_t after_uj, uint64_t range_uj);

#endif
