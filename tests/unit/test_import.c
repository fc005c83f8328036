/* SPDX-License-Identifier: MIT */
/*
 * Pasted texts: each figure with its unit, whatever page it comes from; and texts that hold none.
 */
#include <math.h>
#include <stdlib.h>

#include "bench/import/import.h"
#include "tests/unit/tap.h"

#define MIB 1048576.0

static struct report report;

static int import_of(const char *text)
{
	report_free(&report);
	return import_text(&report, text, strlen(text), "a test");
}

/* Result `i` is that test of that target, with that number (within what doubles round). */
static void figure(size_t i, const char *test, const char *target, const char *metric, double value)
{
	const struct result *r = i < report.result_n ? &report.result[i] : NULL;
	const struct metric *m;

	if (!ok(r != NULL, "%s: result %zu is there", test, i))
		return;
	is_str(r->test, test, "%s: its test", test);
	is_str(r->target, target, "%s: its target", test);
	m = result_find(r, metric);
	if (!ok(m && fabs(m->value / value - 1) < 1e-9, "%s: %s is %.10g", test, metric, value))
		tap_diag("it is %.10g", m ? m->value : -1);
}

static void test_hdparm(void)
{
	is_int(import_of("[root@host ~]# hdparm -t /dev/sda\n\n/dev/sda:\n"
			 " Timing buffered disk reads: 1500 MB in  3.00 seconds = 500.00 MB/sec\n"
			 " Timing buffered disk reads: 1200 MB in  3.00 seconds = 400.00 MB/sec\n"
			 " Timing buffered disk reads: 1206 MB in  3.00 seconds = 402.00 MB/sec\n"
			 "[root@host ~]# hdparm -T /dev/sda\n/dev/sda:\n"
			 " Timing cached reads:   30000 MB in  2.00 seconds = 15000.00 MB/sec\n"
			 "/dev/sdb:\n Timing buffered disk reads: 600 kB in 3.0 seconds = 200.00 "
			 "kB/sec\n"
			 "/dev/nvme0n1:\n"
			 " Timing O_DIRECT disk reads: 6000 MB in 3.00 seconds = 2000.00 MB/sec\n"),
	       4, "hdparm: four results of six lines");
	figure(0, "hdparm-t", "sda", "throughput", 402 * MIB);
	is_uint(report.result[0].metric[0].sample_n, 3, "three runs are samples of one result");
	is_str(report.result[0].context, "[root@host ~]# hdparm -t /dev/sda", "its command");
	ok(strstr(report.result[0].as_read, "500.00 MB/sec"), "as it was read");
	figure(1, "hdparm-T", "sda", "throughput_cached", 15000 * MIB);
	figure(2, "hdparm-t", "sdb", "throughput", 200 * 1024);
	figure(3, "hdparm-t-direct", "nvme0n1", "throughput", 2000 * MIB);
	/* a page that lost its line breaks, and once a letter */
	is_int(import_of("# hdparm -t /dev/sda /dev/sda: Timing buffered disk reads: 1500 MB in "
		"3.00 "
			 "seconds = 500.00 MB/sec # hdparm -t /dev/sdb /dev/sdb: iming buffered "
			 "disk "
			 "reads: 900 MB in 3.00 seconds = 300.00 MB/sec"), 2,
	       "hdparm: two results on one line");
	figure(0, "hdparm-t", "sda", "throughput", 500 * MIB);
	figure(1, "hdparm-t", "sdb", "throughput", 300 * MIB);
}

#define COMMAND "dd if=/dev/zero of=x bs=64k count=16k conv=fdatasync && rm -f x\n"

static void test_dd(void)
{
	static const struct {
		const char *language, *line;
	} lines[] = {
		{ "English", "1073741824 bytes (1.1 GB) copied, 2.5 s, 429 MB/s" },
		{ "newer", "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.5 s, 429 MB/s" },
		{ "German", "1073741824 Bytes (1,1 GB, 1,0 GiB) kopiert, 2,5 s, 429 MB/s" },
		{ "French", "1073741824 octets (1,1 GB, 1,0 GiB) copi\u00e9s, 2,5 s, 429 MB/s" },
		{ "Russian", "1073741824 \u0431\u0430\u0439\u0442 (1,1 GB, 1,0 GiB) "
		  "\u0441\u043a\u043e\u043f\u0438\u0440\u043e\u0432\u0430\u043d, 2,5 s, 429 MB/s" },
		{ "Chinese", "1073741824\u5b57\u8282\uff081.1 GB\uff0c1.0 GiB\uff09"
		  "\u5df2\u590d\u5236\uff0c2.5 s\uff0c429 MB/s" },
		{ "Japanese", "1073741824 \u30d0\u30a4\u30c8 (1.1 GB, 1.0 GiB) \u30b3\u30d4\u30fc"
		  "\u3055\u308c\u307e\u3057\u305f\u3001 2.5 s\u3001 429 MB/s" },
		{ "old", "1073741824 bytes (1.1 GB) copied, 2.5 seconds, 429 MB/s" },
		{ "busybox", "1073741824 bytes (1.0GB) copied, 2.500000 seconds, 409.6MB/s" },
		{ "BSD", "1073741824 bytes transferred in 2.5 secs (429496729 bytes/sec)" },
		{ "no-break spaces", "1073741824\u00a0bytes (1.1\u00a0GB) copied, 2.5\u00a0s, "
		  "429\u00a0MB/s" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char text[512];

		snprintf(text, sizeof(text), COMMAND "16384+0 records in\n16384+0 records "
			"out\n%s\n",
			 lines[i].line);
		is_int(import_of(text), 1, "dd: %s", lines[i].language);
		figure(0, "dd-write-1g", "", "throughput", 1073741824 / 2.5);
	}
	is_int(import_of("# " COMMAND "1073741824 bytes (1.1 GB) copied, 2.5 s, 429 MB/s # dd "
		"of=/dev/null "
			 "if=y bs=64k count=32k 2147483648 bytes (2.1 GB) copied, 0.5 s, 4.3 "
			 "GB/s"), 2,
	       "dd: a write and a read");
	figure(0, "dd-write-1g", "", "throughput", 1073741824 / 2.5);
	figure(1, "dd-read", "", "throughput_cached", 2147483648 / 0.5);
	ok(result_has_mark(&report.result[1], "page-cache"), "what may be memory is marked");
	is_int(import_of("time sh -c \"dd if=/dev/zero of=f bs=8k count=250000 && sync\"\n"
			 "2048000000 bytes (2.0 GB) copied, 10 s, 205 MB/s\nreal    "
			 "0m16.000s\n"), 1,
	       "dd: with a sync behind it");
	figure(0, "dd-write-8k-sync", "", "throughput", 2048000000 / 16.0);
	is_int(import_of("1048576 bytes (1.0 MB) copied, 1e-02 s, 105 MB/s"), 1,
	       "dd: without its command");
	figure(0, "dd-other", "", "throughput", 104857600);
	is_str(report.result[0].access, "", "nor its direction");
	ok(result_has_mark(&report.result[0], "form-unknown"), "then its form is not known");
	is_int(import_of("dd if=/dev/zero of=f bs=1M count=100\n104857600 bytes (105 MB) copied, "
		"0.1 s, "
			 "1.0 GB/s"), 1, "dd: without a flush");
	ok(result_has_mark(&report.result[0], "not-flushed"), "is told");
	is_str(report.result[0].data, "zeros", "what it wrote");
	is_int(import_of("dd if=/dev/urandom of=f bs=64k count=16k conv=fdatasync\n"
			 "1073741824 bytes (1.1 GB) copied, 4 s, 268 MB/s\n"
			 "1073741824 bytes (1.1 GB) copied, 2 s, 537 MB/s\n"), 2,
	       "dd: of random data, and a line without a command");
	is_str(report.result[0].test, "dd-write-other", "it is not the test with zeros");
	is_str(report.result[0].data, "random", "what it wrote");
	is_str(report.result[1].test, "dd-other", "one command has one line");
}

static void test_benchsh(void)
{
	static const char lines[] =
		"Centos 7 with LVM\n--------------------------------------------------\n"
		"CPU model : Some CPU @ 3.50GHz\nNumber of cores : 8\nKernel : "
		"3.10.0-957.el7.x86_64\n"
		"I/O speed(1st run) : 400 MB/s\nI/O speed(2nd run) : 1.0 GB/s\n"
		"I/O speed(3rd run) : 700 MB/s\nAverage I/O speed : 708.0 MB/s\n"
		"Node Name IPv4 address Download Speed\nCacheFly 205.234.175.175 100MB/s\n"
		"Linode, Tokyo2, JP 139.162.65.37 22.5MB/s\nDead, Node, XX 192.0.2.1 0B/s\n";
	char flat[sizeof(lines)];

	is_int(import_of(lines), 3, "bench.sh: three writes, two downloads");
	figure(0, "benchsh-write", "", "throughput", 700e6);
	is_uint(report.result[0].metric[0].sample_n, 3, "of three runs");
	is_str(report.result[0].context, "Centos 7 with LVM Some CPU @ 3.50GHz, "
	       "3.10.0-957.el7.x86_64", "what stood before it");
	is_str(report.machine.cpu.model, "Some CPU @ 3.50GHz", "the machine's processor");
	figure(1, "benchsh-download", "CacheFly", "download", 100 * MIB);
	figure(2, "benchsh-download", "Linode, Tokyo2, JP", "download", 22.5 * MIB);
	is_str(report.result[2].path, "139.162.65.37", "its address");
	strcpy(flat, lines);
	for (char *c = flat; *c; c++)
		if (*c == '\n')
			*c = ' ';
	ok(import_of(flat) >= 1, "bench.sh: on one line");
	figure(0, "benchsh-write", "", "throughput", 700e6);
}

static void test_fio(void)
{
	is_int(import_of("# fio --name=read_iops --size=10G --time_based --runtime=60s "
		"--ioengine=libaio "
			 "--direct=1 --bs=4K --iodepth=64 --rw=randread --group_reporting=1\n"
			 "Jobs: 1 (f=0): [f(1)][100.0%][r=586MiB/s,w=0KiB/s][r=150k,w=0 IOPS][eta "
			 "00m]\n"
			 "read_iops: (groupid=0, jobs=1): err= 0: pid=10535: Mon Jan 11 03:37:21 "
			 "2021\n"
			 "   read: IOPS=149k, BW=580MiB/s (609MB/s)(34.0GiB/60001msec)\n"
			 "    slat (nsec): min=1680, max=236800, avg=3171.88, stdev=3210.98\n"
			 "    clat (usec): min=72, max=3868, avg=426.08, stdev=122.45\n"
			 "     lat (usec): min=80, max=20k, avg=429.56, stdev=122.60\n"
			 "    clat percentiles (usec):\n"
			 "     |  1.00th=[  217], 50.00th=[  424], 90.00th=[  562], 95.00th=[  "
			 "603],\n"
			 "     | 99.00th=[  701], 99.90th=[ 1483], 99.99th=[ 1876]\n"
			 "   bw (  KiB/s): min=447400, max=640128, per=99.97%, avg=594167.11, "
			 "samples=119\n"
			 "   iops        : min=111850, max=160032, avg=148541.72, stdev=5915, "
			 "samples=119\n"
			 "Run status group 0 (all jobs):\n"
			 "   READ: bw=580MiB/s (609MB/s), 580MiB/s-580MiB/s (609MB/s-609MB/s), "
			 "run=60001\n"),
	       1, "fio 3");
	figure(0, "fio-read-iops", "", "iops", 149000);
	figure(0, "fio-read-iops", "", "throughput", 580 * MIB);
	figure(0, "fio-read-iops", "", "lat_mean", 429560);
	figure(0, "fio-read-iops", "", "lat_max", 20e6);
	figure(0, "fio-read-iops", "", "lat_p50", 424000);
	figure(0, "fio-read-iops", "", "lat_p99", 701000);
	figure(0, "fio-read-iops", "", "lat_p999", 1483000);
	is_uint(report.result[0].block_bytes, 4096, "its blocks");
	is_uint(report.result[0].depth, 64, "its depth");
	is_str(report.result[0].order, "random", "its order");
	is_uint(report.note_n, 1, "and nothing of it is left over");
	is_str(report.result[0].via, "file", "it ran on a file");
	is_int(import_of("fio --name=x --filename=/dev/nvme0n1 --bs=( --iodepth=-5 "
			 "--numjobs=99999999999 --rw=read\n"
			 "x: (groupid=0, jobs=99999999999): err= 0: pid=1: Mon\n"
			 "  read: IOPS=10, BW=10MiB/s (10MB/s)(1MiB/1msec)\n"), 1,
	       "fio: numbers that are none");
	is_str(report.result[0].target, "nvme0n1", "its device");
	is_uint(report.result[0].block_bytes + report.result[0].depth + report.result[0].jobs, 0,
		"are absent");
	is_int(import_of("job1: (groupid=0, jobs=4): err= 0: pid=99: Mon Jan  1 00:00:00 2015\n"
			 "  write: io=1024.0MB, bw=85333KB/s, iops=21333, runt= 12288msec\n"), 1,
	       "fio 2");
	figure(0, "fio-job1", "", "throughput", 85333.0 * 1024);
	figure(0, "fio-job1", "", "iops", 21333);
}

static void test_strange(void)
{
	static char long_line[300000];
	char bytes[2048];

	is_int(import_of(""), 0, "an empty text");
	is_int(import_of("no figures here\n\n\n"), 0, "prose");
	is_int(import_of("we saw about 400 MB/s on it, <b>nice</b>\n"), 0, "a figure in prose");
	is_uint(report.note_n, 2, "is noted");
	is_str(report.note[1].text, "we saw about 400 MB/s on it, <b>nice</b>", "as it stood");
	is_int(import_of("99999999999999999999999999 bytes (1 B) copied, 0 s, 0 B/s"), 0,
	       "no time is no rate");
	is_int(import_of("/dev/sda:\n Timing buffered disk reads: 0 MB in 0.00 seconds = 0 "
		"MB/sec"), 0,
	       "nothing read is no rate");
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 37);
	report_free(&report);
	is_int(import_text(&report, bytes, sizeof(bytes), "any bytes"), 0, "any bytes");
	for (size_t i = 0; i + 1 < sizeof(long_line); i++)
		long_line[i] = "dd if= 12 th=[ Jobs: (usec)"[i % 27];
	ok(import_of(long_line) >= 0, "a line of 300,000 characters ends");
}

int main(void)
{
	report_init(&report);
	test_hdparm();
	test_dd();
	test_benchsh();
	test_fio();
	test_strange();
	report_free(&report);
	return tap_done();
}
