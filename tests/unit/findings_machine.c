/* SPDX-License-Identifier: MIT */
/* Cases of the finding rules over the run and the machine. */
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

static void end_early(struct report *r)
{
	r->run.state = RUN_RUNNING;
	r->result[11].status = RESULT_PLANNED;
	report_close(r, "the run's deadline was reached");
}

static void slow_clock(struct report *r)
{
	SET(r->run.clocksource, "acpi_pm");
}

static void bad_option(struct report *r)
{
	report_add_note(r, REPORT_NOTE_OPTION, "unknown option bench.colour");
}

static void virtual(struct report *r)
{
	SET(r->machine.virtualisation, "kvm");
}

static void vulnerable(struct report *r)
{
	SET(r->machine.cpu.mitigation[0].text, "Vulnerable");
}

static void wrong_clock(struct report *r)
{
	r->run.clock_trusted = false;
	SET(r->run.clock_note, "it was 1980-01-01");
}

static void skip_some(struct report *r)
{
	result_end(&r->result[11], RESULT_SKIPPED, "not asked for");
}

static void kvm_clock(struct report *r)
{
	SET(r->run.clocksource, "kvm-clock");
}

static void other_note(struct report *r)
{
	report_add_note(r, "plan", "no room for all");
}

static void unknown_metal(struct report *r)
{
	r->machine.virtualisation[0] = '\0';
}

static void mitigated(struct report *r)
{
	SET(r->machine.cpu.mitigation[0].text, "Mitigation: Clear CPU buffers; SMT vulnerable");
}

static void no_clock(struct report *r)
{
	wrong_clock(r);
	r->run.started_s = 0;
}

static const struct finding_case cases_machine_rows[] = {
	SPEAKS("partial-run", end_early, WARNING, "",
	  "The run ended early: the run's deadline was reached. 11 of 12 tests have a result."),
	SPEAKS("clocksource", slow_clock, WARNING, "",
	  "The kernel keeps time with acpi_pm, not tsc: reading the clock is slow, and IOPS of "
	  "fast disks and small latencies suffer."),
	SPEAKS("option", bad_option, WARNING, "",
	  "Option not taken as given: unknown option bench.colour"),
	SPEAKS("virtual-machine", virtual, INFO, "",
	  "This is a virtual machine (kvm): disks and clock are the hypervisor's, not bare "
	  "metal."),
	SPEAKS("mitigations", vulnerable, INFO, "",
	  "The kernel reports the CPU as vulnerable to meltdown (Vulnerable): numbers may be "
	  "higher than under a default system."),
	SPEAKS("clock", wrong_clock, INFO, "",
	  "Date and time of this report are not to be trusted: it was 1980-01-01. Durations "
	  "are: they come from another clock."),
	IS_SILENT("partial-run", skip_some),
	IS_SILENT("clocksource", kvm_clock),
	IS_SILENT("option", other_note),
	IS_SILENT("virtual-machine", unknown_metal),
	IS_SILENT("mitigations", mitigated),
	IS_SILENT("clock", no_clock),
};
CASES(cases_machine);
