/* SPDX-License-Identifier: MIT */
/* Cases of the finding rules over what the tests met. */
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

static void leave_all(struct report *r)
{
	for (size_t i = 0; i < 3; i++)
		r->disks.disk[i].skip = DISK_EXCLUDED;
}

static void lose_all(struct report *r)
{
	r->disks.n = 0;
}

/* `--tests cpu` on a machine without disks: none was to be measured. */
static void ask_for_machine(struct report *r)
{
	r->disks.n = 0;
	r->result_n = 1;
	snprintf(r->result[0].test, sizeof(r->result[0].test), "cpu-int");
	snprintf(r->result[0].phase, sizeof(r->result[0].phase), "machine");
	r->result[0].target[0] = '\0';
	report_add_option(r, "tests", "cpu");
}

static void starve(struct report *r)
{
	struct result *t = &r->result[0];

	snprintf(t->test, sizeof(t->test), "cpu-int");
	snprintf(t->phase, sizeof(t->phase), "machine");
	t->target[0] = '\0';
	t->has_io = false;
	result_mark(t, "disturbed", "single: the threads did not get to measure in 0.5 s");
	result_end(t, RESULT_FAILED, "single: the threads did not get to measure in 0.5 s");
}

/* A test of the machine that hangs accuses no disk. */
static void hang_machine(struct report *r)
{
	starve(r);
	r->result[0].mark_n = 0;
	result_end(&r->result[0], RESULT_TIMEOUT, "no result after 9.0 s");
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

static void share_limit(struct report *r)
{
	report_add_shared_limit(r, &(struct shared_limit){
		"seq-read-together", "0000:03:00.0", 6, UNIT_BYTES_PER_S, 7.2e9, 2.1e9, true });
	report_add_shared_limit(r, &(struct shared_limit){
		"rand-read-together", "", 6, UNIT_IOPS, 600000, 580000, false });
}

static void not_looked_yet(struct report *r)
{
	r->run.state = RUN_RUNNING;
	r->disks.n = 0;
}

static void vanish_unseen(struct report *r)
{
	r->result[4].has_io = false;
	r->result[4].io.end = IO_END_VANISHED;
}

static void ask_nobody(struct report *r)
{
	fixture_skipped(r, "sdx", DISK_EXCLUDED, "open did not return within 5 s");
}

static void have_time(struct report *r)
{
	hurry(r);
	r->result[0].budget_ns = NS_PER_S;
}

static void cut_nothing(struct report *r)
{
	r->result[3].has_io = false;
	r->result[3].io.short_ios = 4;
}

static void few_zeros(struct report *r)
{
	r->result[3].io.sampled_buffers = 1000000;
	r->result[3].io.zero_buffers = 40000;
}

static void mark_zeros(struct report *r)
{
	result_mark(&r->result[2], "all-zero", "told by reads-zeros");
}

static void slower_sibling(struct report *r)
{
	r->result[9].metric[0].value *= 0.71;
}

/* Flash answers reads of what was never written without looking: the one that was is not slow. */
static void written_sibling(struct report *r)
{
	r->result[9].metric[0].value /= 2;
	for (size_t i = 1; i < 9; i += 4)
		r->result[i].io.zero_buffers = r->result[i].io.sampled_buffers;
}

static void sibling_in_crowd(struct report *r)
{
	for (size_t i = 1; i < 12; i += 4)
		SET(r->result[i].phase, "together");
	slow_sibling(r);
}

static void other_size(struct report *r)
{
	r->disks.disk[2].size_bytes++;
	slow_sibling(r);
}

static void share_without_limit(struct report *r)
{
	report_add_shared_limit(r, &(struct shared_limit){
		"rand-read-together", "", 6, UNIT_IOPS, 600000, 580000, false });
}

static void drop_nowhere(struct report *r)
{
	drop(r);
	r->result[0].metric[r->result[0].metric_n - 2].value = -1;
}

static void cut_interval(struct report *r)
{
	r->result[1].io.measured_ns = 4400 * NS_PER_MS + 1;
	r->result[1].io.series_bytes[44] = 0;
}

static void lower_depth_unused(struct report *r)
{
	r->result[1].depth = 32;
	result_end(&r->result[1], RESULT_SKIPPED, "left out");
}

static void below_engine(struct report *r)
{
	near_engine(r);
	r->result[3].metric[1].value = 89000;
	for (size_t i = 7; i < 12; i += 4)
		r->result[i].metric[1].value = 89000;
}

static void read_only_excluded(struct report *r)
{
	read_only(r);
	r->disks.disk[1].skip = DISK_EXCLUDED;
}

static void no_medium(struct report *r)
{
	fixture_skipped(r, "sdy", DISK_NO_MEDIUM, "");
}

static void in_time(struct report *r)
{
	fixture_skipped(r, "sdy", DISK_NOT_ASKED, "");
}

static void not_asked(struct report *r)
{
	fixture_skipped(r, "sdx", DISK_NOT_ASKED, "Operation not permitted");
}

/* The first is the mildest: 0.3 s, then 1.2 s, then 0.5 s. */
static void pauses(struct report *r)
{
	static const uint32_t intervals[] = { 3, 12, 5 };

	for (size_t i = 0; i < 3; i++) {
		struct result *t = &r->result[i];

		for (uint32_t k = 0; k < intervals[i]; k++)
			t->io.series_bytes[10 + k] = 0;
		t->series_ns = 100 * NS_PER_MS;
		result_mark(t, "paused", "for 0.%02u s nothing came back", intervals[i]);
	}
}

static const struct finding_case cases_results_rows[] = {
	SPEAKS("no-disk", leave_all, CRITICAL, "",
	  "No disk was measured: 4 devices seen, each left alone for the reason it has in the "
	  "list of devices."),
	SPEAKS("no-disk", lose_all, CRITICAL, "",
	  "No disk was found: the kernel shows no block device at all. A storage controller "
	  "that this kernel has no driver for looks the same."),
	SPEAKS("disk-vanished", vanish, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) vanished during seq-read-qd1, after 2.23 GB: reads below "
	  "its end bring no data."),
	SPEAKS("disk-no-answer", stall, CRITICAL, "sda",
	  "sda (INTEL SSDSC2BB480G7) did not answer in rand-read-qd1: 64 reads without a reply "
	  "for 5.0 s"),
	SPEAKS("disk-no-answer", time_out, CRITICAL, "sda",
	  "sda (INTEL SSDSC2BB480G7) did not answer in rand-read-qd1: given up"),
	SPEAKS("disk-no-answer", open_hangs, CRITICAL, "sdx",
	  "sdx did not answer when it was opened: open did not return within 5 s. It was not "
	  "measured."),
	SPEAKS("read-errors", errors_once, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): rand-read-qd64: 2 of 9 reads failed, first at byte 4096"),
	SPEAKS("read-errors", errors_twice, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): 3 of 2,000 reads failed in 2 tests, at byte 1,234,567 "
	  "and elsewhere. rand-read-qd1: 1 of 1000 reads failed"),
	SPEAKS("write-errors", write_errors, CRITICAL, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): 4 of 18 writes failed in 2 tests, at byte 1,234,567 and "
	  "elsewhere. rand-read-qd1: 1 of 1000 reads failed"),
	SPEAKS("test-failed", fail, CRITICAL, "sda",
	  "sda (INTEL SSDSC2BB480G7): seq-read-qd1 failed: its process was ended by signal 11"),
	SPEAKS("no-time", hurry, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7): seq-read-qd1: not one of the reads was answered. With "
	  "less than a second for a test that need not be the disk's fault."),
	SPEAKS("no-time", starve, WARNING, "",
	  "cpu-int: single: the threads did not get to measure in 0.5 s. That need not be the "
	  "machine's fault."),
	SPEAKS("test-failed", hang_machine, CRITICAL, "",
	  "cpu-int failed: no result after 9.0 s"),
	SPEAKS("cannot-open", forbid, WARNING, "sdx",
	  "sdx cannot be opened: Operation not permitted. It was not measured."),
	SPEAKS("cannot-open", odd_sectors, WARNING, "sdx",
	  "sdx has a sector size that the kernel does not serve: 520 bytes. It was not "
	  "measured."),
	SPEAKS("short-reads", cut_short, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7): 4 reads of rand-read-qd64 brought fewer bytes than "
	  "asked; they count in no speed."),
	SPEAKS("reads-zeros", all_zeros, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7): reads return zeros (all 6,924 buffers looked at): never "
	  "written or trimmed, so read speed is not the disk's."),
	SPEAKS("reads-zeros", some_zeros, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7): 37 % of 1,000,681 buffers looked at are zeros: that part "
	  "was never written or trimmed, so read speed is not all the disk's."),
	SPEAKS("suspicious", above_link, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7): seq-read-qd64 and 1 more test: above-link: 700 MB/s, but "
	  "its link carries 600 MB/s"),
	SPEAKS_BESIDE("suspicious", pauses, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7): seq-read-qd64 and 2 more tests: paused: for 0.12 s "
	  "nothing came back",
	  "slow-samples"),
	SPEAKS("odd-sibling", slow_sibling, WARNING, "sdc",
	  "sdc (INTEL SSDSC2BB480G7) is the odd one: 263 MB/s in seq-read-qd64, while the "
	  "median of 3 disks of its model and size is 525 MB/s."),
	SPEAKS("write-drop", drop, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7): writes fall from 460 MB/s to 200 MB/s after 12.3 GB; 95 "
	  "% of the speed is back after 60.0 s of idle."),
	SPEAKS("write-drop", drop_for_long, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7): writes fall from 460 MB/s to 200 MB/s after 12.3 GB; "
	  "after 2 min 0 s of idle it is not back."),
	SPEAKS("shared-limit", share_limit, WARNING, "",
	  "6 disks at 0000:03:00.0: 1.20 GB/s each alone adds up to 7.20 GB/s, together they "
	  "deliver 2.10 GB/s (seq-read-together): something they share carries no more, be it "
	  "a controller, a link or the processors."),
	SPEAKS("slow-samples", hiccup, INFO, "sda",
	  "sda (INTEL SSDSC2BB480G7): in seq-read-qd64 2 of 45 intervals of 100 ms ran below "
	  "half the median of 524 MB/s; the slowest did 0 B/s."),
	SPEAKS("slow-samples", hiccups, INFO, "sda",
	  "sda (INTEL SSDSC2BB480G7): in seq-read-qd64 2 of 45 intervals of 100 ms ran below "
	  "half the median of 524 MB/s; the slowest did 0 B/s. Other tests of it had such too."),
	SPEAKS("depth-lowered", lower_depth, INFO, "sda",
	  "sda (INTEL SSDSC2BB480G7): seq-read-qd64 ran with 32 instead of 64 I/Os in flight "
	  "(fs.aio-max-nr is 65536)."),
	SPEAKS("engine-bound", near_engine, INFO, "sda",
	  "sda (INTEL SSDSC2BB480G7): 90,000 IOPS in rand-read-qd64 come near what one CPU "
	  "does without any disk (179,000 IOPS): the disk may be faster."),
	SPEAKS("read-only", read_only, INFO, "sdb",
	  "sdb (INTEL SSDSC2BB480G7) is read-only by itself: the device or its controller "
	  "refuses writes."),
	SPEAKS("no-namespace", no_namespace, INFO, "nvme1",
	  "NVMe controller nvme1 has no attached namespace: there is nothing to measure on it."),
	SPEAKS("late-disk", late, INFO, "sdc",
	  "sdc (INTEL SSDSC2BB480G7) appeared only 12.5 s after the disks were first looked "
	  "for."),
	IS_SILENT("no-disk", not_looked_yet),
	IS_SILENT("no-disk", ask_for_machine),
	IS_SILENT("disk-vanished", vanish_unseen),
	IS_SILENT("disk-no-answer", ask_nobody),
	IS_SILENT("disk-no-answer", hang_machine),
	IS_SILENT("test-failed", starve),
	IS_SILENT("read-errors", write_errors),
	IS_SILENT("write-errors", errors_once),
	IS_SILENT("test-failed", vanish),
	IS_SILENT("no-time", have_time),
	IS_SILENT("short-reads", cut_nothing),
	IS_SILENT("reads-zeros", few_zeros),
	IS_SILENT("suspicious", mark_zeros),
	IS_SILENT("odd-sibling", slower_sibling),
	IS_SILENT("odd-sibling", other_size),
	IS_SILENT("odd-sibling", written_sibling),
	IS_SILENT("odd-sibling", sibling_in_crowd),
	IS_SILENT("shared-limit", share_without_limit),
	IS_SILENT("write-drop", drop_nowhere),
	IS_SILENT("slow-samples", cut_interval),
	IS_SILENT("depth-lowered", lower_depth_unused),
	IS_SILENT("engine-bound", below_engine),
	IS_SILENT("read-only", read_only_excluded),
	IS_SILENT("no-namespace", no_medium),
	IS_SILENT("late-disk", in_time),
	IS_SILENT("cannot-open", not_asked),
};
CASES(cases_results);
