/* SPDX-License-Identifier: MIT */
/* Cases of the finding rules over the processors. */
#include "bench/model/fields.h"
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

static void burst(struct report *r, double drop)
{
	struct result *t = findings_result(r, "cpu-burst", "machine", "");

	(void)result_metric(t, "drop_percent", UNIT_PERCENT, drop);
	(void)result_metric(t, "frequency", UNIT_HERTZ, 2.94e9);
	(void)result_metric(t, "temperature", UNIT_CELSIUS, 91);
	(void)result_metric(t, "power", UNIT_WATTS, 80.2);
}

static void steal(struct report *r, const char *test, double percent)
{
	struct result *t = findings_result(r, test, "machine", "");

	(void)result_metric(t, "steal_percent", UNIT_PERCENT, percent);
	result_mark(t, "steal", "the hypervisor gave %.1f %% of these processors' time to others",
		    percent);
}

/* Eight CPUs; one of them reaches a share of the others. */
static void cores(struct report *r, const char *test, unsigned cpu, double percent)
{
	struct result *t = findings_result(r, test, "machine", "");
	struct series *s = result_series(t, "per-cpu", UNIT_COUNT, UNIT_PER_S);

	for (unsigned i = 0; i < 8; i++)
		series_add(s, i, i == cpu ? percent * 10 : 1000 + i % 3);
}

/* CPUs 0 to 3 are twice as fast as 4 to 7, by their kind. */
static void hybrid(struct report *r, const char *test)
{
	struct cpu_info *c = &r->machine.cpu;

	cores(r, test, 99, 0);
	for (unsigned i = 4; i < 8; i++)
		r->result[r->result_n - 1].series[0].point[i].y = 500;
	c->kinds_n = 2;
	SET(c->kinds[0].name, "performance");
	SET(c->kinds[0].cpus, "0-3");
	SET(c->kinds[1].name, "efficiency");
	SET(c->kinds[1].cpus, "4-7");
}

static void no_microcode(struct report *r)
{
	SET(r->machine.cpu.mitigation[0].name, "mmio_stale_data");
	SET(r->machine.cpu.mitigation[0].text, "Vulnerable: Clear CPU buffers attempted, no "
			"microcode");
}

static void old_microcode(struct report *r)
{
	SET(r->machine.cpu.mitigation[0].name, "old_microcode");
	SET(r->machine.cpu.mitigation[0].text, "Vulnerable");
}

static void guest_microcode(struct report *r)
{
	no_microcode(r);
	SET(r->machine.virtualisation, "kvm");
}

static void plain_vulnerable(struct report *r)
{
	SET(r->machine.cpu.mitigation[0].text, "Vulnerable");
}

static void powersave(struct report *r)
{
	SET(r->machine.cpu.governor, "powersave");
	SET(r->machine.cpu.driver, "acpi-cpufreq");
}

static void powersave_pstate(struct report *r)
{
	SET(r->machine.cpu.governor, "powersave");
}

static void schedutil(struct report *r)
{
	SET(r->machine.cpu.governor, "schedutil");
	SET(r->machine.cpu.driver, "amd-pstate");
}

static void no_governor(struct report *r)
{
	r->machine.cpu.governor[0] = '\0';
}

static void boost_off(struct report *r)
{
	r->machine.cpu.boost = TRI_NO;
}

static void boost_unknown(struct report *r)
{
	r->machine.cpu.boost = TRI_UNKNOWN;
}

static void smt_off(struct report *r)
{
	SET(r->machine.cpu.smt, "off");
	r->machine.cpu.threads = r->machine.cpu.threads_allowed = 4;
	r->machine.cpu.threads_offline = 4;
}

static void threads_off(struct report *r)
{
	r->machine.cpu.threads_offline = 3;
}

static void smt_not_supported(struct report *r)
{
	SET(r->machine.cpu.smt, "notsupported");
}

static void few_allowed(struct report *r)
{
	r->machine.cpu.threads_allowed = 2;
}

static void allowed_unknown(struct report *r)
{
	r->machine.cpu.threads_allowed = 0;
}

static void throttled_now(struct report *r)
{
	for (double n = 3; n < 6; n++) {
		struct result *t = findings_result(r, n == 4 ? "cpu-float" : "cpu-int", "machine",
				"");

		(void)result_metric(t, "throttle_events", UNIT_COUNT, n == 4 ? 17 : n);
		result_mark(t, "throttled", "processors were slowed for heat %.0f times while it "
				"ran",
			    n == 4 ? 17 : n);
	}
}

static void throttled_before(struct report *r)
{
	r->machine.cpu.core_throttles = 1812;
	r->machine.cpu.package_throttles = 5;
}

static void core_throttles_only(struct report *r)
{
	r->machine.cpu.core_throttles = 3;
	r->machine.cpu.package_throttles = -1;
}

static void package_throttles_only(struct report *r)
{
	r->machine.cpu.core_throttles = -1;
	r->machine.cpu.package_throttles = 5;
}

static void throttles_unknown(struct report *r)
{
	r->machine.cpu.core_throttles = r->machine.cpu.package_throttles = -1;
}

static void burst_drop(struct report *r)
{
	burst(r, 18.4);
}

static void burst_drop_bare(struct report *r)
{
	(void)result_metric(findings_result(r, "cpu-burst", "machine", ""), "drop_percent",
			    UNIT_PERCENT, 31);
}

static void burst_stolen(struct report *r)
{
	burst(r, 18.4);
	result_mark(&r->result[r->result_n - 1], "steal", "the hypervisor gave 6.0 %% to others");
}

static void burst_disturbed(struct report *r)
{
	burst(r, 18.4);
	result_mark(&r->result[r->result_n - 1], "disturbed", "other programs had 9.0 %%");
}

static void burst_steady(struct report *r)
{
	burst(r, 9.9);
}

static void stolen(struct report *r)
{
	steal(r, "cpu-int", 3.1);
	steal(r, "cpu-aes-gcm", 22.5);
}

static void taken(struct report *r)
{
	struct result *t = findings_result(r, "cpu-zstd", "machine", "");

	(void)result_metric(t, "taken_percent", UNIT_PERCENT, 12);
	result_mark(t, "disturbed", "other programs had 12.0 %% of the time");
}

static void little_stolen(struct report *r)
{
	(void)result_metric(findings_result(r, "cpu-int", "machine", ""), "steal_percent",
			    UNIT_PERCENT, 0.4);
}

static void loaded(struct report *r)
{
	SET(r->machine.load, "4.10 2.20 1.10");
}

static void half_loaded(struct report *r)
{
	SET(r->machine.load, "4.00 7.90 7.90");
}

static void load_unknown(struct report *r)
{
	r->machine.load[0] = '\0';
}

static void slow_core(struct report *r)
{
	cores(r, "cpu-int", 5, 71);
	cores(r, "cpu-float", 5, 65);
}

static void slow_cores(struct report *r)
{
	cores(r, "cpu-int", 5, 71);
	r->result[r->result_n - 1].series[0].point[6].y = 800;
}

static void slow_core_hybrid(struct report *r)
{
	hybrid(r, "cpu-int");
	r->result[r->result_n - 1].series[0].point[6].y = 440;
}

static void sound_hybrid(struct report *r)
{
	hybrid(r, "cpu-int");
}

static void cut_hybrid(struct report *r)
{
	hybrid(r, "cpu-int");
	SET(r->machine.cpu.kinds[1].cpus, "4-5,...");
	r->result[r->result_n - 1].series[0].point[6].y = 440;
}

static void near_core(struct report *r)
{
	cores(r, "cpu-int", 5, 91);
}

static void once_slow_core(struct report *r)
{
	cores(r, "cpu-int", 5, 71);
	cores(r, "cpu-float", 5, 99);
	cores(r, "cpu-hash", 5, 99);
}

static void disturbed_core(struct report *r)
{
	cores(r, "cpu-int", 5, 71);
	result_mark(&r->result[r->result_n - 1], "disturbed", "others had the time");
}

static void three_cores(struct report *r)
{
	cores(r, "cpu-int", 2, 50);
	r->result[r->result_n - 1].series[0].point_n = 3;
}

static void unsteady(struct report *r)
{
	result_mark(findings_result(r, "cpu-lz4", "machine", ""), "unsteady", "its samples vary");
}

static const struct finding_case cases_cpu_rows[] = {
	SPEAKS("cpu-microcode", no_microcode, WARNING, "",
	  "The BIOS loads old microcode 0xf0: the kernel wants newer against mmio_stale_data "
	  "(Vulnerable: Clear CPU buffers attempted, no microcode)."),
	SPEAKS("cpu-microcode", old_microcode, WARNING, "",
	  "The BIOS loads old microcode 0xf0: the kernel wants newer against old_microcode "
	  "(Vulnerable)."),
	IS_SILENT("cpu-microcode", guest_microcode),
	IS_SILENT("cpu-microcode", plain_vulnerable),
	SPEAKS("cpu-governor", powersave, WARNING, "",
	  "The processors' governor is powersave of acpi-cpufreq, not performance: they may "
	  "never reach their speed."),
	SPEAKS("cpu-governor", powersave_pstate, INFO, "",
	  "The processors' governor is powersave of intel_pstate, not performance: after idle "
	  "moments they are slow for a while."),
	SPEAKS("cpu-governor", schedutil, INFO, "",
	  "The processors' governor is schedutil of amd-pstate, not performance: after idle "
	  "moments they are slow for a while."),
	IS_SILENT("cpu-governor", no_governor),
	SPEAKS("cpu-boost-off", boost_off, INFO, "",
	  "Frequencies above the guaranteed one (boost, turbo) are switched off."),
	IS_SILENT("cpu-boost-off", boost_unknown),
	SPEAKS("cpu-threads-off", smt_off, INFO, "",
	  "Simultaneous multithreading (SMT, hyper-threading) is switched off: 4 threads run "
	  "on 4 cores."),
	SPEAKS("cpu-threads-off", threads_off, INFO, "",
	  "3 of 11 threads are switched off."),
	IS_SILENT("cpu-threads-off", smt_not_supported),
	SPEAKS("cpu-threads-allowed", few_allowed, INFO, "",
	  "This run may use only 2 of the machine's 8 threads."),
	IS_SILENT("cpu-threads-allowed", allowed_unknown),
	SPEAKS("cpu-throttled", throttled_now, WARNING, "",
	  "cpu-float and 2 more tests: processors were slowed for heat 17 times while it ran."),
	SPEAKS("cpu-throttled", throttled_before, INFO, "",
	  "Before this run processors were slowed for heat: 1,812 times by a core, 5 times by "
	  "a whole package since boot."),
	SPEAKS("cpu-throttled", core_throttles_only, INFO, "",
	  "Before this run processors were slowed for heat: 3 times by a core since boot."),
	SPEAKS("cpu-throttled", package_throttles_only, INFO, "",
	  "Before this run processors were slowed for heat: 5 times by a whole package since "
	  "boot."),
	IS_SILENT("cpu-throttled", throttles_unknown),
	SPEAKS("cpu-burst-drop", burst_drop, WARNING, "",
	  "cpu-burst: with all threads at work the processors lose 18 % of their first "
	  "seconds' speed, 2.94 GHz on average, up to 91 degrees Celsius, 80 W."),
	SPEAKS("cpu-burst-drop", burst_drop_bare, WARNING, "",
	  "cpu-burst: with all threads at work the processors lose 31 % of their first "
	  "seconds' speed."),
	IS_SILENT("cpu-burst-drop", burst_steady),
	IS_SILENT("cpu-burst-drop", burst_stolen),
	IS_SILENT("cpu-burst-drop", burst_disturbed),
	SPEAKS("disturbed", stolen, WARNING, "",
	  "cpu-aes-gcm and 1 more test: the hypervisor gave 22.5 % of these processors' time "
	  "to others."),
	SPEAKS("disturbed", taken, WARNING, "",
	  "cpu-zstd: other programs had 12.0 % of the time."),
	IS_SILENT("disturbed", little_stolen),
	SPEAKS("busy-at-start", loaded, WARNING, "",
	  "The machine was busy before the run: a load of 4.10 on 8 threads."),
	IS_SILENT("busy-at-start", half_loaded),
	IS_SILENT("busy-at-start", load_unknown),
	SPEAKS("cpu-slow-core", slow_core, WARNING, "",
	  "CPU 5 is slower than the others of its kind, in 2 of 2 tests: in cpu-float CPU 5 "
	  "did 65 % of their median."),
	SPEAKS("cpu-slow-core", slow_cores, WARNING, "",
	  "CPUs 5, 6 are slower than the others of their kind, in 1 of 1 tests: in cpu-int CPU "
	  "5 did 71 % of their median."),
	SPEAKS("cpu-slow-core", slow_core_hybrid, WARNING, "",
	  "CPU 6 is slower than the others of its kind, in 1 of 1 tests: in cpu-int CPU 6 did "
	  "88 % of their median."),
	IS_SILENT("cpu-slow-core", sound_hybrid),
	IS_SILENT("cpu-slow-core", cut_hybrid),
	IS_SILENT("cpu-slow-core", near_core),
	IS_SILENT("cpu-slow-core", once_slow_core),
	IS_SILENT("cpu-slow-core", disturbed_core),
	IS_SILENT("cpu-slow-core", three_cores),
	SPEAKS("suspicious", unsteady, INFO, "",
	  "cpu-lz4: unsteady: its samples vary"),
};
CASES(cases_cpu);
