/* SPDX-License-Identifier: MIT */
/* Finding rules over the network: links, and what was reached over them. */
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"

#define BITS_PER_MBIT 1e6

static size_t nics(const struct report *r)
{
	return REPORT_KEPT(r->machine.nic_n, r->machine.nic);
}

static const char *card(const struct nic_info *nic)
{
	return *nic->model ? nic->model : *nic->driver ? nic->driver : "driver unknown";
}

/* Linked below what the card can. */
static bool is_degraded(const struct nic_info *nic)
{
	return nic->carrier && nic->speed_mbit_per_s > 0 && nic->max_mbit_per_s > 0 &&
	       nic->speed_mbit_per_s < nic->max_mbit_per_s;
}

int find_nic_link(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < nics(r) && !err; i++) {
		const struct nic_info *nic = &r->machine.nic[i];

		if (is_degraded(nic))
			err = ADD(nic->name, "%s (%.80s) is linked at %s, it can do %s.", nic->name,
				  card(nic),
				  units_link(UNITS_BUF, (uint32_t)nic->speed_mbit_per_s),
				  units_link(UNITS_BUF, (uint32_t)nic->max_mbit_per_s));
	}
	return err;
}

/* Where it is not known what the card can. */
int find_slow_link(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < nics(r) && !err; i++) {
		const struct nic_info *nic = &r->machine.nic[i];

		if (nic->carrier && nic->speed_mbit_per_s > 0 &&
		    nic->speed_mbit_per_s < LINK_MBIT_PER_S && !is_degraded(nic))
			err = ADD(nic->name, "%s (%.80s) is linked at %s, below %s.", nic->name,
				  card(nic),
				  units_link(UNITS_BUF, (uint32_t)nic->speed_mbit_per_s),
				  units_link(UNITS_BUF, LINK_MBIT_PER_S));
	}
	return err;
}

int find_half_duplex(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < nics(r) && !err; i++) {
		const struct nic_info *nic = &r->machine.nic[i];

		if (nic->carrier && !strcmp(nic->duplex, "half"))
			err = ADD(nic->name, "%s (%.80s) sends or receives, but not both at a time "
				  "(half duplex).", nic->name, card(nic));
	}
	return err;
}

int find_no_link(struct report *r, const struct finding_rule *rule)
{
	char list[120] = "";

	for (uint32_t i = 0; i < nics(r); i++) {
		size_t used = strlen(list);

		if (r->machine.nic[i].carrier)
			return 0;
		snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
			 r->machine.nic[i].name);
	}
	return !nics(r) ? 0 : ADD("", "No network interface has a link: %s.", list);
}

int find_unreachable(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];

		if (result_is_of_network(t) &&
		    (t->status == RESULT_FAILED || t->status == RESULT_TIMEOUT))
			err = ADD(t->target, "%s%s%s was not measured: %s.", t->test,
				  *t->target ? " of " : "", t->target,
				  *t->reason ? t->reason : "the reason is not known");
	}
	return err;
}

/* The fastest link: which one a transfer took is not known. */
static int32_t fastest_mbit_per_s(const struct report *r)
{
	int32_t fastest = 0;

	for (uint32_t i = 0; i < nics(r); i++)
		if (r->machine.nic[i].carrier && r->machine.nic[i].speed_mbit_per_s > fastest)
			fastest = r->machine.nic[i].speed_mbit_per_s;
	return fastest;
}

/* Nodes are far away, or slow themselves: only the collector, which the renter chose, counts. */
int find_slow_network(struct report *r, const struct finding_rule *rule)
{
	double link = fastest_mbit_per_s(r) * BITS_PER_MBIT / 8;
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];
		const struct metric *m = result_find(t, "download");

		if (!result_is_of_network(t) || strcmp(t->test, "net-collector") ||
		    t->status != RESULT_OK || !m || m->value <= 0 || link <= 0 ||
		    m->value >= link * LINK_USED_PERCENT / 100)
			continue;
		err = ADD(t->target, "The download from %s brought %s, of the %s that the link of "
			  "%s could carry.", t->target, units_rate(UNITS_BUF, m->value),
			  units_rate(UNITS_BUF, link),
			  units_link(UNITS_BUF, (uint32_t)fastest_mbit_per_s(r)));
	}
	return err;
}

/* Errors of the time before the run weigh less: a cable may have been changed since. */
int find_net_errors(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];
		const struct mark *m = result_find_mark(t, "errors");

		if (m && result_is_of_network(t))
			err = ADD_AS(strcmp(t->test, "net-link") ? FINDING_WARNING : FINDING_INFO,
				     t->target, "%s of %s: %s.", t->test, t->target, m->text);
	}
	return err;
}
