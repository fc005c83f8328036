/* SPDX-License-Identifier: MIT */
/* Finding rules over the disks that were seen. */
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "bench/report/units.h"
#include "lib/clock.h"

/* Only tests that are about no disk were asked for, and ran. */
static bool is_without_disks(const struct report *r)
{
	bool asked = false;

	for (size_t i = 0; i < r->option_n; i++)
		asked |= !strcmp(r->option[i].name, "tests");
	for (size_t i = 0; i < r->result_n; i++)
		asked &= result_is_of_machine(&r->result[i]) ||
			 result_is_of_network(&r->result[i]);
	return asked && r->result_n > 0;
}

int find_no_disk(struct report *r, const struct finding_rule *rule)
{
	if (is_without_disks(r))
		return 0;
	for (size_t i = 0; i < r->disks.n; i++)
		if (r->disks.disk[i].skip == DISK_TAKEN)
			return 0;
	if (r->disks.n > 0)
		return ADD("",
			   "No disk was measured: %zu device%s seen, each left alone for the "
			   "reason it has in the list of devices.",
			   r->disks.n, r->disks.n == 1 ? "" : "s");
	if (r->run.state != RUN_COMPLETE)
		return 0; /* the run may have ended before it looked */
	return ADD("", "No disk was found: the kernel shows no block device at all. A storage "
		       "controller that this kernel has no driver for looks the same.");
}

int find_cannot_open(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		const struct disk *d = &r->disks.disk[i];
		const char *why = *d->skip_detail ? d->skip_detail : "the reason is not known";

		if (d->skip == DISK_CANNOT_OPEN)
			err = ADD(d->name, "%s cannot be opened: %s. It was not measured.",
				  LABEL(d->name), why);
		else if (d->skip == DISK_SECTOR_SIZE)
			err = ADD(d->name,
				  "%s has a sector size that the kernel does not serve: %s. It was "
				  "not measured.",
				  LABEL(d->name), why);
	}
	return err;
}

int find_no_namespace(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++)
		if (r->disks.disk[i].skip == DISK_NO_NAMESPACE)
			err = ADD(r->disks.disk[i].name,
				  "NVMe controller %s has no attached namespace: there is nothing "
				  "to measure on it.",
				  r->disks.disk[i].name);
	return err;
}

int find_read_only(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++)
		if (r->disks.disk[i].skip == DISK_TAKEN && r->disks.disk[i].read_only)
			err = ADD(r->disks.disk[i].name,
				  "%s is read-only by itself: the device or its controller refuses "
				  "writes.",
				  LABEL(r->disks.disk[i].name));
	return err;
}

int find_late(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		const struct disk *d = &r->disks.disk[i];

		if (d->late_ms > 0)
			err = ADD(d->name,
				  "%s appeared only %s after the disks were first looked for.",
				  LABEL(d->name), units_time(UNITS_BUF, d->late_ms * NS_PER_MS));
	}
	return err;
}

/* Memory behind it, not a disk: nothing else answers in so short a time. */
int find_host_cache(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->result_n && !err; i++) {
		const struct result *t = &r->result[i];
		const struct metric *m = result_find(t, "lat_p50");

		if (t->status != RESULT_OK || strcmp(t->access, "read") || t->depth != 1 ||
		    strcmp(t->order, "random") || !m || m->value <= 0 ||
		    m->value >= FLASH_READ_US * 1000.0 || !look_is_virtual(r, t->target))
			continue;
		err = ADD(t->target, "%s: half of the single reads of %s took less than %s, which "
			  "no disk does: they came from memory behind it.", LABEL(t->target),
			  t->test, units_time(UNITS_BUF, (uint64_t)m->value));
	}
	return err;
}
