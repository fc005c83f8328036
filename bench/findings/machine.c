/* SPDX-License-Identifier: MIT */
/* Finding rules over the run and the machine. */
#include <string.h>

#include "bench/findings/rules.h"

int find_partial(struct report *r, const struct finding_rule *rule)
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
int find_clocksource(struct report *r, const struct finding_rule *rule)
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

int find_option(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->note_n && !err; i++)
		if (!strcmp(r->note[i].name, REPORT_NOTE_OPTION))
			err = ADD("", "Option not taken as given: %s", r->note[i].text);
	return err;
}

int find_virtual(struct report *r, const struct finding_rule *rule)
{
	const char *what = r->machine.virtualisation;

	if (!*what || !strcmp(what, "none"))
		return 0;
	return ADD("",
		   "This is a virtual machine (%s): disks and clock are the hypervisor's, not bare "
		   "metal.",
		   what);
}

int find_clock(struct report *r, const struct finding_rule *rule)
{
	if (r->run.clock_trusted || !r->run.started_s)
		return 0;
	return ADD("",
		   "Date and time of this report are not to be trusted%s%s. Durations are: they "
		   "come from another clock.",
		   *r->run.clock_note ? ": " : "", r->run.clock_note);
}
