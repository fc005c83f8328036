/* SPDX-License-Identifier: MIT */
/* Finding rules over the network. */
#include <string.h>

#include "bench/findings/rules.h"
#include "bench/report/units.h"

int find_slow_link(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < r->machine.nic_n && i < 16 && !err; i++) {
		const struct nic_info *nic = &r->machine.nic[i];

		if (nic->carrier && nic->speed_mbit_per_s > 0 &&
		    nic->speed_mbit_per_s < LINK_MBIT_PER_S)
			err = ADD(nic->name, "%s (%s) is linked at %s, below 1 Gb/s.", nic->name,
				  *nic->driver ? nic->driver : "driver unknown",
				  units_link(UNITS_BUF, (uint32_t)nic->speed_mbit_per_s));
	}
	return err;
}
