/* SPDX-License-Identifier: MIT */
/* Results in fio's form: the whole text against one a person compared with fio's, and its units. */
#include "bench/report/text_fio.h"

#include "tests/unit/golden.h"
#include "tests/unit/report_fixtures.h"

static char *text;
static size_t len;

static struct result *add(struct report *r, const char *test, const char *family,
			  const char *access, const char *order)
{
	static struct result t;

	result_init(&t, test, "vda");
	SET(t.family, "%s", family);
	SET(t.access, "%s", access);
	SET(t.order, "%s", order);
	SET(t.engine, "libaio");
	t.status = RESULT_OK;
	t.start_ns = 3600 * NS_PER_S;
	t.has_io = t.io.has_detail = true;
	t.io.map_n = IO_MAP_N;
	t.depth = t.depth_asked = 64;
	report_add_result(r, &t);
	return &r->result[r->result_n - 1];
}

/* `n` I/Os of which the latencies are spread over `low` .. `high` in 1000 steps, slat a tenth. */
static void fill(struct result *t, int which, uint64_t n, uint64_t low_ns, uint64_t high_ns)
{
	struct io_side *side = &t->io.side[which];

	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t ns = low_ns + (high_ns - low_ns) * i * i / (999 * 999);
		uint64_t each = n / 1000 + (i < n % 1000);

		hist_add(&side->clat, ns, each);
		for (uint64_t k = 0; k < each; k++) {
			moments_add(&side->slat, ns / 10);
			moments_add(&side->lat, ns + ns / 10);
		}
	}
	side->ios = n;
	side->bytes = n * t->block_bytes;
	t->io.ios += n;
	t->io.bytes += side->bytes;
}

static void fill_series(struct result *t, uint32_t n)
{
	t->series_ns = 500 * NS_PER_MS;
	t->io.series_n = n;
	for (uint32_t i = 0; i < n; i++)
		t->io.series_bytes[i] = t->io.bytes / n / t->block_bytes * (95 + i % 11) / 100 *
					t->block_bytes;
}

static void fill_maps(struct result *t)
{
	t->io.depth_map[0] = 1;
	t->io.depth_map[6] = t->io.ios;
	t->io.submit_map[1] = t->io.complete_map[1] = t->io.ios / 3;
	t->io.submit_map[4] = t->io.complete_map[4] = t->io.ios / 50;
}

static void fixture(struct report *r)
{
	struct result *t;

	fixture_begin(r, "00000000-0000-4000-8000-000000000006");
	fixture_disk(r, "vda", "ACME 9000", "SECRET", "virtio", UINT64_C(512110190592));

	/* the write_iops of the page that people know: 3398809 I/Os in 60001 ms */
	t = add(r, "fio-write-iops", "fio", "write", "random");
	t->block_bytes = 4096;
	t->jobs = 1;
	t->area_bytes = UINT64_C(10) << 30;
	t->ramp_ns = 2 * NS_PER_S;
	t->io.measured_ns = UINT64_C(60001234567);
	t->elapsed_ns = UINT64_C(62004000000);
	t->io.user_cpu_ns = 4404 * NS_PER_MS;
	t->io.system_cpu_ns = 28949 * NS_PER_MS;
	t->io.context_switches = 644059;
	t->io.minor_faults = 3;
	fill(t, IO_SIDE_WRITE, 3398809, 49123, 36464000);
	fill_series(t, 119);
	fill_maps(t);
	t->has_disk_stat = true;
	t->disk_stat = (struct disk_stat){ .write_ios = 3997028, .write_merges = 1826387,
		.write_ticks_ms = 1777860, .io_ticks_ms = 58371, .queue_ticks_ms = 1527644 };

	t = add(r, "fio-read-throughput", "fio", "read", "sequential");
	t->block_bytes = MIB;
	t->jobs = 8;
	t->area_bytes = UINT64_C(80) << 30;
	t->io.measured_ns = UINT64_C(60039000000);
	t->elapsed_ns = UINT64_C(62100000000);
	t->io.user_cpu_ns = 1201 * NS_PER_MS;
	t->io.system_cpu_ns = 30460 * NS_PER_MS;
	fill(t, IO_SIDE_READ, 506756, 2100000, 438 * NS_PER_MS);
	fill_series(t, 120);
	fill_maps(t);
	t->io.short_ios = 2;
	t->io.error_ios = 3;
	t->io.error_n = 1;
	t->io.error[0] = (struct io_error){ 5, 3, 4096 };

	t = add(r, "yabs-4k", "yabs", "mixed", "random");
	t->block_bytes = 4096;
	t->jobs = 2;
	t->area_bytes = UINT64_C(2) << 30;
	t->io.measured_ns = UINT64_C(29953000000);
	t->elapsed_ns = UINT64_C(29960000000);
	fill(t, IO_SIDE_READ, 687853, 850, 29000);
	fill(t, IO_SIDE_WRITE, 689153, 1600, 1800000);
	fill_series(t, 59);
	fill_maps(t);

	t = add(r, "fio-read-iops", "fio", "read", "random");
	result_end(t, RESULT_SKIPPED, "not among the tests asked for");
	t = add(r, "rand-read-qd64", "", "read", "random");
}

static void has(const char *what, const char *why)
{
	if (!ok(strstr(text, what), "%s", why))
		tap_diag("not there: %s", what);
}

int main(void)
{
	struct report r;

	fixture(&r);
	text = fio_text_write(&r, &len);
	golden_is("tests/golden/fio.fio", text, len);
	has("write_iops: (groupid=0, jobs=1): err= 0: pid=0: ", "the head of a group");
	has("  write: IOPS=56.6k, BW=221MiB/s (232MB/s)(13.0GiB/60001msec); 0 zone resets\n",
	    "fio's numbers of the same I/Os (its own 12.0GiB is 12.97 cut)");
	has("    clat (usec): min=49, max=36464, avg=", "latencies that grew to microseconds");
	has("    slat (usec): min=4, max=3646, avg=", "submission");
	has("     lat (usec): min=54, max=40110, avg=", "the whole");
	has("   bw (  KiB/s): min=", "samples in KiB");
	has("  cpu          : usr=7.34%, sys=48.25%, ctx=644059, majf=0, minf=3\n", "processor");
	has("  IO depths    : 1=0.1%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=100.0%\n",
	    "depths: what is there is never 0.0%");
	has("     issued rwts: total=0,3398809,0,0 short=0,0,0,0 dropped=0,0,0,0\n", "issued");
	has("  WRITE: bw=221MiB/s (232MB/s), 221MiB/s-221MiB/s (232MB/s-232MB/s), io=13.0GiB "
	    "(13.9GB), run=60001-60001msec\n", "the group's status");
	has("  vda: ios=0/3997028, merge=0/1826387, ticks=0/1777860, in_queue=1527644, "
	    "util=94.14%\n", "the kernel's counters");
	has("  read: IOPS=8440, BW=8440MiB/s (8850MB/s)(495GiB/60039msec)\n",
	    "four digits have no prefix");
	has("    clat (msec): min=2, max=438, avg=", "milliseconds");
	has("   bw (  MiB/s): min=", "samples in MiB");
	has("cpu          : usr=0.25%, sys=6.34%", "processor time is that of one job");
	has("short=2,0,0,0", "short transfers");
	has("     errors    : total=3, first_error=5/<", "errors");
	has("    clat (nsec): min=850, max=29000, avg=", "nanoseconds");
	has("# skipped: not among the tests asked for\n", "what did not run has its reason");
	has("--offset_increment=10737418240 --size=10737418240 --numjobs=8", "the regions");
	ok(!strstr(text, "rand-read-qd64"), "only fio's and YABS's tests");
	ok(!strstr(text, "Disk stats (read/write):\n  vda: ios=0/0"), "absent counters are not 0");
	free(text);
	report_free(&r);
	report_init(&r);
	text = fio_text_write(&r, &len);
	is_str(text, "# no test of fio's is in this report\n", "a report without any");
	free(text);
	report_free(&r);
	return tap_done();
}
