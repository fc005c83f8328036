/* SPDX-License-Identifier: MIT */
/*
 * Every finding rule: one report that is healthy in all respects must be silent, and one change to
 * it must bring exactly the finding of the row.
 */
#include "bench/findings/findings.h"
#include "lib/file.h"
#include "tests/unit/report_fixtures.h"
#include "tests/unit/tap.h"

/* Three equal, healthy disks on metal. */
static void fill_healthy(struct report *r)
{
	static const uint64_t speeds[] = { 480, 512, 8900, 91000 };
	static const char *const names[] = { "sda", "sdb", "sdc" };

	fixture_begin(r, "00000000-0000-4000-8000-000000000009");
	fixture_machine(r);
	for (size_t i = 0; i < 3; i++) {
		fixture_disk(r, names[i], "INTEL SSDSC2BB480G7", names[i], "sata",
			     UINT64_C(480103981056));
		fixture_ran_all(r, names[i], speeds);
	}
	fixture_skipped(r, "sr0", DISK_OPTICAL, "");
}

static void leave_all(struct report *r)
{
	for (size_t i = 0; i < 3; i++)
		r->disks.disk[i].skip = DISK_EXCLUDED;
}

static void lose_all(struct report *r)
{
	r->disks.n = 0;
}

static void vanish(struct report *r)
{
	r->result[4].io.end = IO_END_VANISHED;
	r->result[5].io.end = IO_END_VANISHED;	/* one finding for each disk */
	result_end(&r->result[4], RESULT_FAILED, "gone");
	result_end(&r->result[5], RESULT_FAILED, "gone");
}

static void stall(struct report *r)
{
	r->result[2].io.end = IO_END_STALLED;
	result_end(&r->result[2], RESULT_FAILED, "64 reads without a reply for 5.0 s");
}

static void time_out(struct report *r)
{
	result_end(&r->result[2], RESULT_TIMEOUT, "given up");
}

static void open_hangs(struct report *r)
{
	fixture_skipped(r, "sdx", DISK_NO_ANSWER, "open did not return within 5 s");
}

static void errors_once(struct report *r)
{
	r->result[7].io.error_ios = 2;
	result_end(&r->result[7], RESULT_OK, "2 of 9 reads failed, first at byte 4096");
}

static void errors_twice(struct report *r)
{
	errors_once(r);
	r->result[7].io.error_n = 1;
	r->result[7].io.error[0] = (struct io_error){ 5, 2, 1234567 };
	r->result[6].io.error_ios = 1;
	r->result[6].io.error_n = 1;
	r->result[6].io.error[0] = (struct io_error){ 5, 1, 7654321 };
	r->result[6].io.issued_ios = r->result[7].io.issued_ios = 1000;
	result_end(&r->result[6], RESULT_OK, "1 of 1000 reads failed");
}

static void write_errors(struct report *r)
{
	errors_twice(r);
	SET(r->result[6].access, "write");
	SET(r->result[7].access, "mixed");
	r->result[6].io.error_ios = 2;
	r->result[6].io.issued_ios = r->result[7].io.issued_ios = 9;
}

static void fail(struct report *r)
{
	result_end(&r->result[0], RESULT_FAILED, "its process was ended by signal 11");
}

static void hurry(struct report *r)
{
	struct result *t = &r->result[0];

	t->has_io = true;
	t->io.end = IO_END_NO_IO;
	t->budget_ns = 250 * NS_PER_MS;
	result_end(t, RESULT_FAILED, "not one of the reads was answered");
}

static void end_early(struct report *r)
{
	r->run.state = RUN_RUNNING;
	r->result[11].status = RESULT_PLANNED;
	report_close(r, "the run's deadline was reached");
}

static void forbid(struct report *r)
{
	fixture_skipped(r, "sdx", DISK_CANNOT_OPEN, "Operation not permitted");
}

static void odd_sectors(struct report *r)
{
	fixture_skipped(r, "sdx", DISK_SECTOR_SIZE, "520 bytes");
}

static void cut_short(struct report *r)
{
	r->result[3].io.short_ios = 4;
}

static void all_zeros(struct report *r)
{
	for (size_t i = 0; i < 4; i++)
		r->result[i].io.zero_buffers = r->result[i].io.sampled_buffers;
}

static void some_zeros(struct report *r)
{
	r->result[3].io.sampled_buffers = 1000000;
	r->result[3].io.zero_buffers = 370000;
}

static void above_link(struct report *r)
{
	result_mark(&r->result[1], "above-link", "700 MB/s, but its link carries 600 MB/s");
	result_mark(&r->result[2], "above-link", "690 MB/s, but its link carries 600 MB/s");
	result_mark(&r->result[2], "all-zero", "told by reads-zeros");
}

static void slow_sibling(struct report *r)
{
	r->result[9].metric[0].value /= 2;
}

static void drop(struct report *r)
{
	struct result *t = &r->result[0];

	SET(t->access, "write");
	(void)result_metric(t, "speed_before", UNIT_BYTES_PER_S, 460e6);
	(void)result_metric(t, "speed_after", UNIT_BYTES_PER_S, 200e6);
	(void)result_metric(t, "bytes_at_drop", UNIT_BYTES, 12.3e9);
	(void)result_metric(t, "recovery_time", UNIT_NS, 60e9);
}

static void drop_for_long(struct report *r)
{
	drop(r);
	r->result[0].metric_n--;
	(void)result_metric(&r->result[0], "recovery_tried", UNIT_NS, 120e9);
}

static void slow_link(struct report *r)
{
	r->machine.nic[0].speed_mbit_per_s = 100;
}

static void slow_clock(struct report *r)
{
	SET(r->run.clocksource, "acpi_pm");
}

static void bad_option(struct report *r)
{
	report_add_note(r, REPORT_NOTE_OPTION, "unknown option bench.colour");
}

static void hiccup(struct report *r)
{
	r->result[1].io.series_bytes[20] = 0;
	r->result[1].io.series_bytes[21] /= 3;
}

static void hiccups(struct report *r)
{
	hiccup(r);
	r->result[3].io.series_bytes[20] = 0;
}

static void lower_depth(struct report *r)
{
	r->result[1].depth = 32;
	result_end(&r->result[1], RESULT_OK, "fs.aio-max-nr is 65536");
}

static void near_engine(struct report *r)
{
	r->tool.engine_iops = 179000;
	r->result[3].metric[1].value = 90000;
}

static void read_only(struct report *r)
{
	r->disks.disk[1].read_only = true;
}

static void no_namespace(struct report *r)
{
	fixture_skipped(r, "nvme1", DISK_NO_NAMESPACE, "");
}

static void late(struct report *r)
{
	r->disks.disk[2].late_ms = 12500;
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

static void share_limit(struct report *r)
{
	report_add_shared_limit(r, &(struct shared_limit){
		"seq-read-together", "0000:03:00.0", 6, UNIT_BYTES_PER_S, 7.2e9, 2.1e9, true });
	report_add_shared_limit(r, &(struct shared_limit){
		"rand-read-together", "", 6, UNIT_IOPS, 600000, 580000, false });
}

static const struct change {
	const char *rule;
	void (*make)(struct report *r);
	const char *target, *evidence;
} changes[] = {
	{ "no-disk", leave_all, "", "4 devices seen" },
	{ "no-disk", lose_all, "", "no block device at all" },
	{ "disk-vanished", vanish, "sdb", "during seq-read-qd1, after 2.23 GB" },
	{ "disk-no-answer", stall, "sda", "64 reads without a reply" },
	{ "disk-no-answer", time_out, "sda", "in rand-read-qd1: given up" },
	{ "disk-no-answer", open_hangs, "sdx", "did not return within 5 s" },
	{ "read-errors", errors_once, "sdb",
	  "rand-read-qd64: 2 of 9 reads failed, first at byte 4096" },
	{ "read-errors", errors_twice, "sdb",
	  "3 of 2,000 reads failed in 2 tests, at byte 1,234,567" },
	{ "write-errors", write_errors, "sdb", "4 of 18 writes failed in 2 tests" },
	{ "test-failed", fail, "sda", "seq-read-qd1 failed: its process was ended by signal 11" },
	{ "no-time", hurry, "sda", "sda: seq-read-qd1: not one of the reads was answered. With" },
	{ "partial-run", end_early, "", "deadline was reached. 11 of 12 tests" },
	{ "cannot-open", forbid, "sdx", "Operation not permitted" },
	{ "cannot-open", odd_sectors, "sdx", "520 bytes" },
	{ "short-reads", cut_short, "sda", "4 reads of rand-read-qd64" },
	{ "reads-zeros", all_zeros, "sda", "reads return zeros (all" },
	{ "reads-zeros", some_zeros, "sda", "37 % of 1,000" },
	{ "suspicious", above_link, "sda",
	  "sda: seq-read-qd64 and 1 more test: above-link: 700 MB/s" },
	{ "odd-sibling", slow_sibling, "sdc", "in seq-read-qd64, while the median of 3 disks" },
	{ "write-drop", drop, "sda",
	  "sda: writes fall from 460 MB/s to 200 MB/s after 12.3 GB; 95 % of the speed is back "
	  "after "
	  "60.0 s of idle." },
	{ "write-drop", drop_for_long, "sda", "; after 2 min 0 s of idle it is not back." },
	{ "shared-limit", share_limit, "",
	  "6 disks at 0000:03:00.0: 1.20 GB/s each alone adds up to 7.20 GB/s, together they "
	  "deliver 2.10 GB/s" },
	{ "slow-link", slow_link, "eth0", "100 Mb/s" },
	{ "clocksource", slow_clock, "", "acpi_pm" },
	{ "option", bad_option, "", "bench.colour" },
	{ "slow-samples", hiccup, "sda", "2 of 45 intervals of 100 ms" },
	{ "slow-samples", hiccups, "sda", "in seq-read-qd64 2 of 45 intervals" },
	{ "slow-samples", hiccups, "sda", "did 0 B/s. Other tests of it had such too" },
	{ "depth-lowered", lower_depth, "sda",
	  "32 instead of 64 I/Os in flight (fs.aio-max-nr is 65536)" },
	{ "engine-bound", near_engine, "sda", "90,000 IOPS" },
	{ "read-only", read_only, "sdb", "read-only" },
	{ "no-namespace", no_namespace, "nvme1", "no attached namespace" },
	{ "late-disk", late, "sdc", "12.5 s" },
	{ "virtual-machine", virtual, "", "kvm" },
	{ "mitigations", vulnerable, "", "vulnerable to meltdown (Vulnerable)" },
	{ "clock", wrong_clock, "", "it was 1980-01-01" },
};
#define CHANGES (sizeof(changes) / sizeof(changes[0]))

static void test_change(const struct change *c)
{
	const struct finding *f;
	struct report r;
	size_t others = 0;

	fill_healthy(&r);
	c->make(&r);
	is_int(report_find(&r), 0, "%s: rules ran", c->rule);
	f = r.finding;
	for (size_t i = 0; i < r.finding_n; i++)
		others += strcmp(r.finding[i].rule, c->rule) != 0;
	if (ok(r.finding_n == 1 && others == 0, "%s alone speaks, and once", c->rule)) {
		is_str(f->target, c->target, "%s: of the right target", c->rule);
		ok(strstr(f->sentence, c->evidence), "%s: with its evidence: %s", c->rule,
		   f->sentence);
	}
	for (size_t i = 0; i < r.finding_n; i++)
		if (r.finding_n > 1)
			tap_diag("%s: %s", r.finding[i].rule, r.finding[i].sentence);
	report_free(&r);
}

/* docs/report-format.md lists every rule with its severity. */
static void test_document(void)
{
	char *text = NULL, row[100];
	size_t len;

	if (file_load("docs/report-format.md", 1 << 20, &text, &len))
		tap_bail("docs/report-format.md cannot be read: run from the project's folder");
	for (size_t i = 0; i < finding_table_n; i++) {
		snprintf(row, sizeof(row), "\n| %s | `%s` | ",
			 finding_severity_words[finding_table[i].severity], finding_table[i].name);
		ok(strstr(text, row), "rule %s is in the document", finding_table[i].name);
	}
	free(text);
}

static void test_table(void)
{
	for (size_t i = 0; i < finding_table_n; i++) {
		size_t tested = 0;

		for (size_t k = 0; k < CHANGES; k++)
			tested += !strcmp(changes[k].rule, finding_table[i].name);
		ok(tested > 0, "rule %s has a test", finding_table[i].name);
		ok(i == 0 || finding_table[i].severity >= finding_table[i - 1].severity,
		   "rule %s stands in the order of severity", finding_table[i].name);
		for (size_t k = 0; k < i; k++)
			if (!strcmp(finding_table[k].name, finding_table[i].name))
				ok(false, "rule %s stands there twice", finding_table[i].name);
	}
}

static void test_healthy(void)
{
	struct report r;

	fill_healthy(&r);
	report_add_finding(&r, FINDING_CRITICAL, "old", "", "from an earlier look");
	report_find(&r);
	if (!is_uint(r.finding_n, 0, "a healthy machine has no finding"))
		tap_diag("%s: %s", r.finding[0].rule, r.finding[0].sentence);
	report_free(&r);
}

/* What looks like trouble but is not. */
static void test_silent(void)
{
	struct report r;

	fill_healthy(&r);
	r.run.state = RUN_RUNNING;
	r.disks.n = 0;
	report_find(&r);
	is_uint(r.finding_n, 0, "before the disks were looked for their absence says nothing");
	report_free(&r);
	fill_healthy(&r);
	r.result[1].io.measured_ns = 4400 * NS_PER_MS + 1;
	r.result[1].io.series_bytes[44] = 0;
	report_find(&r);
	is_uint(r.finding_n, 0, "an interval that the end cut short is not slow");
	report_free(&r);
	fill_healthy(&r);
	r.disks.disk[2].size_bytes++;
	slow_sibling(&r);
	report_find(&r);
	is_uint(r.finding_n, 0, "disks of another size are no siblings");
	report_free(&r);
	fill_healthy(&r);
	r.machine.nic[1].speed_mbit_per_s = 10;
	report_find(&r);
	is_uint(r.finding_n, 0, "a link without carrier is not slow");
	report_free(&r);
}

int main(void)
{
	test_table();
	test_document();
	test_healthy();
	for (size_t i = 0; i < CHANGES; i++)
		test_change(&changes[i]);
	test_silent();
	return tap_done();
}
