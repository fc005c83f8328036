/* SPDX-License-Identifier: MIT */
/* A report of a machine that is sound in all respects. */
#include "bench/model/fields.h"
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

static void add_health(struct report *r, const char *disk, const char *when)
{
	struct health h = { 0 };

	fields_init(&fields_health, &h);
	SET(h.target, "%s", disk);
	SET(h.device, "/dev/%s", disk);
	SET(h.protocol, "ata");
	h.state = HEALTH_READ;
	SET(h.model, "INTEL SSDSC2BB480G7");
	SET(h.serial, "%s", disk);
	h.passed = TRI_YES;
	h.power_on_hours = 9000;
	h.power_cycles = 40;
	h.unsafe_shutdowns = 12;
	h.wear_percent = 7;
	h.spare_percent = 100;
	h.spare_threshold_percent = 10;
	h.reallocated = h.pending = h.uncorrectable = h.media_errors = h.crc_errors = 0;
	h.temperature_celsius = 31;
	h.temperature_highest_celsius = 48;
	h.temperature_limit_celsius = 70;
	h.temperature_warning_minutes = h.throttle_events = 0;
	h.has_link_gbit_per_s = h.has_link_max_gbit_per_s = true;
	h.link_gbit_per_s = h.link_max_gbit_per_s = 6;
	h.self_tests_n = 1;
	SET(h.self_tests[0].type, "extended");
	SET(h.self_tests[0].result, "completed without error");
	h.self_tests[0].hours = 8000;
	h.self_tests[0].lba = -1;
	SET(h.when, "%s", when);
	report_add_health(r, &h);
}

static void add_memory(struct machine_info *m)
{
	static const char *const slots[] = { "DIMM_A1", "DIMM_A2", "DIMM_B1", "DIMM_B2" };

	m->memory.installed_bytes = UINT64_C(4) << 34;
	SET(m->memory.ecc, "multi-bit");
	m->memory.slots = 4;
	for (size_t i = 0; i < 4; i++) {
		struct memory_module *d = &m->memory.module[m->memory.module_n++];

		SET(d->slot, "%s", slots[i]);
		SET(d->part, "M391A2K43BB1-CTD");
		SET(d->type, "DDR4");
		d->size_bytes = UINT64_C(1) << 34;
		d->speed_mt_per_s = d->rated_mt_per_s = 2666;
		d->data_bits = 64;
		d->total_bits = 72;
	}
}

static void add_machine(struct machine_info *m)
{
	struct pci_device *p;

	SET(m->chassis.type, "Rack Mount Chassis");
	SET(m->cpu.governor, "performance");
	SET(m->cpu.driver, "intel_pstate");
	SET(m->cpu.smt, "on");
	m->cpu.boost = TRI_YES;
	m->cpu.threads_allowed = 8;
	m->cpu.core_throttles = m->cpu.package_throttles = 0;
	SET(m->load, "0.31 0.12 0.05");
	SET(m->nic[0].duplex, "full");
	m->nic[0].max_mbit_per_s = 1000;
	p = fields_add(&fields_machine, m, "pci");
	SET(p->address, "0000:00:17.0");
	SET(p->class_name, "SATA controller");
	SET(p->vendor, "Intel Corporation");
	SET(p->device, "C236 SATA Controller");
	SET(p->driver, "ahci");
	p->class = 0x010601;
	p->wanted = true;
	p = fields_add(&fields_machine, m, "pci");
	SET(p->address, "0000:01:00.0");
	SET(p->class_name, "Ethernet controller");
	SET(p->vendor, "Intel Corporation");
	SET(p->device, "I210 Gigabit Network Connection");
	SET(p->driver, "igb");
	p->class = 0x020000;
	p->wanted = true;
	p->has_gt_per_s = p->has_max_gt_per_s = p->has_port_gt_per_s = true;
	p->gt_per_s = p->max_gt_per_s = 2.5;
	p->port_gt_per_s = 8;
	p->width = p->max_width = 1;
	p->port_width = 4;
}

void findings_sound(struct report *r)
{
	static const uint64_t speeds[] = { 480, 512, 8900, 91000 };
	static const char *const names[] = { "sda", "sdb", "sdc" };

	fixture_begin(r, "00000000-0000-4000-8000-000000000009");
	fixture_machine(r);
	add_machine(&r->machine);
	add_memory(&r->machine);
	for (size_t i = 0; i < 3; i++) {
		struct disk *d = fixture_disk(r, names[i], "INTEL SSDSC2BB480G7", names[i], "sata",
					      UINT64_C(480103981056));

		SET(d->firmware, "N2010112");
		SET(d->controller, "0000:00:17.0");
		fixture_ran_all(r, names[i], speeds);
	}
	fixture_skipped(r, "sr0", DISK_OPTICAL, "");
	for (size_t i = 0; i < 6; i++)
		add_health(r, names[i % 3], i < 3 ? "start" : "end");
}

struct result *findings_result(struct report *r, const char *test, const char *phase,
			       const char *target)
{
	static struct result t;

	result_init(&t, test, target);
	SET(t.phase, "%s", phase);
	result_end(&t, RESULT_OK, "%s", "");
	report_add_result(r, &t);
	return &r->result[r->result_n - 1];
}
