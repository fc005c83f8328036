/* SPDX-License-Identifier: MIT */
/* Cases of the finding rules over the memory. */
#include "bench/model/fields.h"
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

static void edac(struct report *r, int64_t corrected, int64_t uncorrected)
{
	struct edac_counter *e = &r->machine.memory.edac[r->machine.memory.edac_n++];

	SET(e->name, "mc0 dimm%u DIMM_A1", r->machine.memory.edac_n);
	e->corrected = corrected;
	e->uncorrected = uncorrected;
}

static void pattern(struct report *r, double errors)
{
	struct result *t = findings_result(r, "mem-pattern", "machine", "");

	(void)result_metric(t, "tested_bytes", UNIT_BYTES, 61e9);
	(void)result_metric(t, "errors", UNIT_COUNT, errors);
}

static void slow_memory(struct report *r)
{
	for (size_t i = 0; i < 4; i++)
		r->machine.memory.module[i].speed_mt_per_s = 2133;
}

static void rate_unknown(struct report *r)
{
	slow_memory(r);
	for (size_t i = 0; i < 4; i++)
		r->machine.memory.module[i].rated_mt_per_s = 0;
}

static void mixed_parts(struct report *r)
{
	SET(r->machine.memory.module[2].part, "HMA82GU7AFR8N-UH");
}

static void mixed_sizes(struct report *r)
{
	r->machine.memory.module[1].size_bytes /= 2;
	r->machine.memory.module[3].size_bytes /= 2;
	r->machine.memory.installed_bytes = 0;
}

static void part_unknown(struct report *r)
{
	r->machine.memory.module[2].part[0] = '\0';
	r->machine.memory.module[2].rated_mt_per_s = 0;
	r->machine.memory.module[2].speed_mt_per_s = 0;
}

static void one_channel(struct report *r)
{
	r->machine.memory.module[2].size_bytes = r->machine.memory.module[3].size_bytes = 0;
	r->machine.memory.installed_bytes /= 2;
	r->machine.memory_bytes /= 2;
}

static void three_modules(struct report *r)
{
	r->machine.memory.module[3].size_bytes = 0;
}

static void banks_uneven(struct report *r)
{
	static const char *const banks[] = { "P0 CHANNEL A", "P0 CHANNEL A", "P0 CHANNEL B",
			"P0 CHANNEL B" };

	three_modules(r);
	for (size_t i = 0; i < 4; i++) {
		SET(r->machine.memory.module[i].slot, "DIMM %zu", i);
		SET(r->machine.memory.module[i].bank, "%s", banks[i]);
	}
}

static void two_processors(struct report *r)
{
	three_modules(r);
	r->machine.cpu.sockets = 2;
	for (size_t i = 0; i < 4; i++)
		SET(r->machine.memory.module[i].slot, "DIMM %zu", i);
}

static void dell_slots(struct report *r)
{
	static const char *const slots[] = { "A1", "A2", "A3", "B1" };

	three_modules(r);
	for (size_t i = 0; i < 4; i++)
		SET(r->machine.memory.module[i].slot, "%s", slots[i]);
}

static void half_filled(struct report *r)
{
	r->machine.memory.module[1].size_bytes = r->machine.memory.module[3].size_bytes = 0;
}

static void both_processors(struct report *r)
{
	half_filled(r);
	r->machine.cpu.sockets = 2;
	for (size_t i = 0; i < 4; i++)
		SET(r->machine.memory.module[i].slot, "DIMM %zu", i);
}

static void memory_missing(struct report *r)
{
	r->machine.memory_bytes = UINT64_C(50) << 30;
}

static void memory_kept(struct report *r)
{
	r->machine.memory_bytes = UINT64_C(58) << 30;
}

static void memory_small(struct report *r)
{
	r->machine.memory.installed_bytes = UINT64_C(1) << 30;
	r->machine.memory_bytes = UINT64_C(600) << 20;
}

static void memory_unknown(struct report *r)
{
	r->machine.memory.installed_bytes = 0;
	r->machine.memory_bytes = 1 << 20;
}

static void ecc_corrected(struct report *r)
{
	edac(r, 0, 0);
	edac(r, 12, 0);
	edac(r, 1301, 0);
}

static void ecc_uncorrected(struct report *r)
{
	edac(r, 1301, 0);
	edac(r, 0, 2);
	edac(r, 1, 0);
}

static void ecc_half_known(struct report *r)
{
	edac(r, 7, -1);
}

static void ecc_none(struct report *r)
{
	edac(r, 0, 0);
	edac(r, -1, -1);
}

static void no_ecc(struct report *r)
{
	SET(r->machine.memory.ecc, "none");
}

static void no_ecc_desktop(struct report *r)
{
	no_ecc(r);
	SET(r->machine.chassis.type, "Desktop");
	SET(r->machine.cpu.model, "AMD Ryzen 9 5950X 16-Core Processor");
}

static void no_ecc_guest(struct report *r)
{
	no_ecc(r);
	SET(r->machine.virtualisation, "kvm");
}

static void ecc_unknown(struct report *r)
{
	r->machine.memory.ecc[0] = '\0';
}

static void pattern_errors(struct report *r)
{
	pattern(r, 3);
	result_end(&r->result[r->result_n - 1], RESULT_FAILED,
			"memory errors: 3 words did not hold what was written");
}

static void pattern_errors_bare(struct report *r)
{
	pattern(r, 3);
}

static void pattern_clean(struct report *r)
{
	pattern(r, 0);
}

static const struct finding_case cases_memory_rows[] = {
	SPEAKS("memory-slow", slow_memory, INFO, "",
	  "4 of 4 memory modules run slower than they are made for: DIMM_A1 M391A2K43BB1-CTD "
	  "at 2133 MT/s instead of 2666."),
	IS_SILENT("memory-slow", rate_unknown),
	SPEAKS("memory-mixed", mixed_parts, INFO, "",
	  "The 4 memory modules are not alike: DIMM_A1 16.0 GiB 2666 MT/s M391A2K43BB1-CTD, "
	  "but DIMM_B1 16.0 GiB 2666 MT/s HMA82GU7AFR8N-UH."),
	SPEAKS("memory-mixed", mixed_sizes, INFO, "",
	  "The 4 memory modules are not alike: DIMM_A1 16.0 GiB 2666 MT/s M391A2K43BB1-CTD, "
	  "but DIMM_A2 8.00 GiB 2666 MT/s M391A2K43BB1-CTD."),
	IS_SILENT("memory-mixed", part_unknown),
	SPEAKS("memory-uneven", one_channel, WARNING, "",
	  "Only 1 of 2 memory channels has a module: memory is read and written at that share "
	  "of its speed."),
	SPEAKS("memory-uneven", three_modules, WARNING, "",
	  "Memory channels are filled unevenly: 32.0 GiB at DIMM_A, 16.0 GiB at DIMM_B."),
	SPEAKS("memory-uneven", banks_uneven, WARNING, "",
	  "Memory channels are filled unevenly: 32.0 GiB at P0 CHANNEL A, 16.0 GiB at P0 "
	  "CHANNEL B."),
	SPEAKS("memory-uneven", two_processors, WARNING, "",
	  "3 memory modules cannot be spread evenly over 2 processors."),
	IS_SILENT("memory-uneven", dell_slots),
	IS_SILENT("memory-uneven", half_filled),
	IS_SILENT("memory-uneven", both_processors),
	SPEAKS("memory-missing", memory_missing, WARNING, "",
	  "64.0 GiB of memory are fitted, the kernel has 50.0 GiB."),
	IS_SILENT("memory-missing", memory_kept),
	IS_SILENT("memory-missing", memory_small),
	IS_SILENT("memory-missing", memory_unknown),
	SPEAKS("memory-ecc-errors", ecc_corrected, WARNING, "",
	  "Memory errors since boot at mc0 dimm3 DIMM_A1: 1,301 corrected, 0 that could not be "
	  "corrected, and 1 more place had some."),
	SPEAKS("memory-ecc-errors", ecc_uncorrected, CRITICAL, "",
	  "Memory errors since boot at mc0 dimm2 DIMM_A1: 0 corrected, 2 that could not be "
	  "corrected, and 2 more places had some."),
	SPEAKS("memory-ecc-errors", ecc_half_known, WARNING, "",
	  "Memory errors since boot at mc0 dimm1 DIMM_A1: 7 corrected."),
	IS_SILENT("memory-ecc-errors", ecc_none),
	SPEAKS("memory-no-ecc", no_ecc, INFO, "",
	  "The memory of this server does not correct errors (no ECC)."),
	IS_SILENT("memory-no-ecc", no_ecc_desktop),
	IS_SILENT("memory-no-ecc", no_ecc_guest),
	IS_SILENT("memory-no-ecc", ecc_unknown),
	SPEAKS("memory-errors", pattern_errors, CRITICAL, "",
	  "mem-pattern: memory errors: 3 words did not hold what was written."),
	SPEAKS("memory-errors", pattern_errors_bare, CRITICAL, "",
	  "mem-pattern: 3 words of memory did not hold what was written."),
	IS_SILENT("memory-errors", pattern_clean),
};
CASES(cases_memory);
