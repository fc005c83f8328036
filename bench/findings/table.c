/* SPDX-License-Identifier: MIT */
/* The table of finding rules, and the rules that look at the run, the machine and its inventory. */
#include "bench/findings/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/units.h"
#include "lib/clock.h"

#define ADD(target, ...) report_add_finding(r, rule->severity, rule->name, target, __VA_ARGS__)

static int find_no_disk(struct report *r, const struct finding_rule *rule)
{
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

static int find_cannot_open(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		const struct disk *d = &r->disks.disk[i];
		const char *why = *d->skip_detail ? d->skip_detail : "the reason is not known";

		if (d->skip == DISK_CANNOT_OPEN)
			err = ADD(d->name, "%s cannot be opened: %s. It was not measured.", d->name,
				  why);
		else if (d->skip == DISK_SECTOR_SIZE)
			err = ADD(d->name,
				  "%s has a sector size that the kernel does not serve: %s. It was "
				  "not measured.",
				  d->name, why);
	}
	return err;
}

static int find_partial(struct report *r, const struct finding_rule *rule)
{
	size_t left = 0;

	if (r->run.state != RUN_PARTIAL)
		return 0;
	for (size_t i = 0; i < r->result_n; i++)
		left += r->result[i].status != RESULT_OK;
	return ADD("", "The run ended early: %s. %zu of %zu tests have a result.",
		   *r->run.state_reason ? r->run.state_reason : "no reason is known",
		   r->result_n - left, r->result_n);
}

/*
 * Clock sources that are read without leaving user space. Any other costs a system call or a device
 * access for each reading and lowers the IOPS of a fast disk.
 */
static int find_clocksource(struct report *r, const struct finding_rule *rule)
{
	static const char *const fast[] = {
		"", "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter",
	};

	for (size_t i = 0; i < sizeof(fast) / sizeof(fast[0]); i++)
		if (!strcmp(r->run.clocksource, fast[i]))
			return 0;
	return ADD("",
		   "The kernel keeps time with %s, not tsc: reading the clock is slow, and IOPS of "
		   "fast disks and small latencies suffer.",
		   r->run.clocksource);
}

static int find_slow_link(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < r->machine.nic_n && i < 16 && !err; i++) {
		const struct nic_info *nic = &r->machine.nic[i];

		if (nic->carrier && nic->speed_mbit_per_s > 0 && nic->speed_mbit_per_s < 1000)
			err = ADD(nic->name, "%s (%s) is linked at %s, below 1 Gb/s.", nic->name,
				  *nic->driver ? nic->driver : "driver unknown",
				  units_link(UNITS_BUF, (uint32_t)nic->speed_mbit_per_s));
	}
	return err;
}

static int find_option(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->note_n && !err; i++)
		if (!strcmp(r->note[i].name, REPORT_NOTE_OPTION))
			err = ADD("", "Option not taken as given: %s", r->note[i].text);
	return err;
}

static int find_virtual(struct report *r, const struct finding_rule *rule)
{
	const char *what = r->machine.virtualisation;

	if (!*what || !strcmp(what, "none"))
		return 0;
	return ADD("",
		   "This is a virtual machine (%s): disks and clock are the hypervisor's, not bare "
		   "metal.",
		   what);
}

static int find_mitigations(struct report *r, const struct finding_rule *rule)
{
	char names[REPORT_TEXT_BYTES / 2] = "";
	uint32_t n = 0, first = 0;

	for (uint32_t i = 0; i < r->machine.cpu.mitigation_n && i < 24; i++) {
		const struct named_text *m = &r->machine.cpu.mitigation[i];
		size_t used = strlen(names);

		if (strncmp(m->text, "Vulnerable", 10))
			continue;
		if (n++ == 0)
			first = i;
		if (used + strlen(m->name) + sizeof(", ") < sizeof(names))
			snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
				 m->name);
	}
	if (n == 1)
		return ADD("",
			   "The kernel reports the CPU as vulnerable to %s (%s): numbers may be "
			   "higher than under a default system.",
			   names, r->machine.cpu.mitigation[first].text);
	return n == 0 ? 0 :
	       ADD("", "The kernel reports the CPU as vulnerable in %u respects (%s): numbers may "
		       "be higher than under a default system.", n, names);
}

static int find_clock(struct report *r, const struct finding_rule *rule)
{
	if (r->run.clock_trusted || !r->run.started_s)
		return 0;
	return ADD("",
		   "Date and time of this report are not to be trusted%s%s. Durations are: they "
		   "come from another clock.",
		   *r->run.clock_note ? ": " : "", r->run.clock_note);
}

static int find_no_namespace(struct report *r, const struct finding_rule *rule)
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

static int find_read_only(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++)
		if (r->disks.disk[i].skip == DISK_TAKEN && r->disks.disk[i].read_only)
			err = ADD(r->disks.disk[i].name,
				  "%s is read-only by itself: the device or its controller refuses "
				  "writes.",
				  r->disks.disk[i].name);
	return err;
}

static int find_late(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->disks.n && !err; i++) {
		const struct disk *d = &r->disks.disk[i];

		if (d->late_ms > 0)
			err = ADD(d->name,
				  "%s appeared only %s after the disks were first looked for.",
				  d->name, units_time(UNITS_BUF, d->late_ms * NS_PER_MS));
	}
	return err;
}

const struct finding_rule finding_table[] = {
	{ "no-disk", FINDING_CRITICAL, find_no_disk },
	{ "disk-vanished", FINDING_CRITICAL, find_vanished },
	{ "disk-no-answer", FINDING_CRITICAL, find_no_answer },
	{ "read-errors", FINDING_CRITICAL, find_read_errors },
	{ "write-errors", FINDING_CRITICAL, find_write_errors },
	{ "test-failed", FINDING_CRITICAL, find_test_failed },
	{ "partial-run", FINDING_WARNING, find_partial },
	{ "cannot-open", FINDING_WARNING, find_cannot_open },
	{ "no-time", FINDING_WARNING, find_no_time },
	{ "short-reads", FINDING_WARNING, find_short_reads },
	{ "reads-zeros", FINDING_WARNING, find_zeros },
	{ "suspicious", FINDING_WARNING, find_marks },
	{ "odd-sibling", FINDING_WARNING, find_odd_sibling },
	{ "shared-limit", FINDING_WARNING, find_shared_limit },
	{ "write-drop", FINDING_WARNING, find_write_drop },
	{ "slow-link", FINDING_WARNING, find_slow_link },
	{ "clocksource", FINDING_WARNING, find_clocksource },
	{ "option", FINDING_WARNING, find_option },
	{ "slow-samples", FINDING_INFO, find_slow_samples },
	{ "depth-lowered", FINDING_INFO, find_depth_lowered },
	{ "engine-bound", FINDING_INFO, find_engine_bound },
	{ "read-only", FINDING_INFO, find_read_only },
	{ "no-namespace", FINDING_INFO, find_no_namespace },
	{ "late-disk", FINDING_INFO, find_late },
	{ "virtual-machine", FINDING_INFO, find_virtual },
	{ "mitigations", FINDING_INFO, find_mitigations },
	{ "clock", FINDING_INFO, find_clock },
};
const size_t finding_table_n = sizeof(finding_table) / sizeof(finding_table[0]);

int report_find(struct report *r)
{
	int err = 0;

	r->finding_n = 0;
	/*
	 * the table's order is the order of severity (a unit test holds it to that): nothing to
	 * sort
	 */
	for (size_t i = 0; i < finding_table_n && !err; i++)
		err = finding_table[i].find(r, &finding_table[i]);
	return err;
}
