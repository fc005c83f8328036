/* SPDX-License-Identifier: MIT */
/*
 * Whole reports for tests: made up, but of the shape that real machines give. Each function fills
 * an uninitialised report; report_free frees it. The same call always gives the same report.
 */
#ifndef TESTS_UNIT_REPORT_FIXTURES_H
#define TESTS_UNIT_REPORT_FIXTURES_H

#include <stdio.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/model/report.h"
#include "lib/clock.h"

#define KIB UINT32_C(1024)
#define MIB (1024 * KIB)
#define SET(to, ...) snprintf(to, sizeof(to), __VA_ARGS__)

static void fixture_begin(struct report *r, const char *id)
{
	report_init(r);
	SET(r->tool.version, "0.1.0");
	SET(r->tool.compiler, "gcc 12.2.0");
	SET(r->tool.kernel, "6.12.118 #1 SMP PREEMPT_DYNAMIC");
	SET(r->tool.engine, "libaio");
	SET(r->run.id, "%s", id);
	SET(r->run.profile, "quick");
	r->run.started_s = INT64_C(1796047512);
	r->run.clock_trusted = true;
	SET(r->run.clocksource, "tsc");
	SET(r->run.write_consent, "none: disks are opened read-only");
	r->run.state = RUN_COMPLETE;
	r->run.elapsed_ns = 102 * NS_PER_S;
	r->run.planned_ns = 96 * NS_PER_S;
}

static void fixture_machine(struct report *r)
{
	struct machine_info *m = &r->machine;

	SET(m->vendor, "Supermicro");
	SET(m->product, "SYS-5019S-M");
	SET(m->serial, "S271825X8123456");
	SET(m->board.vendor, "Supermicro");
	SET(m->board.name, "X11SSH-F");
	SET(m->board.version, "1.01");
	SET(m->bios.vendor, "American Megatrends Inc.");
	SET(m->bios.version, "2.2");
	SET(m->bios.date, "05/23/2018");
	SET(m->cpu.model, "Intel(R) Xeon(R) CPU E3-1245 v5 @ 3.50GHz");
	SET(m->cpu.microcode, "0xf0");
	m->cpu.sockets = 1;
	m->cpu.cores = 4;
	m->cpu.threads = 8;
	m->memory_bytes = UINT64_C(67161247744);
	SET(m->arch, "x86_64");
	SET(m->virtualisation, "none");
	m->uptime_s = 44;
	m->cpu.mitigation_n = 2;
	SET(m->cpu.mitigation[0].name, "meltdown");
	SET(m->cpu.mitigation[0].text, "Mitigation: PTI");
	SET(m->cpu.mitigation[1].name, "spectre_v2");
	SET(m->cpu.mitigation[1].text, "Mitigation: IBRS; IBPB: conditional; RSB filling");
	m->nic_n = 2;
	m->nic[0] = (struct nic_info){ "eth0", "igb", "02:00:5e:10:00:01", true, 1000,
				       .max_mbit_per_s = -1, .numa_node = -1 };
	m->nic[1] = (struct nic_info){ "eth1", "igb", "02:00:5e:10:00:02", false, -1,
				       .max_mbit_per_s = -1, .numa_node = -1 };
	r->tool.has_engine_iops = true;
	r->tool.engine_iops = 4210000;
}

static struct disk *fixture_disk(struct report *r, const char *name, const char *model,
				 const char *serial, const char *transport, uint64_t size_bytes)
{
	static const struct disk blank = { .rotational = DISK_SOLID, .numa_node = -1, .path_n = 1 };
	struct disk *d;

	disk_list_add(&r->disks, &blank);
	d = &r->disks.disk[r->disks.n - 1];
	SET(d->name, "%s", name);
	SET(d->node, "/dev/%.50s", name);
	SET(d->model, "%s", model);
	SET(d->serial, "%s", serial);
	SET(d->identity, "%.60s %.60s", model, serial);
	SET(d->transport, "%s", transport);
	SET(d->path[0], "%s", name);
	d->size_bytes = size_bytes;
	d->logical_block_bytes = 512;
	d->physical_block_bytes = 4096;
	return d;
}

static void fixture_skipped(struct report *r, const char *name, enum disk_skip skip,
			    const char *detail)
{
	struct disk *d = fixture_disk(r, name, "", "", "other", 0);

	d->skip = skip;
	SET(d->skip_detail, "%s", detail);
	d->rotational = DISK_ROTATIONAL_UNKNOWN;
	d->logical_block_bytes = d->physical_block_bytes = 0;
}

/* What tells the tests of the suite apart. */
struct fixture_test {
	const char *name, *order;
	uint32_t block_bytes, depth;
};

static const struct fixture_test fixture_tests[] = {
	{ "seq-read-qd1", "sequential", MIB, 1 },
	{ "seq-read-qd64", "sequential", MIB, 64 },
	{ "rand-read-qd1", "random", 4 * KIB, 1 },
	{ "rand-read-qd64", "random", 4 * KIB, 64 },
};
#define FIXTURE_TESTS (sizeof(fixture_tests) / sizeof(fixture_tests[0]))

/* The numbers of a test that ran 4.5 s at `ios_per_s`, its speed a little up and down. */
static void fixture_numbers(struct result *t, uint64_t ios_per_s)
{
	static const char *const names[] = { "lat_p50", "lat_p90", "lat_p99", "lat_p999" };
	static const double percents[] = { 50, 90, 99, 99.9 };
	struct io_outcome *io = &t->io;
	uint64_t mean_ns = NS_PER_S * t->depth / ios_per_s;
	double speed[45], iops[45];

	t->has_io = true;
	t->series_ns = 100 * NS_PER_MS;
	io->end = IO_END_TIME;
	io->depth_used = t->depth;
	io->measured_ns = 4500 * NS_PER_MS;
	io->series_n = 45;
	for (uint32_t i = 0; i < io->series_n; i++) {
		uint64_t ios = ios_per_s / 10 - i * 37 % 11 * ios_per_s / 2000;

		io->series_bytes[i] = ios * t->block_bytes;
		io->ios += ios;
		speed[i] = (double)io->series_bytes[i] * 10;
		iops[i] = (double)ios * 10;
	}
	io->bytes = io->ios * t->block_bytes;
	io->issued_ios = io->ios + io->ios / 9 + t->depth;
	io->sampled_buffers = 1 + io->ios / 64;
	io->clock_error_ns = 4120;
	io->clock_error_mean_ns = 812.5;
	io->clock_read_ns = 23;
	io->user_cpu_ns = io->ios * 900;
	io->system_cpu_ns = io->ios * 2100;
	for (uint64_t i = 0; i < 20; i++)
		hist_add(&io->lat, mean_ns * (90 + i) / 100, io->ios / 20);
	hist_add(&io->lat, mean_ns * 3, io->ios - io->ios / 20 * 20 + 1);
	metric_samples(result_metric(t, "throughput", UNIT_BYTES_PER_S, (double)io->bytes / 4.5),
		       speed, 45);
	metric_samples(result_metric(t, "iops", UNIT_IOPS, (double)io->ios / 4.5), iops, 45);
	result_metric(t, "lat_mean", UNIT_NS, hist_mean(&io->lat));
	for (size_t i = 0; i < 4; i++)
		result_metric(t, names[i], UNIT_NS, (double)hist_percentile(&io->lat, percents[i]));
	result_metric(t, "lat_max", UNIT_NS, (double)io->lat.max_ns);
}

static void fixture_parameters(struct result *t, const struct fixture_test *test,
			       const struct disk *d)
{
	SET(t->engine, "libaio");
	SET(t->access, "read");
	SET(t->order, "%s", test->order);
	t->block_bytes = test->block_bytes;
	t->depth = t->depth_asked = test->depth;
	t->jobs = 1;
	t->area_bytes = d->size_bytes / test->block_bytes * test->block_bytes;
	t->ramp_ns = 500 * NS_PER_MS;
	t->seed = 2166136261U;
}

/* Adds test `i` on `d` as planned, and returns it to be filled. */
static struct result *fixture_result(struct report *r, const struct disk *d, size_t i)
{
	static struct result t;

	result_init(&t, fixture_tests[i].name, d->name);
	SET(t.target_identity, "%s", d->identity);
	t.budget_ns = 5 * NS_PER_S;
	report_add_result(r, &t);
	return &r->result[r->result_n - 1];
}

/* The same, ended well. */
static struct result *fixture_ran(struct report *r, const char *disk, size_t i, uint64_t ios_per_s)
{
	const struct disk *d = report_disk(r, disk);
	struct result *t = fixture_result(r, d, i);

	t->start_ns = r->result_n * 5 * NS_PER_S;
	t->elapsed_ns = 5012 * NS_PER_MS;
	result_end(t, RESULT_OK, "%s", "");
	fixture_parameters(t, &fixture_tests[i], d);
	fixture_numbers(t, ios_per_s);
	return t;
}

static void fixture_ran_all(struct report *r, const char *disk,
			    const uint64_t ios_per_s[FIXTURE_TESTS])
{
	for (size_t i = 0; i < FIXTURE_TESTS; i++)
		fixture_ran(r, disk, i, ios_per_s[i]);
}

/* A good NVMe disk, an SSD that was trimmed, a hard disk with bad places, a slow link. */
static void fixture_three_disks(struct report *r)
{
	static const uint64_t nvme[] = { 2450, 3310, 11800, 412000 },
			      ssd[] = { 480, 512, 8900, 91000 };
	static const uint64_t hdd[] = { 171, 172, 78, 190 };
	struct disk *d;

	fixture_begin(r, "5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5c");
	fixture_machine(r);
	SET(r->run.label, "order 4711");
	r->machine.nic[0].speed_mbit_per_s = 100;
	d = fixture_disk(r, "nvme0n1", "SAMSUNG MZVL2512HCJQ-00B00", "S675NX0R123456", "nvme",
			 UINT64_C(512110190592));
	SET(d->firmware, "GXA7401Q");
	SET(d->driver, "nvme");
	SET(d->controller, "0000:01:00.0");
	SET(d->wwn, "eui.002538b111112222");
	d = fixture_disk(r, "sda", "SAMSUNG MZ7LN512HAJQ-00000", "S3TVNX0M555555", "sata",
			 UINT64_C(512110190592));
	SET(d->driver, "ahci");
	SET(d->wwn, "naa.5002538e40111111");
	d = fixture_disk(r, "sdb", "ST4000NM0033-9ZM170", "Z1Z0ABCD", "sata",
			 UINT64_C(4000787030016));
	d->rotational = DISK_ROTATING;
	d->physical_block_bytes = 512;
	fixture_skipped(r, "sr0", DISK_OPTICAL, "");
	fixture_skipped(r, "sdc", DISK_NO_MEDIUM, "USB card reader");
	fixture_ran_all(r, "nvme0n1", nvme);
	fixture_ran_all(r, "sda", ssd);
	fixture_ran_all(r, "sdb", hdd);
	for (size_t i = 0; i < r->result_n; i++)
		if (!strcmp(r->result[i].target, "sda"))
			r->result[i].io.zero_buffers = r->result[i].io.sampled_buffers;
	r->result[11].io.error_ios = 3;
	r->result[11].io.error_n = 1;
	r->result[11].io.error[0] = (struct io_error){ 5, 3, UINT64_C(1234567168) };
	result_end(&r->result[11], RESULT_OK,
		   "3 of 1013 reads failed: 3 with EIO (the device could not read there), first at "
		   "byte "
		   "1234567168");
	report_add_option(r, "profile", "quick");
	report_add_option(r, "label", "order 4711");
	report_add_option(r, "token", "***");
	report_add_note(r, "kernel: NR_CPUS", "512 as Debian has it");
	report_add_note(r, REPORT_NOTE_OPTION, "kernel command line: unknown option bench.colour");
	r->kernel_log = strdup(
		"[    4.1] ata2.00: failed command: READ FPDMA QUEUED\n"
		"[    4.2] blk_update_request: I/O error, dev sdb, sector 2411264\n");
}

static void fixture_no_disk(struct report *r)
{
	fixture_begin(r, "00000000-0000-4000-8000-000000000001");
	fixture_machine(r);
	for (size_t i = 0; i < 16; i++) {
		char name[16];

		SET(name, "loop%zu", i);
		fixture_skipped(r, name, DISK_LOOP, "");
	}
	fixture_skipped(r, "sr0", DISK_OPTICAL, "");
	fixture_skipped(r, "ram0", DISK_RAM, "");
	r->run.elapsed_ns = 31 * NS_PER_S;
	r->machine.nic_n = 0;
	r->kernel_log = strdup("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
	r->tool.has_engine_iops = false;
}

/* One disk of each sad kind. */
static void fixture_all_failing(struct report *r)
{
	static const char *const names[] = { "sda", "sdb", "vda", "vdb", "sdc" };
	struct result *t;

	fixture_begin(r, "00000000-0000-4000-8000-000000000002");
	fixture_machine(r);
	SET(r->machine.virtualisation, "qemu");
	SET(r->run.clocksource, "acpi_pm");
	SET(r->machine.cpu.mitigation[1].text, "Vulnerable");
	for (size_t i = 0; i < 5; i++)
		fixture_disk(r, names[i], "QEMU HARDDISK", "", "virtio", UINT64_C(8589934592))
			->read_only = i == 4;
	fixture_skipped(r, "sdd", DISK_CANNOT_OPEN, "Operation not permitted");
	fixture_skipped(r, "sde", DISK_NO_ANSWER, "open did not return within 5 s");
	fixture_skipped(r, "nvme1", DISK_NO_NAMESPACE, "");
	for (size_t i = 0; i < 20; i++) {
		const struct disk *d = &r->disks.disk[i / 4];

		t = fixture_result(r, d, i % 4);
		fixture_parameters(t, &fixture_tests[i % 4], d);
		t->has_io = i / 4 != 4;
		if (i % 4)
			result_end(t, RESULT_SKIPPED, "the disk failed an earlier test");
	}
	t = &r->result[0];
	t->io.end = IO_END_VANISHED;
	t->io.bytes = 734003200;
	result_end(t, RESULT_FAILED,
		   "the device is gone since second 1.4: reads below its end return 0 bytes");
	t = &r->result[4];
	t->io.end = IO_END_STALLED;
	t->io.unanswered_ios = 64;
	result_end(t, RESULT_FAILED,
		   "the device stopped answering in second 0.0: 64 reads without a reply "
		   "for 5.0 s");
	t = &r->result[8];
	t->io.end = IO_END_ERRORS;
	t->io.error_ios = t->io.issued_ios = 1000;
	t->io.error_n = 1;
	t->io.error[0] = (struct io_error){ 61, 1000, 0 };
	result_end(t, RESULT_FAILED,
		   "1000 of 1000 reads failed: 1000 with ENODATA (a medium error: the data "
		   "there is lost), first at byte 0");
	t = &r->result[12];
	t->has_io = false;
	result_end(t, RESULT_TIMEOUT, "its process did not end within 12 s and was given up");
	result_end(&r->result[16], RESULT_UNSUPPORTED,
		   "reads of 4 KiB do not fit its logical blocks of 520 bytes");
}

/* Text of the worst kind in every place where a machine or a person can put it. */
/* "disk drive" in Chinese: six letters of two columns */
#define FIXTURE_WIDE "\xe7\xa3\x81\xe7\x9b\x98\xe9\xa9\xb1\xe5\x8a\xa8\xe5\x99\xa8"
#define FIXTURE_HOSTILE "<script>alert('x')</script> \"quoted\" \\ %s%n ${HOME} $(reboot) `id` " \
	"\t\r\n\x1b[2J" FIXTURE_WIDE \
	" \xf0\x9f\x92\xa5 a\xcc\x81 \xff\xfe\x80 \xed\xa0\x80 \xe2\x80\xae" "evil"

static void fixture_hostile_result(struct report *r, const char *phase, const char *target)
{
	static struct result t;

	result_init(&t, FIXTURE_HOSTILE, target);
	SET(t.phase, "%s", phase);
	SET(t.path, "%s", FIXTURE_HOSTILE);
	result_end(&t, RESULT_OK, "%s", FIXTURE_HOSTILE);
	SET(result_metric(&t, "x", UNIT_COUNT, -1e300)->name, "%.39s", FIXTURE_HOSTILE);
	result_metric(&t, "single", UNIT_BYTES_PER_S, 1e300);
	result_metric(&t, "all", UNIT_PER_S, -1);
	result_metric(&t, "download_ipv4", UNIT_NS, 1e300);
	report_add_result(r, &t);
	result_end(&t, RESULT_FAILED, "%s", FIXTURE_HOSTILE);
	report_add_result(r, &t);
}

/* The same in what is not about disks' speed; counters that exceed their arrays, too. */
static void fixture_hostile_rest(struct report *r)
{
	struct machine_info *m = &r->machine;
	static struct health h;

	fields_init(&fields_health, &h);
	SET(h.device, "%.63s", FIXTURE_HOSTILE);
	h.state = HEALTH_READ;
	h.power_on_hours = h.written_bytes = h.reallocated = h.crc_errors = INT64_MAX;
	h.wear_percent = INT32_MAX;
	h.temperature_celsius = INT32_MIN + 1;
	SET(h.reason, "%s", FIXTURE_HOSTILE);
	h.doubt_n = h.warning_n = h.self_tests_n = 1;
	SET(h.doubt[0].name, "crc_errors");
	SET(h.doubt[0].text, "%s", FIXTURE_HOSTILE);
	SET(h.warning[0].word, "%.31s", FIXTURE_HOSTILE);
	h.self_tests[0].failed = true;
	SET(h.self_tests[0].type, "%.31s", FIXTURE_HOSTILE);
	report_add_health(r, &h);
	h.state = HEALTH_TIMEOUT;
	SET(h.target, "cciss!c0d0");
	report_add_health(r, &h);
	fixture_hostile_result(r, "machine", "");
	fixture_hostile_result(r, "network", FIXTURE_HOSTILE);
	m->arrays_n = m->signatures_n = m->pci_n = 1;
	SET(m->arrays[0].name, "%.63s", FIXTURE_HOSTILE);
	SET(m->arrays[0].members, "%s", FIXTURE_HOSTILE);
	SET(m->signatures[0].device, "cciss!c0d0p1");
	SET(m->signatures[0].label, "%.127s", FIXTURE_HOSTILE);
	SET(m->signatures[0].type, "x");
	SET(m->pci[0].address, "x");
	SET(m->pci[0].device, "%.127s", FIXTURE_HOSTILE);
	m->pci[0].wanted = true;
	SET(m->nic[0].lldp_port, "%.127s", FIXTURE_HOSTILE);
}

static void fixture_hostile(struct report *r)
{
	static const uint64_t speeds[] = { 480, 512, 8900, 91000 };
	struct disk *d;

	fixture_begin(r, "00000000-0000-4000-8000-000000000003");
	fixture_machine(r);
	SET(r->run.label, "%s", FIXTURE_HOSTILE);
	SET(r->machine.vendor, "%.127s", FIXTURE_HOSTILE);
	SET(r->machine.product, "%.127s", FIXTURE_HOSTILE);
	memset(r->machine.board.name, 'W', sizeof(r->machine.board.name) - 1);
	SET(r->machine.cpu.model, "ACME  CPU: \"9000\"  @ <b>3GHz");
	SET(r->machine.nic[0].name, "wwwwwwwwwwwwwww");
	d = fixture_disk(r, "nvme123n4567p89-a-very-long-name", FIXTURE_HOSTILE, "AB\xff\x01\"<b>",
			 "nvme", UINT64_MAX);
	SET(d->vendor, "\xe5\xbb\xa0\xe5\x95\x86");
	fixture_ran_all(r, d->name, speeds);
	fixture_disk(r, "cciss!c0d0", FIXTURE_WIDE FIXTURE_WIDE,
		     "\xe5\xba\x8f\xe5\x88\x97\xe5\x8f\xb7", "raid", 1);
	fixture_ran(r, "cciss!c0d0", 0, 40);
	result_end(fixture_result(r, report_disk(r, "cciss!c0d0"), 1), RESULT_FAILED, "%s",
		   FIXTURE_HOSTILE);
	fixture_skipped(r, "sdz", DISK_CANNOT_OPEN, FIXTURE_HOSTILE);
	fixture_hostile_rest(r);
	report_add_option(r, "label", FIXTURE_HOSTILE);
	report_add_note(r, REPORT_NOTE_OPTION, "%s", FIXTURE_HOSTILE);
	report_add_note(r, "note", "%0240d", 7);
	r->kernel_log = strdup("a line\n" FIXTURE_HOSTILE "\n\n\x01\x02\n"
			       "01234567890123456789012345678901234567890123456789"
			       "01234567890123456789012345678901234567890123456789");
}

/* A run that the deadline ended. */
static void fixture_partial(struct report *r)
{
	fixture_begin(r, "00000000-0000-4000-8000-000000000004");
	fixture_machine(r);
	fixture_disk(r, "sda", "INTEL SSDSC2BB480G7", "PHDV0000", "sata", UINT64_C(480103981056));
	fixture_ran(r, "sda", 0, 501);
	fixture_result(r, &r->disks.disk[0], 1)->status = RESULT_RUNNING;
	fixture_result(r, &r->disks.disk[0], 2);
	r->run.state = RUN_RUNNING;
	r->run.clock_trusted = false;
	SET(r->run.clock_note, "set from 1980-01-01 to the build date");
	report_close(r, "the run's deadline was reached");
}

/* What is left when nothing else is known. */
static void fixture_minimal(struct report *r)
{
	report_init(r);
	SET(r->run.id, "00000000-0000-4000-8000-000000000005");
	report_close(r, "bench ended by signal 11");
}

#include "tests/unit/report_fixture_whole.h"

struct fixture {
	const char *name;
	void (*fill)(struct report *r);
	bool is_raw;	/* its texts are not valid UTF-8, as they always are in a run */
};

static const struct fixture fixtures[] = {
	{ "three-disks", fixture_three_disks, false },
	{ "no-disk", fixture_no_disk, false },
	{ "all-failing", fixture_all_failing, false },
	{ "hostile", fixture_hostile, true },
	{ "partial", fixture_partial, false },
	{ "minimal", fixture_minimal, false },
	{ "whole", fixture_whole, false },
};
#define FIXTURES (sizeof(fixtures) / sizeof(fixtures[0]))

#endif
