/* SPDX-License-Identifier: MIT */
/* A server of which everything is known, for report_fixtures.h alone. */
#ifndef TESTS_UNIT_REPORT_FIXTURE_WHOLE_H
#define TESTS_UNIT_REPORT_FIXTURE_WHOLE_H

#include <string.h>

#include "bench/model/fields.h"
#include "bench/model/report.h"

static void whole_cpu(struct machine_info *m)
{
	static const struct cpu_cache cache[] = {
		{ 1, "data", 48 << 10, 2, 32 }, { 1, "instruction", 32 << 10, 2, 32 },
		{ 2, "unified", 2 << 20, 2, 32 }, { 3, "unified", 48 << 20, 32, 2 },
	};
	struct cpu_info *c = &m->cpu;

	SET(c->model, "Intel(R) Xeon(R) Gold 5416S");
	SET(c->flags, "aes avx2 avx512f sha_ni vmx");
	SET(c->governor, "powersave");
	SET(c->driver, "intel_pstate");
	SET(c->smt, "on");
	c->sockets = 2;
	c->cores = 32;
	c->threads = 64;
	c->min_hz = 800000000;
	c->base_hz = 2000000000;
	c->max_hz = 4000000000;
	c->boost = TRI_YES;
	c->caches_n = 4;
	memcpy(c->caches, cache, sizeof(cache));
	c->nodes_n = 2;
	for (uint32_t i = 0; i < 2; i++) {
		c->nodes[i].node = i;
		SET(c->nodes[i].cpus, i ? "16-31,48-63" : "0-15,32-47");
		c->nodes[i].memory_bytes = UINT64_C(67161247744);
	}
}

static void whole_memory(struct machine_info *m)
{
	struct memory_info *memory = &m->memory;

	m->memory_bytes = UINT64_C(134322495488);
	memory->installed_bytes = UINT64_C(128) << 30;
	memory->swap_bytes = UINT64_C(8) << 30;
	memory->slots = 16;
	SET(memory->ecc, "multi-bit");
	memory->module_n = 16;
	for (uint32_t i = 0; i < 8; i++) {
		struct memory_module *module = &memory->module[2 * i];

		SET(module->slot, "DIMM_%c1", 'A' + (int)i);
		SET(module->maker, "Samsung");
		SET(module->part, i == 7 ? "M321R2GA3BB0-CQKEG" : "M321R2GA3BB6-CQKET");
		SET(module->type, "DDR5");
		module->size_bytes = UINT64_C(16) << 30;
		module->rated_mt_per_s = 4800;
		module->speed_mt_per_s = 4400;
		module->data_bits = 64;
		module->total_bits = 80;
	}
}

static void whole_devices(struct machine_info *m)
{
	SET(m->bios.boot, "uefi");
	SET(m->load, "0.08 0.03 0.01");
	m->nic[0].max_mbit_per_s = 10000;
	SET(m->nic[0].duplex, "full");
	SET(m->nic[0].model, "Ethernet Controller X550");
	SET(m->nic[0].lldp_system, "sw-07.example");
	SET(m->nic[0].lldp_port, "Ethernet1/12");
	m->pci_n = 2;
	SET(m->pci[0].address, "0000:3b:00.0");
	SET(m->pci[0].vendor, "Example Storage");
	SET(m->pci[0].device, "RAID 9999-8i");
	SET(m->pci[0].class_name, "RAID bus controller");
	m->pci[0].wanted = true;
	SET(m->pci[1].address, "0000:00:1f.2");
	SET(m->pci[1].driver, "ahci");
	m->pci[1].wanted = true;
	m->arrays_n = 2;
	SET(m->arrays[0].name, "md127");
	SET(m->arrays[0].kind, "md");
	SET(m->arrays[0].level, "raid1");
	SET(m->arrays[0].state, "degraded");
	m->arrays[0].size_bytes = UINT64_C(510000000000);
	m->arrays[0].members_wanted = 2;
	SET(m->arrays[0].members, "nvme0n1p2");
	SET(m->arrays[1].name, "tank");
	SET(m->arrays[1].kind, "zfs");
	m->signatures_n = 5;
	SET(m->signatures[0].device, "nvme0n1");
	SET(m->signatures[0].type, "gpt");
	SET(m->signatures[1].device, "nvme0n1p1");
	SET(m->signatures[1].type, "vfat");
	SET(m->signatures[1].label, "EFI");
	SET(m->signatures[2].device, "nvme0n1p2");
	SET(m->signatures[2].type, "linux_raid_member");
	SET(m->signatures[3].device, "sda");
	SET(m->signatures[3].type, "LVM2_member");
	SET(m->signatures[4].device, "sdaa1");
	SET(m->signatures[4].type, "not sda's");
	m->sensors_n = 2;
	m->sensors[0] = (struct sensor){ "coretemp", "Package id 0", UNIT_CELSIUS, 41, true, 90,
					 true, 100, true, false };
	m->sensors[1] = (struct sensor){ "nct6775", "fan1", UNIT_RPM, 5400, true, 0, false, 0,
					 false, false };
	m->power_n = 1;
	m->power[0] = (struct power_domain){ "package-0", 38.4, true, 150, true };
}

static struct health *whole_health_of(struct report *r, const char *target, const char *model)
{
	static struct health h;

	fields_init(&fields_health, &h);
	SET(h.target, "%s", target);
	SET(h.device, "/dev/%s", target);
	SET(h.model, "%s", model);
	SET(h.when, "start");
	h.state = HEALTH_READ;
	h.passed = TRI_YES;
	report_add_health(r, &h);
	return &r->health[r->health_n - 1];
}

static void whole_ssd_health(struct report *r)
{
	struct health *h = whole_health_of(r, "nvme0n1", "SAMSUNG MZVL2512HCJQ-00B00");

	h->power_on_hours = 10512;
	h->wear_percent = 103;
	h->written_bytes = INT64_C(412345678901234);
	h->media_errors = 0;
	h->spare_percent = 9;
	h->spare_threshold_percent = 10;
	h->temperature_celsius = 71;
	h->passed = TRI_NO;
	h->critical_warning = 1;
	h->warning_n = 1;
	SET(h->warning[0].word, "spare");
	SET(h->warning[0].text, "the spare blocks are nearly used up");
}

static void whole_hdd_health(struct report *r, const char *when, int64_t pending)
{
	struct health *h = whole_health_of(r, "sda", "ST4000NM0033-9ZM170");

	SET(h->when, "%s", when);
	h->power_on_hours = 61234;
	h->reallocated = 65535;
	h->pending = pending;
	h->uncorrectable = 12;
	h->crc_errors = 1234567;
	h->temperature_celsius = 38;
	h->self_tests_n = 2;
	SET(h->self_tests[0].type, "short");
	SET(h->self_tests[0].result, "completed without error");
	h->self_tests[0].hours = h->self_tests[0].lba = -1;
	SET(h->self_tests[1].type, "extended");
	SET(h->self_tests[1].result, "completed: read failure");
	h->self_tests[1].failed = true;
	h->self_tests[1].hours = 60011;
	h->self_tests[1].lba = 2411264;
	h->doubt_n = 1;
	SET(h->doubt[0].name, "reallocated");
	SET(h->doubt[0].text, "the counter stands at the most that its 16 bits can hold");
}

static void whole_health(struct report *r)
{
	struct health *h;

	whole_ssd_health(r);
	whole_hdd_health(r, "start", 8);
	h = whole_health_of(r, "sdb", "");
	h->state = HEALTH_UNSUPPORTED;
	SET(h->reason, "the USB bridge does not pass its questions on");
	h = whole_health_of(r, "", "ST8000NM0055-1RM112");
	SET(h->device, "/dev/bus/0 megaraid,3");
	SET(h->serial, "ZA1234AB");
	h->power_on_hours = 512;
	h->uncorrectable = h->pending = h->reallocated = 0;
	whole_hdd_health(r, "end", 24);
}

static struct result *whole_result(struct report *r, const char *test, const char *phase,
				   const char *target)
{
	static struct result t;

	result_init(&t, test, target);
	SET(t.phase, "%s", phase);
	SET(t.family, "%s", strcmp(phase, "network") ? strstr(test, "mem") ? "memory" : "cpu"
						     : "network");
	t.budget_ns = 2 * NS_PER_S;
	result_end(&t, RESULT_OK, "%s", "");
	report_add_result(r, &t);
	return &r->result[r->result_n - 1];
}

static void whole_threads(struct report *r, const char *test, enum metric_unit unit, double single,
			  double all)
{
	struct result *t = whole_result(r, test, "machine", "");
	const double samples[] = { all * 0.99, all, all * 1.01 };

	result_metric(t, "single", unit, single);
	result_metric(t, "per_core", unit, single * 0.97 * 32);
	metric_samples(result_metric(t, "all", unit, all), samples, 3);
	result_metric(t, "efficiency", UNIT_PERCENT, all / single / 64 * 100);
	result_metric(t, "threads", UNIT_COUNT, 64);
	result_metric(t, "switches", UNIT_PER_S, 3);
}

static void whole_machine_tests(struct report *r)
{
	static const char *const kernel[] = { "triad", "copy", "scale", "add" };
	struct result *t;
	char name[32];

	whole_threads(r, "cpu-prime-10000", UNIT_PER_S, 1243, 48211);
	result_mark(&r->result[r->result_n - 1], "throttled", "the processors were slowed for heat "
		    "12 times while it ran");
	whole_threads(r, "cpu-aes-256-gcm", UNIT_BYTES_PER_S, 5.1e9, 201.3e9);
	result_metric(&r->result[r->result_n - 1], "decrypt", UNIT_BYTES_PER_S, 5.3e9);
	t = whole_result(r, "cpu-zstd", "machine", "");
	result_end(t, RESULT_FAILED, "its process crashed with signal 4 (Illegal instruction)");
	t = whole_result(r, "mem-stream", "machine", "");
	for (size_t i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "%s_single", kernel[i]);
		result_metric(t, name, UNIT_BYTES_PER_S, 13.1e9 + (double)i * 1e8);
		snprintf(name, sizeof(name), "%s_all", kernel[i]);
		result_metric(t, name, UNIT_BYTES_PER_S, 181.4e9 + (double)i * 1e9);
	}
	result_metric(t, "array_bytes_all", UNIT_BYTES, 402653184);
	t = whole_result(r, "mem-latency", "machine", "");
	result_metric(t, "dram", UNIT_NS, 118.4);
	result_metric(t, "l1", UNIT_NS, 1.253);
	result_metric(t, "l2", UNIT_NS, 4.01);
	result_metric(t, "l3", UNIT_NS, 31.7);
	t = whole_result(r, "mem-pattern", "machine", "");
	result_metric(t, "tested_bytes", UNIT_BYTES, 68719476736);
	result_metric(t, "passes", UNIT_COUNT, 3);
	result_metric(t, "errors", UNIT_COUNT, 0);
	result_end(whole_result(r, "mem-copy", "machine", ""), RESULT_SKIPPED,
		   "no time for it in profile quick");
}

static struct result *whole_node(struct report *r, const char *node, const char *path,
				 const char *way, double download, double ms)
{
	static const char *const name[] = { "dns", "connect", "tls", "ttfb" };
	static const double times[] = { 0.9, 1, 2.2, 2.1 };
	struct result *t = whole_result(r, "net-node", "network", node);
	char whole[40];

	SET(t->path, "%s", path);
	for (size_t i = 0; i < 4; i++) {
		SET(whole, "%s_%s", name[i], way);
		result_metric(t, whole, UNIT_NS, ms * times[i] * 1e6);
	}
	SET(whole, "download_%s", way);
	result_metric(t, whole, UNIT_BYTES_PER_S, download);
	result_metric(t, "download", UNIT_BYTES_PER_S, download);
	return t;
}

static void whole_network(struct report *r)
{
	struct result *t = whole_node(r, "Frankfurt, DE", "203.0.113.7 2001:db8::7 "
				      "https://fra.example/100M", "ipv4", 117.6e6, 4.31);

	result_metric(t, "upload_ipv4", UNIT_BYTES_PER_S, 112.1e6);
	result_metric(t, "download_ipv6", UNIT_BYTES_PER_S, 115.2e6);
	t = whole_node(r, "Singapore, SG", "2001:db8:4711:815::1234:5678 http://[2001:db8::1]/x",
		       "ipv6", 21.4e6, 161.9);
	result_mark(t, "no-ipv4", "no route to it over IPv4");
	t = whole_result(r, "net-node", "network", "a node with a very long name indeed");
	result_end(t, RESULT_FAILED, "no answer from 198.51.100.9 port 443 in 5 s");
	t = whole_result(r, "net-link", "network", "eth0");
	result_metric(t, "rx_errors", UNIT_COUNT, 12);
	result_metric(t, "link_speed", UNIT_BYTES_PER_S, 125e6);
	result_mark(t, "errors", "since the system started, eth0: 12 receive errors");
	t = whole_result(r, "net-link", "network", "eth1");
	result_end(t, RESULT_SKIPPED, "eth1 has no link");
}

/* Two sick disks in a strong server whose network card is slowed down. */
static void fixture_whole(struct report *r)
{
	static const uint64_t nvme[] = { 2450, 3310, 11800, 412000 }, hdd[] = { 171, 172, 78, 190 };

	fixture_begin(r, "00000000-0000-4000-8000-000000000006");
	fixture_machine(r);
	whole_cpu(&r->machine);
	whole_memory(&r->machine);
	whole_devices(&r->machine);
	fixture_disk(r, "nvme0n1", "SAMSUNG MZVL2512HCJQ-00B00", "S675NX0R123456", "nvme",
		     UINT64_C(512110190592));
	fixture_disk(r, "sda", "ST4000NM0033-9ZM170", "Z1Z0ABCD", "sata", UINT64_C(4000787030016))
		->rotational = DISK_ROTATING;
	fixture_ran_all(r, "nvme0n1", nvme);
	fixture_ran_all(r, "sda", hdd);
	whole_machine_tests(r);
	whole_network(r);
	whole_health(r);
}

#endif
