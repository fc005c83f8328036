/* SPDX-License-Identifier: MIT */
/* The block "as the usual tools print it": its lines, and what never stands in it. */
#include "tests/unit/golden.h"

#include "bench/model/report.h"
#include "bench/report/text.h"

#define MIB (UINT64_C(1) << 20)

static char *text;

static struct result *add(struct report *r, const char *test, const char *target)
{
	static struct result t;

	result_init(&t, test, target);
	result_end(&t, RESULT_OK, "%s", "");
	return report_add_result(r, &t) ? NULL : &r->result[r->result_n - 1];
}

static void run(struct result *t, const char *name, double s, uint64_t bytes)
{
	struct series *runs = (struct series *)result_find_series(t, name);

	if (!runs)
		runs = result_series(t, name, UNIT_NS, UNIT_BYTES);
	series_add(runs, s * 1e9, (double)bytes);
}

static void fixture(struct report *r)
{
	struct disk d = { .name = "sda", .node = "/dev/sda" };
	struct result *t;

	memset(r, 0, sizeof(*r));
	(void)disk_list_add(&r->disks, &d);
	t = add(r, "hdparm-T", "sda");
	run(t, "runs", 32066 / 16054.56, 32066 * MIB);
	run(t, "runs", 32240 / 16142.07, 32240 * MIB);
	t = add(r, "hdparm-t", "sda");
	run(t, "runs", 1554 / 517.37, 1554 * MIB);
	run(t, "runs", 64 / 293.83, 64 * MIB);
	t = add(r, "hdparm-t-direct", "sda");
	run(t, "runs", 2 * 1024 / 488.46, 2 * MIB);
	t = add(r, "dd-read", "sda");
	t->block_bytes = 65536;
	run(t, "runs", 4.60175, 2048 * MIB);
	run(t, "runs-cached", 0.229655, 2048 * MIB);
	t = add(r, "dd-write-1g", "sda");
	t->block_bytes = 65536;
	run(t, "runs", 2.65959, 1024 * MIB);
	t = add(r, "dd-write-16g", "sda");
	t->block_bytes = 65536;
	run(t, "runs", 28.31112, 10485 * MIB);
	result_end(t, RESULT_OK, "11.0 GB of 17.2 GB: its time was over");
	t = add(r, "dd-write-8k-sync", "sda");
	t->block_bytes = 8192;
	run(t, "runs", 11.8286, 2048000000);
	/* found on sdb's file system */
	t = add(r, "dd-write-2g", "sdb");
	t->block_bytes = 65536;
	snprintf(t->path, sizeof(t->path), "/srv/a  folder");
	run(t, "runs", 1.50309, 2048 * MIB);
	t = add(r, "benchsh-write", "sdb");
	run(t, "runs", 1024 * MIB / 427.4e6, 1024 * MIB);
	run(t, "runs", 1024 * MIB / 1.36e9, 1024 * MIB);
	run(t, "runs", 1024 * MIB / 98.76e6, 1024 * MIB);
	(void)result_metric(t, "throughput", UNIT_BYTES_PER_S, (427.4e6 + 1.36e9 + 98.76e6) / 3);
	/* a sample was taken before the disk fell silent: that is no speed */
	for (unsigned i = 0; i < 2; i++) {
		t = add(r, "hdparm-t", i ? "sdb" : "sdc");
		run(t, "runs", 3, 1000 * MIB);
		result_end(t, RESULT_FAILED, "the device stopped answering");
	}
	t = add(r, "dd-read", "sdd");
	result_end(t, RESULT_SKIPPED, "not among the tests asked for");
	(void)add(r, "seq-read-qd1", "sdd");
}

static void has(const char *lines, const char *what)
{
	if (!ok(strstr(text, lines), "%s", what))
		tap_diag("not there: %s", lines);
}

int main(void)
{
	struct page page = { 0 };
	struct report r;
	size_t len;

	fixture(&r);
	text_put_tools(&page, &r);
	text = page_take(&page, &len);
	if (!text)
		tap_bail("no text");
	golden_is("tests/golden/tools.tools", text, len);
	has("/dev/sda:\n Timing cached reads:   32066 MB in  2.00 seconds = 16054.56 MB/sec\n",
	    "cached reads below the disk's name");
	has("\n Timing buffered disk reads: 1554 MB in  3.00 seconds = 517.37 MB/sec\n",
	    "buffered reads in MiB");
	has("\n Timing buffered disk reads:  64 MB in  0.22 seconds = 293.83 MB/sec\n",
	    "two digits stand where three would");
	has("\n Timing O_DIRECT disk reads:   2 MB in  4.19 seconds = 488.46 kB/sec\n",
	    "kB/sec for a slow disk");
	has("\ndd if=/dev/zero of=/dev/sda bs=64k count=16k conv=fdatasync\n16384+0 records in\n"
	    "16384+0 records out\n"
	    "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.65959 s, 404 MB/s\n",
	    "dd's command and its three lines");
	has("\nI/O speed(1st run)   : 427 MB/s\nI/O speed(2nd run)   : 1.4 GB/s\n"
	    "I/O speed(3rd run)   : 98.8 MB/s\nAverage I/O speed    : 628.7 MB/s\n",
	    "three runs and the mean of bytes per second");
	ok(!strstr(text, "sdc") && !strstr(text, "sdd"), "a test without a result has no lines");
	free(text);

	report_free(&r);
	memset(&r, 0, sizeof(r));
	(void)add(&r, "seq-read-qd1", "sda");
	page = (struct page){ 0 };
	text_put_tools(&page, &r);
	is_uint(page.len, 0, "without such tests there is no block");
	free(page.text);
	report_free(&r);
	return tap_done();
}
